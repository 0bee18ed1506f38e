//! Searches that take turns: more of them than may run at once, each in a thread of its own.
//!
//! A search keeps its state between its turns, so that no work is lost. It gives its turn away in
//! [`Stop::reason`](crate::Stop::reason), which every search calls regularly.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The length of a turn of [`Turn::places`].
const SLICE: Duration = Duration::from_millis(50);

/// The delay after which a search that waits looks whether it has to stop, at most.
const POLL: Duration = Duration::from_millis(20);

/// The lengths of a member's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Of its first turn.
    pub first: Duration,
    /// Of its later turns.
    pub later: Duration,
}

impl Lengths {
    /// All of one length.
    #[must_use]
    pub fn equal(length: Duration) -> Self {
        Self {
            first: length,
            later: length,
        }
    }
}

/// The place of a search among others. Clones are the same place.
#[derive(Clone, Debug)]
pub struct Turn {
    table: Arc<Table>,
    member: usize,
}

#[derive(Debug)]
struct Table {
    /// The lengths of the members' turns.
    lengths: Vec<Lengths>,
    state: Mutex<State>,
    changed: Condvar,
}

/// No member is both running and waiting; a member that has left is neither.
#[derive(Debug)]
struct State {
    /// The members whose turn it is, and the ends of their turns.
    running: Vec<(usize, Instant)>,
    /// The others, the next one first.
    waiting: VecDeque<usize>,
    /// By member: whether its first turn has begun.
    has_begun: Vec<bool>,
}

impl Turn {
    /// `n_members` places, of which `n_running` have their turn at once. All turns are equally long.
    #[must_use]
    pub fn places(n_members: usize, n_running: usize) -> Vec<Self> {
        Self::places_for(vec![Lengths::equal(SLICE); n_members], n_running)
    }

    /// A place for each of these lengths of turns, of which `n_running` have their turn at once.
    #[must_use]
    pub fn places_for(lengths: Vec<Lengths>, n_running: usize) -> Vec<Self> {
        let start = Instant::now();
        let n_members = lengths.len();
        let n_running = n_running.clamp(1, n_members.max(1));
        let state = State {
            running: (lengths.iter().enumerate().take(n_running))
                .map(|(member, lengths)| (member, start + lengths.first))
                .collect(),
            waiting: (n_running..n_members).collect(),
            has_begun: (0..n_members).map(|member| member < n_running).collect(),
        };
        let table = Arc::new(Table {
            lengths,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        (0..n_members)
            .map(|member| Self {
                table: Arc::clone(&table),
                member,
            })
            .collect()
    }

    /// Returns at once during a turn. Afterwards gives it away, if another member waits for it, and returns
    /// at the beginning of the next one, or when `is_stopped`.
    pub fn wait(&self, is_stopped: impl Fn() -> bool) {
        let mut state = self.lock();
        loop {
            let place = (state.running.iter()).position(|&(member, _)| member == self.member);
            if let Some(place) = place {
                if state.waiting.is_empty() || Instant::now() < state.running[place].1 {
                    return;
                }
                state.running.swap_remove(place);
                state.waiting.push_back(self.member);
                self.start_next(&mut state);
            } else if is_stopped() {
                return;
            } else {
                let changed = self.table.changed.wait_timeout(state, POLL);
                state = changed.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Leaves the table at the end of the search: the others share its turns.
    pub fn leave(&self) {
        let mut state = self.lock();
        state.waiting.retain(|&member| member != self.member);
        let n_running = state.running.len();
        state.running.retain(|&(member, _)| member != self.member);
        if state.running.len() < n_running {
            self.start_next(&mut state);
        }
    }

    /// Gives the turn that has become free to the member that has waited longest.
    fn start_next(&self, state: &mut State) {
        if let Some(next) = state.waiting.pop_front() {
            let has_begun = std::mem::replace(&mut state.has_begun[next], true);
            let lengths = self.table.lengths[next];
            let length = if has_begun {
                lengths.later
            } else {
                lengths.first
            };
            state.running.push((next, Instant::now() + length));
            self.table.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.table.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    /// Members that count while it is their turn: never more at once than allowed, and all of them advance.
    #[test]
    fn members_take_turns() {
        let (n_members, n_running) = (5, 2);
        let at_work = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let n_turns: Vec<AtomicUsize> = (0..n_members).map(|_| AtomicUsize::new(0)).collect();
        std::thread::scope(|scope| {
            for (turn, n_turns) in Turn::places(n_members, n_running).into_iter().zip(&n_turns) {
                let (at_work, most, is_over) = (&at_work, &most, &is_over);
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        turn.wait(|| is_over.load(Ordering::Relaxed));
                        let others = at_work.fetch_add(1, Ordering::SeqCst);
                        if !is_over.load(Ordering::SeqCst) {
                            most.fetch_max(others + 1, Ordering::SeqCst);
                            n_turns.fetch_add(1, Ordering::SeqCst);
                        }
                        at_work.fetch_sub(1, Ordering::SeqCst);
                    }
                    turn.leave();
                });
            }
            while n_turns.iter().any(|n| n.load(Ordering::SeqCst) == 0) {
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::SeqCst);
        });
        assert!(most.load(Ordering::SeqCst) <= n_running);
    }

    /// The first turn of the first member is over at once, and its later ones never are.
    #[test]
    fn turns_have_their_lengths() {
        let endless = Duration::from_secs(3600);
        let first = Lengths {
            first: Duration::ZERO,
            later: endless,
        };
        let places = Turn::places_for(vec![first, Lengths::equal(Duration::ZERO)], 1);
        let running = || -> Vec<usize> {
            let state = places[0].lock();
            state.running.iter().map(|&(member, _)| member).collect()
        };
        assert_eq!(running(), [0]);
        for (member, next) in [(0, 1), (1, 0), (0, 0)] {
            places[member].wait(|| true);
            assert_eq!(running(), [next]);
        }
    }

    /// One that waits gets the turn of one that leaves.
    #[test]
    fn a_member_that_leaves_makes_way() {
        let places = Turn::places(2, 1);
        let is_stopped = AtomicBool::new(false);
        places[0].leave();
        places[1].wait(|| is_stopped.swap(true, Ordering::Relaxed));
        assert!(!is_stopped.load(Ordering::Relaxed), "it had to wait");
    }

    /// One that has to stop does not wait for its turn.
    #[test]
    fn a_member_that_is_stopped_does_not_wait() {
        let places = Turn::places(2, 1);
        places[1].wait(|| true);
    }
}
