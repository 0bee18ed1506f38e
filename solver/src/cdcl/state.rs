//! State of the solver shared by several techniques.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::answer::UnknownReason;
use super::statistics::Statistics;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ClauseId;

/// Called regularly during a call; `true` ends the call.
pub type StopCallback = Box<dyn FnMut() -> bool + Send>;

/// The flag and the callback that end a call. A clone shares the flag, has no callback, and tells nobody of conflicts.
pub(super) struct Stop {
    pub(super) interrupt: Option<Arc<AtomicBool>>,
    pub(super) callback: Option<StopCallback>,
    /// Where the number of conflicts is told.
    pub(super) conflicts: Option<Arc<AtomicU64>>,
    /// Where all counters are told.
    pub(super) counters: Option<Arc<Mutex<Statistics>>>,
    /// The flag and the callback are polled after this much work, in units of about a cache miss; at least 1.
    pub(super) interval: u64,
    /// The work since the last poll.
    work: u64,
    /// Why the current call has to end, or why the last one had no answer.
    pub(super) reason: Option<UnknownReason>,
    /// Whether a clause of the formula could not be stored, so that no later call has an answer.
    pub(super) lacks_clause: bool,
}

/// The default of [`Stop::interval`].
const POLL_INTERVAL: u64 = 10_000;
/// The work of one iteration of the search loop, in addition to the ticks of its propagation.
pub(super) const ROUND_WORK: u64 = POLL_INTERVAL / 256;

impl Default for Stop {
    fn default() -> Self {
        Self {
            interrupt: None,
            callback: None,
            conflicts: None,
            counters: None,
            interval: POLL_INTERVAL,
            work: 0,
            reason: None,
            lacks_clause: false,
        }
    }
}

impl Clone for Stop {
    fn clone(&self) -> Self {
        Self {
            interrupt: self.interrupt.clone(),
            callback: None,
            conflicts: None,
            counters: None,
            interval: self.interval,
            work: 0,
            reason: self.reason,
            lacks_clause: self.lacks_clause,
        }
    }
}

impl Stop {
    /// Begins a call; its first unit of work polls the flag and the callback.
    pub(super) fn begin_call(&mut self) {
        self.work = self.interval;
        self.reason = None;
    }

    /// Counts work, and returns whether the call has to end. This stays `true` until the next call.
    #[inline]
    pub(super) fn is_due(&mut self, work: u64) -> bool {
        self.work += work;
        if self.work >= self.interval && self.reason.is_none() {
            self.work = 0;
            if self.is_requested() {
                self.reason = Some(UnknownReason::Stopped);
            }
        }
        self.reason.is_some()
    }

    /// Tells the counters to who wants to know them during a call.
    pub(super) fn tell(&self, statistics: &Statistics) {
        if let Some(told) = &self.conflicts {
            told.store(statistics.conflicts, Ordering::Relaxed);
        }
        if let Some(told) = &self.counters {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = *statistics;
        }
    }

    /// Polls the flag and the callback.
    pub(super) fn is_requested(&mut self) -> bool {
        let flag = self.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.callback.as_mut().is_some_and(|stop| stop())
    }
}

/// The clauses of the store but for temporary ones.
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseLists {
    pub(super) irredundant: Vec<ClauseRef>,
    pub(super) redundant: Vec<ClauseRef>,
    /// Clauses that were added with literals that are false at level 0; `solve` shortens them.
    pub(super) pending: Vec<ClauseRef>,
}

/// When redundant clauses are reduced, and what the last reduction kept.
#[derive(Clone, Debug)]
pub(super) struct Reductions {
    /// The number of conflicts at which to reduce next.
    pub(super) next: u64,
    /// The largest glue and the largest size among the candidates that the last reduction kept.
    pub(super) last_kept: (u32, u32),
}

impl Default for Reductions {
    fn default() -> Self {
        Self {
            next: 300,
            last_kept: (0, 0),
        }
    }
}

/// The result of a call, except for the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) failed: Vec<Lit>,
    pub(super) refutation: Option<ClauseId>,
    /// The clause of negated assumptions that the last call derived; the next one reports it as deleted.
    pub(super) failed_clause: Option<ClauseId>,
    /// Whether the clauses alone are unsatisfiable; then `empty_clause` is the number of the empty clause.
    pub(super) inconsistent: bool,
    pub(super) empty_clause: ClauseId,
}

/// The last model.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// By variable: `2 * number + value` of the last model that it had a value in.
    pub(super) values: Vec<u64>,
    /// The number of models so far.
    pub(super) number: u64,
}

/// Vectors kept for their capacity; their contents are invalid between uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// For the literals of a clause.
    pub(super) clause_lits: Vec<Lit>,
    /// For a part of a clause.
    pub(super) rest: Vec<Lit>,
}
