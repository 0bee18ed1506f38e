//! Which calls get summaries, and over which words.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::effects::{effects, names_all_objects};
use craig_c_exec::symbolic::{EdgeCalls, Vocabulary};
use craig_c_lang::call_graph::{CallGraph, reached_blocks};
use craig_c_lang::ir::{Block, Callee, Expr, ExprNode, FunctionId, Instr, Program, Terminator};

/// Cells in the words of one procedure, at most.
const MAX_CELLS: usize = 64;
/// Blocks of a function that is not recursive and whose calls are edges, at least.
const MIN_BLOCKS: usize = 6;

/// Which calls are edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// Those within a recursion. The first one is inlined.
    Recursive,
    /// The first ones, too, and those of functions that are called in several places.
    Shared,
}

/// The calls that are edges, and the words of their callees, if there are any; or why the program has no summaries.
pub(super) fn edges(program: &Program, calls: Calls) -> Result<Option<EdgeCalls>, String> {
    let graph = CallGraph::new(program);
    if graph.recursive.is_empty() && calls == Calls::Recursive {
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
        let vocabulary = vocabulary(program, &graph, id)
            .map_err(|reason| format!("the recursion of `{}` {reason}", name(program, id)))?;
        edges.vocabularies.insert(id, vocabulary);
        // Both lead to each other.
        let within = (graph.leads_to[&id].iter()).filter(|from| graph.leads_to[from].contains(&id));
        edges.calls.extend(within.map(|&from| (from, id)));
    }
    if calls == Calls::Shared {
        add_shared(program, &graph, &mut edges);
    }
    // A function that is not called by one that it leads to needs no summary.
    let called: BTreeSet<FunctionId> = edges.calls.iter().map(|&(_, to)| to).collect();
    edges.vocabularies.retain(|id, _| called.contains(id));
    Ok((!edges.calls.is_empty()).then_some(edges))
}

fn name(program: &Program, id: FunctionId) -> &str {
    &program.functions[id as usize].name
}

/// The words of a function; or why it can't have a summary.
fn vocabulary(program: &Program, graph: &CallGraph, id: FunctionId) -> Result<Vocabulary, String> {
    let function = &program.functions[id as usize];
    let all: BTreeSet<FunctionId> = graph.leads_to[&id].iter().copied().chain([id]).collect();
    let Some(effects) = effects(program, &all) else {
        return Err("accesses objects at unknown offsets, or has other effects".into());
    };
    if stores_addresses(program, id) {
        return Err("lets an address of a local object escape".into());
    }
    let accessed: BTreeSet<_> = effects.read.union(&effects.written).copied().collect();
    let n_cells = |id: u32| program.statics[id as usize].shape.cells.len();
    if accessed.iter().map(|&id| n_cells(id)).sum::<usize>() > MAX_CELLS {
        return Err("accesses large objects".into());
    }
    Ok(Vocabulary {
        parameters: (function.regs.iter().take(function.n_params))
            .map(|register| register.width)
            .collect(),
        accessed: accessed.into_iter().collect(),
        written: effects.written.into_iter().collect(),
        result: function.result_width,
    })
}

/// Adds the first calls into a recursion, and the calls of functions with more than a few blocks that are called in
/// several places, or that lead to other calls that are edges. Functions that can have no summary are left out.
fn add_shared(program: &Program, graph: &CallGraph, edges: &mut EdgeCalls) {
    let mut sites: BTreeMap<FunctionId, usize> = BTreeMap::new();
    let mut pairs: BTreeSet<(FunctionId, FunctionId)> = BTreeSet::new();
    for &from in graph.leads_to.keys() {
        for block in reached_blocks(&program.functions[from as usize]) {
            if let Terminator::Call {
                callee: Callee::Direct(id),
                ..
            } = block.end
            {
                *sites.entry(id).or_default() += 1;
                pairs.insert((from, id));
            }
        }
    }
    for (&id, &sites) in &sites {
        let is_shared = sites > 1 && program.functions[id as usize].blocks.len() >= MIN_BLOCKS;
        if let Entry::Vacant(own) = edges.vocabularies.entry(id) {
            if !is_shared {
                continue;
            }
            let Ok(vocabulary) = vocabulary(program, graph, id) else {
                continue;
            };
            own.insert(vocabulary);
        }
        // The entry function is called by the start function once, and not again as an edge.
        let calls = pairs
            .iter()
            .filter(|&&(from, to)| to == id && from != program.start);
        edges.calls.extend(calls);
    }
}

/// The expressions that a block evaluates, without the addresses of its accesses and calls.
pub(super) fn evaluated(block: &Block) -> Vec<Expr> {
    let mut values = Vec::new();
    for (instr, _) in &block.instrs {
        match instr {
            Instr::Set { value, .. } | Instr::Store { value, .. } => values.push(*value),
            Instr::Assume { condition }
            | Instr::Candidate { condition }
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
