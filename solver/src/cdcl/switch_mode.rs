//! The schedule of switches between focused and stable mode.

use super::solver::Solver;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Whether the current phase is over.
    pub(super) fn is_time_to_switch_mode(&self) -> bool {
        self.options.stable && self.statistics.conflicts >= self.mode.end
    }

    /// Switches to the other mode.
    pub(super) fn switch_mode(&mut self) {
        self.statistics.mode_switches += 1;
        self.update_target_and_best(false);
        self.backtrack(self.assumption_level());
        self.mode.switch(self.statistics.conflicts);
        if self.mode.stable {
            self.restarts.enter_stable();
        }
    }
}
