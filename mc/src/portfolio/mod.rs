//! Engines in parallel: the first definite answer is the result.
//!
//! All engines get the same model. A reduction before the portfolio ([`crate::circuit::reduce`]) is shared by
//! all of them but those that are to search the model before it ([`check_beside`]).
//!
//! When memory is reported to be short ([`Stop::report_memory_short`]), the last running engine of the
//! line-up is stopped, unless it is the only one.

mod entry;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use craig_model::turns::{Lengths, Turn};
use craig_model::{Model, ModelError, Outcome, Stop, UnknownReason, Verdict, threads};

use crate::board::Board;
use crate::control::{Alone, Control, StateClause};
use crate::engine::entry::Run;
use crate::exchange::Reached;

pub use entry::{Entry, Turns};

/// An engine that panicked, or that got no thread: never a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The entry's name.
    pub entry: String,
    /// The message of the panic, or why there is no thread.
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
    /// The entries that failed.
    pub failures: Vec<Failure>,
    /// Whether the answer is about the model before the reduction.
    pub original: bool,
    /// The invariants that the engines have shared, those of engines on the model before the reduction left out.
    pub invariants: Vec<StateClause>,
    /// With [`Board::with_known_frames`](crate::Board::with_known_frames): the frames of the highest level of an engine, those of engines on the model before
    /// the reduction left out.
    pub frames: Option<Arc<Reached>>,
}

/// The name under which a portfolio reports that no engine has an answer.
pub const NAME: &str = "portfolio";

/// The delay with which a cancellation of the caller's stop is passed on, at most.
const POLL: Duration = Duration::from_millis(20);

/// Runs all entries at once, except those with turns, each on its own thread, and returns as soon as the first
/// has a definite answer. The others are then cancelled, but not awaited: they hold their own copy of the
/// model. Without an answer, returns when all have stopped. The caller certifies the answer.
///
/// # Errors
/// If the model is none ([`Model::validate`]), or has no bad number `property`.
pub fn check(
    model: &Model,
    property: usize,
    entries: &[Entry],
    control: Control<'_>,
) -> Result<Report, ModelError> {
    check_beside((model, property), None, entries, control)
}

/// As [`check_beside`], where all engines but those on the original model know some invariants of the model: clauses
/// that are inductive together under its constraints.
///
/// # Errors
/// As [`check`].
pub fn check_strengthened(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    invariants: Vec<StateClause>,
    entries: &[Entry],
    control: Control<'_>,
) -> Result<Report, ModelError> {
    // The listener gets no events from engines that still run after an answer.
    let is_over = Arc::new(AtomicBool::new(false));
    let inner = Alone {
        stop: control.stop.cancelled_apart(),
        board: control.board.of_engines(),
        listener: control.listener.clone().silent_after(&is_over),
    };
    inner.board.share_invariants(invariants);
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
/// # Errors
/// As [`check`].
pub fn check_beside(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    entries: &[Entry],
    control: Control<'_>,
) -> Result<Report, ModelError> {
    check_strengthened((model, property), original, Vec::new(), entries, control)
}

/// A model with the number of its bad, and what the engines on it borrow.
type Subject = (Arc<Model>, usize, Alone);

/// What an engine sends at its end: the number of its entry, and its outcome or what it panicked with.
type Ended = (usize, std::thread::Result<Outcome>);

/// Runs the entries with `inner`, which is cancelled on its own, and silent after the flag is set.
fn race(
    (model, property): (&Model, usize),
    original: Option<(&Model, usize)>,
    entries: &[Entry],
    control: Control<'_>,
    (inner, is_over): (Alone, Arc<AtomicBool>),
) -> Result<Report, ModelError> {
    for (model, property) in original.into_iter().chain([(model, property)]) {
        model.validate()?;
        model.validate_bad(property)?;
    }
    // A shortage reported earlier does not concern these engines.
    let _ = control.stop.take_memory_short();
    // Only if an entry asks for it.
    let original = original.filter(|_| entries.iter().any(|entry| entry.original));
    let original = original.map(|(model, property)| {
        let beside = Alone::heard_by(&inner.listener, inner.stop.clone());
        (Arc::new(model.clone()), property, beside)
    });
    let subject = (Arc::new(model.clone()), property, inner);
    let mut race = Race::new(entries, control);
    let receiver = race.start(&subject, original.as_ref());
    let (_, _, inner) = subject;
    race.wait(&receiver, &inner.stop, original.is_some());
    is_over.store(true, Ordering::Relaxed);
    inner.stop.cancel();
    Ok(race.report(&inner.board))
}

/// Engines that run.
struct Race<'a> {
    entries: &'a [Entry],
    control: Control<'a>,
    /// The numbers of the running entries, and what stops each.
    running: Vec<(usize, Stop)>,
    /// The entry that was stopped because memory is short, and is still running.
    ending: Option<usize>,
    report: Report,
    /// Why the engines that have ended have no answer.
    reasons: Vec<UnknownReason>,
}

impl<'a> Race<'a> {
    fn new(entries: &'a [Entry], control: Control<'a>) -> Self {
        Self {
            entries,
            control,
            running: Vec::new(),
            ending: None,
            report: Report {
                outcome: Outcome {
                    verdict: Verdict::Unknown(UnknownReason::Cancelled),
                    engine: NAME,
                    depth: 0,
                },
                failures: Vec::new(),
                original: false,
                invariants: Vec::new(),
                frames: None,
            },
            reasons: Vec::new(),
        }
    }

    /// Starts all entries, each on a thread of its own.
    fn start(&mut self, subject: &Subject, original: Option<&Subject>) -> mpsc::Receiver<Ended> {
        let (sender, receiver) = mpsc::channel();
        let mut turns = places(self.entries).into_iter();
        for (number, entry) in self.entries.iter().enumerate() {
            let turn = entry.turns.and_then(|_| turns.next());
            let subject = original.filter(|_| entry.original).unwrap_or(subject);
            let stop = subject.2.stop.out_of_memory_apart();
            self.running.push((number, stop.clone()));
            start(number, &entry.run, subject, (stop, turn), sender.clone());
        }
        receiver
    }

    /// Waits for the first definite answer, or for the end of all engines.
    fn wait(&mut self, receiver: &mpsc::Receiver<Ended>, inner: &Stop, has_original: bool) {
        while !self.running.is_empty() && matches!(self.report.outcome.verdict, Verdict::Unknown(_))
        {
            match receiver.recv_timeout(POLL) {
                Ok(ended) => self.take(ended, has_original),
                Err(RecvTimeoutError::Timeout) if self.control.stop.reason().is_some() => {
                    inner.cancel();
                }
                Err(RecvTimeoutError::Timeout) => self.save_memory(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    fn take(&mut self, (number, result): Ended, has_original: bool) {
        self.running.retain(|&(other, _)| other != number);
        if self.ending == Some(number) {
            self.ending = None;
            // Whether memory is still short has to be measured again.
            let _ = self.control.stop.take_memory_short();
        }
        let entry = &self.entries[number];
        match result {
            Ok(outcome) => {
                self.report.original = entry.original && has_original;
                self.report.take(outcome, &mut self.reasons);
            }
            Err(panic) => {
                let failure = Failure::new(&entry.name, panic.as_ref());
                self.report.failures.push(failure);
            }
        }
    }

    /// Stops the last of several engines if memory is short.
    fn save_memory(&mut self) {
        if let [_, .., (number, last)] = &self.running[..]
            && self.ending.is_none()
            && self.control.stop.take_memory_short()
        {
            self.ending = Some(*number);
            last.report_out_of_memory();
            self.control.listener.note(NAME, || {
                format!("memory is short: {} stops", self.entries[*number].name)
            });
        }
    }

    /// The result, with what the engines have shared.
    fn report(self, board: &Board) -> Report {
        let mut report = self.report;
        report.invariants = board.invariants(0);
        report.frames = board.exchange().best_frames();
        if let Verdict::Unknown(unknown) = &mut report.outcome.verdict {
            let reason = self.control.stop.reason();
            *unknown = reason.unwrap_or_else(|| summary(&self.reasons, &report.failures));
        }
        report
    }
}

/// The places of the entries that take turns, in their order.
fn places(entries: &[Entry]) -> Vec<Turn> {
    let with_turns: Vec<Turns> = entries.iter().filter_map(|entry| entry.turns).collect();
    let lengths = with_turns.iter().map(|turns| Lengths {
        first: turns.first,
        later: turns.length,
    });
    let at_once = with_turns.first().map_or(1, |turns| turns.at_once);
    Turn::places_for(lengths.collect(), at_once)
}

/// Starts the engine of an entry.
fn start(
    number: usize,
    run: &Run,
    (model, property, owner): &Subject,
    (stop, turn): (Stop, Option<Turn>),
    sender: mpsc::Sender<Ended>,
) {
    let (run, model, property) = (Arc::clone(run), Arc::clone(model), *property);
    let member = Alone {
        stop: match &turn {
            Some(turn) => stop.with_turn(turn.clone()),
            None => stop,
        },
        ..owner.clone()
    };
    let (refused, place) = (sender.clone(), turn.clone());
    let body = move || {
        // A search that is not the first begins in its turn.
        let _ = member.stop.reason();
        let result = catch_unwind(AssertUnwindSafe(|| run(&model, property, member.control())));
        // After the first definite answer, the receiver is gone. The result precedes those of entries whose turn
        // begins after this one has left.
        let _ = sender.send((number, result));
        if let Some(turn) = turn {
            turn.leave();
        }
    };
    let started = std::thread::Builder::new()
        .name(format!("engine-{number}"))
        .spawn(body);
    if let Err(error) = started {
        let _ = refused.send((number, Err(Box::new(threads::refusal(&error)))));
        if let Some(turn) = place {
            turn.leave();
        }
    }
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
