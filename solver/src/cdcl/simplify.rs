//! Simplification of the clauses by the literals fixed at level 0.
//!
//! After literals were fixed at level 0, clauses that contain a true one are removed, and false literals are
//! removed from the others by resolution with the unit clauses.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Simplifies all clauses if there are new literals at level 0, and rebuilds the watches. If the call has
    /// to end, some clauses are unchanged, and the watches are stale.
    pub(super) fn simplify(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        if self.trail.lits.len() == self.inprocessing.simplified || self.stop.is_due(1) {
            return;
        }
        debug_assert_eq!(self.trail.propagated, self.trail.lits.len());
        self.statistics.simplifications += 1;
        for redundant in [false, true] {
            let clauses = std::mem::take(self.clauses_mut(redundant));
            for &clause in &clauses {
                if self.stop.is_due(1) {
                    break;
                }
                if !self.arena.is_garbage(clause) {
                    self.simplify_clause(clause);
                }
            }
            *self.clauses_mut(redundant) = clauses;
        }
        if self.stop.reason.is_some() {
            return self.watches.make_stale();
        }
        self.inprocessing.simplified = self.trail.lits.len();
        self.collect_garbage();
        self.rebuild_watches();
    }

    /// Simplifies one clause; the caller updates the watches.
    fn simplify_clause(&mut self, clause: ClauseRef) {
        let trail = &self.trail;
        if self.arena.lits(clause).any(|lit| trail.value(lit) > 0) {
            self.remove_clause(clause);
        } else if self.arena.lits(clause).any(|lit| trail.value(lit) < 0) {
            let mut rest = std::mem::take(&mut self.scratch.rest);
            rest.clear();
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(clause));
            }
            for lit in self.arena.lits(clause) {
                if self.trail.value(lit) == 0 {
                    rest.push(lit);
                } else if Self::CHAINS {
                    self.chain.add_unit(lit.var());
                }
            }
            // At least two: otherwise propagation would have assigned the last one.
            debug_assert!(rest.len() >= 2);
            self.replace_clause(clause, &rest);
            self.scratch.rest = rest;
        }
    }
}
