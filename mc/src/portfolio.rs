//! Engines side by side: the first definite answer wins.
//!
//! All engines get the same model. Whoever reduces it before ([`crate::circuit::reduce`]) shares out equivalences in that way: those
//! that were proven are merged before the first engine starts.
//!
//! Memory is shared in that the engines give it up one by one: when it is reported to be short
//! ([`Control::report_memory_short`]), the last of the line-up that is still at work is stopped, unless it is the only one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::circuit::model::Model;
use crate::circuit::verdict::{Outcome, UnknownReason, Verdict};
use crate::control::{Control, StateClause};
use crate::engine::pdr::{self, Generalisation};
use crate::engine::{avy, bdd, bmc, imc, isb, kind, sim, tra};

/// What runs an engine with its options chosen.
pub type Run = Arc<dyn Fn(&Model, usize, &Control) -> Outcome + Send + Sync>;

/// One member of a portfolio.
#[derive(Clone)]
pub struct Entry {
    /// What to call it in reports; the engine's name, with a hint at its options where they are not the usual ones.
    pub name: &'static str,
    /// The engine.
    pub run: Run,
}

impl Entry {
    /// An engine under a name.
    #[must_use]
    pub fn new(
        name: &'static str,
        run: impl Fn(&Model, usize, &Control) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            run: Arc::new(run),
        }
    }
}

/// The usual line-up for so many threads: [`seeded_line_up`] with seed 0.
#[must_use]
pub fn line_up(threads: usize) -> Vec<Entry> {
    seeded_line_up(threads, 0)
}

/// So many engines, and at least one: first those that decide most alone, then those that add most to them. What an
/// engine varies at random, it varies by `seed`.
///
/// Where there are several, the first two are PDR with both its ways to generalise: on the circuits on which the
/// first fails, the second adds more than any engine of another kind does. One alone takes turns between the two ways
/// ([`pdr::Options::first_turn`]); beside another thread that has the second, it need not.
///
/// The engines tell each other of invariants and depths through their [`Control`].
#[must_use]
pub fn seeded_line_up(threads: usize, seed: u64) -> Vec<Entry> {
    let first_turn = (threads < 2).then_some(pdr::Options::FIRST_TURN);
    let pdr = |name, generalisation, more| {
        let options = pdr::Options {
            generalisation,
            seed: seed.wrapping_add(more),
            first_turn,
            ..pdr::Options::default()
        };
        Entry::new(name, move |model, property, control| {
            pdr::check(model, property, &options, control)
        })
    };
    let mut entries = vec![
        pdr(pdr::NAME, Generalisation::default(), 0),
        pdr("pdr, plain", Generalisation::Plain, 0),
        Entry::new(imc::NAME, |model, property, control| {
            imc::check(model, property, &imc::Options::default(), control)
        }),
        Entry::new(bmc::NAME, |model, property, control| {
            bmc::check(model, property, &bmc::Options::default(), control)
        }),
        Entry::new(kind::NAME, |model, property, control| {
            kind::check(model, property, &kind::Options::default(), control)
        }),
        Entry::new(isb::NAME, |model, property, control| {
            isb::check(model, property, &isb::Options::default(), control)
        }),
        pdr("pdr, dynamic", Generalisation::Dynamic, 1),
        Entry::new(tra::NAME, |model, property, control| {
            tra::check(model, property, &tra::Options::default(), control)
        }),
        Entry::new(avy::NAME, |model, property, control| {
            avy::check(model, property, &avy::Options::default(), control)
        }),
        Entry::new(sim::NAME, move |model, property, control| {
            let options = sim::Options {
                seed,
                ..sim::Options::default()
            };
            sim::check(model, property, &options, control)
        }),
        // One operation on diagrams does not end before it is done: few nodes, so that a loser does not keep the others.
        Entry::new(bdd::NAME, |model, property, control| {
            let options = bdd::Options {
                nodes: 1 << 18,
                ..bdd::Options::default()
            };
            bdd::check(model, property, &options, control)
        }),
    ];
    entries.truncate(threads.max(1));
    entries
}

/// An engine that panicked: a bug, and never a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The entry's name.
    pub entry: &'static str,
    /// What the panic said.
    pub message: String,
}

/// What a portfolio comes back with.
#[derive(Clone, Debug)]
pub struct Report {
    /// The winner's answer. If nobody has one, "unknown", with the depth that the engines have reached together.
    pub outcome: Outcome,
    /// The entries that panicked.
    pub failures: Vec<Failure>,
    /// What the engines have shared: clauses that hold in every reachable state of the model.
    pub invariants: Vec<StateClause>,
}

/// The name under which a portfolio reports that nobody has an answer.
pub const NAME: &str = "portfolio";

/// How long cancellation from outside may take to be passed on.
const POLL: Duration = Duration::from_millis(20);

/// Runs all entries at once, each on a thread of its own, and returns when the first has a definite answer and the
/// others have stopped. Certifying that answer is the caller's business.
///
/// # Panics
/// If threads can't be started, or if there is no bad number `property`.
#[must_use]
pub fn check(model: &Model, property: usize, entries: &[Entry], control: &Control) -> Report {
    assert!(
        property < model.bads.len(),
        "the model has no bad {property}"
    );
    let inner = control.fork();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(entries.len().max(1))
        .thread_name(|number| format!("engine-{number}"))
        .build()
        .expect("threads can be started");
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
    // What was said before has nothing to do with these engines.
    let _ = control.take_memory_short();
    pool.in_place_scope(|scope| {
        // The numbers of the entries that are at work, and their controls.
        let mut running: Vec<(usize, Control)> = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let (sender, member) = (sender.clone(), inner.member());
            running.push((number, member.clone()));
            scope.spawn(move |_| {
                let result =
                    catch_unwind(AssertUnwindSafe(|| (entry.run)(model, property, &member)));
                // The receiver lives until all have reported.
                let _ = sender.send((number, result));
            });
        }
        // Who was stopped because memory is short, and has not ended yet.
        let mut ending = None;
        while !running.is_empty() {
            match receiver.recv_timeout(POLL) {
                Ok((number, result)) => {
                    running.retain(|&(other, _)| other != number);
                    if ending == Some(number) {
                        ending = None;
                        // Whether there is still too little is to be measured anew.
                        let _ = control.take_memory_short();
                    }
                    match result {
                        Ok(outcome) => report.take(outcome, &mut reasons, &inner),
                        Err(panic) => report.failures.push(Failure {
                            entry: entries[number].name,
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
    });
    report.invariants = inner.invariants(0);
    if let Verdict::Unknown(unknown) = &mut report.outcome.verdict {
        *unknown = control
            .stop_reason()
            .unwrap_or_else(|| summary(&reasons, &report.failures));
    }
    report
}

impl Report {
    /// Keeps the first definite answer, and stops the others.
    fn take(&mut self, outcome: Outcome, reasons: &mut Vec<UnknownReason>, inner: &Control) {
        if !matches!(self.outcome.verdict, Verdict::Unknown(_)) {
            return;
        }
        match outcome.verdict {
            Verdict::Unknown(reason) => {
                self.outcome.depth = self.outcome.depth.max(outcome.depth);
                reasons.push(reason);
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => {
                self.outcome = outcome;
                inner.cancel();
            }
        }
    }
}

/// Why nobody has an answer although nobody was stopped.
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
