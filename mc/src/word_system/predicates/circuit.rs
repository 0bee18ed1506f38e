//! The circuit of bits of the base system, with the atoms.

use std::collections::HashMap;

use craig_aig::{Edge, NodeId};

use super::atoms::Atoms;
use super::round::StepOfRun;
use crate::word_system::blast::{BitOf, Blasted, blast_with};
use crate::word_system::system::WordSystem;

/// The circuit of bits of the base system.
pub(super) struct Circuit {
    pub(super) bits: Blasted,
    /// By atom.
    pub(super) atoms: Vec<Edge>,
    /// The position of a node among the inputs of the graph.
    positions: HashMap<NodeId, usize>,
}

/// Values of all atoms in a step: on the words of the step, and on those that the step before leads to.
pub(super) struct TwoSides {
    pub(super) own: Vec<bool>,
    pub(super) led_to: Vec<bool>,
}

impl Circuit {
    /// `None` if it would be too large.
    pub(super) fn new(system: &WordSystem, atoms: &Atoms) -> Option<Self> {
        let (bits, edges) = blast_with(system, &atoms.terms).ok()?;
        let inputs = bits.model.aig.inputs().iter().copied();
        Some(Self {
            positions: inputs.zip(0..).collect(),
            atoms: edges.iter().map(|bits| bits[0]).collect(),
            bits,
        })
    }

    /// The values of the atoms in each step of a run, where `is_hidden` holds of the bits whose links from step to step are
    /// cut.
    pub(super) fn evaluate(
        &self,
        run: &[StepOfRun],
        is_hidden: impl Fn(&BitOf) -> bool,
    ) -> Vec<TwoSides> {
        let model = &self.bits.model;
        let nexts = model.latches.iter().map(|latch| latch.next);
        let roots: Vec<Edge> = nexts.chain(self.atoms.iter().copied()).collect();
        let resets = model.latches.iter().map(|latch| latch.reset.value());
        // What the step before leads to, if it is known.
        let mut coming: Vec<Option<bool>> = resets.collect();
        let mut steps = Vec::new();
        for step in run {
            let mut own = vec![false; self.positions.len()];
            for (edge, bit) in model.inputs.iter().zip(&self.bits.inputs) {
                let value = step.bits.get(bit).copied();
                own[self.positions[&edge.node()]] = value.unwrap_or(false);
            }
            let mut led_to = own.clone();
            for (number, latch) in model.latches.iter().enumerate() {
                let bit = self.bits.latches[number];
                let given = bit.and_then(|bit| step.bits.get(&bit).copied());
                let value = given.or(coming[number]).unwrap_or(false);
                let position = self.positions[&latch.state.node()];
                own[position] = value;
                led_to[position] = match bit.is_some_and(|bit| is_hidden(&bit)) {
                    true => coming[number].unwrap_or(value),
                    false => value,
                };
            }
            let values = model.aig.evaluate(&own, &roots);
            let (next, own) = values.split_at(model.latches.len());
            coming = next.iter().copied().map(Some).collect();
            steps.push(TwoSides {
                own: own.to_vec(),
                led_to: model.aig.evaluate(&led_to, &self.atoms),
            });
        }
        steps
    }
}
