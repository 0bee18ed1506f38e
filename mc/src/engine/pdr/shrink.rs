//! Fewer lemmas in the final invariant: smaller certificates, checked faster.

use super::lemma::Lemma;
use super::logic::ConeSolver;
use super::state::Pdr;
use super::support::Switched;

/// The maximal number of passes over the remaining lemmas.
const ROUNDS: usize = 3;

/// There is a question for each lemma, which assumes all of them: time for the square of their number.
const MOST_LEMMAS: usize = 5_000;

impl Pdr<'_> {
    /// The needed part of an invariant: the lemmas that exclude the bad, and those that these depend on. If
    /// time runs out, the subset found so far; all of them if there are very many.
    pub(in crate::engine) fn shrink(&self, mut invariant: Vec<Lemma>) -> Vec<Lemma> {
        if invariant.len() > MOST_LEMMAS {
            return invariant;
        }
        let mut solver = self.transition.logic.clone();
        for &constraint in &self.transition.constraints {
            solver.add_clause(&[constraint]);
        }
        // Short lemmas first, so that cores prefer them.
        invariant.sort_by_key(|lemma| lemma.cube.len());
        for _ in 0..ROUNDS {
            let Some(needed) = self.needed(solver.clone(), &invariant) else {
                break;
            };
            let before = invariant.len();
            let mut needed = needed.into_iter();
            invariant.retain(|_| needed.next() == Some(true));
            if invariant.len() == before {
                break;
            }
        }
        invariant
    }

    fn needed(&self, solver: ConeSolver, invariant: &[Lemma]) -> Option<Vec<bool>> {
        let mut switched = Switched::new(
            solver,
            Vec::new(),
            invariant,
            &self.transition,
            self.control.stop,
        );
        let all = vec![true; invariant.len()];
        let mut needed = vec![false; invariant.len()];
        let mut open = switched.support_of_property(&all)?;
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut needed[index], true) {
                open.extend(switched.support_of(&invariant[index], &all)?);
            }
        }
        Some(needed)
    }
}
