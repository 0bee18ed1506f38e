//! And-inverter graphs: the form in which every formula above the solver is stated.

mod cone;
pub mod encode;
mod graph;
mod rewrite;
mod simulate;
mod strash;
#[cfg(test)]
mod testing;
mod two_level;

pub use encode::{ClauseSink, Encoder, Labelled, LabelledClauseSink};
pub use graph::{Aig, Edge, Node, NodeId};
pub use rewrite::rewrite;
