//! Assumptions, and which of them failed.
//!
//! Assumption number `i` is decided at level `i + 1` (one higher above a base level; see `temporary`). One that is true already gets a level without
//! a decision, so that the numbering holds. One that is false ends the call: the
//! clause of negated assumptions that follows is derived from its reasons (Eén and Sörensson, "Temporal
//! induction by incremental SAT solving", 2003).

use super::Solver;
use super::analyze::{KEPT, SEEN};
use super::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Derives a clause of negated assumptions, now that assumption `failing` is false.
    ///
    /// Leaves the assumptions that it negates in `failed`, and the clause's number, if there is such a
    /// clause, in `refutation`.
    pub(super) fn analyze_failed(&mut self, failing: Lit) {
        debug_assert!(self.trail.value(failing) < 0);
        self.failed.push(failing);
        let var = failing.var();
        if self.trail.level_of(var) <= self.base_level {
            self.refutation = P::ENABLED.then(|| self.units.ids[var.index()]);
            return;
        }
        let reason = self.trail.reason(var);
        if reason == ClauseRef::NONE {
            // The negation was assumed too: what follows is `a or not a`, which no resolution yields.
            self.failed.push(!failing);
            return;
        }
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(reason));
        }
        self.mark_reason(reason, failing);
        let start = self.trail.level_starts[self.base_level as usize] as usize;
        for position in (start..self.trail.position(var) as usize).rev() {
            let lit = self.trail.lits[position];
            if self.analysis.marks[lit.var().index()] & SEEN == 0 {
                continue;
            }
            let reason = self.trail.reason(lit.var());
            if reason == ClauseRef::NONE {
                self.failed.push(lit);
                continue;
            }
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(reason));
            }
            self.mark_reason(reason, lit);
        }
        self.analysis.clear_marks();
        if P::ENABLED {
            let clause: Vec<Lit> = self.failed.iter().map(|&lit| !lit).collect();
            let id = self.derive(&clause);
            self.refutation = Some(id);
        }
    }

    /// Marks the literals of a reason other than that of `implied`.
    fn mark_reason(&mut self, reason: ClauseRef, implied: Lit) {
        for lit in self.arena.lits(reason) {
            if lit.var() == implied.var() {
                continue;
            }
            if self.trail.level_of(lit.var()) > self.base_level {
                self.analysis.mark(lit.var(), SEEN | KEPT);
            } else if Self::CHAINS {
                self.chain.add_unit(lit.var());
            }
        }
    }
}
