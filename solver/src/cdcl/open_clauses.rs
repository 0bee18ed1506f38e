//! What is left of a formula between two calls, for those who split it.

use super::solver::Solver;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// No variable is eliminated or substituted from now on. Those that are restored stay.
    pub(crate) fn keep_variables(&mut self) {
        self.options.eliminate = false;
        self.options.congruence = false;
        self.options.sweep = false;
    }

    /// The clauses that are not satisfied at level 0, without the literals that are false there; of learned ones, those of
    /// two literals. They have no eliminated variables.
    pub(crate) fn open_clauses(&self) -> Vec<Vec<Lit>> {
        debug_assert_eq!(self.trail.level(), 0);
        let clauses = &self.clauses;
        let learned = clauses.redundant.iter();
        let learned = learned.filter(|&&clause| self.arena.size(clause) == 2);
        let mut open = Vec::new();
        for &clause in clauses
            .irredundant
            .iter()
            .chain(&clauses.pending)
            .chain(learned)
        {
            let is_true = self.arena.lits(clause).any(|lit| self.trail.value(lit) > 0);
            if !self.arena.is_garbage(clause) && !is_true {
                let lits = self.arena.lits(clause);
                open.push(lits.filter(|&lit| self.trail.value(lit) == 0).collect());
            }
        }
        open
    }
}
