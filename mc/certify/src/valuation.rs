//! Values of the nodes of a graph as formulas of the certifier.

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_model::{Model, Reset, Values};

use super::error::CertifyError;
use super::gate::Gate;
use super::gates::Gates;

/// Nodes of a graph that contain the operands of each of their gates, operands first.
///
/// A file may have thousands of properties: what is judged about one costs time by the property's cone, not by the circuit.
pub(super) struct Cone(Vec<NodeId>);

impl Cone {
    /// All nodes.
    pub(super) fn all(aig: &Aig) -> Self {
        Self((0..).take(aig.n_nodes()).collect())
    }

    /// What some formulas depend on within a step.
    pub(super) fn of(aig: &Aig, roots: impl IntoIterator<Item = Edge>) -> Self {
        Self::closed(aig, roots, |_| None)
    }

    /// What some formulas depend on within a run: with each latch its next state.
    pub(super) fn of_runs(model: &Model, roots: impl IntoIterator<Item = Edge>) -> Self {
        let mut next_of = vec![None; model.aig.n_nodes()];
        for latch in &model.latches {
            next_of[latch.state.node() as usize] = Some(latch.next);
        }
        Self::closed(&model.aig, roots, |node| next_of[node as usize])
    }

    /// The smallest set that contains the roots, operands and what else a variable brings.
    fn closed(
        aig: &Aig,
        roots: impl IntoIterator<Item = Edge>,
        brings: impl Fn(NodeId) -> Option<Edge>,
    ) -> Self {
        let mut is_in = vec![false; aig.n_nodes()];
        let mut nodes = Vec::new();
        let mut open: Vec<NodeId> = roots.into_iter().map(Edge::node).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut is_in[node as usize], true) {
                continue;
            }
            nodes.push(node);
            match aig.node(node) {
                Node::And(left, right) => open.extend([left.node(), right.node()]),
                Node::Constant | Node::Input(_) => open.extend(brings(node).map(Edge::node)),
            }
        }
        // The numbers of a graph's nodes are topological.
        nodes.sort_unstable();
        Self(nodes)
    }

    /// Whether the node of an edge is in it.
    pub(super) fn contains(&self, edge: Edge) -> bool {
        self.0.binary_search(&edge.node()).is_ok()
    }

    /// Those of the given values, by node, that are about this cone, as pairs of a node and its value.
    pub(super) fn pairs<'a>(
        &'a self,
        given: &'a [Option<Gate>],
    ) -> impl Iterator<Item = (NodeId, Gate)> + 'a {
        (self.0.iter()).filter_map(|&node| Some((node, given[node as usize]?)))
    }
}

/// A value for each node of a cone.
pub(super) struct Valuation {
    /// One more than the gate of each node of the graph, and 0 outside of the cone: so large an array of zeros costs no time.
    values: Vec<Gate>,
}

impl Valuation {
    /// Evaluates the gates of a cone over the given values of inputs and latches, by node; variables without a value get a
    /// fresh variable.
    pub(super) fn new(
        gates: &mut Gates,
        aig: &Aig,
        cone: &Cone,
        given: impl IntoIterator<Item = (NodeId, Gate)>,
    ) -> Self {
        let mut valuation = Self {
            values: vec![0; aig.n_nodes()],
        };
        for (node, value) in given {
            if matches!(aig.node(node), Node::Input(_)) {
                valuation.values[node as usize] = value + 1;
            }
        }
        for &node in &cone.0 {
            let value = match aig.node(node) {
                Node::Constant => Gates::FALSE,
                Node::Input(_) if valuation.values[node as usize] > 0 => continue,
                Node::Input(_) => gates.fresh(),
                Node::And(left, right) => gates.and(valuation.at(left), valuation.at(right)),
            };
            valuation.values[node as usize] = value + 1;
        }
        valuation
    }

    /// The value of an edge of the cone, or of a variable that was given.
    ///
    /// # Panics
    /// If it is neither.
    pub(super) fn at(&self, edge: Edge) -> Gate {
        (self.get(edge)).expect("the edges that are asked for are in the cone")
    }

    /// The value of an edge, if it is in the cone or was given.
    pub(super) fn get(&self, edge: Edge) -> Option<Gate> {
        let value = self.values[edge.node() as usize].checked_sub(1)?;
        Some(value ^ u32::from(edge.is_negated()))
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
fn cycle() -> CertifyError {
    CertifyError::Shape("the reset functions form a cycle".to_owned())
}

/// The value of a latch at its reset, if that is a constant.
pub(super) fn constant(reset: Reset) -> Option<Gate> {
    reset.value().map(Gate::from)
}
