//! Model checking engines over circuits, with evidence for every verdict.
//!
//! The crate knows no file formats, no terminals and no clock but the deadline in [`control::Control`].

pub mod certificate;
pub mod certify;
pub mod cone;
pub mod control;
pub mod engine;
pub mod first_steps;
pub mod model;
pub mod portfolio;
pub mod preprocess;
pub mod simulate;
pub mod unroll;
pub mod verdict;

pub use control::{Control, StateClause};
pub use model::{Latch, Model, Reset};
pub use verdict::{Certificate, Outcome, Trace, UnknownReason, Verdict};
