//! Facts that are proved before engines search an automaton.
//!
//! Facts are invariants over the words ([`strengthen`](crate::words::strengthen)): they hold together in all reachable
//! states, and every step from a state in which they hold leads to one in which they hold. The automaton that *assumes*
//! them has them in the guards of its edges, so that every engine has them in its queries, and none needs to know of them.
//! It has the same runs. If an engine proves it safe by the label I(l) at each location l, and F is the conjunction of the
//! facts, then F and I(l) are an invariant of the automaton itself: in a state where F holds, an edge can be taken if and
//! only if it can be in the automaton that assumes F. So Beyer, Dangl and Wendler (CAV 2015, "Boosting k-induction with
//! continuously-refined invariants") give invariants to k-induction, and Beyer, Chien and Lee (2024, "Augmenting
//! interpolation-based model checking with auxiliary invariants") to interpolation.

use std::collections::HashMap;

use craig_aig::{Edge as AigEdge, NodeId};
use craig_model::{Certificate, Model};
use craig_word::Term;

use super::answer::{Invariant, WordInvariant};
use super::cfa::{Cfa, LocationId};
use super::to_model::CfaModel;
use crate::words::Strong;

/// Facts about the words of an automaton.
#[derive(Clone)]
pub struct Facts {
    /// The automaton that assumes them.
    assuming: Cfa,
    /// By location: what its guards have.
    at: Vec<Vec<Term>>,
    /// The circuit of the automaton, with all facts as its last constraint.
    strong: Model,
}

impl Facts {
    /// The invariants of the circuit of an automaton as facts about its locations. A fact that reads a word that a location
    /// does not carry is not assumed there.
    #[must_use]
    pub fn new(cfa: &Cfa, encoded: &CfaModel, strong: &Strong) -> Self {
        let mut assuming = cfa.clone();
        let conditions = &strong.conditions;
        let words = encoded.words();
        debug_assert_eq!(words.len(), conditions.words.len());
        let counter_width = conditions.terms.width(conditions.counter);
        let mut at: Vec<Vec<Term>> = vec![Vec::new(); cfa.locations().len()];
        for location in cfa.sources().skip(1) {
            let code = encoded.code(location).expect("runs go on from a source");
            let counter = assuming.terms.constant(code, counter_width);
            let mut images: HashMap<Term, Term> =
                (conditions.words.iter().copied().zip(words.iter().copied())).collect();
            images.insert(conditions.counter, counter);
            for (&condition, &(place, _)) in conditions.all.iter().zip(&strong.invariants) {
                if place.is_some_and(|place| place as u128 != code) {
                    continue;
                }
                let fact = assuming
                    .terms
                    .copy(&conditions.terms, condition, &mut images);
                let is_trivial = assuming.terms.constant_value(fact) == Some(1);
                let carried = &cfa.location(location).words;
                let (read, _) = assuming.reads(&[fact]);
                if !is_trivial && read.iter().all(|word| carried.binary_search(word).is_ok()) {
                    at[location.index()].push(fact);
                }
            }
        }
        assuming.assume(&at);
        debug_assert_eq!(assuming.check(), Ok(()));
        Self {
            assuming,
            at,
            strong: strong.model.clone(),
        }
    }

    /// The automaton that assumes the facts: its locations, edges, words and inputs have the same numbers and terms.
    #[must_use]
    pub fn cfa(&self) -> &Cfa {
        &self.assuming
    }

    /// The number of facts that are assumed, over all locations.
    #[must_use]
    pub fn n_assumed(&self) -> usize {
        self.at.iter().map(Vec::len).sum()
    }

    /// The certificate for the circuit of the given automaton, `encoded`, from an invariant of the one that assumes the
    /// facts. It is not checked here.
    #[must_use]
    pub fn certificate(&self, cfa: &Cfa, encoded: &CfaModel, invariant: &Invariant) -> Certificate {
        let mut certificate = invariant.certificate(cfa, encoded);
        let witness = &mut certificate.witness;
        debug_assert!(witness.latches.len() >= self.strong.latches.len());
        let states = self.strong.latches.iter().zip(&witness.latches);
        let images: HashMap<NodeId, AigEdge> = states
            .map(|(own, latch)| {
                let image = latch.state.negate_if(own.state.is_negated());
                (own.state.node(), image)
            })
            .collect();
        let all = self.strong.constraints.last();
        let all = *all.expect("the facts are a constraint");
        let hold = (witness.aig).copy_cone(&self.strong.aig, &[all], &mut |node| images[&node])[0];
        let bad = witness.aig.or_all(witness.bads.iter().copied());
        witness.bads = vec![witness.aig.or(bad, !hold)];
        certificate
    }

    /// An invariant over words of the automaton that assumes the facts, with the facts.
    #[must_use]
    pub fn words(&self, words: &WordInvariant) -> WordInvariant {
        let mut words = words.clone();
        for (disjuncts, facts) in words.at.iter_mut().zip(&self.at) {
            for conjuncts in disjuncts {
                let more = facts.iter().filter(|fact| !conjuncts.contains(fact));
                let more: Vec<Term> = more.copied().collect();
                conjuncts.extend(more);
            }
        }
        words
    }
}

impl Cfa {
    /// Adds conditions on the words of locations to the guards of their edges. By location.
    fn assume(&mut self, at: &[Vec<Term>]) {
        let sources: Vec<LocationId> = self.sources().collect();
        for source in sources {
            for edge in self.outgoing(source).to_vec() {
                let mut guard = self.edge(edge).guard;
                for &condition in &at[source.index()] {
                    guard = self.terms.and(guard, condition);
                }
                self.set_guard(edge, guard);
            }
        }
    }
}
