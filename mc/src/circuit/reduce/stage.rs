//! The interface for lifting evidence through a pass.

use craig_model::{Certificate, Trace};

/// One change of a model, which lifts evidence about the model after it to evidence about the model before.
pub trait Stage: std::fmt::Debug + Send + Sync {
    /// A trace of the model before from one of the model after.
    fn trace(&self, trace: &Trace) -> Trace;

    /// A certificate for the model before from one for the model after.
    ///
    /// # Panics
    /// If the certificate shares inputs or latches that the model after does not have.
    fn certificate(&self, certificate: &Certificate) -> Certificate;

    /// For each latch of the model after, its number in the model before, if it is one of them. The numbers
    /// increase.
    fn latches(&self) -> Vec<Option<usize>>;

    /// What a latch of the model before equals under the facts, if the model after does not have it.
    fn replacement(&self, _latch: usize) -> Option<Replacement> {
        None
    }

    /// The number of facts (formulas that hold in every step under the constraints) behind the change.
    fn n_facts(&self) -> usize {
        0
    }
}

/// What replaces a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It has this value.
    Constant(bool),
    /// It equals the latch of this number of the same model, or its negation.
    Latch {
        /// The number.
        number: usize,
        /// Whether it equals the negation.
        is_negated: bool,
    },
}
