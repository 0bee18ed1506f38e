//! Lifting: generalises a step to a cube of states.

use std::sync::Arc;

use craig_solver::{Answer, Lit};

use super::lemma::Cube;
use super::state::{Pdr, Stop};
use super::ternary::Ternary;

/// The maximal number of attempts to lift a lifted cube further.
const ATTEMPTS: usize = 3;

impl Pdr<'_> {
    /// Generalises the step just found by the solver of frame `solver`, in which all of `target` holds.
    /// Returns a cube and input literals such that every state of the cube satisfies, under every input that
    /// agrees with those, `target` and all constraints.
    ///
    /// The constraints are required: a state that violates them under these inputs is no predecessor, and a
    /// lifted cube with such states would lead to spurious counterexamples.
    ///
    /// The values of signals in the state that was found belong to the cube: a lemma that excludes it should be about them.
    pub(super) fn lift(&mut self, solver: usize, target: &[Lit]) -> Result<(Cube, Vec<Lit>), Stop> {
        let (mut states, inputs) = self.lift_latches(solver, target)?;
        debug_assert!(states.iter().all(|&lit| !self.transition.is_signal(lit)));
        let found = self.frames.solver(solver);
        let signals = self.transition.signals();
        states.extend(signals.filter_map(|lit| Some(lit.negate_if(!found.value(lit)?))));
        Ok((states, inputs))
    }

    /// As `lift`, without signals.
    fn lift_latches(&mut self, solver: usize, target: &[Lit]) -> Result<(Cube, Vec<Lit>), Stop> {
        if target.is_empty() && self.transition.constraints.is_empty() {
            return Ok((Cube::new(), Vec::new()));
        }
        if self.is_large
            && let Some(lifted) = self.lift_by_values(solver, target)
        {
            return Ok(lifted);
        }
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
        for lit in self.frames.solver(solver).model() {
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
                (self.effort).ask_lifting(&mut self.lift_solver, &self.scratch, self.control.stop);
            if !self.finish(answer)? {
                // Only when stopped: the assumptions assign everything that the clause depends on.
                debug_assert_eq!(answer, Answer::Unknown);
                return Err(Stop(
                    self.control
                        .stop
                        .reason()
                        .unwrap_or(craig_model::UnknownReason::OutOfMemory),
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

    /// As `lift_latches`, without a solver, by three-valued simulation alone: what has a value there has it in all completions.
    /// The cube may be longer. `None` if the step does not determine the target, which is not expected.
    fn lift_by_values(&mut self, solver: usize, target: &[Lit]) -> Option<(Cube, Vec<Lit>)> {
        let transition = &self.transition;
        let gates = transition.logic.gates();
        let ternary = (self.ternary).get_or_insert_with(|| Ternary::new(Arc::clone(gates)));
        let found = self.frames.solver(solver);
        let roots = target.iter().chain(&transition.constraints).copied();
        let is_known = ternary.begin(roots, |lit| found.value(lit));
        debug_assert!(
            is_known,
            "the step has values for all that its end depends on"
        );
        if !is_known {
            return None;
        }
        let leaves = ternary.leaves();
        let (mut states, others): (Cube, Vec<Lit>) =
            leaves.partition(|&lit| transition.is_latch(lit));
        let inputs = others.into_iter().filter(|&lit| transition.is_input(lit));
        let inputs = inputs.collect();
        self.activities.sort(&mut states, transition);
        ternary.reduce(&mut states);
        states.sort_unstable();
        Some((states, inputs))
    }
}
