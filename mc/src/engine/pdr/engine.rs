//! The interface of the engine.

use std::sync::Arc;

use super::answer::outcome;
use super::options::{GENERALISATION, Options, WITHOUT};
use super::state::NAME;
use super::turns;
use crate::circuit::model::Model;
use crate::circuit::reduce::Resets;
use crate::circuit::verdict::Outcome;
use crate::control::Control;
use crate::engine::entry::Engine;
use crate::engine::options::{MAX_DEPTH, SEED};

/// The registration of the engine.
pub(in crate::engine) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Property-directed reachability, also known as IC3",
    is_shortest: false,
    options: &[&GENERALISATION, &WITHOUT, &SEED, &MAX_DEPTH],
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
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    Resets::decide(model, |model| decide(model, property, options, control))
}

/// The same for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let (pdr, result) = turns::decide(model, property, options, control);
    outcome(model, property, &pdr, result)
}
