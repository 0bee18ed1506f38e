//! The interface of a pass.

use super::rebuild::Scope;
use super::reduced::Reduced;
use crate::control::Control;

/// A reduction: a model with fewer parts, or one that is easier to search, with the same answer in the same
/// step.
///
/// A pass either applies facts (`Reduced::apply`, `Reduced::constrain`) or replaces the model together with a
/// stage that lifts evidence (`Reduced::replace`).
pub trait Pass: Sync {
    /// The name of the pass in options.
    fn name(&self) -> &'static str;

    /// What the pass does, in one line for users.
    fn text(&self) -> &'static str;

    /// Whether the pass also runs after the time limit: it takes no longer than copying the model. It may leave a model
    /// as it is if that takes more than a few milliseconds.
    fn is_immediate(&self) -> bool {
        false
    }

    /// Reduces the model. Returns whether the pass found something to reduce.
    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool;
}

/// The context of all passes of one run.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The parts that a rebuilt model keeps.
    pub(super) scope: Scope,
    /// The stop condition, and the receiver of reports.
    pub(super) control: Control<'a>,
}

impl Task<'_> {
    /// Reports a line about a pass.
    pub(super) fn note(&self, text: impl FnOnce() -> String) {
        self.control.listener.note("preprocess", text);
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
