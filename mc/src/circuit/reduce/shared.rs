//! One reduction for many bads.
//!
//! Facts do not depend on the bad. So the first passes run once on the cone of all bads together, and then each bad
//! has its own cone of the result, on which the others run.

use std::sync::Arc;

use super::initialised;
use super::lift::Lift;
use super::passes::{Passes, ROWS};
use super::rebuild::Scope;
use super::reduced::Reduced;
use super::run_rows;
use crate::circuit::model::Model;
use crate::control::Control;

/// The number of the first rows, up to the correspondence of latches. The correspondence of signals is not among
/// them: it finds facts about the gates of all bads, and a certificate for one bad would have to prove them all.
const N_ROWS: usize = 5;

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
    pub fn new(model: &Model, passes: &Passes, control: &Control) -> Self {
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
    pub fn go_on(&self, reduced: Reduced, passes: &Passes, control: &Control) -> Reduced {
        run_rows(&ROWS[N_ROWS..], reduced, passes, control)
    }
}
