//! When to start over from the assumptions.
//!
//! In focused mode, when the learned clauses get worse: when a fast average of their glue exceeds a slow one by a
//! margin (Audemard and Simon, CP 2012; Biere and Fröhlich, POS 2015). In stable mode, rarely: after
//! multiples of 1024 conflicts given by *reluctant doubling* (Knuth, TAOCP 7.2.2.2; the sequence of Luby et al.).

use super::Solver;
use super::ema::Ema;
use crate::proof::ProofSink;

/// How much worse than usual glue has to be.
const MARGIN: f64 = 1.1;
/// The fewest conflicts between two restarts in focused mode.
const MIN_INTERVAL: u64 = 2;
/// The unit of reluctant doubling.
const RELUCTANT_PERIOD: u64 = 1024;
/// The longest interval of reluctant doubling.
const RELUCTANT_MAX: u64 = 1 << 20;

/// The averages of one mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Averages {
    fast_glue: Ema,
    slow_glue: Ema,
}

impl Averages {
    fn new() -> Self {
        Self {
            fast_glue: Ema::new(0.03),
            slow_glue: Ema::new(1e-5),
        }
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, ... times a period, counted down by conflicts.
#[derive(Clone, Copy, Debug)]
struct Reluctant {
    u: u64,
    v: u64,
    countdown: u64,
    triggered: bool,
}

impl Reluctant {
    fn new() -> Self {
        Self {
            u: 1,
            v: 1,
            countdown: RELUCTANT_PERIOD,
            triggered: false,
        }
    }

    fn tick(&mut self) {
        self.countdown -= 1;
        if self.countdown > 0 {
            return;
        }
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        if self.v * RELUCTANT_PERIOD > RELUCTANT_MAX {
            self.u = 1;
            self.v = 1;
        }
        self.countdown = self.v * RELUCTANT_PERIOD;
        self.triggered = true;
    }
}

/// The state of both policies.
#[derive(Clone, Debug)]
pub(super) struct Restarts {
    /// By mode: focused, stable.
    averages: [Averages; 2],
    reluctant: Reluctant,
    next: u64,
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
    /// Takes note of the glue of a learned clause.
    pub(super) fn note_glue(&mut self, glue: u32, stable: bool) {
        let averages = &mut self.averages[usize::from(stable)];
        averages.fast_glue.update(f64::from(glue));
        averages.slow_glue.update(f64::from(glue));
        if stable {
            self.reluctant.tick();
        }
    }

    /// Starts the stable sequence over, when stable mode begins.
    pub(super) fn enter_stable(&mut self) {
        self.reluctant = Reluctant::new();
    }
}

impl<P: ProofSink> Solver<P> {
    /// The level up to which assumptions (and temporary clauses) have been decided, which restarts keep.
    pub(super) fn assumption_level(&self) -> u32 {
        (self.assumptions.len() as u32 + self.base_level).min(self.trail.level())
    }

    /// Whether it is time to start over.
    pub(super) fn wants_to_restart(&mut self) -> bool {
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

    /// Starts over, keeping what would be decided the same way again.
    pub(super) fn restart(&mut self) {
        self.statistics.restarts += 1;
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
