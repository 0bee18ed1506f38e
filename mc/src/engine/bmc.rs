//! Bounded model checking (A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without
//! BDDs", 1999): every bound in turn, on one incremental solver, or each query on a solver of its own.

use std::sync::Arc;

use craig_model::{Model, Outcome, Verdict};

pub use super::bounded::{Limits, Stride};

use super::bounded::{Bounds, FRESH, STRIDE, Search, contradictory, stride};
use super::entry::Engine;
use super::options::{EngineOption, MAX_DEPTH, Range};
use super::sim;
use crate::control::Control;
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "bmc";

/// The options of the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The last step to check, counted from 0; `None` for no limit.
    pub max_depth: Option<usize>,
    /// The number of steps in one query.
    pub stride: Stride,
    /// Whether each query has a solver of its own, which can eliminate variables. An incremental solver keeps
    /// what it has learned instead.
    pub fresh: bool,
    /// Whether and how to search for runs by simulation first. Such a run need not be a shortest one.
    pub simulation: Option<sim::Options>,
    /// Limits of the search.
    pub limits: Limits,
}

const SIMULATE: EngineOption = EngineOption {
    name: "simulate",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `bmc`: random simulation first. Its runs may not be the shortest",
    is_flag: true,
};

/// The number of gates that [`SIMULATE`] evaluates, each for 64 runs at once: some seconds.
const SIMULATION_AHEAD: u64 = 2_000_000_000;

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Bounded model checking: finds the shortest run to a bad, and never answers \"safe\"",
    is_shortest: true,
    options: &[&MAX_DEPTH, &STRIDE, &FRESH, &SIMULATE],
    build: |settings| {
        let options = Options {
            max_depth: settings.count(&MAX_DEPTH),
            stride: stride(settings),
            fresh: settings.switch(&FRESH),
            simulation: settings.switch(&SIMULATE).then(|| sim::Options {
                evaluations: Some(SIMULATION_AHEAD),
                ..sim::Options::default()
            }),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Searches for a run to bad number `property`: with the default options a shortest one. Never answers
/// "safe".
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    posed((model, property), control, |model, control| {
        decide(model, property, options, control)
    })
}

/// As `check`, for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    if let Some(simulation) = &options.simulation
        && let Some(outcome) = simulated(model, property, simulation, control)
    {
        return outcome;
    }
    let bounds = Bounds {
        engine: NAME,
        max_depth: options.max_depth,
        stride: options.stride,
        fresh: options.fresh,
        limits: options.limits,
    };
    let mut search = Search::new(model, property, bounds, control);
    let verdict = loop {
        match search.advance() {
            Ok(None) => {
                if let Some(end) = search.end() {
                    break Verdict::Unknown(contradictory(end));
                }
            }
            Ok(Some(trace)) => break Verdict::Unsafe(trace),
            Err(reason) => break Verdict::Unknown(reason),
        }
    };
    let (conflicts, propagations) = search.spent();
    (control.listener).count("conflicts", conflicts as usize);
    (control.listener).count("propagations", propagations as usize);
    Outcome {
        verdict,
        engine: NAME,
        depth: search.depth(),
    }
}

/// What simulation comes to, if it ends the search.
fn simulated(
    model: &Model,
    property: usize,
    simulation: &sim::Options,
    control: Control<'_>,
) -> Option<Outcome> {
    let (verdict, depth) = match sim::search(model, property, simulation, control) {
        Ok(None) => return None,
        Ok(Some(trace)) => {
            let depth = trace.depth();
            (Verdict::Unsafe(trace), depth)
        }
        Err(reason) => (Verdict::Unknown(reason), 0),
    };
    Some(Outcome {
        verdict,
        engine: NAME,
        depth,
    })
}
