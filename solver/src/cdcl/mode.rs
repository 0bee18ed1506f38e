//! Focused and stable search in turn.
//!
//! Focused mode (VMTF, many restarts) is good at refuting, stable mode (activities, target phases, few
//! restarts) at finding models (Oh, "Between SAT and UNSAT", SAT 2015). Each phase lasts twice as many
//! conflicts as the one before. So most of a long search takes place in its last few phases, long enough for
//! either mode to work on what it has learned itself; phases that grow more slowly, with the square of their
//! number, took more conflicts (docs/lab/solver.md).

/// Phases get no longer after as many doublings, so that their length can be computed however many there are.
const MAX_DOUBLINGS: u32 = 40;

/// Which mode the search is in and when it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// Stable rather than focused.
    pub(super) stable: bool,
    /// Completed phases.
    pub(super) phases: u32,
    /// The conflicts of the first phase.
    interval: u64,
    /// The number of conflicts at which the phase ends.
    pub(super) end: u64,
}

impl Mode {
    /// Focused mode, for so many conflicts.
    pub(super) fn new(interval: u64) -> Self {
        Self {
            stable: false,
            phases: 0,
            interval,
            end: interval,
        }
    }

    /// Begins the next phase, after so many conflicts.
    pub(super) fn switch(&mut self, conflicts: u64) {
        self.stable = !self.stable;
        self.phases += 1;
        let doublings = self.phases.min(MAX_DOUBLINGS);
        self.end = conflicts.saturating_add(self.interval.saturating_mul(1 << doublings));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_alternate_and_double() {
        let mut mode = Mode::new(1000);
        let mut ends = vec![(mode.stable, mode.end)];
        for _ in 0..4 {
            mode.switch(mode.end);
            ends.push((mode.stable, mode.end));
        }
        let expected = [1000, 3000, 7000, 15000, 31000];
        for (number, (phase, end)) in ends.into_iter().zip(expected).enumerate() {
            assert_eq!(phase, (number % 2 == 1, end));
        }
        for _ in 0..100 {
            let end = mode.end;
            mode.switch(end);
            assert!(mode.end > end);
        }
    }
}
