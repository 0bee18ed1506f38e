//! The order of the variables: those that meet in a gate should stand near to each other.

use craig_solver::aig::{Edge, Node, NodeId};
use oxidd::VarNo;

use crate::unroll::Unrolling;

/// A variable for each latch and each input of a step, and one more for each latch behind the step, right after
/// that of the latch.
///
/// The order is that in which a walk from the bad meets them, which goes on with the next-state function of a latch as soon as
/// that of its predecessor has been walked through (after S. Malik, A. Wang, R. Brayton, A. Sangiovanni-Vincentelli,
/// "Logic verification using binary decision diagrams in a logic synthesis environment", 1988).
pub(super) struct Order {
    /// The variable of each input node of the step's graph, by node; the others have none.
    variables: Vec<VarNo>,
    /// Of each latch, the variable before the step. The one behind it has the next number.
    latches: Vec<VarNo>,
    /// The position of the latch that a variable belongs to.
    positions: Vec<usize>,
    /// The variables of the inputs.
    inputs: Vec<VarNo>,
    n_variables: VarNo,
}

/// Stands for "no variable" and "no latch".
const NONE: VarNo = VarNo::MAX;

impl Order {
    /// The order for one step from any state.
    pub(super) fn new(any: &Unrolling<'_>) -> Self {
        let aig = any.aig();
        let mut latch_at = vec![usize::MAX; aig.n_nodes()];
        for (position, edge) in any.initial().iter().enumerate() {
            latch_at[edge.node() as usize] = position;
        }
        let mut order = Self {
            variables: vec![NONE; aig.n_nodes()],
            latches: vec![NONE; any.initial().len()],
            positions: Vec::new(),
            inputs: Vec::new(),
            n_variables: 0,
        };
        let frame = &any.frames()[0];
        let mut queue: std::collections::VecDeque<Edge> = [frame.bad].into();
        queue.extend(&frame.constraints);
        let mut seen = vec![false; aig.n_nodes()];
        let mut stack = Vec::new();
        let mut next_root = 0;
        loop {
            let root = match queue.pop_front() {
                Some(edge) => edge.node(),
                // What no root depends on still needs a place.
                None if next_root < aig.n_inputs() => {
                    next_root += 1;
                    aig.inputs()[next_root - 1]
                }
                None => break,
            };
            stack.push(root);
            while let Some(node) = stack.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                match aig.node(node) {
                    Node::Constant => {}
                    Node::And(left, right) => stack.extend([right.node(), left.node()]),
                    Node::Input(_) => {
                        let position = latch_at[node as usize];
                        order.add(node, position);
                        if position != usize::MAX {
                            queue.push_back(any.state()[position]);
                        }
                    }
                }
            }
        }
        order
    }

    fn add(&mut self, node: NodeId, position: usize) {
        let variable = self.n_variables;
        self.variables[node as usize] = variable;
        self.positions.push(position);
        self.n_variables += 1;
        if position == usize::MAX {
            self.inputs.push(variable);
        } else {
            self.latches[position] = variable;
            self.positions.push(position);
            self.n_variables += 1;
        }
    }

    pub(super) fn n_variables(&self) -> VarNo {
        self.n_variables
    }

    /// The variable of an input node of the step's graph.
    pub(super) fn of_node(&self, node: NodeId) -> VarNo {
        debug_assert_ne!(self.variables[node as usize], NONE);
        self.variables[node as usize]
    }

    /// The variables of the latches before the step.
    pub(super) fn latches(&self) -> &[VarNo] {
        &self.latches
    }

    /// The variables of the latches behind the step.
    pub(super) fn next_latches(&self) -> Vec<VarNo> {
        self.latches.iter().map(|&variable| variable + 1).collect()
    }

    /// The variables of the inputs.
    pub(super) fn inputs(&self) -> &[VarNo] {
        &self.inputs
    }

    /// The position of the latch that a variable belongs to.
    pub(super) fn latch_at(&self, variable: VarNo) -> usize {
        self.positions[variable as usize]
    }
}
