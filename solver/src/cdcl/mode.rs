//! Focused and stable search in turn.
//!
//! Focused mode (VMTF, many restarts) is good at refuting, stable mode (activities, target phases, few
//! restarts) at finding models (Oh, "Between SAT and UNSAT", SAT 2015). They get equal shares of effort, measured
//! in *ticks*, an estimate of cache lines touched by propagation, since time would make runs unrepeatable.
//! The first focused phase lasts a number of conflicts and thereby fixes the unit of ticks; phase pair `k` lasts `k²`
//! units each.

use super::Solver;
use crate::proof::ProofSink;

/// Conflicts of the first focused phase.
const FIRST_PHASE: u64 = 1000;

/// Which mode the search is in and when it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mode {
    /// Stable rather than focused.
    pub(super) stable: bool,
    /// Ticks of the first phase; 0 while it lasts.
    unit: u64,
    /// Completed phases.
    phases: u64,
    /// The value of the tick counter at which the phase ends.
    end: u64,
}

impl Mode {
    /// Lets the phase end later by ticks that were not spent on search.
    pub(super) fn postpone(&mut self, ticks: u64) {
        self.end += ticks;
    }
}

impl<P: ProofSink> Solver<P> {
    /// Whether the current phase is over.
    pub(super) fn wants_to_switch_mode(&self) -> bool {
        self.options.stable
            && if self.mode.unit == 0 {
                self.statistics.conflicts >= FIRST_PHASE
            } else {
                self.statistics.ticks >= self.mode.end
            }
    }

    /// Goes over to the other mode.
    pub(super) fn switch_mode(&mut self) {
        self.statistics.mode_switches += 1;
        self.update_target_and_best(false);
        self.backtrack(self.assumption_level());
        let mode = &mut self.mode;
        if mode.unit == 0 {
            mode.unit = self.statistics.ticks.max(1);
        }
        mode.phases += 1;
        let pair = mode.phases.div_ceil(2);
        mode.end = self.statistics.ticks + mode.unit * pair * pair;
        mode.stable = !mode.stable;
        if mode.stable {
            self.restarts.enter_stable();
        }
    }
}
