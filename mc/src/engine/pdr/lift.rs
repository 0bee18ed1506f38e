//! Lifting: generalises a step to a cube of states.

use craig_solver::{Answer, Lit};

use super::lemma::Cube;
use super::state::{Pdr, Stop};

/// The maximal number of attempts to lift a lifted cube further.
const ATTEMPTS: usize = 3;

impl Pdr<'_> {
    /// Generalises the step just found by the solver of frame `solver`, in which all of `target` holds.
    /// Returns a cube and input literals such that every state of the cube satisfies, under every input that
    /// agrees with those, `target` and all constraints.
    ///
    /// The constraints are required: a state that violates them under these inputs is no predecessor, and a
    /// lifted cube with such states would lead to spurious counterexamples.
    pub(super) fn lift(&mut self, solver: usize, target: &[Lit]) -> Result<(Cube, Vec<Lit>), Stop> {
        let transition = &self.transition;
        let refuted: Vec<Lit> = target
            .iter()
            .chain(&transition.constraints)
            .map(|&lit| !lit)
            .collect();
        self.lift_solver.set_temporary(&refuted);
        self.lift_solver.fix_domain(&refuted);
        let mut inputs = Vec::new();
        let mut states = Vec::new();
        for lit in self.frames.solvers[solver].model() {
            if !self.lift_solver.is_in_domain(lit) {
                continue;
            }
            if transition.is_latch(lit) {
                states.push(lit);
            } else if transition.is_input(lit) {
                inputs.push(lit);
            }
        }
        // A target implied by the inputs alone needs no latch. Literals that are likely in a lemma come last,
        // so that they are dropped from obligations if possible.
        self.sort_by_activity(&mut states);
        states.reverse();
        for attempt in 0..ATTEMPTS {
            self.scratch.clear();
            self.scratch.extend_from_slice(&inputs);
            self.scratch.extend_from_slice(&states);
            let answer =
                (self.effort).ask_lifting(&mut self.lift_solver, &self.scratch, self.control);
            if !self.finish(answer)? {
                // Only when stopped: the assumptions assign everything that the clause depends on.
                debug_assert_eq!(answer, Answer::Unknown);
                return Err(Stop(
                    self.control
                        .stop_reason()
                        .unwrap_or(crate::circuit::verdict::UnknownReason::OutOfMemory),
                ));
            }
            let before = states.len();
            let solver = &self.lift_solver;
            states.retain(|&lit| solver.is_failed(lit));
            if states.len() <= 1 || attempt > 0 && states.len() == before {
                break;
            }
            if attempt == 0 {
                states.reverse();
            } else {
                self.random.shuffle(&mut states);
            }
        }
        states.sort_unstable();
        Ok((states, inputs))
    }
}
