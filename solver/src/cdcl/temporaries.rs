//! The clauses and units to be removed at the end of a call with temporary clauses.

use crate::clause_ref::ClauseRef;
use crate::lit::Lit;

/// The clauses and units to be removed after the call.
#[derive(Clone, Debug, Default)]
pub(super) struct Temporaries {
    /// The literals of the clauses for the next call, and one past the last of each clause.
    pub(super) added_lits: Vec<Lit>,
    pub(super) added_ends: Vec<usize>,
    /// Temporary and tainted clauses in the arena.
    pub(super) clauses: Vec<ClauseRef>,
    /// Literals that hold at the base level.
    pub(super) units: Vec<Lit>,
    /// Literals learned without temporary clauses. They are also assigned at the base level during the call,
    /// since temporary clauses must not propagate at level 0, and fixed after it.
    pub(super) permanent_units: Vec<Lit>,
    /// Whether there is a temporary clause without literals.
    pub(super) is_inconsistent: bool,
}
