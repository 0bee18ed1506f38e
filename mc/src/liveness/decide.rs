//! Which methods decide a justice property, and for how long.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::closed::closed;
use super::evidence::{Lasso, LivenessOutcome, LivenessVerdict};
use super::method::{METHODS, Method};
use super::search::{Found, Tools};
use super::signal::Single;
use super::to_safety::ToSafety;
use crate::circuit::model::Model;
use crate::circuit::reduce::{self, Passes};
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::engine::bmc;
use crate::engine::entry::Run;

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

/// The first turn of a method among several; each is twice as long as the last.
const FIRST_TURN: Duration = Duration::from_millis(100);

/// The delay with which cancellation is passed on to the threads, at most.
const POLL: Duration = Duration::from_millis(20);

/// The name under which several methods report that none has an answer.
const ALL: &str = "liveness";

/// The methods of each of so many threads, which take turns.
fn line_up(threads: usize) -> Vec<Vec<&'static Method>> {
    let mut lines: Vec<Vec<&Method>> = vec![Vec::new(); threads.clamp(1, METHODS.len())];
    let n_lines = lines.len();
    if n_lines == 2 {
        // Both that find loops, and both that find proofs of larger circuits.
        let (last, rest) = METHODS.split_last().expect("there are methods");
        lines[0] = vec![&rest[0], last];
        lines[1] = rest[1..].iter().collect();
        return lines;
    }
    for (index, method) in METHODS.iter().enumerate() {
        lines[index % n_lines].push(method);
    }
    lines
}

/// A search in one thread: what it has found, and the method that has.
type Searched = (Result<Found, UnknownReason>, &'static str);

/// Decides justice property number `property` of a model.
///
/// # Panics
/// If the model has no such property, or threads can't be started.
#[must_use]
pub fn decide(model: &Model, property: usize, plan: &Plan, control: &Control) -> LivenessOutcome {
    let single = Single::new(model, property);
    let reduced = reduce::run(&single.model, 0, &plan.passes, control);
    let (result, method) = search(&reduced.model, plan, control);
    let verdict = match result {
        Err(reason) => LivenessVerdict::Unknown(control.stop_reason().unwrap_or(reason)),
        Ok(Found::Proof(_)) if single.awaits.is_empty() => {
            let why = "there is no run for ever, but evidence for a property without literals has no format";
            LivenessVerdict::Unknown(UnknownReason::Unsupported(why.to_owned()))
        }
        Ok(Found::Proof(proof)) => {
            let certificate = proof.assemble(model, property, &single, &reduced.lift);
            LivenessVerdict::Holds(Box::new(certificate))
        }
        Ok(Found::Lasso(run, loop_start)) => {
            let lasso = closed(
                model,
                property,
                &reduced.lift.trace(&run),
                loop_start,
                control,
            )
            .or_else(|| unreduced(model, property, &single, control));
            match lasso {
                Some(lasso) => LivenessVerdict::Fails(lasso),
                None => LivenessVerdict::Unknown(control.stop_reason().unwrap_or_else(|| {
                    UnknownReason::Bound(
                        "a loop was found, but not one in which all latches repeat".to_owned(),
                    )
                })),
            }
        }
    };
    let depth = match &verdict {
        LivenessVerdict::Fails(lasso) => lasso.inputs.len(),
        _ => control.depth(),
    };
    LivenessOutcome {
        verdict,
        method,
        depth,
    }
}

/// Searches for a loop in which all latches repeat, on the model without a reduction.
fn unreduced(model: &Model, property: usize, single: &Single, control: &Control) -> Option<Lasso> {
    let larger = ToSafety::of_all_latches(&single.model);
    let outcome = bmc::check(&larger.model, 0, &bmc::Options::default(), &control.apart());
    match larger.found(&single.model, outcome.verdict) {
        Ok(Found::Lasso(run, loop_start)) => closed(model, property, &run, loop_start, control),
        _ => None,
    }
}

/// Runs the methods of the plan on a model whose only bad is the hit.
fn search(model: &Model, plan: &Plan, control: &Control) -> Searched {
    let lines = match plan.method {
        Some(method) => vec![vec![method]],
        None => line_up(plan.threads),
    };
    if let [line] = &lines[..] {
        return take_turns(model, line, plan, control);
    }
    let inner = control.fork();
    let (sender, receiver) = mpsc::channel();
    let model = Arc::new(model.clone());
    let n_lines = lines.len();
    for line in lines {
        let (sender, inner, model, plan) = (
            sender.clone(),
            inner.clone(),
            Arc::clone(&model),
            plan.clone(),
        );
        let body = move || {
            let result = take_turns(&model, &line, &plan, &inner);
            // After the first answer, the receiver is gone.
            let _ = sender.send(result);
        };
        std::thread::Builder::new()
            .name(ALL.to_owned())
            .spawn(body)
            .expect("threads can be started");
    }
    drop(sender);
    let mut last = (Err(UnknownReason::Cancelled), ALL);
    let mut n_ended = 0;
    while n_ended < n_lines {
        match receiver.recv_timeout(POLL) {
            Ok(result) => {
                n_ended += 1;
                let is_found = result.0.is_ok();
                last = result;
                if is_found {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if control.stop_reason().is_some() {
                    inner.cancel();
                }
            }
            // A thread that panicked has no answer.
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    inner.cancel();
    last
}

/// Runs methods one after the other, each for a while, until one has an answer.
fn take_turns(
    model: &Model,
    methods: &[&'static Method],
    plan: &Plan,
    control: &Control,
) -> Searched {
    let tools = Tools {
        engine: plan.engine.as_ref(),
        passes: plan.passes,
        seed: plan.seed,
    };
    if let [method] = methods {
        return ((method.search)(model, &tools, control), method.name);
    }
    let mut left: Vec<&Method> = methods.to_vec();
    let mut turn = FIRST_TURN;
    let mut reasons: Vec<String> = Vec::new();
    while !left.is_empty() {
        let mut index = 0;
        while index < left.len() {
            let method = left[index];
            let end = Instant::now() + turn;
            let inner = control.clone().with_earlier_deadline(end);
            match (method.search)(model, &tools, &inner) {
                Ok(found) => return (Ok(found), method.name),
                Err(reason) => {
                    if let Some(reason) = control.stop_reason() {
                        return (Err(reason), ALL);
                    }
                    if reason == UnknownReason::Timeout {
                        index += 1;
                    } else {
                        // It would end in the same way again.
                        reasons.push(format!("{}: {reason}", method.name));
                        left.remove(index);
                    }
                }
            }
        }
        turn *= 2;
    }
    (Err(UnknownReason::Bound(reasons.join("; "))), ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_of_threads_uses_every_method_once() {
        for threads in 0..6 {
            let lines = line_up(threads);
            assert!(lines.len() <= threads.max(1));
            let mut names: Vec<&str> = lines.iter().flatten().map(|method| method.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), METHODS.len());
            assert_eq!(lines.iter().map(Vec::len).sum::<usize>(), METHODS.len());
        }
    }
}
