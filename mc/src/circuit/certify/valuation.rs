//! Values of the nodes of a graph as formulas of the certifier.

use craig_solver::aig::{Aig, Edge, Node};

use super::error::CertifyError;
use super::gates::{Gate, Gates};
use crate::circuit::model::{Model, Reset};
use crate::circuit::verdict::Values;

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

/// The values of inputs and latches in the first step of a run, by node: those of `initial` and
/// `first_inputs`, a fresh variable where these leave a value open, and for latches with a reset that reset.
///
/// # Errors
/// If a latch does not start at its reset for all open values, or the reset functions form a cycle.
pub(super) fn first_step(
    gates: &mut Gates,
    model: &Model,
    initial: &Values,
    first_inputs: &Values,
) -> Result<Vec<Option<Gate>>, CertifyError> {
    let mut values = vec![None; model.aig.n_nodes()];
    values[0] = Some(Gates::FALSE);
    for (input, value) in model.inputs.iter().zip(first_inputs) {
        let value = value.map(Gate::from).unwrap_or_else(|| gates.fresh());
        values[input.node() as usize] = Some(value);
    }
    // The latches that start at the value of a formula, by node.
    let mut functions = vec![None; model.aig.n_nodes()];
    for (position, (latch, &value)) in model.latches.iter().zip(initial).enumerate() {
        let value = value.map(Gate::from);
        let reset = constant(latch.reset);
        if value.is_some() && reset.is_some() && value != reset {
            return Err(CertifyError::TraceReset { latch: position });
        }
        match latch.reset {
            Reset::Function(edge) => {
                functions[latch.state.node() as usize] = Some((position, edge));
            }
            _ => {
                let value = value.or(reset).unwrap_or_else(|| gates.fresh());
                values[latch.state.node() as usize] = Some(value);
            }
        }
    }
    let at = |values: &[Option<Gate>], edge: Edge| {
        let value = values[edge.node() as usize];
        value
            .map(|value| value ^ u32::from(edge.is_negated()))
            .ok_or_else(cycle)
    };
    for node in model.reset_order().ok_or_else(cycle)? {
        let value = match (model.aig.node(node), functions[node as usize]) {
            (Node::And(left, right), _) => {
                let (left, right) = (at(&values, left)?, at(&values, right)?);
                gates.and(left, right)
            }
            (_, Some((position, edge))) => {
                let value = at(&values, edge)?;
                if let Some(given) = initial[position] {
                    let differs = value ^ Gate::from(given);
                    let may_differ = gates.satisfiable(&[differs], &[Gates::TRUE]);
                    if may_differ.map_err(CertifyError::Solver)? {
                        return Err(CertifyError::TraceReset { latch: position });
                    }
                }
                value
            }
            (_, None) => return Err(cycle()),
        };
        values[node as usize] = Some(value);
    }
    Ok(values)
}

/// The error for reset functions without an order.
pub(super) fn cycle() -> CertifyError {
    CertifyError::Shape("the reset functions form a cycle".to_owned())
}

/// The value of a latch at its reset, if that is a constant.
pub(super) fn constant(reset: Reset) -> Option<Gate> {
    reset.value().map(Gate::from)
}
