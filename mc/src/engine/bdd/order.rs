//! The variable order: variables of one gate should be close to each other.

use craig_aig::{Edge, Node, NodeId, Poll};
use oxidd::VarNo;

use crate::circuit::unroll::Unrolling;

/// A variable for each latch and each input of a step, and one more for each latch after the step, next to
/// that of the latch.
pub(super) struct Order {
    /// The variable of each input node of the step's graph, by node; the others have none.
    variables: Vec<VarNo>,
    /// Of each latch, the variable before the step. The one after it has the next number.
    latches: Vec<VarNo>,
    /// The position of the latch that a variable belongs to.
    positions: Vec<usize>,
    /// The variables of the inputs.
    inputs: Vec<VarNo>,
    n_variables: VarNo,
}

/// The value for "no variable" and "no latch".
const NONE: VarNo = VarNo::MAX;

impl Order {
    /// The variables of one step from any state, its input nodes in the given sequence.
    pub(super) fn new(any: &Unrolling<'_>, sequence: &[NodeId]) -> Self {
        let aig = any.aig();
        debug_assert_eq!(sequence.len(), aig.n_inputs());
        let latch_at = latch_positions(any);
        let mut order = Self {
            variables: vec![NONE; aig.n_nodes()],
            latches: vec![NONE; any.initial().len()],
            positions: Vec::new(),
            inputs: Vec::new(),
            n_variables: 0,
        };
        for &node in sequence {
            order.add(node, latch_at[node as usize]);
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

    /// The variables of the latches after the step.
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

/// For each node of a step's graph the position of its latch, or `usize::MAX`.
fn latch_positions(any: &Unrolling<'_>) -> Vec<usize> {
    let mut latch_at = vec![usize::MAX; any.aig().n_nodes()];
    for (position, edge) in any.initial().iter().enumerate() {
        latch_at[edge.node() as usize] = position;
    }
    latch_at
}

/// The input nodes of a step in the order of a depth-first traversal from the bad, which continues with the
/// next-state function of a latch as soon as that of the previous latch is finished (after S. Malik, A. Wang,
/// R. Brayton, A. Sangiovanni-Vincentelli, "Logic verification using binary decision diagrams in a logic
/// synthesis environment", 1988).
pub(super) fn depth_first(any: &Unrolling<'_>) -> Vec<NodeId> {
    let aig = any.aig();
    let latch_at = latch_positions(any);
    let mut sequence = Vec::with_capacity(aig.n_inputs());
    let frame = &any.frames()[0];
    let mut queue: std::collections::VecDeque<Edge> = [frame.bad].into();
    queue.extend(&frame.constraints);
    let mut seen = vec![false; aig.n_nodes()];
    let mut stack = Vec::new();
    let mut next_root = 0;
    loop {
        let root = match queue.pop_front() {
            Some(edge) => edge.node(),
            // Inputs on which no root depends still need a position.
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
                    sequence.push(node);
                    let position = latch_at[node as usize];
                    if position != usize::MAX {
                        queue.push_back(any.state()[position]);
                    }
                }
            }
        }
    }
    sequence
}

/// Rounds of [`force`], each of which takes about n log n steps for n gates.
const ROUNDS: usize = 40;

/// A sequence in which the gates are close to their operands: each gate moves its operands and itself to
/// their common centre, and each latch its next state, repeatedly (F. Aloul, I. Markov, K. Sakallah, "FORCE:
/// a fast and easy-to-implement variable-ordering heuristic", 2003). Starts with the given sequence. `None` if `poll`
/// ends it.
pub(super) fn force(
    any: &Unrolling<'_>,
    sequence: &[NodeId],
    poll: &mut Poll<'_>,
) -> Option<Vec<NodeId>> {
    let aig = any.aig();
    let frame = &any.frames()[0];
    let mut roots = any.state().to_vec();
    roots.extend(&frame.constraints);
    roots.push(frame.bad);
    let mut place = vec![0.0_f64; aig.n_nodes()];
    for (index, &node) in sequence.iter().enumerate() {
        place[node as usize] = index as f64;
    }
    // The points, and the groups with their centres. A gate starts between its operands.
    let mut points = sequence.to_vec();
    let mut groups: Vec<[NodeId; 3]> = Vec::new();
    for node in aig.cone(&roots) {
        if let Node::And(left, right) = aig.node(node) {
            let (left, right) = (left.node(), right.node());
            place[node as usize] = (place[left as usize] + place[right as usize]) / 2.0;
            points.push(node);
            groups.push([node, left, right]);
        }
    }
    for (edge, next) in any.initial().iter().zip(any.state()) {
        if !next.is_constant() {
            groups.push([edge.node(), next.node(), next.node()]);
        }
    }
    let mut pulls = vec![(0.0_f64, 0.0_f64); aig.n_nodes()];
    for _ in 0..ROUNDS {
        pulls.fill((0.0, 0.0));
        for group in &groups {
            poll.step()?;
            let centre = group.iter().map(|&node| place[node as usize]).sum::<f64>() / 3.0;
            for &node in group {
                let (sum, n) = &mut pulls[node as usize];
                *sum += centre;
                *n += 1.0;
            }
        }
        let target = |node: NodeId| match pulls[node as usize] {
            (_, 0.0) => place[node as usize],
            (sum, n) => sum / n,
        };
        poll.steps(points.len())?;
        let mut moved: Vec<(f64, NodeId)> =
            points.iter().map(|&node| (target(node), node)).collect();
        moved.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        for (index, &(_, node)) in moved.iter().enumerate() {
            place[node as usize] = index as f64;
        }
    }
    let mut sequence = sequence.to_vec();
    sequence.sort_by(|&left, &right| place[left as usize].total_cmp(&place[right as usize]));
    Some(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::unroll::Start;
    use craig_model::{Latch, Model, Reset};

    /// Latches whose next states are conjunctions of two distant latches.
    fn scattered(n: usize) -> Model {
        let mut model = Model::default();
        let states: Vec<Edge> = (0..n).map(|_| model.aig.add_input()).collect();
        for (index, &state) in states.iter().enumerate() {
            let next = model
                .aig
                .and(states[index * 7 % n], !states[(index * 7 + 1) % n]);
            model.latches.push(Latch {
                state,
                next,
                reset: Reset::Zero,
            });
        }
        let unused = model.aig.add_input();
        model.inputs.push(unused);
        model.bads.push(states[n - 1]);
        model.constraints.push(!states[0]);
        model
    }

    #[test]
    fn both_sequences_have_each_variable_once() {
        let model = scattered(20);
        let mut any = Unrolling::new(&model, 0, Start::Free);
        any.push_frame();
        let walked = depth_first(&any);
        let forced = force(&any, &walked, &mut Poll::never()).unwrap();
        for sequence in [forced, walked] {
            let order = Order::new(&any, &sequence);
            let mut sorted = sequence;
            sorted.sort_unstable();
            assert_eq!(sorted, any.aig().inputs());
            assert_eq!(order.n_variables() as usize, 2 * any.initial().len());
        }
    }

    /// FORCE reduces distances that the depth-first order leaves large.
    #[test]
    fn the_pull_shortens_the_gates() {
        let mut model = Model::default();
        let inputs: Vec<Edge> = (0..40).map(|_| model.aig.add_input()).collect();
        model.inputs.clone_from(&inputs);
        let same: Vec<Edge> = (0..20)
            .map(|bit| model.aig.iff(inputs[bit], inputs[bit + 20]))
            .collect();
        let bad = model.aig.and_all(same);
        model.bads.push(bad);
        let mut any = Unrolling::new(&model, 0, Start::Free);
        any.push_frame();
        let given = any.aig().inputs().to_vec();
        let span = |sequence: &[NodeId]| -> usize {
            let variables = &any.frames()[0].inputs;
            let at = |edge: Edge| {
                sequence
                    .iter()
                    .position(|&node| node == edge.node())
                    .unwrap()
            };
            (0..20)
                .map(|bit| at(variables[bit]).abs_diff(at(variables[bit + 20])))
                .sum()
        };
        let forced = force(&any, &given, &mut Poll::never()).unwrap();
        assert!(span(&forced) * 4 < span(&given));
    }

    #[test]
    fn the_pull_ends_when_it_is_told_to() {
        let model = scattered(1000);
        let mut any = Unrolling::new(&model, 0, Start::Free);
        any.push_frame();
        let given = any.aig().inputs().to_vec();
        assert!(force(&any, &given, &mut Poll::new(|| true)).is_none());
    }
}
