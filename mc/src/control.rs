//! What an engine is given beside its question: when to stop, what is known, and where to report.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use craig_aig::Poll;
use craig_model::turns::Turn;
use craig_model::{Model, Stop, UnknownReason};
use craig_solver::Solver;
use craig_solver::proof::ProofSink;

use crate::board::Board;
use crate::exchange::{FrameExchange, Reached};
use crate::listener::{self, Receiver};

pub use crate::board::Target;
pub use crate::exchange::StateClause;
pub use crate::listener::{Event, Receiver as Listener};

/// The three things that a search has from its caller: a [`Stop`], a [`Board`] and a [`Listener`](listener::Listener).
/// Clones share them.
///
/// An engine assumes that the board is about its own model and bad. For another problem, create a new control, or
/// take [`Control::fork`], [`Control::for_other_model`] or [`Control::apart`] of this one.
///
/// Engines have no clock of their own: they call [`Control::stop_reason`] regularly and return
/// [`Verdict::Unknown`](craig_model::Verdict::Unknown) when it is `Some`.
#[derive(Clone, Default)]
pub struct Control {
    /// When to stop.
    pub stop: Stop,
    /// What is known about the bad of the model.
    pub board: Board,
    /// Where to report progress.
    pub listener: listener::Listener,
}

/// Controls for other searches.
impl Control {
    /// No deadline, nothing known, and no listener.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops at `deadline`.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.stop = self.stop.with_deadline(deadline);
        self
    }

    /// When it stops, if it has a limit on the time.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.stop.deadline()
    }

    /// The control of a search that takes turns with others ([`Stop::with_turn`]).
    #[must_use]
    pub(crate) fn with_turn(mut self, turn: Turn) -> Self {
        self.stop = self.stop.with_turn(turn);
        self
    }

    /// Passes every event to `receiver`.
    #[must_use]
    pub fn with_listener(mut self, receiver: Receiver) -> Self {
        self.listener = self.listener.with_receiver(receiver);
        self
    }

    /// With the hints of [`Board::with_candidates`].
    #[must_use]
    pub fn with_candidates(mut self, candidates: Vec<StateClause>) -> Self {
        self.board = self.board.with_candidates(candidates);
        self
    }

    /// With the hints of [`Board::with_late_latches`].
    #[must_use]
    pub fn with_late_latches(mut self, latches: Vec<usize>) -> Self {
        self.board = self.board.with_late_latches(latches);
        self
    }

    /// With the hints of [`Board::with_known_frames`].
    #[must_use]
    pub fn with_known_frames(mut self, frames: Arc<Reached>) -> Self {
        self.board = self.board.with_known_frames(frames);
        self
    }

    /// With a stop that can be cancelled on its own ([`Stop::cancelled_apart`]), and the hints of this board without
    /// what engines have shared: for the members of a portfolio.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            stop: self.stop.cancelled_apart(),
            board: self.board.hints(),
            listener: self.listener.clone(),
        }
    }

    /// The listener gets no events after `is_over` is set.
    #[must_use]
    pub(crate) fn silent_after(mut self, is_over: &Arc<AtomicBool>) -> Self {
        self.listener = self.listener.silent_after(is_over);
        self
    }

    /// For a subproblem: with the same stop, an empty board, and no listener.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            stop: self.stop.clone(),
            ..Self::default()
        }
    }

    /// For the search of another model: with the same stop and listener, and an empty board.
    #[must_use]
    pub fn for_other_model(&self) -> Self {
        Self {
            board: Board::new(),
            ..self.clone()
        }
    }

    /// This control with the board if it is about bad number `property` of the model, else with an empty one.
    #[must_use]
    pub fn about(&self, model: &Model, property: usize) -> Self {
        match self.board.is_about(model, property) {
            true => self.clone(),
            false => self.for_other_model(),
        }
    }

    /// This control, whose events go where those of another one go.
    #[must_use]
    pub fn heard_by(mut self, other: &Self) -> Self {
        self.listener = self.listener.with_receiver_of(&other.listener);
        self
    }

    /// As [`Control::apart`], and stopped earlier: see [`Stop::within`].
    #[must_use]
    pub fn apart_for(&self, percent: u32, at_most: Duration) -> Self {
        self.apart().limited_to(percent, at_most)
    }

    /// This control, stopped earlier: see [`Stop::within`].
    #[must_use]
    pub fn limited_to(mut self, percent: u32, at_most: Duration) -> Self {
        self.stop = self.stop.within(percent, at_most);
        self
    }

    /// For one of several engines: everything is shared but the out-of-memory state ([`Stop::out_of_memory_apart`]).
    pub(crate) fn member(&self) -> Self {
        Self {
            stop: self.stop.out_of_memory_apart(),
            ..self.clone()
        }
    }

    /// A control that says to stop when it has been asked `questions` times; 0 for at once.
    #[cfg(test)]
    pub(crate) fn stopping_after(questions: usize) -> Self {
        Self {
            stop: Stop::after_questions(questions),
            ..Self::default()
        }
    }
}

/// What is asked of the stop.
impl Control {
    /// [`Stop::cancel`].
    pub fn cancel(&self) {
        self.stop.cancel();
    }

    /// [`Stop::report_out_of_memory`].
    pub fn report_out_of_memory(&self) {
        self.stop.report_out_of_memory();
    }

    /// [`Stop::report_memory_short`].
    pub fn report_memory_short(&self) {
        self.stop.report_memory_short();
    }

    /// [`Stop::take_memory_short`].
    pub(crate) fn take_memory_short(&self) -> bool {
        self.stop.take_memory_short()
    }

    /// [`Stop::reason`].
    #[must_use]
    pub fn stop_reason(&self) -> Option<UnknownReason> {
        self.stop.reason()
    }

    /// [`Stop::poll`].
    #[must_use]
    pub fn poll(&self) -> Poll<'_> {
        self.stop.poll()
    }

    /// Makes the solver stop when there is a reason to stop.
    pub fn listen_in<P: ProofSink>(&self, solver: &mut Solver<P>) {
        let stop = self.stop.clone();
        solver.set_stop_callback(Some(Box::new(move || stop.reason().is_some())));
    }
}

/// What is asked of the board.
impl Control {
    /// Reports that the bad is unreachable in all steps before `depth`, to the listener and on the board.
    pub fn report_depth(&self, engine: &'static str, depth: usize) {
        self.board.share_depth(depth);
        self.listener.report_depth(engine, depth);
    }

    /// [`Board::known_depth`].
    #[must_use]
    pub fn known_depth(&self) -> usize {
        self.board.known_depth()
    }

    /// [`Board::share_invariants`].
    pub fn share_invariants(&self, clauses: impl IntoIterator<Item = StateClause>) {
        self.board.share_invariants(clauses);
    }

    /// [`Board::invariants`].
    #[must_use]
    pub fn invariants(&self, first: usize) -> Vec<StateClause> {
        self.board.invariants(first)
    }

    /// [`Board::candidates`].
    #[must_use]
    pub fn candidates(&self) -> &[StateClause] {
        self.board.candidates()
    }

    /// [`Board::late_latches`].
    #[must_use]
    pub fn late_latches(&self) -> &[usize] {
        self.board.late_latches()
    }

    /// [`Board::known_frames`].
    #[must_use]
    pub fn known_frames(&self) -> Option<&Arc<Reached>> {
        self.board.known_frames()
    }

    /// [`Board::exchange`].
    #[must_use]
    pub fn exchange(&self) -> &FrameExchange {
        self.board.exchange()
    }

    /// [`Board::wants_targets`].
    #[must_use]
    pub fn wants_targets(&self) -> bool {
        self.board.wants_targets()
    }

    /// [`Board::share_target`].
    pub fn share_target(&self, target: Target) {
        self.board.share_target(target);
    }

    /// [`Board::new_targets`].
    pub fn new_targets(&self, seen: &mut u64) -> Option<Vec<Arc<Target>>> {
        self.board.new_targets(seen)
    }
}

/// What is told to the listener.
impl Control {
    /// [`Listener::depth`](listener::Listener::depth).
    #[must_use]
    pub fn depth(&self) -> usize {
        self.listener.depth()
    }

    /// [`Listener::count`](listener::Listener::count).
    pub fn count(&self, name: &'static str, more: usize) {
        self.listener.count(name, more);
    }

    /// [`Listener::statistics`](listener::Listener::statistics).
    #[must_use]
    pub fn statistics(&self) -> BTreeMap<&'static str, u64> {
        self.listener.statistics()
    }

    /// [`Listener::tell`](listener::Listener::tell).
    pub fn tell(&self, event: Event) {
        self.listener.tell(event);
    }

    /// [`Listener::note`](listener::Listener::note).
    pub fn note(&self, engine: &'static str, text: impl FnOnce() -> String) {
        self.listener.note(engine, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What engines have shared about one model is not known to the search of another one, and stays with its own.
    #[test]
    fn what_is_shared_is_about_one_model() {
        let control = Control::new();
        control.report_depth("pdr", 3);
        control.share_invariants([vec![(0, true)]]);
        for other in [control.for_other_model(), control.apart(), control.fork()] {
            assert_eq!(other.known_depth(), 0);
            assert_eq!(other.invariants(0), Vec::<StateClause>::new());
        }
        let known = control.clone().with_known_frames(Arc::default());
        assert!(known.fork().known_frames().is_some());
        assert!(known.for_other_model().known_frames().is_none());
        assert!(known.apart().known_frames().is_none());
        assert_eq!((control.known_depth(), control.depth()), (3, 3));
        assert_eq!(control.invariants(0).len(), 1);
    }
}
