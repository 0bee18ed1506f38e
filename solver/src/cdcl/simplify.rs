//! What level 0 makes of the clauses.
//!
//! Whenever literals have been fixed at level 0, clauses that contain a true one are removed, and false ones are
//! taken out of the others, by resolution with their units.

use super::Solver;
use super::arena::ClauseRef;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Simplifies all clauses, if there is anything new at level 0. Watches are rebuilt.
    pub(super) fn simplify(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.trail.propagated, self.trail.lits.len());
        if self.trail.lits.len() == self.simplified {
            return;
        }
        self.simplified = self.trail.lits.len();
        self.statistics.simplifications += 1;
        for redundant in [false, true] {
            let clauses = std::mem::take(self.clauses_mut(redundant));
            for &clause in &clauses {
                if !self.arena.is_garbage(clause) {
                    self.simplify_clause(clause);
                }
            }
            *self.clauses_mut(redundant) = clauses;
        }
        self.collect_garbage();
        self.rebuild_watches();
    }

    /// The list of irredundant or redundant clauses.
    pub(super) fn clauses_mut(&mut self, redundant: bool) -> &mut Vec<ClauseRef> {
        if redundant {
            &mut self.redundant
        } else {
            &mut self.irredundant
        }
    }

    /// Simplifies one clause; watches are left to the caller.
    fn simplify_clause(&mut self, clause: ClauseRef) {
        let trail = &self.trail;
        if self.arena.lits(clause).any(|lit| trail.value(lit) > 0) {
            self.remove_clause(clause);
        } else if self.arena.lits(clause).any(|lit| trail.value(lit) < 0) {
            let mut rest = std::mem::take(&mut self.rest);
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
            self.rest = rest;
        }
    }

    /// Derives the clause `rest`, a part of the clause's literals, from the chain that has been collected,
    /// and lets it take the clause's place in the arena. Watches are left to the caller.
    pub(super) fn replace_clause(&mut self, clause: ClauseRef, rest: &[crate::lit::Lit]) {
        let id = self.derive(rest);
        self.report_deleted(clause);
        self.touch(clause);
        self.arena.shrink(clause, rest, id);
        self.statistics.strengthened_clauses += 1;
    }

    /// Makes all watch lists anew after clauses were changed without them, and propagates the units that were found meanwhile:
    /// those that come after `watched` on the trail. `false` if the formula turns out to be unsatisfiable.
    pub(super) fn watch_anew(&mut self, watched: usize) -> bool {
        // Cleared first, so that collecting garbage need not keep them up.
        self.watches.clear();
        self.collect_garbage();
        self.rebuild_watches();
        self.trail.propagated = watched;
        if let Some(conflict) = self.propagate() {
            self.derive_empty(conflict);
            return false;
        }
        self.derive_units();
        self.simplify();
        true
    }

    /// Makes all watch lists anew, binary clauses first. The first two literals of each clause have to
    /// be what should watch it.
    pub(super) fn rebuild_watches(&mut self) {
        debug_assert!(self.pending.is_empty() && self.temporaries.clauses.is_empty());
        self.watches.clear();
        for binary in [true, false] {
            for &clause in self.irredundant.iter().chain(&self.redundant) {
                let size = self.arena.size(clause);
                if (size == 2) == binary && !self.arena.is_garbage(clause) {
                    let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
                    self.watches.attach(clause, first, second, size);
                }
            }
        }
    }
}
