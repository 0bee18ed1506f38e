//! A look at the first steps of a model, before it is reduced.
//!
//! Where the bad is a few steps away from the reset, or random runs stumble upon it, reducing the model first
//! can cost a hundred times what finding it costs. So bounded model checking of a few steps and a short
//! simulation come first, on what is left of the model when its cone of influence is built anew. The effort
//! is counted, not timed: the same model always gets the same look.

use crate::circuit::model::Model;
use crate::circuit::reduce::{self, Passes};
use crate::circuit::verdict::{Outcome, Verdict};
use crate::control::Control;
use crate::engine::{bmc, sim};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// With fewer ANDs than this in its cone, a model is left to the engines: reducing it costs next to
    /// nothing.
    pub least_ands: usize,
    /// The last step to look at, counted from 0.
    pub max_depth: usize,
    /// What bounded model checking may do.
    pub limits: bmc::Limits,
    /// How many gates to simulate, each for 64 runs at once; none if the run has to be a shortest one.
    pub evaluations: Option<u64>,
    /// No simulated run gets longer than so many steps.
    pub max_simulated: usize,
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
        }
    }
}

impl Effort {
    /// The same, with no run of more than so many steps behind the first.
    #[must_use]
    pub fn up_to(self, max_depth: usize) -> Self {
        Self {
            max_depth: self.max_depth.min(max_depth),
            max_simulated: self.max_simulated.min(max_depth),
            ..self
        }
    }
}

/// Looks for a run to bad number `property`. `None` if it finds none: nothing is claimed then.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn look(model: &Model, property: usize, effort: &Effort, control: &Control) -> Option<Outcome> {
    let cone = Passes::NONE.with("cone");
    // This reduction and its depths are not reported: the search afterwards begins at step 0.
    let control = control.apart();
    let reduced = reduce::run(model, property, &cone, &control);
    let small = &reduced.model;
    if small.aig.n_nodes() - 1 - small.aig.n_inputs() < effort.least_ands {
        return None;
    }
    let options = bmc::Options {
        max_depth: Some(effort.max_depth),
        limits: effort.limits,
        ..bmc::Options::default()
    };
    let mut outcome = bmc::check(small, 0, &options, &control);
    if let (Verdict::Unknown(_), Some(evaluations)) = (&outcome.verdict, effort.evaluations) {
        let options = sim::Options {
            evaluations: Some(evaluations),
            max_depth: effort.max_simulated,
            ..sim::Options::default()
        };
        outcome = sim::check(small, 0, &options, &control);
    }
    match outcome.verdict {
        Verdict::Unsafe(_) => Some(reduced.lift_outcome(outcome)),
        Verdict::Safe(_) | Verdict::Unknown(_) => None,
    }
}
