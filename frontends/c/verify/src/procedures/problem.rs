//! The bodies of a program's recursive functions as formulas, by symbolic execution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use craig_model::{Stop, UnknownReason};
use craig_program::procedures::{Body, CallEdge, Procedure, Procedures, SummaryWord};
use craig_word::{Term, Terms};

use super::scope::{evaluated, operands};
use craig_c_exec::symbolic::{
    EdgeCalls, Event, Executor, Log, LoopHeads, Mark, Policy, Vocabulary,
};
use craig_c_lang::address_space::AddressSpace;
use craig_c_lang::call_graph::reached_blocks;
use craig_c_lang::ir::{ExprNode, FunctionId, Program, Terminator};
use craig_c_lang::types::Type;

/// Constants of each width that occur in conditions, at most.
const MAX_CONSTANTS: usize = 8;

/// The problem of summaries for a program, and the function of each procedure.
pub(super) struct Problem {
    pub(super) procedures: Procedures,
    pub(super) functions: Vec<FunctionId>,
    /// What the root chooses, and then what each procedure does.
    pub(super) choices: Vec<Choices>,
    pub(super) space: AddressSpace,
    /// Heads of loops of which runs are left out.
    pub(super) unrolled: LoopHeads,
}

/// The free choices of a body.
pub(super) struct Choices {
    pub(super) events: Vec<Event>,
    /// By call: the number of events before it.
    pub(super) calls: Vec<usize>,
}

/// Executes all bodies once each ([`Policy::Summarise`]), with `iterations` iterations of each loop, and `decided` more as long as
/// its condition is decided.
pub(super) fn problem(
    program: &Program,
    edges: &Arc<EdgeCalls>,
    (iterations, decided): (u32, u32),
    stop: &Stop,
) -> Result<Problem, UnknownReason> {
    let unsupported = UnknownReason::Unsupported;
    let mut executor = Executor::new(program).map_err(unsupported)?;
    let policy = Policy::Summarise {
        calls: Arc::clone(edges),
        iterations,
        decided,
    };
    let functions: Vec<FunctionId> = edges.vocabularies.keys().copied().collect();
    let numbers: BTreeMap<FunctionId, usize> = (functions.iter().enumerate())
        .map(|(number, &id)| (id, number))
        .collect();
    let mut bodies = Vec::new();
    let mut choices = Vec::new();
    let mut unrolled = LoopHeads::new();
    for start in std::iter::once(None).chain(functions.iter().copied().map(Some)) {
        executor.log = Log::default();
        let (position, state, entry) = match start {
            None => {
                let (position, state) = executor.start();
                (position, state, Vec::new())
            }
            Some(id) => executor.start_of(edges, id),
        };
        executor.run(position, state, &policy, stop)?;
        let mut log = std::mem::take(&mut executor.log);
        unrolled.append(&mut log.unrolled);
        choices.push(Choices {
            events: std::mem::take(&mut log.events),
            calls: log.calls.iter().map(|call| call.n_events).collect(),
        });
        bodies.push((entry, body(&mut executor.terms, log, &numbers)));
    }
    let mut terms = std::mem::take(&mut executor.terms);
    let mut bodies = bodies.into_iter();
    let (_, root) = bodies.next().expect("the root has a body");
    let mut procedures = Vec::new();
    for (&id, (entry, body)) in functions.iter().zip(bodies) {
        let vocabulary = &edges.vocabularies[&id];
        let signs = signs(program, id, vocabulary);
        let words = |terms: Vec<Term>, signs: Vec<bool>| {
            debug_assert_eq!(terms.len(), signs.len());
            let words = terms.into_iter().zip(signs);
            words
                .map(|(term, is_signed)| SummaryWord { term, is_signed })
                .collect()
        };
        let widths = widths_at_exit(program, vocabulary);
        let exit = widths.iter().map(|&width| terms.variable(width)).collect();
        let mut body = body;
        if body.exit.is_empty() {
            // It never returns.
            body.exit = widths
                .iter()
                .map(|&width| terms.constant(0, width))
                .collect();
        }
        procedures.push(Procedure {
            entry: words(entry, signs.0),
            exit: words(exit, signs.1),
            body,
        });
    }
    let constants = constants(program, edges);
    Ok(Problem {
        procedures: Procedures {
            terms,
            root,
            procedures,
            constants,
        },
        functions,
        choices,
        space: executor.space,
        unrolled,
    })
}

fn body(terms: &mut Terms, log: Log, numbers: &BTreeMap<FunctionId, usize>) -> Body {
    let any = |terms: &mut Terms, marks: &[Mark]| {
        let mut guards: Vec<Term> = marks.iter().map(|mark| mark.guard).collect();
        guards.sort_unstable();
        guards.dedup();
        (guards.into_iter()).fold(terms.boolean(false), |any, guard| terms.or(any, guard))
    };
    let errors = any(terms, &log.errors);
    let stuck = any(terms, &log.stuck);
    let mut returns = terms.boolean(false);
    let mut exit: Vec<Term> = Vec::new();
    for found in log.returns {
        exit = match exit.is_empty() {
            true => found.exit,
            false => (found.exit.iter().zip(&exit))
                .map(|(&own, &other)| terms.ite(found.guard, own, other))
                .collect(),
        };
        returns = terms.or(returns, found.guard);
    }
    let calls = log.calls.into_iter().map(|call| CallEdge {
        callee: numbers[&call.callee],
        guard: call.guard,
        entry: call.entry,
        returns: call.returns,
        exit: call.exit,
    });
    Body {
        calls: calls.collect(),
        returns,
        exit,
        fails: terms.or(errors, stuck),
        is_complete: log.unwound.is_empty() && log.too_deep.is_empty(),
    }
}

/// The widths of the words at the exit.
pub(super) fn widths_at_exit(program: &Program, vocabulary: &Vocabulary) -> Vec<u32> {
    let cells = |&id: &u32| program.statics[id as usize].shape.cells.iter();
    let written = vocabulary.written.iter().flat_map(cells);
    let written = written.map(|&(_, bytes)| 8 * bytes);
    vocabulary.result.into_iter().chain(written).collect()
}

/// Whether the words at entry and exit are ordered as signed numbers. The type of the result is not known here; it
/// is taken to be that of the parameters.
fn signs(program: &Program, id: FunctionId, vocabulary: &Vocabulary) -> (Vec<bool>, Vec<bool>) {
    let is_signed = |ty: &Option<Type>| !matches!(ty, Some(Type::Int(int)) if !int.signed);
    let function = &program.functions[id as usize];
    let parameters = function.regs.iter().take(function.n_params);
    let mut entry: Vec<bool> = parameters.map(|register| is_signed(&register.ty)).collect();
    let result = entry.is_empty() || entry.contains(&true);
    let cells = |&id: &u32| {
        let object = &program.statics[id as usize];
        std::iter::repeat_n(is_signed(&object.ty), object.shape.cells.len())
    };
    entry.extend(vocabulary.accessed.iter().flat_map(cells));
    let mut exit: Vec<bool> = vocabulary.result.iter().map(|_| result).collect();
    exit.extend(vocabulary.written.iter().flat_map(cells));
    (entry, exit)
}

/// The constants in the code of the recursion and of what calls it, the most frequent first.
fn constants(program: &Program, edges: &EdgeCalls) -> Vec<(u128, u32)> {
    let own: BTreeSet<FunctionId> = (edges.calls.iter())
        .flat_map(|&(from, to)| [from, to])
        .collect();
    let mut counts: BTreeMap<(u128, u32), usize> = BTreeMap::new();
    for (id, function) in program.functions.iter().enumerate() {
        let id = id as FunctionId;
        let calls = |end: &Terminator| {
            matches!(end, Terminator::Call { callee: craig_c_lang::ir::Callee::Direct(callee), .. }
                if own.contains(callee))
        };
        let is_near = own.contains(&id)
            || id != program.start && function.blocks.iter().any(|block| calls(&block.end));
        if !is_near || function.blocks.is_empty() {
            continue;
        }
        for block in reached_blocks(function) {
            let mut values = evaluated(block);
            let mut seen = BTreeSet::new();
            while let Some(expr) = values.pop() {
                if seen.insert(expr) {
                    match program.node(expr) {
                        ExprNode::Const(value) => {
                            *counts.entry((value, program.width(expr))).or_default() += 1;
                        }
                        node => values.extend(operands(node)),
                    }
                }
            }
        }
    }
    let mut found: Vec<((u128, u32), usize)> = counts.into_iter().collect();
    found.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
    found.retain(|&((_, width), _)| {
        let taken = taken.entry(width).or_default();
        *taken += 1;
        *taken <= MAX_CONSTANTS
    });
    found.into_iter().map(|(constant, _)| constant).collect()
}
