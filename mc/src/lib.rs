//! Model checking engines over circuits and programs, with evidence for every verdict.
//!
//! The crate has no file formats, no terminal output and no clock except the deadline in
//! [`control::Control`].

pub mod circuit;
pub mod control;
pub mod engine;
pub mod exchange;
pub mod liveness;
pub mod portfolio;
pub mod program;
mod turns;
pub mod word_system;
pub mod words;

pub use circuit::model::{Latch, Model, Names, Reset};
pub use circuit::verdict::{Certificate, Outcome, Trace, UnknownReason, Values, Verdict};
pub use control::{Control, StateClause};
