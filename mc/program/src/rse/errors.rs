//! Error interpolants: for a location, states from which a suffix of a refuted path may lead to an error.

use std::rc::Rc;

use craig_aig::{Aig, Edge};

use crate::actions::{ActionId, Actions};
use crate::cfa::LocationId;

/// A suffix of one action is no news: a vertex's child at a bad location is visited first anyway.
const MIN_LENGTH: usize = 2;

/// A suffix of a refuted path, and a formula that each state from which it can be taken satisfies.
#[derive(Clone)]
pub(super) struct Suffix {
    formula: Edge,
    path: Rc<[ActionId]>,
    begin: usize,
}

impl Suffix {
    /// The actions of the suffix, to the bad location.
    pub(super) fn actions(&self) -> &[ActionId] {
        &self.path[self.begin..]
    }
}

/// The error interpolants of all locations. They approximate pre-images from above, so that they prove nothing:
/// they only say where to look.
pub(super) struct ErrorLabels {
    at: Vec<Vec<Suffix>>,
    /// The maximal number of suffixes that are kept for a location; the oldest is dropped.
    max_suffixes: usize,
}

impl ErrorLabels {
    pub(super) fn new(n_locations: usize, max_suffixes: usize) -> Self {
        Self {
            at: vec![Vec::new(); n_locations],
            max_suffixes,
        }
    }

    /// The suffixes of a location, oldest first.
    pub(super) fn suffixes(&self, location: LocationId) -> &[Suffix] {
        &self.at[location.index()]
    }

    /// The disjunction of the formulas of a location; `None` if there are none.
    pub(super) fn formula(&self, aig: &mut Aig, location: LocationId) -> Option<Edge> {
        let suffixes = self.suffixes(location);
        let formulas: Vec<Edge> = suffixes.iter().map(|suffix| suffix.formula).collect();
        (!formulas.is_empty()).then(|| aig.or_all(formulas))
    }

    /// Learns from a refuted path to a bad location, with an interpolant for the cut after each action.
    ///
    /// An interpolant of the prefix and the suffix at a cut excludes the suffix, so that its negation is an
    /// interpolant of the suffix and the prefix (definition 3). Where an interpolant is true, the suffix alone
    /// cannot be taken.
    pub(super) fn learn(&mut self, actions: &Actions, path: &[ActionId], interpolants: &[Edge]) {
        let path: Rc<[ActionId]> = path.into();
        for (index, &interpolant) in interpolants.iter().enumerate() {
            let begin = index + 1;
            if interpolant.is_constant() || begin + MIN_LENGTH > path.len() {
                continue;
            }
            let location = actions.action(path[index]).target;
            let suffixes = &mut self.at[location.index()];
            let is_known =
                |known: &Suffix| known.formula == !interpolant || known.actions() == &path[begin..];
            if suffixes.iter().any(is_known) {
                continue;
            }
            if suffixes.len() == self.max_suffixes {
                suffixes.remove(0);
            }
            suffixes.push(Suffix {
                formula: !interpolant,
                path: path.clone(),
                begin,
            });
        }
    }
}
