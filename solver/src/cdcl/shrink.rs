//! One literal of a level instead of several: all-UIP shrinking.
//!
//! The literals of the learned clause that belong to one level are resolved with their reasons, as in
//! first-UIP learning, until one is left. If all literals that this adds from lower levels are in the clause
//! already, or redundant in it, then the one literal replaces all of them (Fleury and Biere, "Efficient
//! all-UIP learned clause minimization", SAT 2021). The clause never gets longer and has no new levels.
//!
//! The computation only determines which literals remain: the chain is built afterwards by
//! [`Solver::resolve_away`] from each removed literal.

use super::analysis::{SEEN, SHRUNKEN};
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// The literal that can replace a block of at least two literals of the learned clause, which are all
    /// those of their level. `stamp` is that of the clause's levels.
    pub(super) fn shrink(&mut self, block: &[Lit], stamp: u64) -> Option<Lit> {
        let level = self.trail.level_of(block[0].var());
        let mut places = std::mem::take(&mut self.analysis.open_places);
        debug_assert!(places.is_empty());
        for lit in block {
            self.analysis.mark(lit.var(), SHRUNKEN);
            places.push(self.trail.position(lit.var()));
        }
        let mut uip = None;
        while let Some(place) = places.pop() {
            let lit = self.trail.lits[place as usize];
            if places.is_empty() {
                uip = Some(!lit);
                break;
            }
            let reason = self.trail.reason(lit.var());
            // It is not the last open literal, so it comes after the level's decision and has a reason.
            debug_assert!(reason != ClauseRef::NONE);
            if reason == ClauseRef::NONE
                || self.is_tainted(lit.var())
                || !self.open_reason(reason, level, stamp, &mut places)
            {
                break;
            }
        }
        places.clear();
        self.analysis.open_places = places;
        uip
    }

    /// Counts a variable that shrinking has added to the clause as involved in the conflict, so that it is
    /// bumped like the other variables of the clause.
    pub(super) fn involve_shrunken(&mut self, var: Var) {
        if self.analysis.marks[var.index()] & SEEN == 0 {
            self.analysis.mark(var, SEEN);
            self.analysis.shrunken_to.push(var);
        }
    }

    /// Adds the literals of a reason that belong to the level to the open ones; `false` if another literal is
    /// neither in the clause nor redundant in it.
    fn open_reason(
        &mut self,
        reason: ClauseRef,
        level: u32,
        stamp: u64,
        places: &mut std::collections::BinaryHeap<u32>,
    ) -> bool {
        for index in 0..self.arena.size(reason) {
            let other = self.arena.lit(reason, index).var();
            let marks = self.analysis.marks[other.index()];
            if marks & SHRUNKEN != 0 || self.is_ground(other) {
                continue;
            }
            if self.trail.level_of(other) == level {
                self.analysis.mark(other, SHRUNKEN);
                places.push(self.trail.position(other));
            } else if marks & SEEN == 0 && !self.is_redundant(other, stamp) {
                return false;
            }
        }
        true
    }
}
