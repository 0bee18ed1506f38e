//! One query: assumptions, decisions and learning.

use super::values::{FALSE, TRUE, UNASSIGNED};
use super::{Guarded, QuerySolver, Statistics};
use crate::cdcl::Answer;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::luby::luby;

/// Restarts happen after this many conflicts times the Luby sequence.
const RESTART_INTERVAL: u64 = 100;
/// The callback of a query is polled after this much work, in propagated literals, decisions and conflicts.
pub(super) const POLL_INTERVAL: u64 = 1 << 14;
/// The work of a conflict, in addition to its propagations: analysis visits some clauses.
const CONFLICT_WORK: u64 = 64;

/// The schedule of polls.
struct Poll<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    next: u64,
}

impl Poll<'_> {
    /// Polls if enough work has been done since the last poll.
    #[inline]
    fn says_stop(&mut self, work: u64) -> bool {
        if work < self.next {
            return false;
        }
        self.next = work + POLL_INTERVAL;
        (self.stop)()
    }
}

/// The result of assigning the assumptions of a query.
enum Assumed {
    All,
    /// Some of them are inconsistent; the failed ones are recorded.
    Failed,
    Stopped,
}

impl QuerySolver {
    /// Searches from level 0; all facts have been propagated and the domain has been set up.
    pub(super) fn search(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer {
        let mut conflicts = 0u64;
        let mut restarts = 0u64;
        let mut until_restart = RESTART_INTERVAL * luby(restarts);
        let mut poll = Poll {
            stop,
            next: self.work() + POLL_INTERVAL,
        };
        loop {
            if self.level() == 0 {
                if !self.propagate_facts() {
                    return Answer::Unsatisfiable;
                }
                match self.assume(assumptions, &mut poll) {
                    Assumed::All => {}
                    Assumed::Failed => return Answer::Unsatisfiable,
                    Assumed::Stopped => {
                        self.backtrack(0);
                        return Answer::Unknown;
                    }
                }
            }
            if poll.says_stop(self.work()) {
                self.backtrack(0);
                return Answer::Unknown;
            }
            if let Some(conflict) = self.propagate::<false>() {
                if self.level() == 1 {
                    self.explain_conflict(conflict);
                    return Answer::Unsatisfiable;
                }
                conflicts += 1;
                self.statistics.conflicts += 1;
                if !self.learn(conflict) {
                    self.backtrack(0);
                    return Answer::Unknown;
                }
                if conflicts >= until_restart && self.level() > 1 {
                    restarts += 1;
                    until_restart = conflicts + RESTART_INTERVAL * luby(restarts);
                    self.backtrack(1);
                }
                continue;
            }
            let values = &self.values;
            let free = |var: u32| values[2 * var as usize] == UNASSIGNED;
            let n_assigned = self.trail.len() - self.levels_start[0];
            let Some(var) = self.order.next(self.domain.list(), n_assigned, free) else {
                return Answer::Satisfiable;
            };
            self.statistics.decisions += 1;
            self.levels_start.push(self.trail.len());
            let lit = Var::new(var as usize).lit(!self.phases[var as usize]);
            self.assign(lit, ClauseRef::NONE);
        }
    }

    /// Opens level 1 and assigns the activation literal and all assumptions there, propagating after each, so
    /// that assumptions implied by earlier ones are not reported as failed.
    fn assume(&mut self, assumptions: &[Lit], poll: &mut Poll<'_>) -> Assumed {
        debug_assert_eq!(self.level(), 0);
        self.levels_start.push(self.trail.len());
        let activation = (!self.temporary.is_empty()).then_some(self.activation);
        for lit in activation.into_iter().chain(assumptions.iter().copied()) {
            if poll.says_stop(self.work()) {
                return Assumed::Stopped;
            }
            match self.values[lit.index()] {
                TRUE => {}
                FALSE => {
                    self.explain_false_assumption(lit);
                    return Assumed::Failed;
                }
                _ => {
                    self.assign(lit, ClauseRef::NONE);
                    if let Some(conflict) = self.propagate::<false>() {
                        self.explain_conflict(conflict);
                        return Assumed::Failed;
                    }
                }
            }
        }
        self.assume_guarded()
    }

    /// Propagates the clauses of a literal and a guard whose guard is false. All that are about the domain are looked at,
    /// which takes time for the domain, and not for all clauses of the guard.
    fn assume_guarded(&mut self) -> Assumed {
        if self.guarded.is_empty() {
            return Assumed::All;
        }
        for place in 0..self.domain.list().len() {
            let var = self.domain.list()[place] as usize;
            let n_clauses = self.guarded.get(var).map_or(0, Vec::len);
            for index in 0..n_clauses {
                let Guarded { lit, guard, clause } = self.guarded[var][index];
                if self.values[guard.index()] != FALSE
                    || self.values[lit.index()] != UNASSIGNED
                    || self.clauses.is_deleted(clause)
                {
                    continue;
                }
                self.assign(lit, clause);
                if let Some(conflict) = self.propagate::<false>() {
                    self.explain_conflict(conflict);
                    return Assumed::Failed;
                }
            }
        }
        Assumed::All
    }

    /// The work done so far, as [`Poll`] counts it.
    fn work(&self) -> u64 {
        let Statistics {
            propagations,
            decisions,
            conflicts,
            ..
        } = self.statistics;
        propagations + decisions + CONFLICT_WORK * conflicts
    }

    /// Propagates the facts of level 0 in all clauses; `false` if that ends in a conflict.
    pub(super) fn propagate_facts(&mut self) -> bool {
        debug_assert_eq!(self.level(), 0);
        if self.propagated < self.trail.len() && self.propagate::<true>().is_some() {
            self.inconsistent = true;
        }
        !self.inconsistent
    }
}
