//! The frames: over-approximations of what is reachable in so many steps, each with its solver.

use craig_solver::query::QuerySolver;

use super::lemma::Lemma;

/// Frame `i` holds all initial states and whatever is reachable in up to `i` steps that count.
///
/// Lemmas are stored once, in the last frame that they are known to hold in; frame `i` is the
/// conjunction of the lemmas of frames `i`, `i + 1`, .. and of those that hold for ever. Frame 0 is the
/// initial states and stores nothing.
pub(in crate::engine) struct Frames {
    pub(in crate::engine) lemmas: Vec<Vec<Lemma>>,
    /// Lemmas that are inductive together.
    pub(in crate::engine) infinity: Vec<Lemma>,
    /// One for each frame, with the clauses of the logic, the constraints and the frame's lemmas.
    pub(in crate::engine) solvers: Vec<QuerySolver>,
    /// Has the clauses of the logic, the constraints and the lemmas that hold for ever.
    pub(in crate::engine) infinity_solver: QuerySolver,
    /// The first frame that has become stronger since lemmas were last moved on: those of earlier frames
    /// can't move.
    pub(in crate::engine) touched: usize,
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
