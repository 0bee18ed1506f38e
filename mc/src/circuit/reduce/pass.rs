//! What a pass is.

use super::rebuild::Scope;
use super::reduced::Reduced;
use crate::control::Control;

/// A reduction: a model with fewer parts, or one that is easier to search, with the same answer in the same
/// step.
///
/// A pass either puts facts to use (`Reduced::apply`, `Reduced::constrain`) or replaces the model and says
/// how evidence comes back (`Reduced::replace`).
pub trait Pass: Sync {
    /// The name by which a user selects the pass.
    fn name(&self) -> &'static str;

    /// What the pass does, in one line for users.
    fn text(&self) -> &'static str;

    /// Whether the pass also runs after the time is up: it takes no longer than copying the model.
    fn is_immediate(&self) -> bool {
        false
    }

    /// Reduces the model. Returns whether the pass found something to reduce.
    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool;
}

/// What all passes of one run have in common.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// What a rebuilt model keeps.
    pub(super) scope: Scope,
    /// When to stop, and where reports go.
    pub(super) control: &'a Control,
}

impl Task<'_> {
    /// Reports a line about a pass.
    pub(super) fn note(&self, text: impl FnOnce() -> String) {
        self.control.note("preprocess", text);
    }

    /// Reports the size of the model after a pass.
    pub(super) fn note_size(&self, pass: &str, reduced: &Reduced) {
        self.note(|| {
            let model = &reduced.model;
            let n_variables = model.inputs.len() + model.latches.len();
            format!(
                "{pass}: {} inputs, {} latches, {} ANDs",
                model.inputs.len(),
                model.latches.len(),
                model.aig.n_nodes() - 1 - n_variables
            )
        });
    }
}
