//! Which functions of a program lead to which, and what a function's entry leads to.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, BlockId, Callee, Function, FunctionId, Program, Terminator};

/// Which functions lead to which.
pub struct CallGraph {
    /// By function that is reached: the functions that its calls lead to.
    pub leads_to: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// The functions that lead to themselves.
    pub recursive: Vec<FunctionId>,
}

impl CallGraph {
    /// The graph of the functions that the start of the program leads to.
    pub fn new(program: &Program) -> Self {
        let calls: Vec<Vec<FunctionId>> = program.functions.iter().map(called).collect();
        let reached = closure(&calls, [program.start]);
        let leads_to: BTreeMap<FunctionId, BTreeSet<FunctionId>> = (reached.iter())
            .map(|&id| (id, closure(&calls, calls[id as usize].iter().copied())))
            .collect();
        let recursive = |&id: &FunctionId| leads_to[&id].contains(&id);
        let recursive = reached.iter().copied().filter(recursive).collect();
        Self {
            leads_to,
            recursive,
        }
    }
}

/// Whether functions of the program call each other in a circle.
pub fn is_recursive(program: &Program) -> bool {
    !CallGraph::new(program).recursive.is_empty()
}

/// Whether control leaves a block with a function's end, a jump, or a call of a function by its name.
pub fn calls_by_name(end: &Terminator) -> bool {
    !matches!(
        end,
        Terminator::Call {
            callee: Callee::Indirect(_),
            ..
        }
    )
}

/// The functions that a function calls by name.
fn called(function: &Function) -> Vec<FunctionId> {
    let ends = function.blocks.iter().map(|block| &block.end);
    ends.filter_map(|end| match end {
        Terminator::Call {
            callee: Callee::Direct(id),
            ..
        } => Some(*id),
        _ => None,
    })
    .collect()
}

/// The functions that calls lead to, these included.
fn closure(
    calls: &[Vec<FunctionId>],
    from: impl IntoIterator<Item = FunctionId>,
) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut work: Vec<FunctionId> = from.into_iter().collect();
    while let Some(id) = work.pop() {
        if found.insert(id) {
            work.extend(&calls[id as usize]);
        }
    }
    found
}

/// The blocks of a function that its entry leads to.
pub fn reached_blocks(function: &Function) -> Vec<&Block> {
    let mut is_found = vec![false; function.blocks.len()];
    let mut work: Vec<BlockId> = vec![0];
    let mut found = Vec::new();
    while let Some(id) = work.pop() {
        let Some(block) = function.blocks.get(id as usize) else {
            continue;
        };
        if std::mem::replace(&mut is_found[id as usize], true) {
            continue;
        }
        found.push(block);
        match block.end {
            Terminator::Jump(to) | Terminator::Call { next: to, .. } => work.push(to),
            Terminator::Branch {
                then, otherwise, ..
            } => work.extend([then, otherwise]),
            _ => {}
        }
        work.extend(function.resumes.get(&id));
    }
    found
}
