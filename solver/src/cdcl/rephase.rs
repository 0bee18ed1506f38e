//! The schedule of rephasing.

use super::solver::Solver;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Updates target and best phases before a backtrack: the trail below the conflict's level has no
    /// conflict.
    pub(super) fn update_target_and_best(&mut self, conflict: bool) {
        if !self.mode.stable {
            return;
        }
        let end = match self.trail.level_starts.last() {
            Some(&start) if conflict => start as usize,
            _ => self.trail.propagated,
        };
        self.phases.note_trail(&self.trail.lits[..end]);
    }

    /// Whether rephasing is due.
    pub(super) fn is_time_to_rephase(&self) -> bool {
        self.statistics.conflicts >= self.phases.next_rephase
    }

    /// Replaces all saved phases, and restarts.
    pub(super) fn rephase(&mut self) {
        self.update_target_and_best(false);
        self.backtrack(self.base_level);
        let walked = self.phases.is_time_to_walk() && self.walk();
        self.phases.rephase(self.options.initial_phase, walked);
        self.statistics.rephasings += 1;
        let (interval, factor) = (self.options.rephase_interval, self.phases.rephased + 1);
        self.phases.next_rephase =
            (self.statistics.conflicts).saturating_add(interval.saturating_mul(factor).max(1));
    }
}
