//! The interface of the engine.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{Model, Outcome, UnknownReason, Verdict};

use super::answer::{outcome, trace};
use super::options::{GENERALISATION, Options, PREDECESSORS, WITHOUT};
use super::predecessors::Ahead;
use super::signals::Extended;
use super::state::{End, NAME};
use super::turns;
use crate::control::Control;
use crate::engine::entry::Engine;
use crate::engine::options::{EXCHANGE, MAX_DEPTH, SEED};
use crate::engine::{posed, up_to_bad};

/// The registration of the engine.
pub(in crate::engine) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Property-directed reachability, also known as IC3",
    is_shortest: false,
    options: &[
        &GENERALISATION,
        &PREDECESSORS,
        &WITHOUT,
        &EXCHANGE,
        &SEED,
        &MAX_DEPTH,
    ],
    build: |settings| {
        let options = Options::from_settings(settings);
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Searches for an inductive invariant that excludes bad number `property`, or a trace to it.
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
    if options.is_ahead {
        return decide_ahead(model, property, options, control);
    }
    let (pdr, result) = turns::decide(model, property, &[], options, control);
    outcome(model, property, &[], &pdr, result)
}

/// As [`check`], with lemmas that may mention these formulas, edges of the model over its latches, beside
/// the latches. Formulas that read inputs are left out. A model with reset functions has none of them.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check_with_signals(
    model: &Model,
    property: usize,
    formulas: &[Edge],
    options: &Options,
    control: Control<'_>,
) -> Outcome {
    if model.has_reset_functions() {
        return check(model, property, options, control);
    }
    let extended = Extended::new(model, formulas);
    let mut options = options.clone();
    // Other engines know nothing of the numbers of signals, and a clause that is left out of a query unless it is
    // connected with it has to be over variables without definition.
    options.techniques.import = false;
    options.exchange = false;
    options.most_whole = usize::MAX;
    options.is_ahead = false;
    decide_with(&extended, property, &options, control)
}

/// As [`decide`], with signals.
fn decide_with(
    extended: &Extended,
    property: usize,
    options: &Options,
    control: Control<'_>,
) -> Outcome {
    let Extended { model, signals } = extended;
    let (pdr, result) = turns::decide(model, property, signals, options, control);
    outcome(model, property, signals, &pdr, result)
}

/// Decides by the states one step before the bad.
fn decide_ahead(
    model: &Model,
    property: usize,
    options: &Options,
    control: Control<'_>,
) -> Outcome {
    // Whether the bad holds in the first step.
    let first = Options {
        max_frames: Some(0),
        first_turn: None,
        ..options.clone()
    };
    let (pdr, result) = turns::decide(model, property, &[], &first, control);
    let initial = outcome(model, property, &[], &pdr, result);
    if !matches!(initial.verdict, Verdict::Unknown(UnknownReason::Bound(_))) {
        return initial;
    }
    let ahead = Ahead::new(model, property);
    let (pdr, result) = turns::decide(&ahead.model, 0, &[], options, control);
    match result {
        Ok(End::Reached(obligation)) => {
            let trace = trace(&ahead.model, 0, &pdr.transition, &obligation);
            let trace = up_to_bad(model, ahead.trace(trace));
            Outcome {
                depth: trace.depth(),
                verdict: Verdict::Unsafe(trace),
                engine: NAME,
            }
        }
        // The invariant is one of the latches, which both models share.
        result => outcome(model, property, &[], &pdr, result),
    }
}
