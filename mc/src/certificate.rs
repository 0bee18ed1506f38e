//! Witness circuits from inductive invariants.

use craig_solver::aig::{Aig, Edge, Node};

use crate::cone::SequentialCone;
use crate::model::{Latch, Model};
use crate::verdict::Certificate;

impl Certificate {
    /// The witness circuit for an inductive invariant of `model`: a copy of the model whose bad is "the bad
    /// of `property`, or not the invariant", with every input and latch shared.
    ///
    /// `invariant` is an edge of `model.aig` over latches (inputs are allowed). With C the
    /// constraints in the states that they read, it is an inductive invariant if: reset & C implies it; it is preserved
    /// by every step between states with C; and with C it excludes the bad. Then the five conditions that
    /// [`crate::certify`] checks hold; nothing of that is checked here.
    ///
    /// What neither the bad, the invariant nor a constraint depends on, over any number of steps, is left out.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn from_invariant(model: &Model, property: usize, invariant: Edge) -> Self {
        let bad = model.bads[property];
        let roots = [bad, invariant].into_iter();
        let cone = SequentialCone::new(model, roots.chain(model.constraints.iter().copied()));
        let mut aig = Aig::new();
        let mut map = vec![Edge::FALSE; model.aig.n_nodes()];
        let mut witness = Model::default();
        for &number in &cone.inputs {
            let copy = aig.add_input();
            map[model.inputs[number].node() as usize] = copy;
            witness.inputs.push(copy);
        }
        for &number in &cone.latches {
            map[model.latches[number].state.node() as usize] = aig.add_input();
        }
        for &node in &cone.ands {
            if let Node::And(left, right) = model.aig.node(node) {
                let (left, right) = (image(&map, left), image(&map, right));
                map[node as usize] = aig.and(left, right);
            }
        }
        witness.latches = cone
            .latches
            .iter()
            .map(|&number| {
                let latch = &model.latches[number];
                Latch {
                    state: image(&map, latch.state),
                    next: image(&map, latch.next),
                    reset: latch.reset,
                }
            })
            .collect();
        let constraints = model.constraints.iter();
        witness.constraints = constraints.map(|&edge| image(&map, edge)).collect();
        witness.bads = vec![aig.or(image(&map, bad), image(&map, !invariant))];
        witness.aig = aig;
        Self {
            witness,
            shared_inputs: cone.inputs.into_iter().map(Some).collect(),
            shared_latches: cone.latches.into_iter().map(Some).collect(),
        }
    }
}

fn image(map: &[Edge], edge: Edge) -> Edge {
    map[edge.node() as usize].negate_if(edge.is_negated())
}
