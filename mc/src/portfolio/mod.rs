//! Engines in parallel: the first definite answer is the result.
//!
//! All engines get the same model. A reduction before the portfolio ([`crate::circuit::reduce`]) is shared by
//! all of them but those that are to search the model before it ([`check_beside`]).
//!
//! When memory is reported to be short ([`Control::report_memory_short`]), the last running engine of the
//! line-up is stopped, unless it is the only one.

mod entry;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use craig_model::turns::{Lengths, Turn};
use craig_model::{Model, Outcome, UnknownReason, Verdict};

use crate::control::{Control, StateClause};
use crate::exchange::Reached;

pub use entry::{Entry, Turns};

/// An engine that panicked: an error of the program, never a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The entry's name.
    pub entry: String,
    /// The message of the panic.
    pub message: String,
}

impl Failure {
    /// From the value of a panic.
    pub(crate) fn new(entry: &str, panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Self {
            entry: entry.to_owned(),
            message: message.unwrap_or_else(|| "no message".to_owned()),
        }
    }
}

/// The result of a portfolio.
#[derive(Clone, Debug)]
pub struct Report {
    /// The first definite answer. If there is none, "unknown", with the largest depth that an engine has
    /// reached.
    pub outcome: Outcome,
    /// The entries that panicked.
    pub failures: Vec<Failure>,
    /// Whether the answer is about the model before the reduction.
    pub original: bool,
    /// The invariants that the engines have shared, those of engines on the model before the reduction left out.
    pub invariants: Vec<StateClause>,
    /// With [`Control::with_known_frames`]: the frames of the highest level of an engine, those of engines on the model before
    /// the reduction left out.
    pub frames: Option<Arc<Reached>>,
}

/// The name under which a portfolio reports that no engine has an answer.
pub const NAME: &str = "portfolio";

/// The delay with which cancellation of the caller's control is passed on, at most.
const POLL: Duration = Duration::from_millis(20);

/// Runs all entries at once, except those with turns, each on its own thread, and returns as soon as the first
/// has a definite answer. The others are then cancelled, but not awaited: they hold their own copy of the
/// model. Without an answer, returns when all have stopped. The caller certifies the answer.
///
/// # Panics
/// If threads can't be started, or if there is no bad number `property`.
#[must_use]
pub fn check(model: &Model, property: usize, entries: &[Entry], control: &Control) -> Report {
    check_beside((model, property), None, entries, control)
}

/// As [`check_beside`], where all engines but those on the original model know some invariants of the model: clauses
/// that are inductive together under its constraints.
///
/// # Panics
/// As [`check`].
#[must_use]
pub fn check_strengthened(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    invariants: Vec<StateClause>,
    entries: &[Entry],
    control: &Control,
) -> Report {
    // The listener gets no events from engines that still run after an answer.
    let is_over = Arc::new(AtomicBool::new(false));
    let inner = control.fork().silent_after(&is_over);
    inner.share_invariants(invariants);
    race(
        (model, property),
        original,
        entries,
        control,
        (inner, is_over),
    )
}

/// As [`check`], where the model with its bad is the reduction of `original`: entries with [`Entry::original`] search that.
/// They share invariants among themselves only. [`Report::original`] tells which of the two the answer is about.
///
/// # Panics
/// As [`check`].
#[must_use]
pub fn check_beside(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    entries: &[Entry],
    control: &Control,
) -> Report {
    check_strengthened((model, property), original, Vec::new(), entries, control)
}

/// Runs the entries with `inner`, which is a fork of `control` that is silent after the flag is set.
fn race(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    entries: &[Entry],
    control: &Control,
    (inner, is_over): (Control, Arc<AtomicBool>),
) -> Report {
    for (model, property) in original.into_iter().chain([(model, property)]) {
        assert!(
            property < model.bads.len(),
            "the model has no bad {property}"
        );
    }
    let (sender, receiver) = mpsc::channel();
    let mut report = Report {
        outcome: Outcome {
            verdict: Verdict::Unknown(UnknownReason::Cancelled),
            engine: NAME,
            depth: 0,
        },
        failures: Vec::new(),
        original: false,
        invariants: Vec::new(),
        frames: None,
    };
    let mut reasons = Vec::new();
    // A shortage reported earlier does not concern these engines.
    let _ = control.take_memory_short();
    // The numbers of the running entries, and their controls.
    let mut running: Vec<(usize, Control)> = Vec::new();
    let model = Arc::new(model.clone());
    // Only if an entry asks for it.
    let original = original.filter(|_| entries.iter().any(|entry| entry.original));
    let original = original.map(|(model, property)| {
        let control = inner.apart().heard_by(&inner);
        (Arc::new(model.clone()), property, control)
    });
    let with_turns: Vec<Turns> = entries.iter().filter_map(|entry| entry.turns).collect();
    let lengths = with_turns.iter().map(|turns| Lengths {
        first: turns.first,
        later: turns.length,
    });
    let at_once = with_turns.first().map_or(1, |turns| turns.at_once);
    let mut turns = Turn::places_for(lengths.collect(), at_once).into_iter();
    for (number, entry) in entries.iter().enumerate() {
        let turn = entry.turns.and_then(|_| turns.next());
        let (model, property, member) = match &original {
            Some((model, property, control)) if entry.original => {
                (Arc::clone(model), *property, control.member())
            }
            _ => (Arc::clone(&model), property, inner.member()),
        };
        running.push((number, member.clone()));
        let (sender, run) = (sender.clone(), Arc::clone(&entry.run));
        let body = move || {
            let member = match &turn {
                Some(turn) => member.with_turn(turn.clone()),
                None => member,
            };
            // A search that is not the first begins in its turn.
            let _ = member.stop_reason();
            let result = catch_unwind(AssertUnwindSafe(|| run(&model, property, &member)));
            // After the first definite answer, the receiver is gone. The result precedes those of entries whose turn
            // begins after this one has left.
            let _ = sender.send((number, result));
            if let Some(turn) = turn {
                turn.leave();
            }
        };
        std::thread::Builder::new()
            .name(format!("engine-{number}"))
            .spawn(body)
            .expect("threads can be started");
    }
    // The entry that was stopped because memory is short, and is still running.
    let mut ending = None;
    while !running.is_empty() && matches!(report.outcome.verdict, Verdict::Unknown(_)) {
        match receiver.recv_timeout(POLL) {
            Ok((number, result)) => {
                running.retain(|&(other, _)| other != number);
                if ending == Some(number) {
                    ending = None;
                    // Whether memory is still short has to be measured again.
                    let _ = control.take_memory_short();
                }
                match result {
                    Ok(outcome) => {
                        report.original = entries[number].original && original.is_some();
                        report.take(outcome, &mut reasons);
                    }
                    Err(panic) => {
                        let failure = Failure::new(&entries[number].name, panic.as_ref());
                        report.failures.push(failure);
                    }
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
    report.frames = inner.exchange().best_frames();
    if let Verdict::Unknown(unknown) = &mut report.outcome.verdict {
        *unknown = control
            .stop_reason()
            .unwrap_or_else(|| summary(&reasons, &report.failures));
    }
    report
}

impl Report {
    /// Keeps a definite answer, or else the largest depth.
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
