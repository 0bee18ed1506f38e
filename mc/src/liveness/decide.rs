//! Decides a justice property by one method, or by all of them side by side.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use craig_model::turns::{Lengths, Turn};
use craig_model::{Lasso, Model, Trace, UnknownReason, threads};

use super::closed::closed;
use super::method::{METHODS, Method, USUAL};
use super::search::{Found, Tools};
use super::signal::Single;
use super::to_safety::ToSafety;
use super::verdict::{LivenessOutcome, LivenessVerdict};
use crate::board::Board;
use crate::circuit::reduce::{self, Passes, Resets};
use crate::control::{Alone, Control, StateClause};
use crate::engine::bmc;
use crate::engine::entry::Run;
use crate::engine::pdr::choose_inductive;
use crate::portfolio::Failure;

/// How a justice property is decided.
#[derive(Clone)]
pub struct Plan {
    /// The one method to use; otherwise all take turns.
    pub method: Option<&'static Method>,
    /// The engine for safety that methods use; by default, PDR.
    pub engine: Option<Run>,
    /// The passes that reduce the model.
    pub passes: Passes,
    /// The number of threads.
    pub threads: usize,
    /// The seed of engines.
    pub seed: u64,
}

/// The delay with which cancellation is passed on to the threads, at most.
const POLL: Duration = Duration::from_millis(20);

/// The name under which several methods report that none has an answer.
const ALL: &str = "liveness";

/// What a search has found, the method that has found it, and the methods that panicked.
struct Searched {
    result: Result<Found, UnknownReason>,
    method: &'static str,
    failures: Vec<Failure>,
}

/// Decides justice property number `property` of a model. Those candidates of the control's board that are inductive are known to
/// the methods.
///
/// # Panics
/// If the model has no such property.
#[must_use]
pub fn decide(
    model: &Model,
    property: usize,
    plan: &Plan,
    control: Control<'_>,
) -> LivenessOutcome {
    let Some(resets) = Resets::replace(model) else {
        return decide_initialised(model, property, plan, control);
    };
    let mut outcome = decide_initialised(resets.model(), property, plan, control);
    outcome.verdict = match outcome.verdict {
        LivenessVerdict::Unsafe(lasso) => LivenessVerdict::Unsafe(resets.lasso(&lasso)),
        LivenessVerdict::Safe(certificate) => {
            LivenessVerdict::Safe(Box::new(resets.liveness_certificate(&certificate)))
        }
        unknown => unknown,
    };
    outcome
}

/// As `decide`, for a model without reset functions.
fn decide_initialised(
    model: &Model,
    property: usize,
    plan: &Plan,
    control: Control<'_>,
) -> LivenessOutcome {
    let single = Single::new(model, property);
    let reduced = reduce::run(&single.model, 0, &plan.passes, control);
    let is_await = |original: &Option<usize>| original.is_some_and(|it| it >= single.n_original);
    let originals = reduced.lift.latches();
    let awaits = (0..originals.len()).filter(|&latch| is_await(&originals[latch]));
    let awaits: Vec<usize> = awaits.collect();
    let board = Board::about(&reduced.model, 0);
    let candidates = reduced.about(control.board.candidates());
    board.share_invariants(choose_inductive(&reduced.model, 0, &candidates, control));
    let own = Control {
        board: &board,
        ..control
    };
    let searched = search((model, property), &reduced.model, &awaits, plan, own);
    let verdict = match searched.result {
        Err(reason) => LivenessVerdict::Unknown(control.stop.reason().unwrap_or(reason)),
        Ok(Found::Proof(_)) if single.awaits.is_empty() => {
            let why = "there is no run for ever, but evidence for a property without literals has no format";
            LivenessVerdict::Unknown(UnknownReason::Unsupported(why.to_owned()))
        }
        Ok(Found::Proof(proof)) => {
            let certificate = proof.assemble(model, property, &single, &reduced.lift);
            LivenessVerdict::Safe(Box::new(certificate))
        }
        Ok(Found::Certificate(certificate)) => LivenessVerdict::Safe(certificate),
        Ok(Found::Lasso(run, loop_start)) => {
            let run = reduced.lift.trace(&run);
            of_loop(model, property, &single, (&run, loop_start), control)
        }
        Ok(Found::LassoOfSource(run, loop_start)) => {
            of_loop(model, property, &single, (&run, loop_start), control)
        }
    };
    let depth = match &verdict {
        LivenessVerdict::Unsafe(lasso) => lasso.inputs.len(),
        _ => control.listener.depth(),
    };
    LivenessOutcome {
        verdict,
        method: searched.method,
        depth,
        failures: searched.failures,
        invariants: about_originals(board.invariants(0), |latch| {
            originals[latch].filter(|&original| original < single.n_original)
        }),
    }
}

/// Clauses about the latches that those of a reduced model were before, without clauses over others.
fn about_originals(
    clauses: Vec<StateClause>,
    original: impl Fn(usize) -> Option<usize>,
) -> Vec<StateClause> {
    let clauses = clauses.into_iter();
    let image = |clause: StateClause| {
        let literals = clause.into_iter();
        literals
            .map(|(latch, value)| Some((original(latch)?, value)))
            .collect()
    };
    clauses.filter_map(image).collect()
}

/// The verdict from a run of the model whose steps from a number on form a loop of a part of it.
fn of_loop(
    model: &Model,
    property: usize,
    single: &Single,
    (run, loop_start): (&Trace, usize),
    control: Control<'_>,
) -> LivenessVerdict {
    let lasso = closed(model, property, run, loop_start, control.stop)
        .or_else(|| unreduced(model, property, single, control));
    match lasso {
        Some(lasso) => LivenessVerdict::Unsafe(lasso),
        None => LivenessVerdict::Unknown(control.stop.reason().unwrap_or_else(|| {
            UnknownReason::Bound(
                "a loop was found, but not one in which all latches repeat".to_owned(),
            )
        })),
    }
}

/// Searches for a loop in which all latches repeat, on the model without a reduction.
fn unreduced(
    model: &Model,
    property: usize,
    single: &Single,
    control: Control<'_>,
) -> Option<Lasso> {
    let larger = ToSafety::of_all_latches(&single.model);
    let outcome = bmc::check(
        &larger.model,
        0,
        &bmc::Options::default(),
        Alone::until(control.stop.clone()).control(),
    );
    match larger.found(&single.model, outcome.verdict) {
        Ok(Found::Lasso(run, loop_start)) => {
            closed(model, property, &run, loop_start, control.stop)
        }
        _ => None,
    }
}

/// Runs the methods of the plan on a model whose only bad is the hit: one, or all of them, which take turns
/// on as many threads as the plan has. `source` is the model that was read, and the number of the property.
fn search(
    source: (&Model, usize),
    model: &Model,
    awaits: &[usize],
    plan: &Plan,
    control: Control<'_>,
) -> Searched {
    if let Some(method) = plan.method {
        return Searched {
            result: (method.search)(model, &plan.tools(awaits, source), control),
            method: method.name,
            failures: Vec::new(),
        };
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let inner = Alone {
        listener: control.listener.clone().silent_after(&is_over),
        board: control.board.clone(),
        ..Alone::until(control.stop.cancelled_apart())
    };
    let (sender, receiver) = mpsc::channel();
    let model = Arc::new(model.clone());
    let (source, property) = (Arc::new(source.0.clone()), source.1);
    let lengths = METHODS.iter().map(|method| Lengths {
        first: USUAL,
        later: method.turn,
    });
    let places = Turn::places_for(lengths.collect(), plan.threads);
    for (method, turn) in METHODS.iter().zip(places) {
        let (sender, model, plan) = (sender.clone(), Arc::clone(&model), plan.clone());
        let (awaits, source) = (awaits.to_vec(), Arc::clone(&source));
        let member = Alone {
            stop: inner.stop.clone().with_turn(turn.clone()),
            ..inner.clone()
        };
        let (refused, place) = (sender.clone(), turn.clone());
        let body = move || {
            let result = catch_unwind(AssertUnwindSafe(|| match member.stop.reason() {
                None => {
                    let tools = plan.tools(&awaits, (&*source, property));
                    (method.search)(&model, &tools, member.control())
                }
                Some(reason) => Err(reason),
            }));
            turn.leave();
            // After the first answer, the receiver is gone.
            let _ = sender.send((method.name, result));
        };
        let started = std::thread::Builder::new()
            .name(method.name.to_owned())
            .spawn(body);
        if let Err(error) = started {
            place.leave();
            let _ = refused.send((method.name, Err(Box::new(threads::refusal(&error)))));
        }
    }
    drop(sender);
    let mut searched = Searched {
        result: Err(UnknownReason::Cancelled),
        method: ALL,
        failures: Vec::new(),
    };
    let mut reasons: Vec<String> = Vec::new();
    loop {
        match receiver.recv_timeout(POLL) {
            Ok((method, Ok(Ok(found)))) => {
                searched.result = Ok(found);
                searched.method = method;
                break;
            }
            Ok((method, Ok(Err(reason)))) => reasons.push(format!("{method}: {reason}")),
            Ok((method, Err(panic))) => {
                reasons.push(format!("{method}: failed"));
                searched.failures.push(Failure::new(method, panic.as_ref()));
            }
            Err(RecvTimeoutError::Timeout) => {
                if control.stop.reason().is_some() {
                    inner.stop.cancel();
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                searched.result = Err(UnknownReason::Bound(reasons.join("; ")));
                break;
            }
        }
    }
    is_over.store(true, Ordering::Relaxed);
    inner.stop.cancel();
    searched
}

impl Plan {
    fn tools<'a>(&'a self, awaits: &'a [usize], source: (&'a Model, usize)) -> Tools<'a> {
        Tools {
            engine: self.engine.as_ref(),
            passes: self.passes,
            seed: self.seed,
            awaits,
            source,
        }
    }
}
