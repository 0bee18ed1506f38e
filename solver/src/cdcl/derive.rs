//! Clauses derived from a chain, and deletions reported.

use super::chain::Chain;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Whether antecedents have to be collected.
    pub(super) const CHAINS: bool = P::ENABLED && P::ANTECEDENTS;

    /// The next clause number. If all are used, the last one again, and the proof is marked as exhausted.
    pub(super) fn new_id(&mut self) -> ClauseId {
        if P::ENABLED {
            if self.chain.last_id < ClauseId::MAX - self.chain.withheld {
                self.chain.last_id += 1;
            } else {
                self.chain.is_exhausted = true;
            }
        }
        self.chain.last_id
    }

    /// Whether there are that many clause numbers left.
    pub(super) fn has_numbers(&self, n_clauses: usize) -> bool {
        let left = (ClauseId::MAX - self.chain.withheld).saturating_sub(self.chain.last_id);
        !P::ENABLED || left as usize > n_clauses
    }

    /// Drops a chain from which no clause is derived.
    pub(super) fn drop_chain(&mut self) {
        let Chain {
            ids,
            pivots,
            units,
            marked,
            ..
        } = &mut self.chain;
        ids.clear();
        for var in pivots.drain(..).chain(units.drain(..)) {
            marked[var.index()] = false;
        }
    }

    /// Appends the recorded pivots and units to the chain, reports the clause `lits` with it, and clears the
    /// chain.
    pub(super) fn derive(&mut self, lits: &[Lit]) -> ClauseId {
        let id = self.new_id();
        if P::ENABLED {
            let Chain {
                ids,
                pivots,
                units,
                marked,
                is_exhausted,
                ..
            } = &mut self.chain;
            let trail = &self.trail;
            pivots.sort_unstable_by_key(|&var| std::cmp::Reverse(trail.position(var)));
            for var in pivots.drain(..) {
                marked[var.index()] = false;
                ids.push(self.arena.id(trail.reason(var)));
            }
            for var in units.drain(..) {
                marked[var.index()] = false;
                ids.push(self.units.ids[var.index()]);
            }
            if !*is_exhausted {
                self.proof.derived(id, lits, ids);
            }
            ids.clear();
        }
        id
    }

    /// Derives `rest`, which is the clause `lits` of number `id` without `falsified`, the literals that units exclude,
    /// and reports the deletion of the longer clause. The new number is returned.
    pub(super) fn derive_shorter(
        &mut self,
        id: ClauseId,
        lits: &[Lit],
        falsified: &[Lit],
        rest: &[Lit],
    ) -> ClauseId {
        debug_assert!(falsified.iter().all(|&lit| self.trail.fixed(lit) < 0));
        if Self::CHAINS {
            self.chain.ids.push(id);
            for lit in falsified {
                self.chain.add_unit(lit.var());
            }
        }
        let shorter = self.derive(rest);
        self.chain.delete(&mut self.proof, id, lits);
        shorter
    }

    /// Reports the deletion of a clause of the arena.
    pub(super) fn report_deleted(&mut self, clause: ClauseRef) {
        if P::ENABLED {
            self.scratch.clause_lits.clear();
            self.scratch.clause_lits.extend(self.arena.lits(clause));
            let id = self.arena.id(clause);
            self.chain
                .delete(&mut self.proof, id, &self.scratch.clause_lits);
        }
    }
}
