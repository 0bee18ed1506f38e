//! Unit propagation.

use super::Solver;
use super::arena::ClauseRef;
use super::watch::Watch;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// How many watches fit in a cache line.
const WATCHES_PER_LINE: usize = 8;

impl<P: ProofSink> Solver<P> {
    /// Propagates every assigned literal; the conflicting clause if there is one.
    ///
    /// The watch list of the literal that became false is taken out, compacted in place while it
    /// is read, and put back: neither hashing nor allocation, apart from the growth of other lists.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        if self.decisions.has_domain() && self.trail.level() > 0 {
            self.propagate_in::<true>()
        } else {
            self.propagate_in::<false>()
        }
    }

    /// With `DOMAIN`, clauses whose blocker lies outside the domain are not looked at: by the
    /// promise behind [`Solver::set_domain`] they can always be satisfied. The implications that are missed
    /// cost nothing but strength; at level 0, where they would be missed for good, all are made.
    fn propagate_in<const DOMAIN: bool>(&mut self) -> Option<ClauseRef> {
        let mut conflict = None;
        let before = self.trail.propagated;
        let mut ticks = 0;
        while conflict.is_none() && self.trail.propagated < self.trail.lits.len() {
            let lit = self.trail.lits[self.trail.propagated];
            self.trail.propagated += 1;
            conflict = self.visit_watches::<DOMAIN>(!lit, &mut ticks);
        }
        self.statistics.propagations += (self.trail.propagated - before) as u64;
        self.statistics.ticks += ticks;
        conflict
    }

    /// Visits the clauses watched by a literal that has become false.
    fn visit_watches<const DOMAIN: bool>(
        &mut self,
        false_lit: Lit,
        ticks: &mut u64,
    ) -> Option<ClauseRef> {
        let mut list = std::mem::take(self.watches.of_mut(false_lit));
        *ticks += 1 + (list.len() / WATCHES_PER_LINE) as u64;
        let mut conflict = None;
        let (mut read, mut kept) = (0, 0);
        while read < list.len() {
            let watch = list[read];
            read += 1;
            list[kept] = watch;
            kept += 1;
            let blocker_value = self.trail.value(watch.blocker);
            if blocker_value > 0 {
                continue;
            }
            if DOMAIN && !self.decisions.in_domain(watch.blocker.var()) {
                continue;
            }
            if watch.is_binary() {
                if blocker_value < 0 {
                    conflict = Some(watch.clause());
                    break;
                }
                self.trail.assign(watch.blocker, watch.clause());
                continue;
            }
            *ticks += 1;
            let clause = watch.clause();
            let codes = self.arena.codes_mut(clause);
            // The other watched literal, without a branch on which of the two places it has.
            let other = Lit::from_code(codes[0] ^ codes[1] ^ false_lit.code());
            let other_value = self.trail.value(other);
            if other_value > 0 {
                list[kept - 1].blocker = other;
                continue;
            }
            let replacement = codes[2..]
                .iter()
                .position(|&code| self.trail.value(Lit::from_code(code)) >= 0);
            if let Some(offset) = replacement {
                let position = offset + 2;
                let lit = Lit::from_code(codes[position]);
                if self.trail.value(lit) > 0 {
                    // Satisfied: remember why, but leave the watches as they are.
                    list[kept - 1].blocker = lit;
                } else {
                    codes[0] = other.code();
                    codes[1] = lit.code();
                    codes[position] = false_lit.code();
                    self.watches
                        .of_mut(lit)
                        .push(Watch::new(other, clause, false));
                    kept -= 1;
                }
            } else if other_value < 0 {
                conflict = Some(clause);
                break;
            } else {
                self.trail.assign(other, clause);
            }
        }
        list.copy_within(read.., kept);
        list.truncate(kept + list.len() - read);
        *self.watches.of_mut(false_lit) = list;
        conflict
    }
}
