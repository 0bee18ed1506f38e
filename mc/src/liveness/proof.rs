//! From a proof about the reduced model with one signal to a witness circuit for the justice property.
//!
//! A method proves an inductive property P of the model, together with a predicate Q(s, t), "t may come before
//! s", about pairs of its states:
//!
//! - P(s) and a step from s to t imply Q(t, s);
//! - P(s), a step from s to t and Q(s, u) imply Q(t, u);
//! - P(s), a step from s to t and Q(s, t) imply that there is no hit in s.
//!
//! With a *level* of states that never rises in a step and falls at each hit, Q(s, t) = level(s) <= level(t)
//! is such a predicate. The edge predicate of literal i is then "the await index points to i in s, and
//! Q(s, t)". On a step without a hit the index does not move, which gives the remaining condition, that edge
//! predicates persist along a cycle.

use craig_aig::Edge;
use craig_model::{
    Certificate, Intervention, LivenessCertificate, Model, certificate::WitnessBuilder,
};

use super::signal::Single;
use crate::circuit::reduce::Lift;

/// A variable whose value in the second state Q reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// A latch of the model that the proof is about.
    Latch(usize),
    /// A latch of the proof's own, by its position among these.
    Own(usize),
}

/// A proof about a model with one signal.
pub(super) struct Proof {
    /// A witness circuit with two bads: the negation of P, and Q.
    pub(super) certificate: Certificate,
    /// What the last inputs of the witness circuit, which are not shared, stand for in Q.
    pub(super) stand_ins: Vec<Variable>,
}

impl Proof {
    /// A proof whose witness circuit has the model's latches in its order and none of its own, and whose last inputs stand for
    /// their values in the second state (`runs::in_second_state`).
    pub(super) fn over_latches(
        model: &Model,
        witness: Model,
        shared_inputs: Vec<Option<usize>>,
    ) -> Self {
        Self {
            certificate: Certificate {
                shared_inputs,
                shared_latches: (0..model.latches.len()).map(Some).collect(),
                witness,
            },
            stand_ins: (0..model.latches.len()).map(Variable::Latch).collect(),
        }
    }

    /// The witness circuit for property number `property` of `model`; `single` is the model with one signal,
    /// from which `lift` leads to the model that the proof is about.
    pub(super) fn assemble(
        &self,
        model: &Model,
        property: usize,
        single: &Single,
        lift: &Lift,
    ) -> LivenessCertificate {
        debug_assert_eq!(self.certificate.witness.bads.len(), 2);
        let mut lifted = lift.certificate(&self.certificate);
        // What reductions have found may be about the await index, whose latches the model does not have.
        // Then it can't be a constraint of the witness circuit, and is a part of its property instead.
        let part = &mut lifted.witness;
        let all = part.aig.and_all(std::mem::take(&mut part.constraints));
        part.bads[0] = part.aig.or(part.bads[0], !all);
        // Lifting keeps the order of the inputs and latches that are not shared.
        let own_inputs = lifted
            .shared_inputs
            .iter()
            .filter(|shared| shared.is_none());
        let n_own_inputs = own_inputs.count();
        let numbers = lift.latches();
        let original = &single.model;
        // Everything of the original that is mentioned has to be in the copy.
        let shared = lifted.shared_latches.iter().flatten().copied();
        let read = self.stand_ins.iter().filter_map(|variable| match variable {
            Variable::Latch(latch) => numbers[*latch],
            Variable::Own(_) => None,
        });
        let mut roots: Vec<Edge> = shared
            .chain(read)
            .map(|latch| original.latches[latch].state)
            .collect();
        roots.extend(
            lifted
                .shared_inputs
                .iter()
                .flatten()
                .map(|&input| original.inputs[input]),
        );
        roots.extend(original.constraints.iter().chain(&single.awaits));
        let mut copy = WitnessBuilder::new(original, roots);
        let n_copied_latches = copy.witness().latches.len();
        let bads = copy.add_part(&lifted);
        let awaits: Vec<Edge> = single.awaits.iter().map(|&edge| copy.image(edge)).collect();
        let literal_of = |variable: &Variable, copy: &WitnessBuilder<'_>| match *variable {
            Variable::Latch(latch) => {
                let number = numbers[latch]
                    .expect("every latch of the reduced model is one of the original");
                copy.image(original.latches[number].state)
            }
            Variable::Own(own) => copy.witness().latches[n_copied_latches + own].state,
        };
        let literals: Vec<Edge> = self
            .stand_ins
            .iter()
            .map(|variable| literal_of(variable, &copy))
            .collect();
        let mut certificate = copy.finish();
        let witness = &mut certificate.witness;
        let edges: Vec<Edge> = (awaits.iter())
            .map(|&awaits| !witness.aig.and(awaits, bads[1]))
            .collect();
        let n_fairness = model.fairness.len();
        debug_assert_eq!(edges.len(), n_fairness + model.justice[property].len());
        witness.bads = vec![bads[0]];
        witness.fairness = edges[..n_fairness].to_vec();
        witness.justice = vec![edges[n_fairness..].to_vec()];
        for shared in &mut certificate.shared_latches {
            *shared = shared.filter(|&latch| latch < single.n_original);
        }
        let first = certificate.shared_inputs.len() - self.stand_ins.len();
        debug_assert!(n_own_inputs >= self.stand_ins.len());
        let interventions = literals.into_iter().enumerate();
        LivenessCertificate {
            interventions: interventions
                .map(|(index, literal)| Intervention {
                    literal,
                    stand_in: first + index,
                })
                .collect(),
            certificate,
        }
    }
}
