//! The run of a program from runs of its bodies, which may each be those of many calls.

use std::collections::HashMap;

use craig_model::Stop;
use craig_program::procedures::CallRuns;
use craig_word::Term;

use super::problem::Problem;
use crate::path_facts::facts;
use craig_c_exec::concrete::replay::Fact;
use craig_c_exec::symbolic::free_values::{FreeValues, evaluator};

/// Choices of a run, at most.
const MAX_FACTS: usize = 4_000_000;
/// Calls of a run, at most.
const MAX_CALLS: usize = 4_000_000;
/// Distance of the objects of different calls.
const GAP: u64 = 64;

/// A call on the way from the root.
struct Frame {
    run: usize,
    values: HashMap<Term, u128>,
    next: usize,
}

/// The choices of the run in their order; `None` if there are too many, or the control stops.
///
/// A body is executed once for all its calls, so that its objects have one address in it. Each call gets objects of
/// its own here: no value of such a program depends on their addresses.
pub(super) fn choices(problem: &Problem, found: &CallRuns, stop: &Stop) -> Option<Vec<Fact>> {
    let objects = || problem.space.objects.iter();
    let sizes: HashMap<u64, u64> = objects()
        .map(|object| (object.base, object.shape.size))
        .collect();
    let end = objects()
        .map(|object| object.base + object.shape.size)
        .max();
    let mut free = end.unwrap_or(0).next_multiple_of(GAP) + GAP;
    let last = found.runs.len().checked_sub(1)?;
    let mut stack = vec![Frame {
        run: last,
        values: found.runs[last].values.clone(),
        next: 0,
    }];
    let (mut all, mut n_calls) = (Vec::new(), 0);
    while let Some(frame) = stack.pop() {
        n_calls += 1;
        if all.len() > MAX_FACTS || n_calls > MAX_CALLS || stop.reason().is_some() {
            return None;
        }
        let Frame { run, values, next } = frame;
        let body = &found.runs[run];
        let own = &problem.choices[body.of.map_or(0, |index| index + 1)];
        // Up to the next call that was made, and that has a run.
        let call = (next..body.calls.len()).find(|&call| body.calls[call].is_some());
        let from = match next {
            0 => 0,
            _ => own.calls[next - 1],
        };
        let to = call.map_or(own.events.len(), |call| own.calls[call]);
        let terms = &problem.procedures.terms;
        let model = FreeValues {
            values,
            blanks: HashMap::new(),
        };
        let mut callee = None;
        {
            let mut evaluator = evaluator(terms, &model.values);
            let events = &own.events[from..to];
            let mut found_here = facts(terms, &problem.space, events, &model, &mut evaluator);
            if body.of.is_some() {
                for fact in &mut found_here {
                    if let Fact::Create { base, .. } = fact {
                        let size = sizes.get(base).copied().unwrap_or(0);
                        *base = free;
                        free = (free + size).next_multiple_of(GAP) + GAP;
                    }
                }
            }
            all.append(&mut found_here);
            if let Some(call) = call {
                let run = body.calls[call].expect("the call has a run");
                let edges = body.of.map_or(&problem.procedures.root, |index| {
                    &problem.procedures.procedures[index].body
                });
                let edge = &edges.calls[call];
                let mut inner = found.runs[run].values.clone();
                let entry = &problem.procedures.procedures[edge.callee].entry;
                for (word, &value) in entry.iter().zip(&edge.entry) {
                    inner.insert(word.term, evaluator.value(value));
                }
                callee = Some((call, run, inner));
            }
        }
        if let Some((call, callee, inner)) = callee {
            stack.push(Frame {
                run,
                values: model.values,
                next: call + 1,
            });
            stack.push(Frame {
                run: callee,
                values: inner,
                next: 0,
            });
        }
    }
    Some(all)
}
