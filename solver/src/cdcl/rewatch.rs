//! Rebuilding watch lists after clauses have changed, for one clause or for all.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Takes a clause out of the lists of the two literals that watch it.
    pub(super) fn detach(&mut self, clause: ClauseRef) {
        for position in 0..2 {
            self.watches
                .detach(self.arena.lit(clause, position), clause);
        }
    }

    /// Rebuilds all watch lists, binary clauses first. The first two literals of each clause must be those to
    /// watch. If the call has to end, the lists are stale.
    pub(super) fn rebuild_watches(&mut self) {
        debug_assert!(self.temporaries.clauses.is_empty());
        self.watches.clear();
        self.watches.is_stale = false;
        for binary in [true, false] {
            for &clause in (self.clauses.irredundant.iter()).chain(&self.clauses.redundant) {
                if self.stop.is_due(1) {
                    return self.watches.make_stale();
                }
                let size = self.arena.size(clause);
                if (size == 2) == binary && !self.arena.is_garbage(clause) {
                    let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
                    self.watches.attach(clause, first, second, size);
                }
            }
        }
    }

    /// Rebuilds all watch lists after clauses were changed without them, and propagates the units found
    /// meanwhile: those after position `watched` on the trail. `false` if the formula turns out to be
    /// unsatisfiable.
    pub(super) fn watch_anew(&mut self, watched: usize) -> bool {
        // Cleared first, so that the garbage collection need not update them.
        self.watches.clear();
        self.collect_garbage();
        self.rebuild_watches();
        if self.watches.is_stale {
            return true;
        }
        self.trail.propagated = watched;
        if let Some(conflict) = self.propagate() {
            self.derive_empty(conflict);
            return false;
        }
        self.derive_units();
        self.simplify();
        true
    }

    /// Rebuilds the watch lists if an earlier call ended before that was done, and marks all literals of
    /// level 0 as not propagated; `false` if the call has to end.
    pub(super) fn refresh_stale_watches(&mut self) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        if !self.watches.is_stale {
            return true;
        }
        // The garbage may contain the reasons of literals at level 0.
        self.derive_units_in_time();
        if self.stop.reason.is_some() {
            return false;
        }
        self.collect_garbage();
        self.rebuild_watches();
        self.trail.propagated = 0;
        !self.watches.is_stale
    }
}
