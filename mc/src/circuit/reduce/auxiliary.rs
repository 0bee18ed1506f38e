//! Gates over latches as auxiliary latches, and the lifting of evidence.
//!
//! An auxiliary latch starts at the value of its gate in the reset states, and its next value is the gate over the next values
//! of the latches; hence in every run it has the gate's value, and can replace the gate everywhere.

use craig_aig::{Aig, Edge, Node, NodeId, Poll};
use craig_model::{Certificate, Latch, Model, Reset, Trace};

use super::facts::LiftedWitness;
use super::needed::Named;
use super::stage::Stage;

/// The original model, and the formulas of the auxiliary latches.
#[derive(Clone, Debug)]
pub(super) struct Auxiliary {
    original: Model,
    /// For each latch of the model with auxiliary latches, the original's formula for its value: first the
    /// original's latches themselves, then the gates.
    latches: Vec<Edge>,
}

/// The reset of a latch that starts at this value.
pub(super) fn reset_to(value: bool) -> Reset {
    if value { Reset::One } else { Reset::Zero }
}

impl Auxiliary {
    /// Adds a latch for each of these gates, which read no inputs, after the others; `None` if `poll` ends it. Each comes with
    /// the latch's reset, which has to agree with the gate's values in all reset states. If it allows more, then only
    /// [`Auxiliary::state_equalities`] makes the models equal.
    pub(super) fn add(
        model: &Model,
        gates: &[(NodeId, Reset)],
        poll: &mut Poll<'_>,
    ) -> Option<(Self, Model)> {
        let mut aig = Aig::new();
        let mut images = vec![Edge::FALSE; model.aig.n_nodes()];
        let states = model.latches.iter().map(|latch| latch.state);
        for variable in model.inputs.iter().copied().chain(states) {
            images[variable.node() as usize] = aig.add_input();
        }
        let mut is_gate = vec![false; model.aig.n_nodes()];
        for &(gate, _) in gates {
            images[gate as usize] = aig.add_input();
            is_gate[gate as usize] = true;
        }
        for node in 0..model.aig.n_nodes() {
            poll.step()?;
            if let Node::And(left, right) = model.aig.node(node as NodeId)
                && !is_gate[node]
            {
                images[node] = aig.and(left.image(&images), right.image(&images));
            }
        }
        let mut latches: Vec<Latch> = (model.latches.iter())
            .map(|latch| Latch {
                state: latch.state.image(&images),
                next: latch.next.image(&images),
                reset: latch.reset,
            })
            .collect();
        // The gates one step later. They depend on no inputs, so every leaf is a latch.
        let roots: Vec<Edge> = gates
            .iter()
            .map(|&(gate, _)| Edge::new(gate, false))
            .collect();
        let mut next_of = vec![Edge::FALSE; model.aig.n_nodes()];
        for (latch, old) in latches.iter().zip(&model.latches) {
            next_of[old.state.node() as usize] = latch.next;
        }
        let leaf = &mut |node| next_of[node as usize];
        let nexts = aig.copy_cone_until(&model.aig, &roots, leaf, poll)?;
        for (&(gate, reset), next) in gates.iter().zip(nexts) {
            latches.push(Latch {
                state: images[gate as usize],
                next,
                reset,
            });
        }
        let all = |edges: &[Edge]| -> Vec<Edge> {
            edges.iter().map(|&edge| edge.image(&images)).collect()
        };
        let mut names = model.names.clone();
        if !names.latches.is_empty() {
            names.latches.resize(latches.len(), String::new());
        }
        let extended = Model {
            inputs: all(&model.inputs),
            constraints: all(&model.constraints),
            bads: all(&model.bads),
            justice: model.justice.iter().map(|set| all(set)).collect(),
            fairness: all(&model.fairness),
            aig,
            latches,
            names,
        };
        let states = model.latches.iter().map(|latch| latch.state);
        let auxiliary = Self {
            original: model.clone(),
            latches: states.chain(roots).collect(),
        };
        Some((auxiliary, extended))
    }

    /// Adds the formulas that each auxiliary latch has the value of its gate to the constraints of `extended`, the model that
    /// [`Auxiliary::add`] returned. They hold in every step of every run, but not in every state.
    pub(super) fn state_equalities(&self, extended: &mut Model, poll: &mut Poll<'_>) -> Option<()> {
        let n_own = self.original.latches.len();
        let mut state_of = vec![Edge::FALSE; self.original.aig.n_nodes()];
        for (old, new) in self.original.latches.iter().zip(&extended.latches) {
            state_of[old.state.node() as usize] = new.state;
        }
        let gates = &self.latches[n_own..];
        let leaf = &mut |node| state_of[node as usize];
        let formulas = (extended.aig).copy_cone_until(&self.original.aig, gates, leaf, poll)?;
        for (latch, formula) in extended.latches[n_own..].iter().zip(formulas) {
            let equal = extended.aig.iff(latch.state, formula);
            extended.constraints.push(equal);
        }
        if !extended.names.constraints.is_empty() {
            let n_all = extended.constraints.len();
            extended.names.constraints.resize(n_all, String::new());
        }
        Some(())
    }
}

impl Stage for Auxiliary {
    /// A trace of the original from one of the model with auxiliary latches.
    fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        trace.initial.truncate(self.original.latches.len());
        trace
    }

    /// A certificate for the original from one for the model with auxiliary latches: the gates replace the
    /// latches. Every step of the original is a step of that model with the gates' values in the auxiliary
    /// latches, so the conditions still hold.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let names = Named {
            inputs: &self.original.inputs,
            latches: &self.latches,
        };
        LiftedWitness::lift(&self.original, names, &[], certificate)
    }

    fn latches(&self) -> Vec<Option<usize>> {
        let before = self.original.latches.len();
        let all = (0..self.latches.len()).map(|number| (number < before).then_some(number));
        all.collect()
    }
}
