//! Assumptions, and which of them failed.
//!
//! Assumption number `i` is decided at level `i + 1` (one higher above a base level; see `temporary`). One
//! that is already true gets a level without a decision, which keeps the numbering. One that is false ends
//! the call: a clause of negated assumptions is derived from its reasons (Eén and Sörensson, "Temporal
//! induction by incremental SAT solving", 2003).

use super::analysis::SEEN;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Clears the failed assumptions, and reports the clause derived for them as deleted.
    pub(super) fn release_failed(&mut self) {
        let outcome = &mut self.outcome;
        if let Some(id) = outcome.failed_clause.take() {
            for lit in &mut outcome.failed {
                *lit = !*lit;
            }
            self.chain.delete(&mut self.proof, id, &outcome.failed);
        }
        outcome.failed.clear();
        outcome.refutation = None;
    }

    /// Derives a clause of negated assumptions, given that assumption `failing` is false.
    ///
    /// Stores the failed assumptions in `failed`, and the clause's number, if there is such a clause, in
    /// `refutation`.
    pub(super) fn analyze_failed(&mut self, failing: Lit) {
        debug_assert!(self.trail.value(failing) < 0);
        self.outcome.failed.push(failing);
        let var = failing.var();
        if self.trail.level_of(var) <= self.base_level {
            self.outcome.refutation = P::ENABLED.then(|| self.units.ids[var.index()]);
            return;
        }
        let reason = self.trail.reason(var);
        if reason == ClauseRef::NONE {
            // The negation is an assumption too: the clause would be `a or not a`, which no resolution
            // derives.
            self.outcome.failed.push(!failing);
            return;
        }
        self.scratch.rest.clear();
        self.collect_decisions(reason, Some(!failing));
        self.outcome
            .failed
            .extend(self.scratch.rest.iter().map(|&lit| !lit));
        if P::ENABLED {
            let clause: Vec<Lit> = self.outcome.failed.iter().map(|&lit| !lit).collect();
            let id = self.derive(&clause);
            self.outcome.refutation = Some(id);
            self.outcome.failed_clause = Some(id);
        }
    }

    /// Resolves a clause backwards until only decisions are left; adds the negations of these to `rest`, and
    /// collects the chain. `implied` is the literal of the clause that is true, if there is one.
    pub(super) fn collect_decisions(&mut self, start: ClauseRef, implied: Option<Lit>) {
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(start));
        }
        self.mark_reason(start, implied);
        let lowest = self.trail.level_starts[self.base_level as usize] as usize;
        for position in (lowest..self.trail.lits.len()).rev() {
            let lit = self.trail.lits[position];
            if self.analysis.marks[lit.var().index()] & SEEN == 0 {
                continue;
            }
            let reason = self.trail.reason(lit.var());
            if reason == ClauseRef::NONE {
                self.scratch.rest.push(!lit);
                continue;
            }
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(reason));
            }
            self.mark_reason(reason, Some(lit));
        }
        self.analysis.clear_marks();
    }

    /// Marks the literals of a clause but for the one that it implied.
    fn mark_reason(&mut self, reason: ClauseRef, implied: Option<Lit>) {
        for lit in self.arena.lits(reason) {
            if Some(lit) == implied {
                continue;
            }
            if self.trail.level_of(lit.var()) > self.base_level {
                self.analysis.mark(lit.var(), SEEN);
            } else if Self::CHAINS {
                self.chain.add_unit(lit.var());
            }
        }
    }
}
