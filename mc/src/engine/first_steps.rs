//! A check of the first steps of a model before its reduction.
//!
//! If the bad is a few steps away from the reset, or random runs reach it, reducing the model first can cost
//! a hundred times the search. So bounded model checking of a few steps and a short simulation come first, on
//! the cone of influence. The effort is counted, not timed, so that the result is deterministic.

use craig_model::{Model, Outcome, Verdict};

use crate::circuit::reduce::Reduced;
use crate::control::{Alone, Control};
use crate::engine::{bmc, sim};

/// The effort of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Models with fewer ANDs in the cone are skipped: reducing them is cheap.
    pub least_ands: usize,
    /// The last step to check, counted from 0.
    pub max_depth: usize,
    /// The limits of bounded model checking.
    pub limits: bmc::Limits,
    /// The number of gates to simulate, each for 64 runs at once; `None` if the run has to be a shortest one.
    pub evaluations: Option<u64>,
    /// The maximal length of a simulated run, in steps.
    pub max_simulated: usize,
    /// Whether the simulation is guided ([`sim::Options::is_guided`]).
    pub is_guided: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            least_ands: 1000,
            max_depth: 9,
            limits: bmc::Limits {
                nodes: Some(150_000),
                conflicts: Some(300),
                propagations: Some(500_000),
            },
            evaluations: Some(20_000_000),
            max_simulated: 256,
            is_guided: false,
        }
    }
}

impl Effort {
    /// For slices of wide data paths (`circuit::slices`), which are small: the deep runs of full queues.
    pub const OF_SLICES: Self = Self {
        least_ands: 0,
        max_depth: 9,
        limits: bmc::Limits {
            nodes: Some(150_000),
            conflicts: Some(300),
            propagations: Some(500_000),
        },
        evaluations: Some(2_000_000_000),
        max_simulated: 1 << 12,
        is_guided: true,
    };

    /// This effort, with runs of at most `max_depth` steps after the first.
    #[must_use]
    pub fn up_to(self, max_depth: usize) -> Self {
        Self {
            max_depth: self.max_depth.min(max_depth),
            max_simulated: self.max_simulated.min(max_depth),
            ..self
        }
    }
}

/// Searches for a run to the bad of a model whose reduction has begun, see [`reduce::begin`](crate::circuit::reduce::begin). The outcome
/// is about the original. `None` if it finds none, which proves nothing.
#[must_use]
pub fn search_reduced(reduced: &Reduced, effort: &Effort, control: Control<'_>) -> Option<Outcome> {
    let outcome = search(&reduced.model, effort, control)?;
    Some(reduced.lift_outcome(outcome))
}

/// As [`search_reduced`], for bad number 0 of a model.
#[must_use]
pub fn search(model: &Model, effort: &Effort, control: Control<'_>) -> Option<Outcome> {
    // The depths of this check are not reported: the search afterwards starts at step 0.
    let alone = Alone::until(control.stop.clone());
    let control = alone.control();
    if model.aig.n_nodes() - 1 - model.aig.n_inputs() < effort.least_ands {
        return None;
    }
    let options = bmc::Options {
        max_depth: Some(effort.max_depth),
        limits: effort.limits,
        ..bmc::Options::default()
    };
    let mut outcome = bmc::check(model, 0, &options, control);
    if let (Verdict::Unknown(_), Some(evaluations)) = (&outcome.verdict, effort.evaluations) {
        let options = sim::Options {
            evaluations: Some(evaluations),
            max_depth: effort.max_simulated,
            is_guided: effort.is_guided,
            ..sim::Options::default()
        };
        outcome = sim::check(model, 0, &options, control);
    }
    match outcome.verdict {
        Verdict::Unsafe(_) => Some(outcome),
        Verdict::Safe(_) | Verdict::Unknown(_) => None,
    }
}
