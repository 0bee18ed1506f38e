//! The evidence for answers about justice properties.

use craig_aig::Edge;

use crate::Model;
use crate::{Certificate, Values};

/// A run that ends in a loop: the evidence that a justice property fails.
///
/// After the last step, all latches have the values that they have at the beginning of step `loop_start`, so
/// that the steps from there on can be repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Which justice property of the model fails.
    pub property: usize,
    /// The latches' values before the first step, in the order of [`Model::latches`].
    pub initial: Values,
    /// The inputs' values in each step, in the order of [`Model::inputs`].
    pub inputs: Vec<Values>,
    /// The number of the first step of the loop; less than the number of steps.
    pub loop_start: usize,
}

/// A literal of a witness circuit and the input that stands for its value in another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervention {
    /// The literal, an edge of the witness circuit's graph.
    pub literal: Edge,
    /// The position of the input in the witness circuit.
    pub stand_in: usize,
}

/// A witness circuit for a justice property: the evidence that it holds.
///
/// Beside its inductive property, the witness circuit has an *edge predicate* q'(s, t) for each fairness
/// literal and each literal of the justice property, at the same position, negated, in
/// [`Model::fairness`] and [`Model::justice`]: "the step from s to t may lie on a cycle and does not meet the
/// literal". The predicates read the inputs and latches in s, and the values in t of the literals of
/// [`Intervention`]s through their stand-ins. The nine conditions that make it a proof are those of
/// Certifaiger ("Liveness Proofs for Hardware Model Checking", CAV 2026).
#[derive(Clone, Debug)]
pub struct LivenessCertificate {
    /// The witness circuit, with one justice property.
    pub certificate: Certificate,
    /// The values that the edge predicates read in the second state.
    pub interventions: Vec<Intervention>,
}

impl Model {
    /// The literals that have to hold infinitely often on a run against which justice property number `property` fails: the
    /// fairness literals, and then its own.
    ///
    /// # Panics
    /// If the model has no such property.
    #[must_use]
    pub fn justice_literals(&self, property: usize) -> Vec<Edge> {
        let own = self.justice[property].iter();
        self.fairness.iter().chain(own).copied().collect()
    }
}
