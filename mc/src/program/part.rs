//! A circuit as part of a witness: its formulas over images of its inputs and latches.

use std::collections::HashMap;

use craig_solver::aig::{Aig, Edge as AigEdge, NodeId};
use craig_word::Term;

use crate::circuit::model::{Latch, Model};

/// Bits of a graph by word and position.
pub(super) fn positions_of(model: &Model, inputs: &[(Term, u32)]) -> HashMap<(Term, u32), usize> {
    debug_assert_eq!(model.inputs.len(), inputs.len());
    inputs.iter().copied().zip(0..).collect()
}

/// That bits, lowest first, are those of a number.
pub(super) fn is_value(aig: &mut Aig, bits: &[AigEdge], value: u128) -> AigEdge {
    let bits = bits.iter().enumerate();
    aig.and_all(bits.map(|(bit, &edge)| edge.negate_if(value >> bit & 1 == 0)))
}

/// A circuit within another one: the images of its inputs and latches.
pub(super) struct Part<'a> {
    model: &'a Model,
    leaves: HashMap<NodeId, AigEdge>,
}

impl<'a> Part<'a> {
    /// The images of a model's inputs and latches, in this order.
    pub(super) fn new(model: &'a Model, inputs: &[AigEdge], latches: &[AigEdge]) -> Self {
        let own = model.inputs.iter().zip(inputs);
        let states = model.latches.iter().map(|latch| &latch.state).zip(latches);
        Self {
            model,
            leaves: (own.chain(states))
                .map(|(edge, &image)| (edge.node(), image.negate_if(edge.is_negated())))
                .collect(),
        }
    }

    pub(super) fn copy(&self, aig: &mut Aig, roots: &[AigEdge]) -> Vec<AigEdge> {
        let leaf = &mut |node: NodeId| *self.leaves.get(&node).unwrap_or(&AigEdge::FALSE);
        aig.copy_cone(&self.model.aig, roots, leaf)
    }

    /// Adds latches of this model, those with these numbers, to another one. Their states are there already. They keep
    /// their values where `waits` holds.
    pub(super) fn add_latches(&self, to: &mut Model, numbers: &[usize], waits: AigEdge) {
        let nexts: Vec<AigEdge> = numbers
            .iter()
            .map(|&n| self.model.latches[n].next)
            .collect();
        let nexts = self.copy(&mut to.aig, &nexts);
        for (&number, next) in numbers.iter().zip(nexts) {
            let latch = &self.model.latches[number];
            let state = self.leaves[&latch.state.node()].negate_if(latch.state.is_negated());
            to.latches.push(Latch {
                state,
                next: to.aig.ite(waits, state, next),
                reset: latch.reset,
            });
        }
    }
}
