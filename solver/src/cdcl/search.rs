//! The search loop: propagate, learn from conflicts, restart, assume, decide.

use std::sync::atomic::Ordering;

use super::Solver;
use super::arena::ClauseRef;
use super::{Answer, Limits};
use crate::lit::Lit;
use crate::proof::ProofSink;

/// How many conflicts a unit of the restart sequence is.
const RESTART_INTERVAL: u64 = 100;

/// How many decisions or conflicts there are between looks at the interrupt flag and the callback.
const POLL_INTERVAL: u64 = 256;

/// Element number `index` (from 0) of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...
/// (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
fn luby(index: u64) -> u64 {
    let mut index = index + 1;
    loop {
        let bits = 64 - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

impl<P: ProofSink> Solver<P> {
    /// Searches until there is an answer or a limit is reached.
    pub(super) fn search(&mut self) -> Answer {
        let limits = AbsoluteLimits::new(
            self.limits,
            self.statistics.conflicts,
            self.statistics.propagations,
        );
        let mut until_restart = RESTART_INTERVAL;
        let mut restarts = 0;
        let mut until_poll = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                self.statistics.conflicts += 1;
                if self.trail.level() == 0 {
                    self.derive_empty(conflict);
                    return Answer::Unsatisfiable;
                }
                self.learn(conflict);
                until_restart = until_restart.saturating_sub(1);
                continue;
            }
            if self.trail.level() == 0 {
                self.derive_units();
            }
            if until_poll == 0 {
                until_poll = POLL_INTERVAL;
                if self.is_told_to_stop() {
                    return Answer::Unknown;
                }
            }
            until_poll -= 1;
            if self.statistics.conflicts >= limits.conflicts
                || self.statistics.propagations >= limits.propagations
            {
                return Answer::Unknown;
            }
            if until_restart == 0 {
                restarts += 1;
                self.statistics.restarts += 1;
                until_restart = RESTART_INTERVAL * luby(restarts);
                self.backtrack(0);
            }
            if self.wants_to_reduce() {
                self.reduce();
            }
            match self.next_decision() {
                Next::Decision(lit) => {
                    self.trail.new_level();
                    self.trail.assign(lit, ClauseRef::NONE);
                }
                Next::Failed(lit) => {
                    self.analyze_failed(lit);
                    return Answer::Unsatisfiable;
                }
                Next::AllAssigned => return Answer::Satisfiable,
            }
        }
    }

    /// What to assign next: an assumption if one is left, else a variable of high activity.
    fn next_decision(&mut self) -> Next {
        while let Some(&assumption) = self.assumptions.get(self.trail.level() as usize) {
            match self.trail.value(assumption) {
                0 => return Next::Decision(assumption),
                1 => self.trail.new_level(),
                _ => return Next::Failed(assumption),
            }
        }
        while let Some(var) = self.heap.pop() {
            if self.trail.value(var.positive()) == 0 {
                self.statistics.decisions += 1;
                return Next::Decision(var.lit(!self.phases[var.index()]));
            }
        }
        Next::AllAssigned
    }

    /// Undoes all levels above `level`.
    pub(super) fn backtrack(&mut self, level: u32) {
        let Self {
            trail,
            heap,
            phases,
            ..
        } = self;
        trail.backtrack(level, |lit| {
            phases[lit.var().index()] = !lit.is_negated();
            heap.insert(lit.var());
        });
    }

    fn is_told_to_stop(&mut self) -> bool {
        self.interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.stop_callback.as_mut().is_some_and(|stop| stop())
    }
}

/// What the search does next.
enum Next {
    Decision(Lit),
    Failed(Lit),
    AllAssigned,
}

/// Limits of a call as values of the counters.
struct AbsoluteLimits {
    conflicts: u64,
    propagations: u64,
}

impl AbsoluteLimits {
    fn new(limits: Limits, conflicts: u64, propagations: u64) -> Self {
        let absolute = |limit: Option<u64>, now: u64| {
            limit.map_or(u64::MAX, |limit| now.saturating_add(limit))
        };
        Self {
            conflicts: absolute(limits.conflicts, conflicts),
            propagations: absolute(limits.propagations, propagations),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luby_starts_as_published() {
        let start: Vec<_> = (0..15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
