//! Deadlines, cancellation and progress, shared by engines and their callers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use craig_aig::Poll;
use craig_model::UnknownReason;
use craig_solver::Solver;
use craig_solver::proof::ProofSink;

use crate::exchange::{FrameExchange, Reached};
use crate::turns::Turn;

/// A report of an engine on its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine has shown that the bad is unreachable in all steps before this one.
    Depth {
        /// The engine's name.
        engine: &'static str,
        /// The number of steps.
        depth: usize,
    },
    /// An engine has computed an interpolant and continues with it.
    Interpolant {
        /// The engine's name.
        engine: &'static str,
        /// The steps of the bounded instance that it comes from.
        bound: usize,
        /// Its number among the interpolants of this bound, counted from 1.
        round: usize,
        /// Its size in AND gates: compacted, if the engine compacts each on its own.
        ands: usize,
    },
    /// Any other message for a verbose user.
    Note {
        /// The engine's name.
        engine: &'static str,
        /// One line.
        text: String,
    },
}

pub use crate::exchange::StateClause;

/// States from which a run to the bad is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The values of some latches, by their numbers in the model: the states are those that have them.
    pub states: Vec<(usize, bool)>,
    /// The values of some inputs, by their numbers in the model, in each step of the run. With any values of the others
    /// every such state has a run under the constraints, and the bad holds in the last step.
    pub inputs: Vec<Vec<(usize, bool)>>,
}

/// The shared targets.
#[derive(Debug, Default)]
struct Targets {
    /// At most [`Control::MOST_TARGETS`], the oldest first.
    kept: VecDeque<Arc<Target>>,
    /// The number of targets shared so far.
    n_shared: u64,
}

/// What engines share about one bad of one model. It means nothing for another one.
#[derive(Default)]
struct Shared {
    /// The depth for this problem alone.
    depth: AtomicUsize,
    /// Only grows; after each call of [`Control::share_invariants`] the clauses are inductive together.
    invariants: Mutex<Vec<StateClause>>,
    targets: Mutex<Targets>,
    /// Whether an engine looks for targets.
    targets_wanted: AtomicBool,
    frames: FrameExchange,
}

/// Receives [`Event`]s; called from the engines' threads.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// Deadline, cancellation and progress, shared by the engines that work on one problem. Clones share their
/// state.
///
/// An engine assumes that all invariants and depths shared through its control are about its own model and
/// bad. For another problem, create a new control, or [`Control::fork`] or [`Control::apart`] from this one.
///
/// Engines have no clock of their own: they call [`Control::stop_reason`] regularly and return
/// [`craig_model::Verdict::Unknown`] when it is `Some`.
#[derive(Clone, Default)]
pub struct Control {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    out_of_memory: Arc<AtomicBool>,
    /// Memory was reported to be short, and no engine has been stopped for it yet.
    memory_short: Arc<AtomicBool>,
    depth: Arc<AtomicUsize>,
    shared: Arc<Shared>,
    candidates: Arc<Vec<StateClause>>,
    late_latches: Arc<Vec<usize>>,
    known_frames: Option<Arc<Reached>>,
    /// Only grows.
    statistics: Arc<Mutex<BTreeMap<&'static str, u64>>>,
    listener: Option<Listener>,
    /// The place among searches that take turns. Controls made from this one keep it.
    turn: Option<Turn>,
    /// In tests: how often it may still be asked whether to stop until the answer is yes.
    #[cfg(test)]
    questions_left: Option<Arc<AtomicUsize>>,
}

impl Control {
    /// No deadline and no listener.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops at `deadline`.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The control of a search that takes turns with others: it waits for its turn in
    /// [`Control::stop_reason`].
    #[must_use]
    pub(crate) fn with_turn(mut self, turn: Turn) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Passes every event to `listener`.
    #[must_use]
    pub fn with_listener(mut self, listener: Listener) -> Self {
        self.listener = Some(listener);
        self
    }

    /// Sets clauses over the model's states that may be invariants. They are not proved: an engine uses those
    /// that it finds inductive.
    #[must_use]
    pub fn with_candidates(mut self, candidates: Vec<StateClause>) -> Self {
        self.candidates = Arc::new(candidates);
        self
    }

    /// Sets latches of the model, by increasing numbers, that interpolants are to mention only where it is needed.
    #[must_use]
    pub fn with_late_latches(mut self, latches: Vec<usize>) -> Self {
        debug_assert!(latches.is_sorted());
        self.late_latches = Arc::new(latches);
        self
    }

    /// Sets frames of an earlier search of the model for a bad that this one's implies: they are closed, and all before the
    /// last one exclude the bad. Engines that can go on from frames begin with these, and share their own
    /// ([`FrameExchange::best_frames`]) for the next search.
    #[must_use]
    pub fn with_known_frames(mut self, frames: Arc<Reached>) -> Self {
        self.known_frames = Some(frames);
        self
    }

    /// A control with the same deadline, memory limit and listener that can be cancelled on its own: a
    /// portfolio gives it to its engines to stop them without being stopped itself. Later cancellations of
    /// `self` do NOT reach it; the portfolio passes them on. It starts without shared invariants and depths,
    /// so that it can be used for another model.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            shared: Arc::default(),
            cancelled: Arc::new(AtomicBool::new(self.cancelled.load(Ordering::Relaxed))),
            ..self.clone()
        }
    }

    /// The same, except that the listener gets no events after `is_over` is set.
    #[must_use]
    pub(crate) fn silent_after(mut self, is_over: &Arc<AtomicBool>) -> Self {
        if let Some(listener) = self.listener.take() {
            let is_over = Arc::clone(is_over);
            self.listener = Some(Arc::new(move |event| {
                if !is_over.load(Ordering::Relaxed) {
                    listener(event);
                }
            }));
        }
        self
    }

    /// A control for a subproblem: with the same deadline, memory limit and cancellation, but without a
    /// listener, and with depths and statistics of its own.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            depth: Arc::default(),
            shared: Arc::default(),
            candidates: Arc::default(),
            late_latches: Arc::default(),
            known_frames: None,
            statistics: Arc::default(),
            listener: None,
            ..self.clone()
        }
    }

    /// This control for the search of another model: with the same deadline, limits, cancellation, listener and
    /// statistics, but without what is shared about the model of this one.
    #[must_use]
    pub fn for_other_model(&self) -> Self {
        Self {
            shared: Arc::default(),
            candidates: Arc::default(),
            late_latches: Arc::default(),
            known_frames: None,
            ..self.clone()
        }
    }

    /// The same, whose notes are those of another one.
    #[must_use]
    pub fn heard_by(mut self, other: &Self) -> Self {
        self.listener.clone_from(&other.listener);
        self
    }

    /// The same, which stops earlier: after `percent` of the time that is left, and after `at_most`.
    #[must_use]
    pub fn apart_for(&self, percent: u32, at_most: Duration) -> Self {
        self.apart().limited_to(percent, at_most)
    }

    /// This control with an earlier deadline: after `percent` of the time that is left, and after `at_most`.
    #[must_use]
    pub fn limited_to(self, percent: u32, at_most: Duration) -> Self {
        let now = Instant::now();
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(now));
        let share = left.map_or(at_most, |left| (left * percent / 100).min(at_most));
        self.with_deadline(now + share)
    }

    /// Stops all engines that share this control.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Stops all engines that share this control, since memory has run out.
    pub fn report_out_of_memory(&self) {
        self.out_of_memory.store(true, Ordering::Relaxed);
    }

    /// Reports to all controls of this group, forks included, that memory is about to run out: a caller that
    /// runs several engines then stops one.
    pub fn report_memory_short(&self) {
        self.memory_short.store(true, Ordering::Relaxed);
    }

    /// Whether memory was reported to be short since the last call.
    pub(crate) fn take_memory_short(&self) -> bool {
        self.memory_short.swap(false, Ordering::Relaxed)
    }

    /// A control that shares everything with this one except its own out-of-memory state: for one of several
    /// engines. A later out-of-memory report to `self` does NOT reach it.
    pub(crate) fn member(&self) -> Self {
        Self {
            out_of_memory: Arc::new(AtomicBool::new(self.out_of_memory.load(Ordering::Relaxed))),
            ..self.clone()
        }
    }

    /// The reason to stop now, if there is one. Cheap enough for every few hundred conflicts, not for every
    /// propagation. A search that takes turns with others waits here while it is not its turn.
    #[must_use]
    pub fn stop_reason(&self) -> Option<UnknownReason> {
        let reason = self.reason();
        if let (None, Some(turn)) = (&reason, &self.turn) {
            turn.wait(|| self.reason().is_some());
            return self.reason();
        }
        reason
    }

    /// For loops whose steps are too short to ask in each: asks now and then.
    #[must_use]
    pub fn poll(&self) -> Poll<'_> {
        Poll::new(|| self.stop_reason().is_some())
    }

    /// A control that says to stop when it has been asked so many times; 0 for at once.
    #[cfg(test)]
    pub(crate) fn stopping_after(questions: usize) -> Self {
        Self {
            questions_left: Some(Arc::new(AtomicUsize::new(questions))),
            ..Self::default()
        }
    }

    /// Whether the questions of [`Control::stopping_after`] are used up.
    #[cfg(test)]
    fn has_no_questions_left(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        self.questions_left.as_ref().is_some_and(|left| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
                .is_err()
        })
    }

    /// Makes the solver stop when there is a reason to stop.
    pub fn listen_in<P: ProofSink>(&self, solver: &mut Solver<P>) {
        let control = self.clone();
        solver.set_stop_callback(Some(Box::new(move || control.stop_reason().is_some())));
    }

    /// The reason to stop now, without waiting for a turn.
    fn reason(&self) -> Option<UnknownReason> {
        #[cfg(test)]
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

    /// Reports that the bad is unreachable in all steps before `depth`, and shares this bound.
    pub fn report_depth(&self, engine: &'static str, depth: usize) {
        self.depth.fetch_max(depth, Ordering::Relaxed);
        self.shared.depth.fetch_max(depth, Ordering::Relaxed);
        self.tell(Event::Depth { engine, depth });
    }

    /// The largest depth that any engine has reported, for progress messages.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    /// The largest depth reported by an engine on the same problem: their common bad is unreachable in all
    /// steps before it.
    #[must_use]
    pub fn known_depth(&self) -> usize {
        self.shared.depth.load(Ordering::Relaxed)
    }

    /// Shares clauses that hold in all reset states and, together with those shared before, are preserved by
    /// every step under the constraints: each holds in every reachable state.
    pub fn share_invariants(&self, clauses: impl IntoIterator<Item = StateClause>) {
        let invariants = self.shared.invariants.lock();
        let mut invariants = invariants.unwrap_or_else(PoisonError::into_inner);
        invariants.extend(clauses);
    }

    /// The shared clauses from number `first` on, in the order of their sharing. They are inductive together
    /// with all clauses before them; a proof that uses some of them must include the clauses that these
    /// depend on, for which all of them suffice.
    #[must_use]
    pub fn invariants(&self, first: usize) -> Vec<StateClause> {
        let invariants = self.shared.invariants.lock();
        let invariants = invariants.unwrap_or_else(PoisonError::into_inner);
        invariants.get(first..).unwrap_or_default().to_vec()
    }

    /// The clauses of [`Control::with_candidates`].
    #[must_use]
    pub fn candidates(&self) -> &[StateClause] {
        &self.candidates
    }

    /// The latches of [`Control::with_late_latches`].
    #[must_use]
    pub fn late_latches(&self) -> &[usize] {
        &self.late_latches
    }

    /// The frames of [`Control::with_known_frames`].
    #[must_use]
    pub fn known_frames(&self) -> Option<&Arc<Reached>> {
        self.known_frames.as_ref()
    }

    /// The frames that engines on the same problem share, and their suggestions for them.
    #[must_use]
    pub fn exchange(&self) -> &FrameExchange {
        &self.shared.frames
    }

    /// The number of targets that are kept: those shared last.
    pub const MOST_TARGETS: usize = 64;

    /// Whether an engine on the same problem has asked for targets.
    #[must_use]
    pub fn wants_targets(&self) -> bool {
        self.shared.targets_wanted.load(Ordering::Relaxed)
    }

    /// Shares states from which a run to the bad is known. They need not be reachable.
    pub fn share_target(&self, target: Target) {
        let targets = self.shared.targets.lock();
        let mut targets = targets.unwrap_or_else(PoisonError::into_inner);
        if targets.kept.len() == Self::MOST_TARGETS {
            targets.kept.pop_front();
        }
        targets.kept.push_back(Arc::new(target));
        targets.n_shared += 1;
    }

    /// Asks for targets. Returns those that are kept, if there are others than when `seen` had been shared, and sets it
    /// to the number shared so far.
    pub fn new_targets(&self, seen: &mut u64) -> Option<Vec<Arc<Target>>> {
        self.shared.targets_wanted.store(true, Ordering::Relaxed);
        let targets = self.shared.targets.lock();
        let targets = targets.unwrap_or_else(PoisonError::into_inner);
        let is_new = targets.n_shared != *seen;
        *seen = targets.n_shared;
        is_new.then(|| targets.kept.iter().cloned().collect())
    }

    /// Adds to the statistic of this name: a count of steps or sizes of one search. Searches that share the
    /// control, and its forks, add up.
    pub fn count(&self, name: &'static str, more: usize) {
        let mut statistics = self
            .statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *statistics.entry(name).or_insert(0) += more as u64;
    }

    /// The statistics so far, by name.
    #[must_use]
    pub fn statistics(&self) -> BTreeMap<&'static str, u64> {
        let statistics = self
            .statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        statistics.clone()
    }

    /// Passes an event to the listener, if there is one.
    pub fn tell(&self, event: Event) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Passes a note to the listener; the text is only computed if there is one.
    pub fn note(&self, engine: &'static str, text: impl FnOnce() -> String) {
        if let Some(listener) = &self.listener {
            listener(Event::Note {
                engine,
                text: text(),
            });
        }
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
        let _ = control.exchange().frames_for("isb");
        (control.exchange()).share_frames("pdr", crate::exchange::Reached::default());
        let target = control.new_targets(&mut 0);
        assert!(target.is_none() && control.wants_targets());
        for other in [control.for_other_model(), control.apart(), control.fork()] {
            assert_eq!(other.known_depth(), 0);
            assert_eq!(other.invariants(0), Vec::<StateClause>::new());
            assert!(!other.exchange().wants_frames() && !other.wants_targets());
            assert_eq!(other.exchange().frames_for("isb").len(), 0);
        }
        let known = control.clone().with_known_frames(Arc::default());
        assert!(known.fork().known_frames().is_some());
        assert!(known.for_other_model().known_frames().is_none());
        assert!(known.apart().known_frames().is_none());
        assert_eq!(control.known_depth(), 3);
        assert_eq!(control.invariants(0).len(), 1);
        assert_eq!(control.exchange().frames_for("isb").len(), 1);
    }
}
