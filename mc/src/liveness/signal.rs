//! One signal in place of several literals.
//!
//! An *await index* points to one of the literals. When the literal that it points to holds, that is a *hit*,
//! and the index advances to the next literal, from the last to the first. All literals hold infinitely often
//! iff there are infinitely many hits.

use craig_aig::Edge;
use craig_model::{Latch, Model, Names, Reset};

/// A model with a latch for each position of the await index but the first; its only bad is the hit.
pub(super) struct Single {
    /// The latches of the original come first. It has no justice properties and no fairness.
    pub(super) model: Model,
    /// For each literal, that the index points to it. At least one of them holds in every state, reachable
    /// or not; for a single literal it is constant.
    pub(super) awaits: Vec<Edge>,
    /// The number of latches of the original.
    pub(super) n_original: usize,
}

impl Single {
    /// # Panics
    /// If the model has no such property.
    pub(super) fn new(model: &Model, property: usize) -> Self {
        let literals = model.justice_literals(property);
        let mut single = model.clone();
        single.justice.clear();
        single.fairness.clear();
        single.bads.clear();
        single.names = Names::default();
        let later: Vec<Edge> = (literals.iter().skip(1))
            .map(|_| single.aig.add_input())
            .collect();
        let any = single.aig.or_all(later.iter().copied());
        let awaits: Vec<Edge> = std::iter::once(!any).chain(later.iter().copied()).collect();
        let hits: Vec<Edge> = (awaits.iter().zip(&literals))
            .map(|(&awaits, &literal)| single.aig.and(awaits, literal))
            .collect();
        let hit = match literals.is_empty() {
            // Then every step counts.
            true => Edge::TRUE,
            false => single.aig.or_all(hits),
        };
        for (index, &state) in later.iter().enumerate() {
            let next = single.aig.ite(hit, awaits[index], state);
            let reset = Reset::Zero;
            single.latches.push(Latch { state, next, reset });
        }
        single.bads.push(hit);
        Self {
            model: single,
            awaits: if literals.is_empty() {
                Vec::new()
            } else {
                awaits
            },
            n_original: model.latches.len(),
        }
    }
}
