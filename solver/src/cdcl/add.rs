//! Original clauses: added at any time, simplified by the literals fixed at level 0 in the next call.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::cnf::{Cnf, Label};
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Adds a clause with label 0.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.add_labelled_clause(lits, 0);
    }

    /// Adds all variables and clauses of a formula.
    pub fn add_cnf(&mut self, cnf: &Cnf) {
        self.reserve_vars(cnf.n_vars());
        for (lits, label) in cnf.iter() {
            self.add_labelled_clause(lits, label);
        }
    }

    /// Adds a clause that belongs to the partition `label`. Literals may repeat or clash; variables
    /// that don't exist yet are added.
    ///
    /// # Panics
    /// If a variable was added by the search, see [`Solver::close_variables`].
    pub fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        self.backtrack(0);
        self.inprocessing.expect_own(lits);
        let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
        self.reserve_vars(n_vars.unwrap_or(0));
        self.statistics.original_clauses += 1;
        let id = self.new_id();
        if !self.chain.is_exhausted {
            self.proof.original(id, lits, label);
        }
        if self.outcome.inconsistent {
            return;
        }
        self.restore_eliminated(lits);
        let mut clause = std::mem::take(&mut self.scratch.clause_lits);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || clause.iter().any(|&lit| self.trail.fixed(lit) > 0) {
            self.chain.delete(&mut self.proof, id, lits);
        } else {
            if P::ENABLED {
                self.chain.note_original(id, lits, clause.len());
            }
            self.add_normalized(&clause, id);
        }
        self.scratch.clause_lits = clause;
    }

    /// Adds an original clause without repeated, clashing or true literals.
    pub(super) fn add_normalized(&mut self, clause: &[Lit], id: ClauseId) {
        match *clause {
            [] => self.become_inconsistent(id),
            [lit] if self.trail.value(lit) == 0 => {
                if P::ENABLED {
                    self.units.ids[lit.var().index()] = id;
                }
                self.trail.assign(lit, ClauseRef::NONE);
            }
            _ => {
                let Some(reference) = self.arena.alloc(clause, false, 0, id) else {
                    self.stop.lacks_clause = true;
                    return;
                };
                if clause.iter().any(|&lit| self.trail.value(lit) < 0) {
                    self.clauses.pending.push(reference);
                } else {
                    self.attach_irredundant(reference);
                }
            }
        }
    }

    /// Lists an irredundant clause and watches it.
    pub(super) fn attach_irredundant(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        self.watches
            .attach(clause, first, second, self.arena.size(clause));
        self.clauses.irredundant.push(clause);
    }

    /// Propagates at level 0, and derives from each pending clause its part without false literals. If the
    /// call has to stop, some clauses stay pending.
    pub(super) fn propagate_pending(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        loop {
            if let Some(conflict) = self.propagate() {
                return self.derive_empty(conflict);
            }
            self.derive_units_in_time();
            if self.stop.is_due(1) {
                return;
            }
            let Some(clause) = self.clauses.pending.pop() else {
                return;
            };
            let is_satisfied = self.arena.lits(clause).any(|lit| self.trail.value(lit) > 0);
            if !is_satisfied && !self.shorten_pending(clause) {
                return;
            }
            self.remove_clause(clause);
        }
    }

    /// Derives a clause without its false literals; `false` if this is the empty clause.
    pub(super) fn shorten_pending(&mut self, clause: ClauseRef) -> bool {
        let mut rest = Vec::new();
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
        debug_assert!(rest.len() < self.arena.size(clause));
        let id = self.derive(&rest);
        self.add_normalized(&rest, id);
        !self.outcome.inconsistent
    }
}
