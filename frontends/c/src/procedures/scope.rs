//! Which calls get summaries, and over which words.

use std::collections::BTreeSet;

use crate::execute::{EdgeCalls, Vocabulary};
use crate::ir::{Block, Expr, ExprNode, FunctionId, Instr, Program, Terminator};
use crate::recursion::{CallGraph, effects, names_all_objects, reached_blocks};

/// Cells in the words of one procedure, at most.
const MAX_CELLS: usize = 64;

/// The calls within a recursion, and the words of their callees, if there is a recursion; or why the program has no
/// such summaries.
pub(super) fn recursive_calls(program: &Program) -> Result<Option<EdgeCalls>, String> {
    let graph = CallGraph::new(program);
    if graph.recursive.is_empty() {
        return Ok(None);
    }
    if program.tracks_lifetimes || program.passes_goals || program.tells_lost {
        return Err("lifetimes of objects or goals are tracked".into());
    }
    if !names_all_objects(program, graph.leads_to.keys()) {
        return Err("the program uses pointers, allocates memory or the like".into());
    }
    let mut edges = EdgeCalls::default();
    for &id in &graph.recursive {
        let function = &program.functions[id as usize];
        let own = || format!("the recursion of `{}`", function.name);
        let effects = effects(program, &graph.leads_to[&id]).ok_or_else(|| {
            format!(
                "{} accesses objects at unknown offsets, or has other effects",
                own()
            )
        })?;
        if stores_addresses(program, id) {
            return Err(format!("an address of a local object escapes in {}", own()));
        }
        let accessed: BTreeSet<_> = effects.read.union(&effects.written).copied().collect();
        let n_cells = |id: u32| program.statics[id as usize].shape.cells.len();
        if accessed.iter().map(|&id| n_cells(id)).sum::<usize>() > MAX_CELLS {
            return Err(format!("{} accesses large objects", own()));
        }
        let vocabulary = Vocabulary {
            parameters: (function.regs.iter().take(function.n_params))
                .map(|register| register.width)
                .collect(),
            accessed: accessed.into_iter().collect(),
            written: effects.written.into_iter().collect(),
            result: function.result_width,
        };
        edges.vocabularies.insert(id, vocabulary);
        // Both lead to each other.
        let within = (graph.leads_to[&id].iter()).filter(|from| graph.leads_to[from].contains(&id));
        edges.calls.extend(within.map(|&from| (from, id)));
    }
    // A function that is not called by one that it leads to needs no summary.
    let called: BTreeSet<FunctionId> = edges.calls.iter().map(|&(_, to)| to).collect();
    edges.vocabularies.retain(|id, _| called.contains(id));
    Ok(Some(edges))
}

/// The expressions that a block evaluates, without the addresses of its accesses and calls.
pub(super) fn evaluated(block: &Block) -> Vec<Expr> {
    let mut values = Vec::new();
    for (instr, _) in &block.instrs {
        match instr {
            Instr::Set { value, .. } | Instr::Store { value, .. } => values.push(*value),
            Instr::Assume { condition }
            | Instr::Claim { condition }
            | Instr::Check { condition, .. } => values.push(*condition),
            Instr::Host { arguments, .. } => values.extend(arguments),
            _ => {}
        }
    }
    match &block.end {
        Terminator::Branch { condition, .. } => values.push(*condition),
        Terminator::Call { args, .. } => values.extend(args),
        Terminator::Return(Some(value)) => values.push(*value),
        _ => {}
    }
    values
}

/// Whether a function uses the address of an object of its frame as a value, and not only to access the object.
fn stores_addresses(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id as usize];
    let blocks = reached_blocks(function).into_iter();
    let mut values: Vec<Expr> = blocks.flat_map(evaluated).collect();
    let mut seen = BTreeSet::new();
    while let Some(expr) = values.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match program.node(expr) {
            ExprNode::Slot(_) => return true,
            node => values.extend(operands(node)),
        }
    }
    false
}

/// The operands of an expression.
pub(super) fn operands(node: ExprNode) -> Vec<Expr> {
    match node {
        ExprNode::Not(a) | ExprNode::Extract(a, _) | ExprNode::ZExt(a) | ExprNode::SExt(a) => {
            vec![a]
        }
        ExprNode::Binary(_, a, b) | ExprNode::Moved(a, b) => vec![a, b],
        ExprNode::Ite(a, b, c) | ExprNode::Float(_, _, a, b, c) => vec![a, b, c],
        ExprNode::Const(_)
        | ExprNode::Reg(_)
        | ExprNode::Static(_)
        | ExprNode::Slot(_)
        | ExprNode::Function(_) => Vec::new(),
    }
}
