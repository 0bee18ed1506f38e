//! Values of the nodes of a graph as formulas of the certifier.

use craig_solver::aig::{Aig, Edge, Node};

use super::gates::{Gate, Gates};
use crate::circuit::model::{Model, Reset};

/// A value for each node of a graph.
pub(super) struct Valuation(Vec<Gate>);

impl Valuation {
    /// Evaluates all gates over the given values of inputs and latches; variables without a value get a fresh
    /// variable.
    pub(super) fn new(gates: &mut Gates, model: &Model, given: &[Option<Gate>]) -> Self {
        Self::evaluate(gates, &model.aig, |node| given[node])
    }

    /// Evaluates all gates over fresh variables.
    pub(super) fn of_graph(gates: &mut Gates, aig: &Aig) -> Self {
        Self::evaluate(gates, aig, |_| None)
    }

    fn evaluate(gates: &mut Gates, aig: &Aig, given: impl Fn(usize) -> Option<Gate>) -> Self {
        let mut values = vec![Gates::FALSE; aig.n_nodes()];
        for node in 0..values.len() {
            values[node] = match aig.node(node as u32) {
                Node::Constant => Gates::FALSE,
                Node::Input(_) => given(node).unwrap_or_else(|| gates.fresh()),
                Node::And(left, right) => {
                    let left = values[left.node() as usize] ^ u32::from(left.is_negated());
                    let right = values[right.node() as usize] ^ u32::from(right.is_negated());
                    gates.and(left, right)
                }
            };
        }
        Self(values)
    }

    pub(super) fn at(&self, edge: Edge) -> Gate {
        self.0[edge.node() as usize] ^ u32::from(edge.is_negated())
    }

    pub(super) fn all(&self, edges: &[Edge]) -> Vec<Gate> {
        edges.iter().map(|&edge| self.at(edge)).collect()
    }
}

/// The value of a latch at its reset; `None` if it starts at any value.
pub(super) fn constant(reset: Reset) -> Option<Gate> {
    reset.value().map(Gate::from)
}
