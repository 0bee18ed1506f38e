//! Facts that follow by induction over several steps.
//!
//! They are not inductive: that they hold in one step follows only if they held in the last k. The witness circuit therefore
//! remembers the inputs and latches of the last k - 1 steps, as Certifaiger's witnesses of k-induction do, and its property is
//! that the facts hold now and that the history is a part of a run in each step of which they held.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{Certificate, Latch, Model, Reset, Trace, cone::SequentialCone};

use super::facts::{LiftedWitness, lifted_trace};
use super::needed::Named;
use super::rebuild::{Rebuilt, Substitution};
use super::stage::Stage;

/// The replacement of signals by equal ones, where the equalities follow by induction over `n_steps` steps.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The model before, without reset functions; the facts are added to its graph.
    original: Arc<Model>,
    /// Over the variables of `original`. In runs from the resets they hold in the first `n_steps` steps; and they hold in each
    /// step that follows `n_steps` steps in which they and the constraints held.
    facts: Vec<Edge>,
    n_steps: usize,
    /// The latches and inputs on which the facts and the constraints depend, over any number of steps, by their numbers.
    latches: Vec<usize>,
    inputs: Vec<usize>,
    /// For each input and each latch of the model after, its number in the model before.
    kept_inputs: Vec<usize>,
    kept_latches: Vec<usize>,
}

/// The latches and inputs of one step, as edges of the witness circuit.
struct Variables {
    latches: Vec<Edge>,
    inputs: Vec<Edge>,
}

impl History {
    /// That each replaced node of `model` equals its replacement; `rebuilt` is the model after the replacement.
    pub(super) fn new(
        model: &Model,
        substitution: &Substitution,
        rebuilt: &Rebuilt,
        n_steps: usize,
    ) -> Self {
        debug_assert!(n_steps > 0 && !model.has_reset_functions());
        let mut original = model.clone();
        let replaced = substitution.replaced();
        let facts: Vec<Edge> = replaced
            .map(|(node, image)| original.aig.iff(Edge::new(node, false), image))
            .collect();
        let roots = facts.iter().chain(&original.constraints).copied();
        let SequentialCone {
            latches, inputs, ..
        } = SequentialCone::new(&original, roots);
        Self {
            original: Arc::new(original),
            facts,
            n_steps,
            latches,
            inputs,
            kept_inputs: rebuilt.inputs.clone(),
            kept_latches: rebuilt.latches.clone(),
        }
    }

    /// The conjunctions of the facts and of the constraints in a step with these variables, and the next states of the latches.
    fn step(&self, variables: &Variables, witness: &mut Model) -> (Edge, Edge, Vec<Edge>) {
        let original = &self.original;
        let mut images = vec![Edge::FALSE; original.aig.n_nodes()];
        for (&number, &edge) in self.latches.iter().zip(&variables.latches) {
            images[original.latches[number].state.node() as usize] = edge;
        }
        for (&number, &edge) in self.inputs.iter().zip(&variables.inputs) {
            images[original.inputs[number].node() as usize] = edge;
        }
        let latches = self.latches.iter();
        let nexts = latches.map(|&number| original.latches[number].next);
        let facts = self.facts.iter().copied();
        let constraints = original.constraints.iter().copied();
        let roots: Vec<Edge> = facts.chain(constraints).chain(nexts).collect();
        let mut all =
            (witness.aig).copy_cone(&original.aig, &roots, &mut |node| images[node as usize]);
        let nexts = all.split_off(self.facts.len() + original.constraints.len());
        let constraints = all.split_off(self.facts.len());
        let facts = witness.aig.and_all(all);
        (facts, witness.aig.and_all(constraints), nexts)
    }

    /// Adds latches that hold the variables that were `newer` one step before.
    fn remember(&self, newer: &Variables, witness: &mut Model) -> Variables {
        let mut held = |&next: &Edge| {
            let state = witness.aig.add_input();
            let reset = Reset::Uninitialised;
            witness.latches.push(Latch { state, next, reset });
            state
        };
        Variables {
            latches: newer.latches.iter().map(&mut held).collect(),
            inputs: newer.inputs.iter().map(&mut held).collect(),
        }
    }

    /// Whether these latches have values that agree with their resets.
    fn is_reset(&self, latches: &[Edge], witness: &mut Model) -> Edge {
        let latches = self.latches.iter().zip(latches);
        let agree = latches.filter_map(|(&number, &edge)| {
            let value = self.original.latches[number].reset.value()?;
            Some(edge.negate_if(!value))
        });
        witness.aig.and_all(agree.collect::<Vec<_>>())
    }

    /// Adds the history of the last `n_steps - 1` steps before the one with the variables `now` to the witness. Returns that it
    /// is a part of a run: the recorded steps follow each other up to now; in each the facts and the constraints held; and if
    /// fewer are recorded, then the first of them, or now, is an initial state.
    fn add(&self, now: Variables, witness: &mut Model) -> Edge {
        let mut newer = now;
        let mut newer_valid = Edge::TRUE;
        let mut all = Vec::new();
        for _ in 1..self.n_steps {
            let older = self.remember(&newer, witness);
            let valid = witness.aig.add_input();
            witness.latches.push(Latch {
                state: valid,
                next: newer_valid,
                reset: Reset::Zero,
            });
            let (facts, constraints, nexts) = self.step(&older, witness);
            let mut good = vec![facts, constraints, newer_valid];
            let pairs = nexts.iter().zip(&newer.latches);
            good.extend(pairs.map(|(&next, &state)| witness.aig.iff(next, state)));
            let good = witness.aig.and_all(good);
            all.push(!witness.aig.and(valid, !good));
            let begins = witness.aig.and(newer_valid, !valid);
            let is_reset = self.is_reset(&newer.latches, witness);
            all.push(!witness.aig.and(begins, !is_reset));
            (newer, newer_valid) = (older, valid);
        }
        witness.aig.and_all(all)
    }
}

impl Stage for History {
    /// As that of facts: they hold on every run.
    fn trace(&self, trace: &Trace) -> Trace {
        let kept = (&self.kept_inputs[..], &self.kept_latches[..]);
        lifted_trace(&self.original, trace.property, kept, trace)
    }

    /// The facts and the history become a part of the property, with the constraints of the smaller witness: the conditions
    /// `reset` and `transition` do not restrict latches that are not shared, so that constraints about them would not be
    /// justified. The witness keeps the constraints of the model alone.
    ///
    /// The property is inductive: if `n_steps - 1` steps are recorded, the facts hold in the next step by their induction, and
    /// if fewer are, that step is one of the first `n_steps` of a run.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let original = &*self.original;
        let inputs = self.kept_inputs.iter();
        let inputs: Vec<Edge> = inputs.map(|&number| original.inputs[number]).collect();
        let latches = self.kept_latches.iter();
        let latches: Vec<Edge> = latches
            .map(|&number| original.latches[number].state)
            .collect();
        let names = Named {
            inputs: &inputs,
            latches: &latches,
        };
        let mut wanted: Vec<Edge> = original.constraints.clone();
        wanted.extend(&self.facts);
        wanted.extend(
            self.latches
                .iter()
                .map(|&number| original.latches[number].state),
        );
        wanted.extend(self.inputs.iter().map(|&number| original.inputs[number]));
        let (mut lifted, mut images) =
            LiftedWitness::lift_with(original, names, &[], &wanted, certificate);
        let inputs = images.split_off(images.len() - self.inputs.len());
        let latches = images.split_off(images.len() - self.latches.len());
        let facts = images.split_off(original.constraints.len());
        let witness = &mut lifted.witness;
        let mut proved = std::mem::replace(&mut witness.constraints, images);
        proved.extend(facts);
        proved.push(self.add(Variables { latches, inputs }, witness));
        let proved = witness.aig.and_all(proved);
        // Of a proof for a justice property, only the first is the property.
        let bad = witness.bads.first().copied().unwrap_or(Edge::FALSE);
        let bad = witness.aig.or(bad, !proved);
        match witness.bads.first_mut() {
            Some(first) => *first = bad,
            None => witness.bads.push(bad),
        }
        let n_latches = lifted.witness.latches.len();
        lifted.shared_latches.resize(n_latches, None);
        lifted
    }

    fn latches(&self) -> Vec<Option<usize>> {
        self.kept_latches.iter().copied().map(Some).collect()
    }

    fn n_facts(&self) -> usize {
        self.facts.len()
    }
}
