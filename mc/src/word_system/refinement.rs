//! Abstractions of a system, with inputs in the place of terms, refined by runs that the system does not have.

use craig_model::simulate::{first_bad_step, replay};
use craig_model::{Model, Outcome, Stop, Trace, UnknownReason, Verdict};

use super::blast::{Blasted, blast};
use super::derive::Derived;
use super::system::WordSystem;

/// The result of a search of abstractions.
pub struct Decided {
    /// About the circuit of bits of the system; if it is unknown, nothing is said about why.
    pub outcome: Outcome,
    /// The terms that were inputs in the end.
    pub n_inputs: usize,
    /// The number of abstractions that were searched.
    pub n_rounds: usize,
}

/// A bad of a system, and the circuit of bits of the system, on which the evidence is.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) system: &'a WordSystem,
    pub(super) full: &'a Blasted,
    pub(super) bad: usize,
}

impl Question<'_> {
    /// A run of the circuit up to the bad, if it reaches that.
    pub(super) fn reaching(&self, mut run: Trace) -> Option<Trace> {
        let steps = replay(&self.full.model, &run).ok()?;
        let last = first_bad_step(&steps, self.bad)?;
        run.inputs.truncate(last + 1);
        Some(run)
    }
}

/// A run of an abstraction that reaches the bad.
pub(super) struct AbstractRun<'a> {
    pub(super) derived: &'a Derived,
    pub(super) own: &'a Blasted,
    pub(super) trace: &'a Trace,
    /// The number of the abstraction, from 1.
    pub(super) round: usize,
}

/// What became of a run of an abstraction.
pub(super) enum Refined {
    /// The next abstraction does not have it, or the search has stopped.
    Again,
    /// This run of the circuit of bits reaches the bad.
    Run(Trace),
    /// Nothing excludes it.
    Stuck,
}

/// A sequence of abstractions of one system.
pub(super) trait Abstraction {
    /// Rounds, at most.
    const MOST_ROUNDS: usize;
    /// What is abstracted, in the reason of a search that ends without an answer.
    const WHAT: &'static str;

    /// The next abstraction, and the number of its inputs in the place of terms; `None` if no term is replaced.
    fn next(&mut self) -> Option<(Derived, usize)>;

    /// Excludes a run, or finds one of the system.
    fn refine(&mut self, run: &AbstractRun<'_>, stop: &Stop) -> Refined;
}

/// Decides a bad of a system by abstractions; `search` decides bad 0 of a model. `None` if a proof of one can't be lifted.
///
/// # Errors
/// Those of `search`.
pub(super) fn decide<A: Abstraction, E>(
    mut abstraction: A,
    question: Question<'_>,
    stop: &Stop,
    search: &mut dyn FnMut(&Model) -> Result<Outcome, E>,
) -> Result<Option<Decided>, E> {
    let mut round = 0;
    while round < A::MOST_ROUNDS {
        if let Some(reason) = stop.reason() {
            return Ok(Some(undecided(reason, round)));
        }
        let Some((mut derived, n_inputs)) = abstraction.next() else {
            break;
        };
        round += 1;
        derived.clean();
        let Ok(own) = blast(&derived.system) else {
            break;
        };
        let outcome = search(&own.model)?;
        let verdict = match &outcome.verdict {
            Verdict::Unknown(reason) => Verdict::Unknown(reason.clone()),
            Verdict::Safe(certificate) => {
                match derived.certificate(question.system, &own, certificate) {
                    Some(certificate) => Verdict::Safe(Box::new(certificate)),
                    None => return Ok(None),
                }
            }
            Verdict::Unsafe(trace) => {
                let run = AbstractRun {
                    derived: &derived,
                    own: &own,
                    trace,
                    round,
                };
                match abstraction.refine(&run, stop) {
                    Refined::Again => continue,
                    Refined::Run(run) => Verdict::Unsafe(run),
                    Refined::Stuck => break,
                }
            }
        };
        return Ok(Some(Decided {
            outcome: Outcome { verdict, ..outcome },
            n_inputs,
            n_rounds: round,
        }));
    }
    let text = format!("the abstraction of {} could not be refined", A::WHAT);
    Ok(Some(undecided(UnknownReason::Bound(text), round)))
}

/// No answer after `n_rounds` abstractions.
fn undecided(reason: UnknownReason, n_rounds: usize) -> Decided {
    Decided {
        outcome: Outcome {
            verdict: Verdict::Unknown(reason),
            engine: crate::portfolio::NAME,
            depth: 0,
        },
        n_inputs: 0,
        n_rounds,
    }
}
