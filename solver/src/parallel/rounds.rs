//! The deterministic exchange: all searches meet after an equal amount of work each.
//!
//! A search decides by its own counters alone when its round ends, waits there for the others, and takes what they
//! have offered in this round, in their order. So what it does in a round depends only on what all did in the rounds
//! before, and not on the speed of the threads. The first round in which a search has an answer is the last one, and
//! the lowest of those with an answer in it is the winner.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cdcl::Received;

/// The time between two looks at the interrupt flag while waiting.
const PERIOD: Duration = Duration::from_millis(5);

/// What was offered in a round, by search.
pub(super) type Offers = Arc<Vec<Vec<Received>>>;

/// The meeting point.
#[derive(Debug)]
pub(super) struct Rounds {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    round: u64,
    /// Searches that have not ended, and those of them that wait.
    n_active: usize,
    n_waiting: usize,
    /// Of this round, by search.
    offers: Vec<Vec<Received>>,
    /// Of the last round.
    published: Offers,
    /// The round in which a search found an answer.
    last_round: u64,
    is_aborted: bool,
}

impl State {
    fn publish_if_complete(&mut self) -> bool {
        let is_complete = self.n_waiting == self.n_active;
        if is_complete {
            let n_workers = self.offers.len();
            let offers = std::mem::replace(&mut self.offers, vec![Vec::new(); n_workers]);
            self.published = Arc::new(offers);
            self.round += 1;
            self.n_waiting = 0;
        }
        is_complete
    }
}

impl Rounds {
    /// The meeting point of `n_workers` searches.
    pub(super) fn new(n_workers: usize) -> Self {
        Self {
            state: Mutex::new(State {
                round: 0,
                n_active: n_workers,
                n_waiting: 0,
                offers: vec![Vec::new(); n_workers],
                published: Offers::default(),
                last_round: u64::MAX,
                is_aborted: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// The state. No method panics while it has it, so that it is never left half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the round of a search. Waits for the others, and returns what all have offered; `None` if there was an
    /// answer in this round, or `is_asked` returns `true`.
    pub(super) fn meet(
        &self,
        worker: usize,
        offers: Vec<Received>,
        is_asked: impl Fn() -> bool,
    ) -> Option<Offers> {
        let mut state = self.lock();
        let round = state.round;
        state.offers[worker] = offers;
        state.n_waiting += 1;
        if state.publish_if_complete() {
            self.changed.notify_all();
        }
        while state.round == round && !state.is_aborted {
            if is_asked() {
                state.n_waiting -= 1;
                return None;
            }
            let waited = self.changed.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_over = state.is_aborted || state.last_round <= round;
        (!is_over).then(|| Arc::clone(&state.published))
    }

    /// A search has ended, with an answer or without one.
    pub(super) fn leave(&self, has_answer: bool) {
        let mut state = self.lock();
        if has_answer {
            state.last_round = state.last_round.min(state.round);
        }
        state.n_active -= 1;
        if state.n_active > 0 && state.publish_if_complete() {
            self.changed.notify_all();
        }
    }

    /// Nobody waits any more.
    pub(super) fn abort(&self) {
        self.lock().is_aborted = true;
        self.changed.notify_all();
    }
}
