//! Subsumption of recent learned clauses by the new one.
//!
//! Successive learned clauses are often subsets of one another, so each is compared with the last few
//! (Hamadi, Jabbour, Saïs, "Learning for dynamic subsumption", ICTAI 2009).

use super::solver::Solver;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The number of recent learned clauses compared.
const WINDOW: usize = 20;

impl<P: ProofSink> Solver<P> {
    /// Removes recent learned clauses that contain all of `lits`, the clause about to be added.
    ///
    /// The first of `lits` has no value, so a clause that contains it is not a reason.
    pub(super) fn subsume_learned(&mut self, lits: &[Lit]) {
        debug_assert_eq!(self.trail.value(lits[0]), 0);
        let stamp = self.stamp_literals(lits);
        let start = self.clauses.redundant.len().saturating_sub(WINDOW);
        for index in start..self.clauses.redundant.len() {
            let clause = self.clauses.redundant[index];
            if self.arena.size(clause) < lits.len() || self.arena.is_garbage(clause) {
                continue;
            }
            let stamps = &self.analysis.lit_stamps;
            let mut may_miss = self.arena.size(clause) - lits.len();
            let contains_all = self.arena.lits(clause).all(|lit| {
                stamps[lit.index()] == stamp || {
                    let missed = may_miss > 0;
                    may_miss = may_miss.saturating_sub(1);
                    missed
                }
            });
            if contains_all {
                self.detach(clause);
                self.remove_clause(clause);
                self.statistics.subsumed_learned += 1;
            }
        }
    }
}
