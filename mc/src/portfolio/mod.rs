//! Engines side by side: the first definite answer wins.
//!
//! All engines get the same model. A reduction before ([`crate::circuit::reduce`]) serves all of them:
//! equivalences that were proven are merged before the first engine starts.
//!
//! When memory is reported to be short ([`Control::report_memory_short`]), the last engine of the line-up
//! that is still at work is stopped, unless it is the only one.

mod entry;
mod line_up;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::circuit::model::Model;
use crate::circuit::verdict::{Outcome, UnknownReason, Verdict};
use crate::control::{Control, StateClause};

pub use entry::Entry;
pub use line_up::{LineUp, LineUpError};

/// The default line-up for circuits with so many threads and seed 0.
#[must_use]
pub fn line_up(threads: usize) -> Vec<Entry> {
    LineUp::default().for_circuit(threads, 0)
}

/// An engine that panicked: a bug, and never a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The entry's name.
    pub entry: String,
    /// What the panic said.
    pub message: String,
}

/// What a portfolio comes back with.
#[derive(Clone, Debug)]
pub struct Report {
    /// The winner's answer. If no engine has one, "unknown", with the depth that the engines have reached
    /// together.
    pub outcome: Outcome,
    /// The entries that panicked.
    pub failures: Vec<Failure>,
    /// What the engines have shared: clauses that hold in every reachable state of the model.
    pub invariants: Vec<StateClause>,
}

/// The name under which a portfolio reports that no engine has an answer.
pub const NAME: &str = "portfolio";

/// How long cancellation from outside may take to be passed on.
const POLL: Duration = Duration::from_millis(20);

/// Runs all entries at once, each on a thread of its own, and returns as soon as the first has a definite
/// answer. The others are cancelled then, but not waited for: they hold their own copy of the model.
/// Without an answer, returns when all have stopped. Certifying the answer is up to the caller.
///
/// # Panics
/// If threads can't be started, or if there is no bad number `property`.
#[must_use]
pub fn check(model: &Model, property: usize, entries: &[Entry], control: &Control) -> Report {
    assert!(
        property < model.bads.len(),
        "the model has no bad {property}"
    );
    // The listener gets no events of engines that go on after an answer.
    let is_over = Arc::new(AtomicBool::new(false));
    let inner = control.fork().silent_after(&is_over);
    let (sender, receiver) = mpsc::channel();
    let mut report = Report {
        outcome: Outcome {
            verdict: Verdict::Unknown(UnknownReason::Cancelled),
            engine: NAME,
            depth: 0,
        },
        failures: Vec::new(),
        invariants: Vec::new(),
    };
    let mut reasons = Vec::new();
    // A shortage that was reported earlier has nothing to do with these engines.
    let _ = control.take_memory_short();
    // The numbers of the entries that are at work, and their controls.
    let mut running: Vec<(usize, Control)> = Vec::new();
    let model = Arc::new(model.clone());
    for (number, entry) in entries.iter().enumerate() {
        let (sender, member) = (sender.clone(), inner.member());
        running.push((number, member.clone()));
        let (model, run) = (Arc::clone(&model), Arc::clone(&entry.run));
        let body = move || {
            let result = catch_unwind(AssertUnwindSafe(|| run(&model, property, &member)));
            // After the first definite answer, there is no receiver any more.
            let _ = sender.send((number, result));
        };
        std::thread::Builder::new()
            .name(format!("engine-{number}"))
            .spawn(body)
            .expect("threads can be started");
    }
    // The entry that was stopped because memory is short, and has not ended yet.
    let mut ending = None;
    while !running.is_empty() && matches!(report.outcome.verdict, Verdict::Unknown(_)) {
        match receiver.recv_timeout(POLL) {
            Ok((number, result)) => {
                running.retain(|&(other, _)| other != number);
                if ending == Some(number) {
                    ending = None;
                    // Whether there is still too little is to be measured anew.
                    let _ = control.take_memory_short();
                }
                match result {
                    Ok(outcome) => report.take(outcome, &mut reasons),
                    Err(panic) => report.failures.push(Failure {
                        entry: entries[number].name.clone(),
                        message: message_of(panic.as_ref()),
                    }),
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if control.stop_reason().is_some() {
                    inner.cancel();
                } else if let [_, .., (number, last)] = &running[..]
                    && ending.is_none()
                    && control.take_memory_short()
                {
                    ending = Some(*number);
                    last.report_out_of_memory();
                    control.note(NAME, || {
                        format!("memory is short: {} stops", entries[*number].name)
                    });
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    is_over.store(true, Ordering::Relaxed);
    inner.cancel();
    report.invariants = inner.invariants(0);
    if let Verdict::Unknown(unknown) = &mut report.outcome.verdict {
        *unknown = control
            .stop_reason()
            .unwrap_or_else(|| summary(&reasons, &report.failures));
    }
    report
}

impl Report {
    /// Keeps a definite answer, and the largest depth until there is one.
    fn take(&mut self, outcome: Outcome, reasons: &mut Vec<UnknownReason>) {
        match outcome.verdict {
            Verdict::Unknown(reason) => {
                self.outcome.depth = self.outcome.depth.max(outcome.depth);
                reasons.push(reason);
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => self.outcome = outcome,
        }
    }
}

/// Why no engine has an answer although the control has stopped none.
fn summary(reasons: &[UnknownReason], failures: &[Failure]) -> UnknownReason {
    let mut texts: Vec<String> = reasons.iter().map(UnknownReason::to_string).collect();
    texts.extend(
        failures
            .iter()
            .map(|failure| format!("engine {} failed", failure.entry)),
    );
    texts.dedup();
    UnknownReason::Bound(texts.join("; "))
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_string())
}
