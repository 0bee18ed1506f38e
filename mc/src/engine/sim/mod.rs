//! Random simulation, 64 runs at once: finds counterexamples that random inputs reach, also ones too deep for
//! a solver.
//!
//! Runs are made in rounds, with three heuristics: a run that brings a latch to a new value is stored, and
//! later rounds start half of their runs from stored states; a run that violates a constraint continues as a
//! copy of one that does not; and in each round some inputs are random, while others are mostly 0 or mostly
//! 1, or always, in some rounds of a guided search.
//!
//! Inputs are not stored. They are a function of round and step, so that the inputs of the run to the bad can
//! be recomputed.
//!
//! A guided search ([`Options::is_guided`]) takes turns between such rounds and short ones that start from
//! states chosen by what they are: rare values of few latches together (`cells`), or near to the bad
//! (`distance`). A solver looks from these states for the bad within some steps, and for successors with
//! values that no state had (`queries`). States of the first kind are known from the exploration of programs
//! (Ecoffet and others, "First return, then explore", Nature 590, 2021); simulation and solver in turns from
//! Ho, Shiple, Harer, Kukula, Damiano, Bertacco, Taylor, Long, "Smart simulation using collaborative formal and
//! simulation engines" (ICCAD 2000). Where PDR runs beside, its obligations are further goals (`targets`).

mod cells;
mod distance;
mod guide;
mod queries;
mod search;
mod store;
mod targets;

use std::sync::Arc;

use craig_model::{Model, Outcome, Trace, UnknownReason, Verdict};

use self::search::Search;
use super::entry::Engine;
use super::options::{EngineOption, MAX_DEPTH, Range, SEED};
use super::question::Question;
use crate::control::Control;

/// The engine's name.
pub const NAME: &str = "sim";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of gates to evaluate, each for 64 runs at once; `None` for no limit.
    pub evaluations: Option<u64>,
    /// The maximal length of a run, in steps.
    pub max_depth: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Whether the search is guided by rare states, by the distance to the bad, and by a solver.
    pub is_guided: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            evaluations: None,
            max_depth: 1 << 14,
            seed: 0,
            is_guided: false,
        }
    }
}

const UNGUIDED: EngineOption = EngineOption {
    name: "sim-unguided",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `sim`: random runs alone, without guidance by rare states, the bad and a solver",
    is_flag: true,
};

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Simulation guided by rare states and a solver: finds runs to a bad, not the shortest, and never answers \"safe\"",
    is_shortest: false,
    options: &[&MAX_DEPTH, &SEED, &UNGUIDED],
    build: |settings| {
        let mut options = Options {
            seed: settings.number(&SEED).unwrap_or_default(),
            is_guided: !settings.switch(&UNGUIDED),
            ..Options::default()
        };
        if let Some(depth) = settings.count(&MAX_DEPTH) {
            options.max_depth = depth;
        }
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Searches for a run to bad number `property`, not necessarily a short one. Never answers "safe".
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    Question::decide(NAME, model, property, control, |question| {
        let found = Search::new(question, options).find()?;
        found
            .map(Verdict::Unsafe)
            .ok_or_else(|| UnknownReason::Bound("no bad in the simulated runs".to_string()))
    })
}

/// Searches for a run to bad number `property` within the budget.
///
/// # Errors
/// If `control` requests the end.
///
/// # Panics
/// If the model has no such bad.
pub fn search(
    model: &Model,
    property: usize,
    options: &Options,
    control: Control<'_>,
) -> Result<Option<Trace>, UnknownReason> {
    Question::pose(NAME, model, property, control, |question| {
        Search::new(question, options).find()
    })
}
