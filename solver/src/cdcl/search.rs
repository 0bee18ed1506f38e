//! The search loop: propagation, conflict analysis, and scheduled techniques between conflicts.

use super::answer::{Answer, UnknownReason};
use super::options::Limits;
use super::propagator::Consulted;
use super::solver::Solver;
use super::state::ROUND_WORK;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Searches until there is an answer or a limit is reached.
    pub(super) fn search(&mut self) -> Answer {
        let limits = AbsoluteLimits::new(
            self.limits,
            self.statistics.conflicts,
            self.statistics.propagations,
        );
        let mut ticks = self.statistics.ticks;
        loop {
            if let Some(conflict) = self.propagate() {
                self.statistics.conflicts += 1;
                if self.trail.level() == 0 {
                    self.derive_empty(conflict);
                    return Answer::Unsatisfiable;
                }
                if self.trail.level() <= self.base_level {
                    return Answer::Unsatisfiable;
                }
                self.learn(conflict);
                if self.statistics.conflicts >= limits.conflicts {
                    self.stop.reason.get_or_insert(UnknownReason::Limit);
                    return Answer::Unknown;
                }
                continue;
            }
            if self.trail.level() == 0 {
                self.derive_units_in_time();
            }
            let work = self.statistics.ticks - std::mem::replace(&mut ticks, self.statistics.ticks);
            if self.stop.is_due(ROUND_WORK + work) {
                return Answer::Unknown;
            }
            if self.is_proof_lost() {
                self.stop.reason = Some(UnknownReason::Memory);
                return Answer::Unknown;
            }
            if limits.are_reached(self.statistics.conflicts, self.statistics.propagations) {
                self.stop.reason = Some(UnknownReason::Limit);
                return Answer::Unknown;
            }
            if self.has_propagator() {
                match self.consult() {
                    Consulted::Unchanged => {}
                    Consulted::Changed => continue,
                    Consulted::Inconsistent => return Answer::Unsatisfiable,
                }
            }
            if self.is_time_to_exchange() {
                if !self.exchange() {
                    return Answer::Unsatisfiable;
                }
            } else if self.is_time_to_restart() {
                self.restart();
            } else if self.is_time_to_switch_mode() {
                self.switch_mode();
            } else if self.is_time_to_rephase() {
                self.rephase();
            } else if self.is_time_to_reduce() {
                self.reduce();
            } else if self.is_time_to_inprocess() {
                if !self.inprocess() {
                    return Answer::Unsatisfiable;
                }
            } else {
                match self.next_decision() {
                    Next::Decision(lit) => {
                        self.trail.new_level();
                        self.trail.assign(lit, ClauseRef::NONE);
                    }
                    Next::Temporaries => {
                        if !self.begin_base_level() {
                            return Answer::Unsatisfiable;
                        }
                    }
                    Next::Failed(lit) => {
                        self.analyze_failed(lit);
                        return Answer::Unsatisfiable;
                    }
                    Next::AllAssigned if self.has_propagator() => match self.check_external() {
                        Consulted::Unchanged => return Answer::Satisfiable,
                        Consulted::Changed => {}
                        Consulted::Inconsistent => return Answer::Unsatisfiable,
                    },
                    Next::AllAssigned => return Answer::Satisfiable,
                }
            }
        }
    }

    /// The next assignment: the units of temporary clauses, then assumptions, then decisions by the order of
    /// the mode.
    fn next_decision(&mut self) -> Next {
        if self.trail.level() < self.base_level {
            return Next::Temporaries;
        }
        while let Some(&assumption) = self
            .assumptions
            .get((self.trail.level() - self.base_level) as usize)
        {
            match self.trail.value(assumption) {
                0 => return Next::Decision(assumption),
                1 => self.trail.new_level(),
                _ => return Next::Failed(assumption),
            }
        }
        if self.has_propagator()
            && let Some(lit) = self.external_decision()
        {
            self.statistics.decisions += 1;
            return Next::Decision(lit);
        }
        match self.next_variable() {
            Some(var) => {
                self.statistics.decisions += 1;
                Next::Decision(self.phases.choose(var, self.mode.stable))
            }
            None => Next::AllAssigned,
        }
    }

    /// Whether there is a propagator that takes part in this call.
    #[inline]
    fn has_propagator(&self) -> bool {
        self.external.is_connected() && self.base_level == 0 && !self.decisions.has_domain()
    }

    /// Whether a part of the proof could not be stored, so that it can't end in a refutation.
    pub(super) fn is_proof_lost(&self) -> bool {
        P::ENABLED && (self.chain.is_exhausted || self.proof.is_full())
    }

    /// Whether the interrupt flag is set or the stop callback returns `true`: for callers that add very many
    /// clauses.
    #[must_use]
    pub fn is_asked_to_stop(&mut self) -> bool {
        self.stop.is_requested()
    }
}

/// The next action of the search.
enum Next {
    Decision(Lit),
    Temporaries,
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

    fn are_reached(&self, conflicts: u64, propagations: u64) -> bool {
        conflicts >= self.conflicts || propagations >= self.propagations
    }
}
