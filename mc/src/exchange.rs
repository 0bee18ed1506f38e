//! What engines on the same problem tell each other about the states that are reached within a number of steps.
//!
//! Frames are trusted by those who take them, as shared invariants are: a proof that rests on them is judged with all of
//! it. Suggestions are not.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use craig_aig::Edge;
use craig_model::Model;

/// A clause over states: at least one of these latches, by their numbers in the model, has the given value.
pub type StateClause = Vec<(usize, bool)>;

/// Clauses known of the states reachable in i steps, for each i: the frames of a search.
///
/// Frame i has the states that satisfy all clauses at index i and later and those that hold forever. Frames are *closed*: the
/// reset states satisfy all clauses, and every step under the constraints from a state of frame i leads into frame i + 1. The
/// conjunction, frame by frame, of closed frames is closed.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// At index `i`: clauses that hold in all states reachable in up to `i` steps, without those at later
    /// indices.
    pub(crate) frames: Vec<Vec<StateClause>>,
    /// Clauses that hold in all reachable states.
    pub(crate) forever: Vec<StateClause>,
}

impl Reached {
    /// Frames by their clauses: at index i, those that hold in all states reachable in up to i steps and are not at later
    /// indices; and those that hold forever.
    #[must_use]
    pub fn new(frames: Vec<Vec<StateClause>>, forever: Vec<StateClause>) -> Self {
        Self { frames, forever }
    }

    /// The bad was unreachable in all steps before this one.
    #[must_use]
    pub fn level(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// The states of the latches of a model that the clauses are about.
    pub(crate) fn states(&self, model: &Model) -> Vec<Edge> {
        let clauses = self.frames.iter().flatten().chain(&self.forever);
        let mut latches: Vec<usize> = clauses.flatten().map(|&(latch, _)| latch).collect();
        latches.sort_unstable();
        latches.dedup();
        let states = latches.into_iter();
        states
            .filter_map(|latch| Some(model.latches.get(latch)?.state))
            .collect()
    }

    /// The clauses that hold in all states reachable in up to `steps` steps.
    pub fn within(&self, steps: usize) -> impl Iterator<Item = &StateClause> {
        let frames = self.frames.iter().skip(steps).flatten();
        frames.chain(&self.forever)
    }
}

/// A clause that may hold in all states reachable within [`Self::steps`] steps. It is not proved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Suggestion {
    /// The number of steps.
    pub steps: usize,
    /// The clause.
    pub clause: StateClause,
}

/// Frames and suggestions for frames, of all engines on one problem.
///
/// Engines make them only if another one wants them.
#[derive(Debug, Default)]
pub struct FrameExchange {
    frames_wanted: AtomicBool,
    suggestions_wanted: AtomicBool,
    /// By engine: its last frames of the highest level.
    frames: Mutex<BTreeMap<&'static str, Arc<Reached>>>,
    /// Only grows, up to [`FrameExchange::MOST_SUGGESTIONS`].
    suggestions: Mutex<Suggestions>,
}

#[derive(Debug, Default)]
struct Suggestions {
    /// In the order in which they were made.
    all: Vec<Suggestion>,
    /// The elements of `all`.
    known: HashSet<Suggestion>,
}

impl FrameExchange {
    /// Later suggestions are dropped.
    pub const MOST_SUGGESTIONS: usize = 20_000;

    /// Whether an engine has asked for frames.
    #[must_use]
    pub fn wants_frames(&self) -> bool {
        self.frames_wanted.load(Ordering::Relaxed)
    }

    /// Shares the frames of an engine, which have to be closed; all before the last one exclude the bad.
    pub fn share_frames(&self, engine: &'static str, reached: impl Into<Arc<Reached>>) {
        let reached = reached.into();
        let mut frames = lock(&self.frames);
        let is_behind = |last: &Arc<Reached>| last.level() > reached.level();
        if !frames.get(engine).is_some_and(is_behind) {
            frames.insert(engine, reached);
        }
    }

    /// Asks for frames. Returns the last ones of each engine but the given one.
    #[must_use]
    pub fn frames_for(&self, engine: &'static str) -> Vec<Arc<Reached>> {
        self.frames_wanted.store(true, Ordering::Relaxed);
        let frames = lock(&self.frames);
        let others = frames.iter().filter(|(name, _)| **name != engine);
        others.map(|(_, reached)| Arc::clone(reached)).collect()
    }

    /// The frames of the highest level that any engine has shared.
    #[must_use]
    pub fn best_frames(&self) -> Option<Arc<Reached>> {
        let frames = lock(&self.frames);
        let best = frames.values().max_by_key(|reached| reached.level());
        best.cloned()
    }

    /// Whether an engine has asked for suggestions, and there is room for more.
    #[must_use]
    pub fn wants_suggestions(&self) -> bool {
        self.suggestions_wanted.load(Ordering::Relaxed)
            && lock(&self.suggestions).all.len() < Self::MOST_SUGGESTIONS
    }

    /// Suggests clauses for frames; those that were suggested before are dropped.
    pub fn suggest(&self, more: impl IntoIterator<Item = Suggestion>) {
        let mut suggestions = lock(&self.suggestions);
        for suggestion in more {
            let is_room = suggestions.all.len() < Self::MOST_SUGGESTIONS;
            if is_room && suggestions.known.insert(suggestion.clone()) {
                suggestions.all.push(suggestion);
            }
        }
    }

    /// Asks for suggestions. Returns those from number `first` on, in the order in which they were made.
    #[must_use]
    pub fn suggestions(&self, first: usize) -> Vec<Suggestion> {
        self.suggestions_wanted.store(true, Ordering::Relaxed);
        let suggestions = lock(&self.suggestions);
        suggestions.all.get(first..).unwrap_or_default().to_vec()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
