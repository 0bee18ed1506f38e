//! The largest inductive subset of candidate invariants.
//!
//! Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001): candidates that a step
//! violates are removed until every step preserves the remaining ones.

use craig_solver::{Answer, Lit};

use super::search::{
    ALL_CONFLICTS, Candidate, SAMPLE_CONFLICTS, STEP_CONFLICTS, Sample, Search, evaluator,
};
use super::walks::LANES;

/// Steps on random inputs from a state that violates a candidate.
const SHORT_WALK: usize = 3;

impl Search<'_> {
    /// Searches for a step from a state in which all candidates hold to one in which some does not.
    pub(super) fn find_broken(&mut self, candidates: &[Candidate], conflicts: u64) -> Answer {
        let all = candidates.iter();
        let broken: Vec<Lit> = all.clone().map(|candidate| !candidate.then_lit).collect();
        let assumptions: Vec<Lit> = all.map(|candidate| candidate.now_lit).collect();
        self.solve_with(Some(&broken), &assumptions, conflicts)
    }

    /// Removes candidates until every step preserves the remaining ones. `None` if that takes too long.
    pub(super) fn keep_inductive(&mut self, candidates: &mut Vec<Candidate>) -> Option<()> {
        while !candidates.is_empty() {
            match self.find_broken(candidates, STEP_CONFLICTS) {
                Answer::Unsatisfiable => return Some(()),
                Answer::Satisfiable => self.drop_broken(candidates)?,
                Answer::Unknown => {
                    if !self.drop_hard(candidates)? {
                        return Some(());
                    }
                }
            }
        }
        Some(())
    }

    /// Removes candidates that do not hold after the step found by the solver.
    fn drop_broken(&mut self, candidates: &mut Vec<Candidate>) -> Option<()> {
        let before = candidates.len();
        let sample = self.next_state(0);
        self.drop_false(&sample, candidates);
        debug_assert!(candidates.len() < before, "the step breaks one of them");
        if candidates.len() == before {
            return None;
        }
        // The remaining candidates hold in this state, so they have to hold in its successors, too.
        let mut states = vec![sample.latches; LANES];
        for _ in 0..SHORT_WALK {
            states = self.walks.step(&states);
            let mut different = states.clone();
            different.sort_unstable();
            different.dedup();
            for state in different
                .iter()
                .step_by(different.len().div_ceil(LANES / 4))
            {
                let sample = self.sample_of(state.clone(), 0);
                self.drop_false(&sample, candidates);
            }
        }
        Some(())
    }

    fn drop_false(&self, sample: &Sample, candidates: &mut Vec<Candidate>) {
        let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
        candidates.retain(|candidate| evaluator.value(candidate.term) == 1);
    }

    /// Checks the candidates one by one, and removes those that exceed their limit. Returns whether any was
    /// removed.
    fn drop_hard(&mut self, candidates: &mut Vec<Candidate>) -> Option<bool> {
        let before = candidates.len();
        let mut position = 0;
        while position < candidates.len() {
            if self.conflicts >= ALL_CONFLICTS || self.is_over() {
                return None;
            }
            let mut assumptions: Vec<Lit> = candidates
                .iter()
                .map(|candidate| candidate.now_lit)
                .collect();
            assumptions.push(!candidates[position].then_lit);
            match self.solve(&assumptions, STEP_CONFLICTS / 20) {
                Answer::Unsatisfiable => position += 1,
                Answer::Satisfiable => {
                    self.drop_broken(candidates)?;
                    position = position.min(candidates.len());
                }
                Answer::Unknown => {
                    candidates.remove(position);
                }
            }
        }
        Some(candidates.len() < before)
    }

    /// Removes candidates that the others imply, so that the engines get fewer constraints.
    pub(super) fn drop_implied(&mut self, candidates: &mut Vec<Candidate>) {
        let mut position = candidates.len();
        while position > 0 {
            position -= 1;
            let others = candidates
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != position);
            let mut assumptions: Vec<Lit> =
                others.map(|(_, candidate)| candidate.now_lit).collect();
            assumptions.push(!candidates[position].now_lit);
            if self.solve(&assumptions, SAMPLE_CONFLICTS) == Answer::Unsatisfiable {
                candidates.remove(position);
            }
        }
    }
}
