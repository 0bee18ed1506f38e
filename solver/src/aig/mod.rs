//! And-inverter graphs: the representation of all formulas in the crates above the solver.

pub mod compact;
mod cone;
mod cuts;
mod dump;
mod edge;
pub mod encode;
mod graph;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod planted;
mod resynthesize;
mod rewrite;
mod simulate;
mod strash;
mod sweep;
mod synthesis;
#[cfg(test)]
mod testing;
mod two_level;

pub use crate::random::Random;
pub use compact::{compact, compact_until};
pub use edge::{Edge, Node, NodeId};
pub use encode::{ClauseSink, Encoder, Labelled, LabelledClauseSink};
pub use graph::Aig;
pub use resynthesize::resynthesize;
pub use rewrite::rewrite;
pub use sweep::{Budget, sweep};
