//! And-inverter graphs: the form in which every formula above the solver is stated.

mod cone;
pub mod encode;
mod graph;
mod simulate;
#[cfg(test)]
mod testing;

pub use encode::{ClauseSink, Encoder, Labelled, LabelledClauseSink};
pub use graph::{Aig, Edge, Node, NodeId};
