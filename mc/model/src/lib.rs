//! Transition systems over and-inverter graphs, their runs, and the evidence for verdicts about them.
//!
//! What engines, judges, readers and writers share: a [`Model`], a run of it ([`Trace`], [`Lasso`]), a proof
//! ([`Certificate`], [`LivenessCertificate`]), and the answer that holds one of them ([`Verdict`]). There is no solver
//! here: whether evidence is right is decided by `craig-certify`, on the model that was read.

pub mod certificate;
pub mod cone;
mod liveness;
mod model;
pub mod simulate;
mod verdict;

pub use liveness::{Intervention, Lasso, LivenessCertificate};
pub use model::{Latch, Model, Names, Reset};
pub use verdict::{Certificate, Outcome, Trace, UnknownReason, Values, Verdict};
