//! The schedule of restarts.
//!
//! In focused mode, restart when the learned clauses get worse: when a fast average of their glue exceeds a
//! slow one by a margin (Audemard and Simon, CP 2012; Biere and Fröhlich, POS 2015). In stable mode, restart
//! rarely: after multiples of 1024 conflicts given by *reluctant doubling* (Knuth, TAOCP 7.2.2.2; the
//! sequence of Luby et al.).

use super::solver::Solver;
use crate::proof::ProofSink;

/// The ratio of fast to slow average above which focused mode restarts.
const MARGIN: f64 = 1.1;
/// The fewest conflicts between two restarts in focused mode.
const MIN_INTERVAL: u64 = 2;

impl<P: ProofSink> Solver<P> {
    /// The level up to which assumptions (and temporary clauses) have been decided, which restarts keep.
    pub(super) fn assumption_level(&self) -> u32 {
        (self.assumptions.len() as u32 + self.base_level).min(self.trail.level())
    }

    /// Whether a restart is due.
    pub(super) fn is_time_to_restart(&mut self) -> bool {
        if self.trail.level() <= self.assumption_level() {
            return false;
        }
        if self.mode.stable {
            return std::mem::take(&mut self.restarts.reluctant.triggered);
        }
        let averages = &self.restarts.averages[0];
        self.statistics.conflicts >= self.restarts.next
            && averages.fast_glue.value() >= MARGIN * averages.slow_glue.value()
    }

    /// Restarts, keeping decisions that would be made again.
    pub(super) fn restart(&mut self) {
        self.statistics.restarts += 1;
        self.stop.tell(&self.statistics);
        self.update_target_and_best(false);
        let lowest = self.assumption_level();
        let level = self.reusable_level(lowest);
        if level > lowest {
            self.statistics.reused_trails += 1;
        }
        self.backtrack(level);
        self.restarts.next = self.statistics.conflicts + MIN_INTERVAL;
    }
}
