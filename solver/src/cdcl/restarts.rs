//! The averages and the counter behind restarts.

use super::ema::Ema;
use crate::luby::luby;

/// The unit of reluctant doubling.
const RELUCTANT_PERIOD: u64 = 1024;
/// The longest interval of reluctant doubling.
const RELUCTANT_MAX: u64 = 1 << 20;

/// The averages of one mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Averages {
    pub(super) fast_glue: Ema,
    pub(super) slow_glue: Ema,
}

impl Averages {
    pub(super) fn new() -> Self {
        Self {
            fast_glue: Ema::new(0.03),
            slow_glue: Ema::new(1e-5),
        }
    }
}

/// The Luby sequence times a period, counted down by conflicts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reluctant {
    /// The index of the present interval in the sequence.
    index: u64,
    countdown: u64,
    /// Whether an interval has ended since this was last reset.
    pub(super) triggered: bool,
}

impl Reluctant {
    fn new() -> Self {
        Self {
            index: 0,
            countdown: RELUCTANT_PERIOD,
            triggered: false,
        }
    }

    fn tick(&mut self) {
        self.countdown -= 1;
        if self.countdown > 0 {
            return;
        }
        self.index += 1;
        if luby(self.index) * RELUCTANT_PERIOD > RELUCTANT_MAX {
            self.index = 0;
        }
        self.countdown = luby(self.index) * RELUCTANT_PERIOD;
        self.triggered = true;
    }
}

/// The state of both policies.
#[derive(Clone, Debug)]
pub(super) struct Restarts {
    /// By mode: focused, stable.
    pub(super) averages: [Averages; 2],
    pub(super) reluctant: Reluctant,
    pub(super) next: u64,
}

impl Default for Restarts {
    fn default() -> Self {
        Self {
            averages: [Averages::new(); 2],
            reluctant: Reluctant::new(),
            next: 0,
        }
    }
}

impl Restarts {
    /// Updates the averages with the glue of a learned clause.
    pub(super) fn note_glue(&mut self, glue: u32, stable: bool) {
        let averages = &mut self.averages[usize::from(stable)];
        averages.fast_glue.update(f64::from(glue));
        averages.slow_glue.update(f64::from(glue));
        if stable {
            self.reluctant.tick();
        }
    }

    /// Restarts the sequence when stable mode begins.
    pub(super) fn enter_stable(&mut self) {
        self.reluctant = Reluctant::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reluctant_doubling_follows_luby() {
        let mut reluctant = Reluctant::new();
        let mut intervals = Vec::new();
        let mut since = 0;
        while intervals.len() < 15 {
            since += 1;
            reluctant.tick();
            if std::mem::take(&mut reluctant.triggered) {
                intervals.push(since / RELUCTANT_PERIOD);
                since = 0;
            }
        }
        assert_eq!(intervals, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
