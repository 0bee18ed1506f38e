//! The blackboard: what is known about one bad of one model.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use craig_aig::Edge;
use craig_model::Model;

use crate::exchange::{FrameExchange, Reached, StateClause};

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
    /// At most [`Board::MOST_TARGETS`], the oldest first.
    kept: VecDeque<Arc<Target>>,
    /// The number of targets shared so far.
    n_shared: u64,
}

/// The problem that a board is about. Models that are mixed up by mistake differ in it; a model whose graph has more
/// formulas than another one does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subject {
    n_inputs: usize,
    n_latches: usize,
    bad: Edge,
}

impl Subject {
    fn of(model: &Model, property: usize) -> Self {
        Self {
            n_inputs: model.inputs.len(),
            n_latches: model.latches.len(),
            bad: model.bads[property],
        }
    }
}

/// What engines share about one bad of one model.
#[derive(Debug, Default)]
struct Shared {
    subject: OnceLock<Subject>,
    depth: AtomicUsize,
    /// Only grows; after each call of [`Board::share_invariants`] the clauses are inductive together.
    invariants: Mutex<Vec<StateClause>>,
    targets: Mutex<Targets>,
    /// Whether an engine looks for targets.
    targets_wanted: AtomicBool,
    frames: FrameExchange,
}

/// What the caller and the engines know about one bad of one model: hints that are given, and facts that engines share.
/// Clones share the facts.
///
/// A board means nothing for another problem, for which [`Board::is_about`] is false.
#[derive(Clone, Debug, Default)]
pub struct Board {
    shared: Arc<Shared>,
    candidates: Arc<Vec<StateClause>>,
    late_latches: Arc<Vec<usize>>,
    known_frames: Option<Arc<Reached>>,
    is_open: bool,
}

impl Board {
    /// An empty one about a bad of a model.
    ///
    /// # Panics
    /// If the model has no such bad.
    #[must_use]
    pub fn about(model: &Model, property: usize) -> Self {
        let board = Self::default();
        let _ = board.is_about(model, property);
        board
    }

    /// The hints of this one, without the facts that engines have shared.
    #[must_use]
    pub fn hints(&self) -> Self {
        Self {
            shared: Arc::default(),
            ..self.clone()
        }
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

    /// Says that the caller reads and shares facts while engines run: a portfolio shares this board with its engines then, and
    /// engines share frames ([`FrameExchange::best_frames`]).
    #[must_use]
    pub fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Whether it was said by [`Board::open`].
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The board of the engines of a portfolio that the caller has given this one.
    pub(crate) fn of_engines(&self) -> Self {
        match self.is_open {
            true => self.clone(),
            false => self.hints(),
        }
    }

    /// Whether the board is about bad number `property` of a model. A board made without a problem is about the first one
    /// that is asked for: facts that are shared later are about that one.
    ///
    /// # Panics
    /// If the model has no such bad.
    #[must_use]
    pub fn is_about(&self, model: &Model, property: usize) -> bool {
        let subject = Subject::of(model, property);
        *self.shared.subject.get_or_init(|| subject) == subject
    }

    /// Shares that the bad is unreachable in all steps before `depth`.
    pub fn share_depth(&self, depth: usize) {
        self.shared.depth.fetch_max(depth, Ordering::Relaxed);
    }

    /// The largest depth that was shared: the bad is unreachable in all steps before it.
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

    /// The clauses of [`Board::with_candidates`].
    #[must_use]
    pub fn candidates(&self) -> &[StateClause] {
        &self.candidates
    }

    /// The latches of [`Board::with_late_latches`].
    #[must_use]
    pub fn late_latches(&self) -> &[usize] {
        &self.late_latches
    }

    /// The frames of [`Board::with_known_frames`].
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_without_what_engines_have_shared() {
        let board = Board::default().with_known_frames(Arc::default());
        board.share_depth(3);
        board.share_invariants([vec![(0, true)]]);
        let _ = board.exchange().frames_for("isb");
        board.exchange().share_frames("pdr", Reached::default());
        assert!(board.new_targets(&mut 0).is_none() && board.wants_targets());
        let other = board.hints();
        assert!(other.known_frames().is_some());
        assert_eq!(other.known_depth(), 0);
        assert_eq!(other.invariants(0), Vec::<StateClause>::new());
        assert!(!other.exchange().wants_frames() && !other.wants_targets());
        assert_eq!(other.exchange().frames_for("isb").len(), 0);
        assert_eq!(board.known_depth(), 3);
        assert_eq!(board.invariants(0).len(), 1);
        assert_eq!(board.exchange().frames_for("isb").len(), 1);
    }

    #[test]
    fn engines_share_an_open_board_with_the_caller() {
        let (open, closed) = (Board::default().open(), Board::default());
        open.of_engines().share_depth(2);
        closed.of_engines().share_depth(2);
        assert_eq!((open.known_depth(), closed.known_depth()), (2, 0));
    }

    #[test]
    fn a_board_is_about_one_bad_of_one_model() {
        let model = Model {
            bads: vec![Edge::FALSE, Edge::TRUE],
            ..Model::default()
        };
        for board in [Board::about(&model, 0), Board::default()] {
            assert!(board.is_about(&model, 0) && board.is_about(&model, 0));
            assert!(!board.clone().is_about(&model, 1));
            assert!(board.hints().is_about(&model, 1));
        }
    }
}
