//! One reduction for many bads.
//!
//! Facts do not depend on the bad. So the first passes run once on the cone of all bads together, and then each bad
//! has its own cone of the result, on which the others run.

use std::sync::Arc;

use craig_model::{Model, Stop, cone::SequentialCone};

use super::initialised;
use super::lift::Lift;
use super::passes::{Passes, ROWS};
use super::rebuild::Scope;
use super::reduced::Reduced;
use super::run_rows;
use super::together::Together;
use crate::control::Control;

/// The number of the first rows, up to the correspondence of latches. The correspondence of signals is not among
/// them: it finds facts about the gates of all bads, and a certificate for one bad would have to prove them all.
const N_ROWS: usize = 5;

/// The number of bads, chosen evenly, from whose cones the overlap of all is estimated.
const SAMPLES: usize = 16;

/// A model that was reduced for all its bads together.
#[derive(Clone, Debug)]
pub struct Shared {
    model: Arc<Model>,
    lift: Lift,
}

impl Shared {
    /// Runs the passes that find facts on the cone of all bads. If `control` ends it early, the facts found so
    /// far are used.
    #[must_use]
    pub fn new(model: &Model, passes: &Passes, control: Control<'_>) -> Self {
        let reduced = initialised(model, None);
        let reduced = run_rows(&ROWS[..N_ROWS], reduced, passes, control);
        Self {
            model: Arc::new(reduced.model),
            lift: reduced.lift,
        }
    }

    /// What [`begin`](super::begin) returns for a bad: its cone.
    ///
    /// # Panics
    /// If the model has no such bad.
    #[must_use]
    pub fn begin(&self, property: usize, passes: &Passes) -> Reduced {
        let scope = match passes.contains("cone") {
            true => Scope::Cone,
            false => Scope::Everything,
        };
        Reduced::restricted(&self.model, &self.lift, property, scope)
    }

    /// What [`go_on`](super::go_on) does: the other passes.
    #[must_use]
    pub fn go_on(&self, reduced: Reduced, passes: &Passes, control: Control<'_>) -> Reduced {
        run_rows(&ROWS[N_ROWS..], reduced, passes, control)
    }

    /// How much of the model one of these bads depends on: the mean share of all latches in the cones of a few of them,
    /// between 0 and 1. `None` if `control` ends it.
    #[must_use]
    pub fn overlap(&self, bads: &[usize], stop: &Stop) -> Option<f64> {
        let poll = &mut stop.poll();
        let n_samples = bads.len().min(SAMPLES);
        let mut n_latches = 0;
        for sample in 0..n_samples {
            let bad = bads[sample * bads.len() / n_samples];
            let cone = SequentialCone::of_property_until(&self.model, bad, poll)?;
            n_latches += cone.latches.len();
        }
        let n_all = self.model.latches.len() * n_samples;
        Some(n_latches as f64 / n_all.max(1) as f64)
    }

    /// The model for a search for these bads together, after the other passes.
    #[must_use]
    pub fn together(&self, bads: &[usize], passes: &Passes, control: Control<'_>) -> Together {
        let reduced = Reduced {
            model: Model::clone(&self.model),
            lift: self.lift.clone(),
        };
        let reduced = run_rows(&ROWS[N_ROWS..], reduced, passes, control);
        Together::new(reduced, bads)
    }
}
