//! The frames with their solvers: frame i over-approximates the states reachable in i steps.
//!
//! Each frame has a solver, with the clauses of its lemmas. A solver takes some hundred bytes for each gate that it has
//! loaded. So if the logic is large, or the frames become many, all frames but the first share one, in which the clauses of a
//! frame's lemmas hold under a guard, the literal of a variable of its own.

use craig_solver::Lit;

use super::lemma::Lemma;
use super::lemmas::Lemmas;
use super::logic::ConeSolver;

/// Frame `i` contains all initial states and all states reachable in up to `i` steps under the constraints.
///
/// Lemmas are stored once, in the last frame in which they are known to hold; frame `i` is the conjunction of
/// the lemmas of frames `i`, `i + 1`, .. and of those of the infinity frame. Frame 0 is the initial states
/// and stores nothing.
pub(in crate::engine) struct Frames {
    /// Those of the infinity frame are inductive together.
    pub(in crate::engine) lemmas: Lemmas,
    /// One for each frame, with the clauses of the logic, the constraints and the frame's lemmas. If they are shared,
    /// that of frame 0, and that of all others.
    solvers: Vec<ConeSolver>,
    /// If the solver is shared: the guard of each frame. The one of frame 0 is not used.
    guards: Option<Vec<Lit>>,
    /// The solver with the clauses of the logic, the constraints and the lemmas of the infinity frame.
    pub(in crate::engine) infinity_solver: ConeSolver,
    /// The most variables that separate solvers may have loaded together.
    most_loaded: usize,
    /// The first frame that was strengthened since lemmas were last propagated: lemmas of earlier frames
    /// can't move.
    pub(in crate::engine) touched: usize,
}

impl Frames {
    /// Frame 0 alone. The others share a solver, if `is_shared` says so, or once separate ones would have loaded more than
    /// `most_loaded` variables together.
    pub(in crate::engine) fn new(
        initial: ConeSolver,
        infinity_solver: ConeSolver,
        is_shared: bool,
        most_loaded: usize,
    ) -> Self {
        let mut frames = Self {
            lemmas: Lemmas::new(),
            solvers: vec![initial],
            guards: None,
            infinity_solver,
            most_loaded,
            touched: 1,
        };
        if is_shared {
            frames.share();
        }
        frames
    }

    /// Replaces the solvers of all frames but the first by one. What they have learned is lost.
    fn share(&mut self) {
        debug_assert!(self.guards.is_none());
        let mut shared = self.infinity_solver.clone();
        let guards: Vec<Lit> = (self.solvers.iter()).map(|_| shared.new_guard()).collect();
        for (frame, &guard) in guards.iter().enumerate().skip(1) {
            for lemma in self.lemmas.of(frame) {
                shared.add_initial_clause(Some(!guard), &lemma.clause());
            }
        }
        self.solvers.truncate(1);
        self.solvers.push(shared);
        self.guards = Some(guards);
    }

    /// Whether separate solvers have loaded too much for one more.
    fn is_full(&self) -> bool {
        let loaded: usize = self.solvers.iter().map(ConeSolver::n_loaded).sum();
        self.guards.is_none() && loaded + self.infinity_solver.n_loaded() > self.most_loaded
    }

    /// The last frame.
    pub(in crate::engine) fn level(&self) -> usize {
        self.lemmas.level()
    }

    /// Adds a frame with only the lemmas of the infinity frame.
    pub(in crate::engine) fn extend(&mut self) {
        if self.is_full() {
            self.share();
        }
        match &mut self.guards {
            Some(guards) => guards.push(self.solvers[1].new_guard()),
            None => self.solvers.push(self.infinity_solver.clone()),
        }
        self.lemmas.extend();
    }

    /// The solver of a frame. Questions about the frame need its [`Frames::assume`] as well.
    pub(in crate::engine) fn solver(&self, frame: usize) -> &ConeSolver {
        &self.solvers[self.place(frame)]
    }

    /// As `solver`, to ask or to change.
    pub(in crate::engine) fn solver_mut(&mut self, frame: usize) -> &mut ConeSolver {
        let place = self.place(frame);
        &mut self.solvers[place]
    }

    /// A solver with the clauses of the logic, the constraints and the lemmas of the infinity frame, and the assumptions
    /// under which it has no others; to be given back by [`Frames::return_infinity`] before anything else is done.
    pub(super) fn lend_infinity(&mut self) -> (ConeSolver, Vec<Lit>) {
        match &self.guards {
            None => (self.infinity_solver.clone(), Vec::new()),
            Some(guards) => {
                let mut shared = self.solvers.swap_remove(1);
                shared.clear_temporary();
                shared.release_domain();
                (shared, guards.iter().map(|&guard| !guard).collect())
            }
        }
    }

    pub(super) fn return_infinity(&mut self, solver: ConeSolver) {
        if self.guards.is_some() {
            self.solvers.push(solver);
        }
    }

    fn place(&self, frame: usize) -> usize {
        match self.guards {
            Some(_) => frame.min(1),
            None => frame,
        }
    }

    /// Adds the assumptions under which the solver of a frame has exactly the lemmas of that frame.
    pub(in crate::engine) fn assume(&self, frame: usize, assumptions: &mut Vec<Lit>) {
        if let Some(guards) = self.guards.as_ref().filter(|_| frame > 0) {
            let guards = guards.iter().enumerate().skip(1);
            assumptions.extend(guards.map(|(other, &guard)| guard.negate_if(other < frame)));
        }
    }

    /// The last frame, from `first` on, in which some lemma subsumes `lemma`. A lemma of the infinity frame
    /// counts for the last frame.
    pub(in crate::engine) fn last_covering(&self, first: usize, lemma: &Lemma) -> Option<usize> {
        if self.lemmas.is_covered_forever(lemma) {
            return Some(self.level());
        }
        let frames = first.max(1)..=self.level();
        self.lemmas.last_covering(frames, lemma)
    }

    /// Adds a lemma that holds in frames up to `frame`, and removes the lemmas that it subsumes.
    pub(in crate::engine) fn add(&mut self, frame: usize, lemma: Lemma) {
        debug_assert!((1..=self.level()).contains(&frame));
        // Frames before this one have a lemma at least as strong already.
        let covered = self.lemmas.last_covering(1..=frame - 1, &lemma);
        let first = covered.map_or(1, |covered| covered + 1);
        self.lemmas.remove_subsumed(frame, &lemma);
        self.touched = self.touched.min(first);
        let clause = lemma.clause();
        if let Some(guards) = &self.guards {
            self.solvers[1].add_initial_clause(Some(!guards[frame]), &clause);
        } else {
            for solver in &mut self.solvers[first..=frame] {
                solver.add_initial_clause(None, &clause);
            }
        }
        self.lemmas.add(frame, lemma);
    }

    /// Adds a lemma to the infinity frame.
    pub(in crate::engine) fn add_forever(&mut self, lemma: Lemma) {
        self.lemmas.remove_all_subsumed(&lemma);
        self.touched = 1;
        let clause = lemma.clause();
        for solver in &mut self.solvers[1..] {
            solver.add_initial_clause(None, &clause);
        }
        self.infinity_solver.add_initial_clause(None, &clause);
        self.lemmas.add_forever(lemma);
    }

    /// A frame before the last one without lemmas of its own: it equals the next one, and since every step
    /// from it leads there, it is an invariant.
    pub(in crate::engine) fn fixpoint(&self) -> Option<usize> {
        (1..self.level()).find(|&frame| self.lemmas.n_of(frame) == 0)
    }

    /// The lemmas that hold in a frame: an invariant if the frame equals the next one.
    pub(in crate::engine) fn invariant(&self, frame: usize) -> Vec<Lemma> {
        let own = self.lemmas.since(frame);
        self.lemmas.forever().chain(own).cloned().collect()
    }
}
