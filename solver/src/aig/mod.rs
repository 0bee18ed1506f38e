//! And-inverter graphs: the form in which every formula above the solver is stated.

mod graph;

pub use graph::{Aig, Edge, Node, NodeId};
