//! A circuit as part of a witness: its formulas over images of its inputs and latches.

use std::collections::HashMap;

use craig_aig::{Aig, Edge as AigEdge, NodeId};
use craig_model::{Certificate, Latch, Model};
use craig_word::Term;

/// Bits of a graph by word and position.
pub(super) fn positions_of(model: &Model, inputs: &[(Term, u32)]) -> HashMap<(Term, u32), usize> {
    debug_assert_eq!(model.inputs.len(), inputs.len());
    inputs.iter().copied().zip(0..).collect()
}

/// A new input, which is added to the list.
pub(super) fn added(aig: &mut Aig, inputs: &mut Vec<AigEdge>) -> AigEdge {
    let input = aig.add_input();
    inputs.push(input);
    input
}

/// Whether a witness can be a part of another one: it has neither constraints nor reset functions.
pub(super) fn fits(witness: &Model) -> bool {
    witness.constraints.is_empty() && !witness.has_reset_functions()
}

/// The certificate for a circuit whose inputs and latches are the first ones of a witness.
pub(super) fn certificate_for(circuit: &Model, witness: Model) -> Certificate {
    let shared = |n: usize, all: usize| (0..all).map(|i| (i < n).then_some(i)).collect();
    Certificate {
        shared_inputs: shared(circuit.inputs.len(), witness.inputs.len()),
        shared_latches: shared(circuit.latches.len(), witness.latches.len()),
        witness,
    }
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

    /// The witness of a certificate for a circuit whose inputs and latches have these images. Its other inputs are new
    /// ones, which are added to `inputs`, and its other latches new ones as well, whose numbers are returned: they are to be
    /// added to the model with [`Part::add_latches`].
    pub(super) fn of_witness(
        certificate: &'a Certificate,
        (of_inputs, of_latches): (&[AigEdge], &[AigEdge]),
        aig: &mut Aig,
        inputs: &mut Vec<AigEdge>,
    ) -> (Self, Vec<usize>) {
        let own_inputs: Vec<AigEdge> = (certificate.shared_inputs.iter())
            .map(|shared| match shared {
                Some(number) => of_inputs[*number],
                None => added(aig, inputs),
            })
            .collect();
        let own_latches: Vec<AigEdge> = (certificate.shared_latches.iter())
            .map(|shared| match shared {
                Some(number) => of_latches[*number],
                None => aig.add_input(),
            })
            .collect();
        let unshared = (certificate.shared_latches.iter().enumerate())
            .filter_map(|(number, shared)| shared.is_none().then_some(number))
            .collect();
        let part = Self::new(&certificate.witness, &own_inputs, &own_latches);
        (part, unshared)
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
