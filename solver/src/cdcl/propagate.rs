//! Unit propagation.

use super::arena::Visited;
use super::solver::Solver;
use crate::clause_ref::{ClauseRef, Watch};
use crate::lit::Lit;
use crate::proof::ProofSink;

/// How many watches fit in a cache line.
const WATCHES_PER_LINE: usize = 8;

impl<P: ProofSink> Solver<P> {
    /// Propagates every assigned literal; returns the conflicting clause if there is one. If the call has to
    /// end, some literals stay unpropagated, and [`Stop::is_due`](super::state::Stop::is_due) tells the
    /// caller.
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

    /// With `DOMAIN`, clauses whose blocker lies outside the domain are skipped: by the caller's promise in
    /// [`Solver::set_domain`] they can always be satisfied. Missed implications only weaken propagation; at
    /// level 0, where they would be missed permanently, all are made.
    fn propagate_in<const DOMAIN: bool>(&mut self) -> Option<ClauseRef> {
        let mut conflict = None;
        let before = self.trail.propagated;
        let mut ticks = 0;
        let mut looked_at = 0;
        while conflict.is_none() && self.trail.propagated < self.trail.lits.len() {
            let lit = self.trail.lits[self.trail.propagated];
            if ticks - looked_at >= self.stop.interval {
                if self.stop.is_due(ticks - looked_at) {
                    break;
                }
                looked_at = ticks;
            }
            self.trail.propagated += 1;
            let propagated = self.trail.propagated;
            conflict = self.visit_watches::<DOMAIN>(!lit, &mut ticks);
            if self.trail.propagated != propagated {
                break;
            }
        }
        self.statistics.propagations += (self.trail.propagated - before) as u64;
        self.statistics.ticks += ticks;
        conflict
    }

    /// Visits the clauses watched by a literal that has become false. If the call has to end within a long
    /// list, the literal counts as not propagated.
    ///
    /// The accesses without bounds checks are in the innermost loop of the search; the checks cost about a
    /// twentieth of its time (bench/records/solver.md). They rely on two invariants of the solver: every literal
    /// in a watch or clause is below the number of literals for which all tables have entries, and every
    /// watch names a clause in the arena.
    fn visit_watches<const DOMAIN: bool>(
        &mut self,
        false_lit: Lit,
        ticks: &mut u64,
    ) -> Option<ClauseRef> {
        let mut list = std::mem::take(self.watches.of_mut(false_lit));
        *ticks += 1 + (list.len() / WATCHES_PER_LINE) as u64;
        let mut conflict = None;
        let n_watches = list.len();
        let (mut read, mut kept) = (0, 0);
        let mut end = n_watches.min(self.stop.interval as usize);
        while read < end || self.goes_on(&mut end, n_watches) {
            // SAFETY: `read < end <= n_watches`, the length of the list, which doesn't change in the loop;
            // `kept <= read`.
            let watch = unsafe {
                let watch = *list.get_unchecked(read);
                *list.get_unchecked_mut(kept) = watch;
                watch
            };
            read += 1;
            kept += 1;
            // SAFETY: literals of watches have a value in the table (first invariant).
            let blocker_value = unsafe { self.trail.value_unchecked(watch.blocker) };
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
            // SAFETY: the watch names a clause of the arena (second invariant).
            let Visited { codes, search } = unsafe { self.arena.visit_unchecked(clause) };
            debug_assert!(codes.len() > 2);
            // The other watched literal, without a branch on which of the two places it has.
            // SAFETY: a clause whose watch is not binary has at least three literals.
            let other = Lit::from_stored(unsafe {
                *codes.get_unchecked(0) ^ *codes.get_unchecked(1) ^ false_lit.code()
            });
            // SAFETY: literals of clauses have a value in the table (first invariant).
            let other_value = unsafe { self.trail.value_unchecked(other) };
            if other_value > 0 {
                list[kept - 1].blocker = other;
                continue;
            }
            let trail = &self.trail;
            // SAFETY: as above.
            let is_not_false =
                |&code: &u32| unsafe { trail.value_unchecked(Lit::from_stored(code)) } >= 0;
            let start = *search as usize;
            debug_assert!(2 <= start && start <= codes.len());
            let later = codes[start..].iter().position(is_not_false);
            let replacement = match later {
                Some(offset) => Some(start + offset),
                None => (codes[2..start].iter().position(is_not_false)).map(|offset| 2 + offset),
            };
            if let Some(position) = replacement {
                *search = position as u32;
                let lit = Lit::from_stored(codes[position]);
                if self.trail.value(lit) > 0 {
                    // Satisfied: update the blocker, and keep the watches.
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
        if read < n_watches && conflict.is_none() {
            self.trail.propagated -= 1;
        }
        list.copy_within(read.., kept);
        list.truncate(kept + list.len() - read);
        *self.watches.of_mut(false_lit) = list;
        conflict
    }

    /// At watch number `end` of `n_watches`: whether to continue, and if so, up to which watch.
    #[inline]
    fn goes_on(&mut self, end: &mut usize, n_watches: usize) -> bool {
        if *end == n_watches || self.stop.is_due(self.stop.interval) {
            return false;
        }
        *end = n_watches.min(*end + self.stop.interval as usize);
        true
    }
}
