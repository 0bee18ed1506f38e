//! The values that a run of an abstraction has for certain.

use craig_aig::{Edge, Node, NodeId};
use craig_model::Trace;

use super::abstraction::{Abstraction, Visible};

/// Values of the original's nodes in each step of a run of the abstraction.
///
/// A value is known if the run gives it, or if the visible gates and latches compute it from known values.
pub(super) struct KnownValues {
    n_nodes: usize,
    /// By step and node: 0 and 1 are known values.
    values: Vec<u8>,
}

/// Neither value.
const OPEN: u8 = 2;

impl KnownValues {
    /// The memory that the values take, in bytes.
    pub(super) fn bytes(visible: &Visible<'_>, n_steps: usize) -> usize {
        visible.model.aig.n_nodes() * n_steps
    }

    /// Nothing is known but the constant.
    pub(super) fn nothing(visible: &Visible<'_>, n_steps: usize) -> Self {
        let n_nodes = visible.model.aig.n_nodes();
        let mut values = vec![OPEN; n_nodes * n_steps];
        for step in values.chunks_mut(n_nodes) {
            step[0] = 0;
        }
        Self { n_nodes, values }
    }

    pub(super) fn new(visible: &Visible<'_>, abstraction: &Abstraction, trace: &Trace) -> Self {
        let model = visible.model;
        let n_nodes = model.aig.n_nodes();
        let mut known = Self::nothing(visible, trace.inputs.len());
        let number = |value: Option<bool>| value.map_or(OPEN, u8::from);
        for (step, given) in trace.inputs.iter().enumerate() {
            let (before, own) = known.values.split_at_mut(step * n_nodes);
            let own = &mut own[..n_nodes];
            let nodes = model.inputs.iter().map(|input| input.node());
            for (node, &value) in nodes.chain(abstraction.hidden.iter().copied()).zip(given) {
                own[node as usize] = number(value);
            }
            for &latch in &visible.cone.latches {
                let (state, next) = (model.latches[latch].state, model.latches[latch].next);
                if visible.is_visible(state.node()) {
                    own[state.node() as usize] = match step.checked_sub(1) {
                        None => number(trace.initial[latch]),
                        Some(last) => value_in(&before[last * n_nodes..], next),
                    };
                }
            }
            for &node in &visible.cone.ands {
                if let (true, Node::And(left, right)) =
                    (visible.is_visible(node), model.aig.node(node))
                {
                    own[node as usize] = match (value_in(own, left), value_in(own, right)) {
                        (0, _) | (_, 0) => 0,
                        (1, 1) => 1,
                        _ => OPEN,
                    };
                }
            }
        }
        known
    }

    /// The known value of a node in a step.
    pub(super) fn of(&self, step: usize, node: NodeId) -> Option<bool> {
        match self.values[step * self.n_nodes + node as usize] {
            OPEN => None,
            value => Some(value == 1),
        }
    }
}

fn value_in(values: &[u8], edge: Edge) -> u8 {
    match values[edge.node() as usize] {
        OPEN => OPEN,
        value => value ^ u8::from(edge.is_negated()),
    }
}
