//! Jumping back to a lower level.

use super::solver::Solver;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Undoes all levels above `level`, and saves the phases of the unassigned variables.
    pub(super) fn backtrack(&mut self, level: u32) {
        let Self {
            trail,
            decisions,
            phases,
            ..
        } = self;
        trail.backtrack(level, |lit| {
            phases.save(lit);
            decisions.unassigned(lit.var());
        });
    }

    /// As `backtrack` without saving phases, for trails that the search did not make.
    pub(super) fn undo(&mut self, level: u32) {
        let Self {
            trail, decisions, ..
        } = self;
        trail.backtrack(level, |lit| decisions.unassigned(lit.var()));
    }
}
