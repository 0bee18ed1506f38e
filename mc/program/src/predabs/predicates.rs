//! The predicates of each location.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use oxidd::VarNo;

use crate::actions::{StateBit, position};
use crate::cfa::LocationId;

/// A predicate at a location, as a position in the location's list.
pub(super) type PredicateId = usize;

/// The variable of a predicate before a step.
pub(super) fn current(predicate: PredicateId) -> VarNo {
    2 * predicate as VarNo
}

/// The variable of a predicate behind a step, next to that before it in the order.
pub(super) fn next(predicate: PredicateId) -> VarNo {
    current(predicate) + 1
}

/// A predicate.
pub(super) struct Predicate {
    /// The formula, over the bits of the state.
    pub(super) formula: Edge,
    /// The bits that it reads.
    pub(super) support: Box<[StateBit]>,
}

/// Lists of predicates.
pub(super) struct Predicates {
    at: Vec<Vec<Predicate>>,
    /// A formula and its negation are one predicate.
    known: HashMap<(LocationId, Edge), PredicateId>,
}

impl Predicates {
    pub(super) fn new(n_locations: usize) -> Self {
        Self {
            at: (0..n_locations).map(|_| Vec::new()).collect(),
            known: HashMap::new(),
        }
    }

    pub(super) fn at(&self, location: LocationId) -> &[Predicate] {
        &self.at[location.index()]
    }

    /// How many predicates all locations have.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The most predicates that a location has.
    pub(super) fn most(&self) -> usize {
        self.at.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Adds a formula that is no constant. Whether it is new.
    pub(super) fn add(&mut self, aig: &Aig, location: LocationId, formula: Edge) -> bool {
        let formula = formula.negate_if(formula.is_negated());
        debug_assert!(!formula.is_constant());
        let list = &mut self.at[location.index()];
        if self.known.contains_key(&(location, formula)) {
            return false;
        }
        self.known.insert((location, formula), list.len());
        let support = aig.support(&[formula]).into_iter();
        list.push(Predicate {
            formula,
            support: support.map(|node| position(aig, node)).collect(),
        });
        true
    }
}
