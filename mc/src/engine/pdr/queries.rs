//! Queries about a cube in a frame.

use craig_model::UnknownReason;
use craig_solver::{Answer, Lit};

use super::lemma::{Cube, Lemma};
use super::state::{Pdr, Stop};

/// The domain of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Scope {
    /// The cone of the query.
    Own,
    /// The domain was fixed before, for a cube that includes that of the query.
    Fixed,
}

impl Pdr<'_> {
    /// Whether no step under the constraints leads from frame `frame - 1` (without the states of `cube`
    /// itself, if `relative`) into the cube. The order of the literals matters: earlier ones are preferred in
    /// the core.
    ///
    /// After `true`, [`Pdr::core`] returns the core; after `false` the solver holds the step.
    pub(in crate::engine) fn is_blocked(
        &mut self,
        frame: usize,
        cube: &[Lit],
        relative: bool,
        scope: Scope,
    ) -> Result<bool, Stop> {
        let solver = self.frames.solver_mut(frame - 1);
        if scope == Scope::Own {
            solver.release_domain();
        }
        if relative {
            self.scratch.clear();
            self.scratch.extend(cube.iter().map(|&lit| !lit));
            solver.set_temporary(&self.scratch);
        } else {
            solver.clear_temporary();
        }
        self.scratch.clear();
        self.frames.assume(frame - 1, &mut self.scratch);
        self.scratch
            .extend(cube.iter().map(|&lit| self.transition.next(lit)));
        let solver = self.frames.solver_mut(frame - 1);
        let answer = (self.effort).ask_frame(solver, &self.scratch, self.control.stop);
        self.finish(answer)
    }

    /// Counts a query, and checks the stop condition regularly. `true` for unsatisfiable.
    pub(in crate::engine) fn finish(&mut self, answer: Answer) -> Result<bool, Stop> {
        self.queries += 1;
        if answer == Answer::Unknown || self.queries.is_multiple_of(64) {
            match self.control.stop.reason() {
                Some(reason) => return Err(Stop(reason)),
                // Without a stop reason there was no space for a clause.
                None if answer == Answer::Unknown => return Err(Stop(UnknownReason::OutOfMemory)),
                None => {}
            }
        }
        Ok(answer == Answer::Unsatisfiable)
    }

    /// The core of `cube` in the last query, which found it blocked, with a literal that excludes the initial
    /// states, which `cube` must have.
    pub(super) fn core(&self, frame: usize, cube: &[Lit]) -> Cube {
        let solver = self.frames.solver(frame - 1);
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
        self.activities.bump(&cube, &self.transition);
        self.frames.add(frame, Lemma::new(cube));
    }
}
