//! Transition systems over and-inverter graphs.

use craig_solver::aig::{Aig, Edge};

/// The value of a latch before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Starts at 0.
    Zero,
    /// Starts at 1.
    One,
    /// Starts at either value.
    Uninitialised,
}

impl Reset {
    /// The value, if it is fixed.
    #[inline]
    #[must_use]
    pub fn value(self) -> Option<bool> {
        match self {
            Self::Zero => Some(false),
            Self::One => Some(true),
            Self::Uninitialised => None,
        }
    }
}

/// A state variable.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// The variable itself: the positive edge of an input node of [`Model::aig`].
    pub state: Edge,
    /// Its value one step later, over states and inputs.
    pub next: Edge,
    /// Its value before the first step.
    pub reset: Reset,
}

/// Names for the parts of a model, from its file; empty strings for parts without a name. Each list is either
/// empty or as long as the list that it names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Of [`Model::inputs`].
    pub inputs: Vec<String>,
    /// Of [`Model::latches`].
    pub latches: Vec<String>,
    /// Of [`Model::bads`].
    pub bads: Vec<String>,
    /// Of [`Model::constraints`].
    pub constraints: Vec<String>,
    /// Of [`Model::justice`].
    pub justice: Vec<String>,
    /// Of [`Model::fairness`].
    pub fairness: Vec<String>,
}

/// A finite transition system: the meaning of an AIGER 1.9 file.
///
/// Invariants: the inputs of `aig` are exactly the union of `inputs` and the latches' `state` edges, each
/// once and positive.
///
/// Semantics, as in HWMCC: an initial state agrees with every latch's reset; in each step all latches take
/// the values of their `next` edges simultaneously. A bad counts in step k if all `constraints` hold in steps
/// 0 to k, k included. Constraints on later steps are irrelevant.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The graph that holds every formula of the model.
    pub aig: Aig,
    /// The free variables of a step: positive edges of input nodes.
    pub inputs: Vec<Edge>,
    /// The state variables.
    pub latches: Vec<Latch>,
    /// Formulas over states and inputs that restrict the steps: the invariant constraints.
    pub constraints: Vec<Edge>,
    /// Safety properties, one formula over states and inputs each: the bad states.
    pub bads: Vec<Edge>,
    /// Liveness properties: each a set of formulas that must not all hold infinitely often.
    pub justice: Vec<Vec<Edge>>,
    /// Formulas that hold infinitely often on the paths of justice properties.
    pub fairness: Vec<Edge>,
    /// The names of these parts in the file.
    pub names: Names,
}

impl Model {
    /// The model with a single bad, number `property` of this one.
    ///
    /// # Panics
    /// If there is no such bad.
    #[must_use]
    pub fn with_single_bad(&self, property: usize) -> Self {
        let mut model = self.clone();
        model.bads = vec![self.bads[property]];
        model.names.bads = self.names.bads.get(property).cloned().into_iter().collect();
        model
    }

    /// The model with a single justice property, number `property` of this one, and no bads.
    ///
    /// # Panics
    /// If there is no such property.
    #[must_use]
    pub fn with_single_justice(&self, property: usize) -> Self {
        let mut model = self.clone();
        model.bads.clear();
        model.names.bads.clear();
        model.justice = vec![self.justice[property].clone()];
        model.names.justice = (self.names.justice.get(property).cloned().into_iter()).collect();
        model
    }
}
