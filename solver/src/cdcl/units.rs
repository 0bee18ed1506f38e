//! Literals fixed at level 0, their unit clauses, and the empty clause.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Fixes a literal without a value at level 0, given its unit clause, and propagates; `false` if the
    /// formula turns out to be unsatisfiable.
    pub(super) fn fix(&mut self, lit: Lit, id: ClauseId) -> bool {
        if P::ENABLED {
            self.units.ids[lit.var().index()] = id;
        }
        self.trail.assign(lit, ClauseRef::NONE);
        if let Some(conflict) = self.propagate() {
            self.derive_empty(conflict);
            return false;
        }
        self.derive_units();
        true
    }

    /// Derives a unit clause for each literal that was assigned at level 0 since the last call, and drops the
    /// literal's reason, so that the reason's clause may be removed.
    ///
    /// The other literals of a reason are earlier on the trail, so their unit clauses exist.
    pub(super) fn derive_units(&mut self) {
        self.derive_units_until(|_| false);
    }

    /// As `derive_units`, unless the call has to end before.
    pub(super) fn derive_units_in_time(&mut self) {
        self.derive_units_until(|solver| solver.stop.is_due(1));
    }

    fn derive_units_until(&mut self, mut is_due: impl FnMut(&mut Self) -> bool) {
        debug_assert_eq!(self.trail.level(), 0);
        while self.units.derived < self.trail.lits.len() && !is_due(self) {
            let lit = self.trail.lits[self.units.derived];
            let reason = self.trail.reason(lit.var());
            self.units.derived += 1;
            self.trail.assigned[lit.var().index()].reason = ClauseRef::NONE;
            if !P::ENABLED || reason == ClauseRef::NONE {
                continue;
            }
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(reason));
                for other in self.arena.lits(reason).filter(|&other| other != lit) {
                    self.chain.add_unit(other.var());
                }
            }
            let id = self.derive(&[lit]);
            self.units.ids[lit.var().index()] = id;
        }
    }

    /// Derives the empty clause from a clause that is false at level 0.
    pub(super) fn derive_empty(&mut self, conflict: ClauseRef) {
        self.derive_units();
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(conflict));
            for lit in self.arena.lits(conflict) {
                self.chain.add_unit(lit.var());
            }
        }
        let id = self.derive(&[]);
        self.become_inconsistent(id);
    }

    /// Records that the clauses alone are unsatisfiable; `id` is the empty clause.
    pub(super) fn become_inconsistent(&mut self, id: ClauseId) {
        self.outcome.inconsistent = true;
        self.outcome.empty_clause = id;
    }
}
