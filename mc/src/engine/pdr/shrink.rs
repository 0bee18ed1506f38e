//! Fewer lemmas in the final invariant: smaller certificates, checked faster.

use super::lemma::Lemma;
use super::state::Pdr;
use super::support::Switched;

/// How often the lemmas that are left are gone through again.
const ROUNDS: usize = 3;

impl Pdr<'_> {
    /// The part of an invariant that is needed: what excludes the bad, and what that leans on in turn.
    /// If time runs out, what was reached so far.
    pub(in crate::engine) fn shrink(&self, mut invariant: Vec<Lemma>) -> Vec<Lemma> {
        let mut solver = self.transition.logic.clone();
        for &constraint in &self.transition.constraints {
            solver.add_clause(&[constraint]);
        }
        // Short lemmas first: those are preferred in cores.
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

    fn needed(
        &self,
        solver: craig_solver::query::QuerySolver,
        invariant: &[Lemma],
    ) -> Option<Vec<bool>> {
        let mut switched = Switched::new(solver, invariant, &self.transition, self.control);
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
