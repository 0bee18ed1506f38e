//! Model checking engines over circuits, with evidence for every verdict.
//!
//! The crate has no file formats, no terminal output and no clock except the deadline in
//! [`control::Control`].

pub mod circuit;
pub mod control;
pub mod engine;
pub mod exchange;
pub mod liveness;
pub mod portfolio;
mod turns;
pub mod word_system;

pub use control::{Control, StateClause};
