//! When to stop: deadlines, cancellation and memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use craig_aig::Poll;

use crate::UnknownReason;
use crate::turns::Turn;

/// Deadline, cancellation and memory limit of a search. Clones are about the same search: what stops one stops all.
///
/// A search has no clock of its own: it calls [`Stop::reason`] regularly and ends when that is `Some`.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    out_of_memory: Arc<AtomicBool>,
    /// Memory was reported to be short, and no engine has been stopped for it yet.
    memory_short: Arc<AtomicBool>,
    /// The place among searches that take turns. Stops made from this one keep it.
    turn: Option<Turn>,
    /// How often it may still be asked until the answer is yes.
    questions_left: Option<Arc<AtomicUsize>>,
}

impl Stop {
    /// Without a deadline: only what is called on it stops a search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops when it has been asked `questions` times, 0 for at once: to test what a search does when it is stopped in the
    /// middle of its work.
    #[must_use]
    pub fn after_questions(questions: usize) -> Self {
        Self {
            questions_left: Some(Arc::new(AtomicUsize::new(questions))),
            ..Self::default()
        }
    }

    /// When it stops, if it has a limit on the time.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Stops at `deadline`.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// For a search that takes turns with others: it waits for its turn in [`Stop::reason`].
    #[must_use]
    pub fn with_turn(mut self, turn: Turn) -> Self {
        self.turn = Some(turn);
        self
    }

    /// With an earlier deadline: after `percent` of the time that is left, and after `at_most`.
    #[must_use]
    pub fn within(self, percent: u32, at_most: Duration) -> Self {
        let now = Instant::now();
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(now));
        let share = left.map_or(at_most, |left| (left * percent / 100).min(at_most));
        self.with_deadline(now + share)
    }

    /// One with the same deadline and memory limit that can be cancelled on its own: a portfolio gives it to its engines
    /// to stop them without being stopped itself. Later cancellations of `self` do NOT reach it; the portfolio passes them
    /// on.
    #[must_use]
    pub fn cancelled_apart(&self) -> Self {
        Self {
            cancelled: Arc::new(AtomicBool::new(self.cancelled.load(Ordering::Relaxed))),
            ..self.clone()
        }
    }

    /// One that shares everything but the out-of-memory state: for one of several engines. A later report to `self` that
    /// memory has run out does NOT reach it.
    #[must_use]
    pub fn out_of_memory_apart(&self) -> Self {
        Self {
            out_of_memory: Arc::new(AtomicBool::new(self.out_of_memory.load(Ordering::Relaxed))),
            ..self.clone()
        }
    }

    /// Stops all that share this.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Stops all that share this, since memory has run out.
    pub fn report_out_of_memory(&self) {
        self.out_of_memory.store(true, Ordering::Relaxed);
    }

    /// Reports to all of this group, those cancelled apart included, that memory is about to run out: a caller that runs
    /// several engines then stops one.
    pub fn report_memory_short(&self) {
        self.memory_short.store(true, Ordering::Relaxed);
    }

    /// Whether memory was reported to be short since the last call.
    #[must_use]
    pub fn take_memory_short(&self) -> bool {
        self.memory_short.swap(false, Ordering::Relaxed)
    }

    /// The reason to stop now, if there is one. Cheap enough for every few hundred conflicts, not for every
    /// propagation. A search that takes turns with others waits here while it is not its turn.
    #[must_use]
    pub fn reason(&self) -> Option<UnknownReason> {
        let reason = self.reason_at_once();
        if let (None, Some(turn)) = (&reason, &self.turn) {
            turn.wait(|| self.reason_at_once().is_some());
            return self.reason_at_once();
        }
        reason
    }

    /// For loops whose steps are too short to ask in each: asks now and then.
    #[must_use]
    pub fn poll(&self) -> Poll<'_> {
        Poll::new(|| self.reason().is_some())
    }

    /// The reason to stop now, without waiting for a turn.
    fn reason_at_once(&self) -> Option<UnknownReason> {
        if self.has_no_questions_left() {
            return Some(UnknownReason::Cancelled);
        }
        if self.out_of_memory.load(Ordering::Relaxed) {
            Some(UnknownReason::OutOfMemory)
        } else if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            Some(UnknownReason::Timeout)
        } else if self.cancelled.load(Ordering::Relaxed) {
            Some(UnknownReason::Cancelled)
        } else {
            None
        }
    }

    /// Whether the questions of [`Stop::after_questions`] are used up.
    fn has_no_questions_left(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        self.questions_left.as_ref().is_some_and(|left| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
                .is_err()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stops_one_stops_those_that_share_it() {
        let stop = Stop::new();
        let (shared, apart) = (stop.clone(), stop.cancelled_apart());
        let member = stop.out_of_memory_apart();
        stop.cancel();
        assert_eq!(shared.reason(), Some(UnknownReason::Cancelled));
        assert_eq!(apart.reason(), None);
        assert_eq!(member.reason(), Some(UnknownReason::Cancelled));
        apart.report_out_of_memory();
        assert_eq!(stop.reason(), Some(UnknownReason::OutOfMemory));
        assert_eq!(member.reason(), Some(UnknownReason::Cancelled));
        apart.report_memory_short();
        assert!(member.take_memory_short() && !stop.take_memory_short());
    }

    #[test]
    fn a_share_of_the_time_ends_before_the_whole() {
        let whole = Stop::new().with_deadline(Instant::now() + Duration::from_secs(3600));
        assert_eq!(whole.reason(), None);
        assert_eq!(
            whole.clone().within(50, Duration::from_secs(60)).reason(),
            None
        );
        let none = whole.clone().within(0, Duration::from_secs(60));
        assert_eq!(none.reason(), Some(UnknownReason::Timeout));
        let none = Stop::new().within(100, Duration::ZERO);
        assert_eq!(none.reason(), Some(UnknownReason::Timeout));
    }

    #[test]
    fn questions_run_out() {
        let stop = Stop::after_questions(2);
        let reasons = [(); 3].map(|()| stop.reason());
        assert_eq!(reasons, [None, None, Some(UnknownReason::Cancelled)]);
    }
}
