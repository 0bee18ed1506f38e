//! The interface for lifting evidence through a pass.

use crate::circuit::verdict::{Certificate, Trace};

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

    /// The number of facts (formulas that hold in every step under the constraints) behind the change.
    fn n_facts(&self) -> usize {
        0
    }
}
