//! Clauses that hold for one call only.
//!
//! PDR makes thousands of queries, each with one additional clause. The usual way, a fresh activation literal
//! for each, leaves unused variables and clauses behind. Here a call with temporary clauses has a *base
//! level*, level 1, without a decision: literals implied by the clauses and the temporary ones are assigned
//! there. A learned clause is *tainted*, temporary itself, if it was derived from a temporary clause or from
//! a literal of the base level; such literals are omitted from it like those of level 0. After the call, all
//! tainted clauses are removed. (This is equivalent to one activation literal that is decided at level 1 and
//! occurs in each temporary clause, but without the variable. GipSAT keeps one such variable: Su, Yang, Ci,
//! CAV 2025.)
//!
//! Such answers have no proof, so the methods exist for [`NoProof`] only.

use super::answer::UnknownReason;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::{NoProof, ProofSink};

impl Solver<NoProof> {
    /// Adds a clause for the next call of [`Solver::solve`] only. After that call the clause and all clauses
    /// learned from it are removed; the other learned clauses stay.
    ///
    /// [`Answer::Unsatisfiable`](super::Answer::Unsatisfiable) then refers to the clauses, the temporary
    /// clauses and the [`Solver::failed_assumptions`] together.
    pub fn add_temporary_clause(&mut self, lits: &[Lit]) {
        let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
        self.reserve_vars(n_vars.unwrap_or(0));
        self.restore_eliminated(lits);
        self.temporaries.added_lits.extend_from_slice(lits);
        let end = self.temporaries.added_lits.len();
        self.temporaries.added_ends.push(end);
    }
}

impl<P: ProofSink> Solver<P> {
    /// Attaches the temporary clauses of this call. Level 0 has been propagated.
    pub(super) fn install_temporaries(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.base_level, 0);
        if self.temporaries.added_ends.is_empty() {
            return;
        }
        self.base_level = 1;
        let lits = std::mem::take(&mut self.temporaries.added_lits);
        let mut ends = std::mem::take(&mut self.temporaries.added_ends);
        let mut start = 0;
        for end in ends.drain(..) {
            self.install_temporary(&lits[start..end]);
            start = end;
        }
        self.temporaries.added_lits = lits;
        self.temporaries.added_lits.clear();
        self.temporaries.added_ends = ends;
    }

    fn install_temporary(&mut self, lits: &[Lit]) {
        let mut clause = std::mem::take(&mut self.scratch.clause_lits);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        clause.retain(|&lit| self.trail.value(lit) >= 0);
        let holds = clause.windows(2).any(|pair| pair[0] == !pair[1])
            || clause.iter().any(|&lit| self.trail.value(lit) > 0);
        if !holds {
            match *clause {
                [] => self.temporaries.is_inconsistent = true,
                [lit] => self.temporaries.units.push(lit),
                _ => {
                    if let Some(reference) = self.arena.alloc(&clause, false, 0, 0) {
                        self.arena.mark_temporary(reference);
                        self.watches
                            .attach(reference, clause[0], clause[1], clause.len());
                        self.temporaries.clauses.push(reference);
                    } else {
                        self.stop.reason = Some(UnknownReason::Memory);
                    }
                }
            }
        }
        self.scratch.clause_lits = clause;
    }

    /// Begins the base level; `false` if the temporary clauses are inconsistent at once.
    pub(super) fn begin_base_level(&mut self) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        self.trail.new_level();
        for index in 0..self.temporaries.units.len() {
            let lit = self.temporaries.units[index];
            match self.trail.value(lit) {
                0 => self.trail.assign(lit, ClauseRef::NONE),
                1 => {}
                _ => return false,
            }
        }
        !self.temporaries.is_inconsistent
    }

    /// Removes all temporary clauses and units after the call.
    pub(super) fn drop_temporaries(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        self.temporaries.added_lits.clear();
        self.temporaries.added_ends.clear();
        if self.base_level == 0 {
            return;
        }
        self.base_level = 0;
        self.temporaries.units.clear();
        self.temporaries.is_inconsistent = false;
        let mut clauses = std::mem::take(&mut self.temporaries.clauses);
        for clause in clauses.drain(..) {
            if !self.watches.is_stale {
                self.detach(clause);
            }
            self.arena.mark_garbage(clause);
        }
        self.temporaries.clauses = clauses;
        while let Some(lit) = self.temporaries.permanent_units.pop() {
            match self.trail.value(lit) {
                0 => self.trail.assign(lit, ClauseRef::NONE),
                1 => {}
                _ => self.become_inconsistent(0),
            }
        }
        if self.arena.is_mostly_garbage() {
            self.collect_garbage();
        }
    }
}
