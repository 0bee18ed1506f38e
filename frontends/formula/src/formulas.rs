//! The formulas to write: named formulas over named variables.

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::Var;

/// Named formulas over named variables.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    /// The graph that holds them.
    pub aig: Aig,
    /// The formulas with their names, which consist of letters, digits and `_`.
    pub outputs: Vec<(String, Edge)>,
    /// The variable of each input of the graph, by position.
    pub inputs: Vec<Variable>,
}

/// A variable that formulas mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its number in the clauses.
    pub var: Var,
    /// Its name.
    pub name: String,
}

impl Formulas {
    /// The formulas without their names.
    pub(crate) fn edges(&self) -> Vec<Edge> {
        self.outputs.iter().map(|&(_, edge)| edge).collect()
    }
}

/// The position of an input node among the inputs.
pub(super) fn position(aig: &Aig, node: NodeId) -> usize {
    match aig.node(node) {
        Node::Input(position) => position as usize,
        other => unreachable!("an input was expected, not {other:?}"),
    }
}
