//! The frames: over-approximations of what is reachable in so many steps, each with its solver.

use crate::circuit::verdict::UnknownReason;
use craig_solver::query::QuerySolver;
use craig_solver::{Answer, Lit};

use super::lemma::{Cube, Lemma};
use super::{Pdr, Stop};

/// Frame `i` holds all initial states and whatever is reachable in up to `i` steps that count.
///
/// Lemmas are stored once, in the last frame that they are known to hold in; frame `i` is the
/// conjunction of the lemmas of frames `i`, `i + 1`, .. and of those that hold for ever. Frame 0 is the
/// initial states and stores nothing.
pub(in crate::engine) struct Frames {
    pub(in crate::engine) lemmas: Vec<Vec<Lemma>>,
    /// Lemmas that are inductive together.
    pub(in crate::engine) infinity: Vec<Lemma>,
    /// Knows the logic, the constraints and the frame's lemmas, one for each frame.
    pub(in crate::engine) solvers: Vec<QuerySolver>,
    /// Knows the logic, the constraints and the lemmas that hold for ever.
    pub(in crate::engine) infinity_solver: QuerySolver,
    /// The first frame that has become stronger since lemmas were last moved on: those of earlier frames can't move.
    pub(in crate::engine) touched: usize,
}

/// How a query uses the domain of its solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Scope {
    /// The domain is what the query depends on.
    Own,
    /// The domain was fixed before, for a cube that includes the one asked about.
    Fixed,
}

impl Frames {
    /// Frame 0 alone.
    pub(in crate::engine) fn new(initial: QuerySolver, infinity_solver: QuerySolver) -> Self {
        Self {
            lemmas: vec![Vec::new()],
            infinity: Vec::new(),
            solvers: vec![initial],
            infinity_solver,
            touched: 1,
        }
    }

    /// The last frame.
    pub(in crate::engine) fn level(&self) -> usize {
        self.solvers.len() - 1
    }

    /// Adds a frame about which nothing is known but what holds for ever.
    pub(in crate::engine) fn extend(&mut self) {
        self.solvers.push(self.infinity_solver.clone());
        self.lemmas.push(Vec::new());
    }

    /// The last frame, from `first` on, in which some lemma excludes everything that `lemma` does. A
    /// lemma that does so for ever counts for the last frame.
    pub(in crate::engine) fn last_covering(&self, first: usize, lemma: &Lemma) -> Option<usize> {
        if self.infinity.iter().any(|known| known.subsumes(lemma)) {
            return Some(self.level());
        }
        (first.max(1)..=self.level())
            .rev()
            .find(|&frame| self.lemmas[frame].iter().any(|known| known.subsumes(lemma)))
    }

    /// Adds a lemma that holds in frames up to `frame`, and drops what it makes superfluous.
    pub(in crate::engine) fn add(&mut self, frame: usize, lemma: Lemma) {
        debug_assert!((1..=self.level()).contains(&frame));
        // Frames before this one have a lemma at least as strong already.
        let mut first = 1;
        for earlier in 1..=frame {
            if earlier < frame
                && self.lemmas[earlier]
                    .iter()
                    .any(|known| known.subsumes(&lemma))
            {
                first = earlier + 1;
            }
            self.lemmas[earlier].retain(|known| !lemma.subsumes(known));
        }
        self.touched = self.touched.min(first);
        let clause = lemma.clause();
        for solver in &mut self.solvers[first..=frame] {
            solver.add_clause(&clause);
        }
        self.lemmas[frame].push(lemma);
    }

    /// Adds a lemma that holds for ever.
    pub(in crate::engine) fn add_forever(&mut self, lemma: Lemma) {
        for lemmas in &mut self.lemmas {
            lemmas.retain(|known| !lemma.subsumes(known));
        }
        self.infinity.retain(|known| !lemma.subsumes(known));
        self.touched = 1;
        let clause = lemma.clause();
        for solver in &mut self.solvers[1..] {
            solver.add_clause(&clause);
        }
        self.infinity_solver.add_clause(&clause);
        self.infinity.push(lemma);
    }

    /// A frame before the last one that has no lemmas of its own: it equals the next one, and as every
    /// step from it leads there, it is an invariant.
    pub(in crate::engine) fn fixpoint(&self) -> Option<usize> {
        (1..self.level()).find(|&frame| self.lemmas[frame].is_empty())
    }
}

impl Pdr<'_> {
    /// Whether no step that counts leads from frame `frame - 1` (without the states of `cube` itself, if
    /// `relative`) into the cube. The order of the literals matters: earlier ones are preferred in the core.
    ///
    /// After true, [`Pdr::core`] tells why; after false the solver holds the step.
    pub(in crate::engine) fn is_blocked(
        &mut self,
        frame: usize,
        cube: &[Lit],
        relative: bool,
        scope: Scope,
    ) -> Result<bool, Stop> {
        let solver = &mut self.frames.solvers[frame - 1];
        if scope == Scope::Own {
            solver.release_domain();
        }
        if relative {
            self.scratch.clear();
            self.scratch.extend(cube.iter().map(|&lit| !lit));
            solver.set_temporary(&[&self.scratch]);
        } else {
            solver.clear_temporary();
        }
        self.scratch.clear();
        self.scratch
            .extend(cube.iter().map(|&lit| self.transition.next(lit)));
        let answer = (self.effort).ask_frame(solver, &self.scratch, self.control);
        self.finish(answer)
    }

    /// Counts a query, and looks at the clock now and then. True for unsatisfiable.
    pub(in crate::engine) fn finish(&mut self, answer: Answer) -> Result<bool, Stop> {
        self.queries += 1;
        if answer == Answer::Unknown || self.queries.is_multiple_of(64) {
            match self.control.stop_reason() {
                Some(reason) => return Err(Stop(reason)),
                // Nobody asked the query to stop, so there was no room for a clause.
                None if answer == Answer::Unknown => return Err(Stop(UnknownReason::OutOfMemory)),
                None => {}
            }
        }
        Ok(answer == Answer::Unsatisfiable)
    }

    /// The literals of `cube` that the last query, found blocked, needed; with a literal that keeps
    /// the initial states out, which `cube` must have.
    pub(in crate::engine) fn core(&self, frame: usize, cube: &[Lit]) -> Cube {
        let solver = &self.frames.solvers[frame - 1];
        let mut core: Cube = cube
            .iter()
            .copied()
            .filter(|&lit| solver.is_failed(self.transition.next(lit)))
            .collect();
        if self.transition.meets_initial(&core) {
            let exclusive = cube
                .iter()
                .copied()
                .find(|&lit| self.transition.excludes_initial(lit));
            debug_assert!(exclusive.is_some());
            core.extend(exclusive);
        }
        core
    }

    /// Adds a lemma at `frame`, whose cube was shown to be blocked there.
    pub(in crate::engine) fn learn(&mut self, frame: usize, cube: Cube) {
        debug_assert!(!self.transition.meets_initial(&cube));
        self.bump(&cube);
        self.frames.add(frame, Lemma::new(cube));
    }
}
