//! Exceptions from a ranking: states from which a latch leaves its value, and which an invariant has to exclude.

use std::cmp::Reverse;

use craig_aig::Edge;
use craig_model::{Model, Stop};
use craig_solver::{Answer, Lit};

use super::bounds::{Bounds, Cube, meets_reset};
use super::lifting::Lifting;
use super::seen::Seen;
use super::steps::{Ranked, Steps};
use crate::control::StateClause;

/// Exceptions of a latch, at most.
const MOST_EXCEPTIONS: usize = 3;
/// Latches of a level that are looked at for their exceptions, at most.
const MOST_CANDIDATES: usize = 8;
/// Among more latches, exceptions are not looked for.
const MOST_OPEN: usize = 1024;

/// Excludes the exceptions by invariants, which it returns. Ends the ranking before the level of one that is not excluded, and returns the
/// latch of that level.
pub(super) fn without_exceptions(
    model: &Model,
    latches: &mut Vec<Ranked>,
    exceptions: &[(usize, Cube)],
    stop: &Stop,
) -> (Vec<StateClause>, Option<usize>) {
    let mut bounds = Bounds::new(model);
    let mut refused = None;
    for (level, cube) in exceptions {
        let is_in_cube = |ranked: &&Ranked| cube.iter().any(|&(latch, _)| latch == ranked.latch);
        let word: Vec<(usize, bool)> = (latches.iter().filter(is_in_cube))
            .map(|ranked| (ranked.latch, !ranked.reached.is_negated()))
            .collect();
        if !bounds.exclude(cube, &word, stop) {
            let its_own = latches.iter().find(|ranked| ranked.level == *level);
            refused = its_own.map(|ranked| ranked.latch);
            latches.retain(|ranked| ranked.level < *level);
            break;
        }
    }
    (bounds.into_invariants(), refused)
}

impl Steps<'_> {
    /// One of the open latches that keeps one of its values in all steps but those from the states of a few cubes, none of
    /// which has a reset state. Such steps do not matter from now on. Latches whose exceptions say most come first: they are the rarest.
    pub(super) fn with_exceptions(
        &mut self,
        level: usize,
        open: &[usize],
        refused: &[usize],
        stop: &Stop,
    ) -> Option<(Ranked, Vec<Cube>)> {
        if open.len() > MOST_OPEN {
            return None;
        }
        let mut candidates = Vec::new();
        for &number in open.iter().filter(|number| !refused.contains(number)) {
            for keeps_zero in [false, true] {
                if stop.reason().is_some() {
                    return None;
                }
                let latch = &self.model.latches[number];
                let [reached, reached_next] =
                    [latch.state, latch.next].map(|edge| edge.negate_if(keeps_zero));
                let ranked = Ranked {
                    latch: number,
                    reached,
                    reached_next,
                    level,
                    is_last: [false; 2],
                };
                if self.leaving(&ranked, None) == Answer::Satisfiable
                    && let Some(cube) = self.lift_cube(&ranked, false)
                {
                    candidates.push((cube.len(), ranked));
                }
            }
        }
        candidates.sort_by_key(|&(n_values, _)| Reverse(n_values));
        candidates.truncate(MOST_CANDIDATES);
        let mut candidates = candidates.into_iter();
        candidates.find_map(|(_, ranked)| {
            let cubes = self.exceptions(&ranked)?;
            Some((ranked, cubes))
        })
    }

    /// Whether a step leaves the value.
    fn leaving(&mut self, ranked: &Ranked, given: Option<Lit>) -> Answer {
        let mut leaves = [ranked.reached, !ranked.reached_next]
            .map(|edge| self.literal(edge))
            .to_vec();
        leaves.extend(given);
        self.answer(&leaves)
    }

    /// Cubes with all states from which a step leaves the value.
    fn exceptions(&mut self, ranked: &Ranked) -> Option<Vec<Cube>> {
        let without = self.solver.new_var().positive();
        let mut cubes: Vec<Cube> = Vec::new();
        let are_all = loop {
            match self.leaving(ranked, Some(without)) {
                Answer::Unsatisfiable => break true,
                Answer::Satisfiable if cubes.len() < MOST_EXCEPTIONS => {}
                Answer::Satisfiable | Answer::Unknown => break false,
            }
            let Some(cube) = self.lift_cube(ranked, true) else {
                break false;
            };
            let mut others = vec![!without];
            for &(latch, value) in &cube {
                let state = self.literal(self.model.latches[latch].state);
                others.push(state.negate_if(value));
            }
            self.solver.add_clause(&others);
            cubes.push(cube);
        };
        self.solver.add_clause(&[without.negate_if(!are_all)]);
        are_all.then_some(cubes)
    }

    /// From the step that the solver has found, a cube of states from which its inputs lead on so that the value is left; `None`
    /// if it has a reset state, or one that was seen in a run.
    fn lift_cube(&mut self, ranked: &Ranked, is_small: bool) -> Option<Cube> {
        let model = self.model;
        let value = |edge: Edge, search: &Self| {
            let literal = search.encoder.literal(edge);
            literal.is_some_and(|literal| search.solver.value(literal) == Some(true))
        };
        let mut cube: Cube = (model.latches.iter().enumerate())
            .map(|(number, latch)| (number, value(latch.state, self)))
            .collect();
        let inputs = model.inputs.iter();
        let inputs: Vec<bool> = inputs.map(|&input| value(input, self)).collect();
        let leaves = [ranked.reached, !ranked.reached_next];
        let lifting = self.lifting.get_or_insert_with(|| Lifting::new(model));
        let seen = self.seen.get_or_insert_with(|| Seen::new(model));
        let is_reached = |cube: &Cube| meets_reset(&model.latches, cube) || seen.has(cube);
        lifting.lift(leaves, &inputs, &mut cube);
        if is_small && !is_reached(&cube) {
            lifting.shrink(leaves, &inputs, &mut cube);
        }
        (!is_reached(&cube)).then_some(cube)
    }
}
