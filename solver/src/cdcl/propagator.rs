//! Constraints that a caller states by clauses during the search (Fazekas, Niemetz, Preiner, Kirchweger, Szeider, Biere,
//! "IPASIR-UP: user propagators for CDCL", SAT 2023).

use crate::cnf::Label;
use crate::lit::{Lit, Var};

/// A constraint over some variables of a solver, which it adds to the formula clause by clause.
///
/// The variables it observes keep their meaning: none is eliminated or substituted. Everything it is told is about them.
pub trait Propagator: Send {
    /// Observed literals have become true, at the present level.
    fn assigned(&mut self, lits: &[Lit]);

    /// A level begins. Levels are numbered from 0, at which literals stay true.
    fn new_level(&mut self);

    /// All levels above `level` are undone.
    fn backtracked(&mut self, level: u32);

    /// The next decision, if it has no value; `None` leaves it to the solver.
    fn decide(&mut self) -> Option<Lit> {
        None
    }

    /// A clause of the constraint, over observed variables. It is asked for others until it has none. One whose literals are false but
    /// for one makes that one true: it is the reason of a propagation. One whose literals are all false is a conflict.
    fn clause(&mut self) -> Option<Vec<Lit>>;

    /// All observed variables have a value, and no clause is false. If the constraint does not hold, it returns clauses of it that
    /// are false; if there are none, the model is accepted.
    fn check(&mut self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>>;
}

/// Why a propagator was not connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotConnected {
    /// The clauses of the propagator come after derived ones, which a file with a proof of a given formula has no place for.
    #[error("a proof in this format has no place for clauses that are added during the search")]
    Proof,
    /// There is one already.
    #[error("the solver has a propagator")]
    Taken,
}

/// The propagator of a solver, and what it was told.
#[derive(Default)]
pub(super) struct External {
    pub(super) propagator: Option<Box<dyn Propagator>>,
    pub(super) label: Label,
    /// By variable: whether it is observed.
    pub(super) observed: Vec<bool>,
    pub(super) vars: Vec<Var>,
    /// How many literals of the trail it was told.
    pub(super) n_told: usize,
    /// For each level that it was told of: how many literals before.
    pub(super) starts: Vec<usize>,
}

/// A clone has none.
impl Clone for External {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl External {
    #[inline]
    pub(super) fn is_connected(&self) -> bool {
        self.propagator.is_some()
    }
}

/// What a question to the propagator has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consulted {
    /// Nothing.
    Unchanged,
    /// There is something to propagate, or levels were undone.
    Changed,
    /// The formula has no model.
    Inconsistent,
}
