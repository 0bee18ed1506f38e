//! Alternation of focused and stable mode.
//!
//! Focused mode (VMTF, many restarts) is good at refuting, stable mode (activities, target phases, few
//! restarts) at finding models (Oh, "Between SAT and UNSAT", SAT 2015). Each phase lasts twice as many
//! conflicts as the one before, so that most of a long search consists of its last few phases. Phase lengths
//! that grow with the square of the phase number took more conflicts (bench/records/solver.md).

/// The length stays constant after this many doublings, so that it does not overflow.
const MAX_DOUBLINGS: u32 = 40;

/// The current mode and when it ends.
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
    /// Stable or focused mode for the first `interval` conflicts.
    pub(super) fn new(interval: u64, stable: bool) -> Self {
        Self {
            stable,
            phases: 0,
            interval,
            end: interval,
        }
    }

    /// Begins the next phase, given the number of conflicts so far.
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
        let mut mode = Mode::new(1000, false);
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
