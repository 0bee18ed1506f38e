//! Lemmas of the infinity frame: inductive subsets found before the proof is complete.

use super::lemma::Lemma;
use super::state::{Pdr, Stop};
use super::support::Switched;

/// With more lemmas in the last frame than this, the search is not worth its cost.
const MOST_LEMMAS: usize = 1000;

impl Pdr<'_> {
    /// Moves the largest subset of the last frame's lemmas that is inductive relative to the infinity frame
    /// to that frame. Lemmas that are not implied one step later are removed from the candidates until none
    /// is left to remove.
    pub(in crate::engine) fn find_invariants(&mut self) -> Result<(), Stop> {
        let level = self.frames.level();
        if !(1..=MOST_LEMMAS).contains(&self.frames.lemmas.n_of(level)) {
            return Ok(());
        }
        let lemmas = self.frames.lemmas.of(level).cloned().collect();
        let found = self.inductive_part(lemmas)?;
        self.share(&found);
        for lemma in found {
            self.frames.add_forever(lemma);
        }
        Ok(())
    }

    /// The largest subset of some lemmas, none of which excludes an initial state, that is inductive relative
    /// to the infinity frame.
    pub(super) fn inductive_part(&mut self, lemmas: Vec<Lemma>) -> Result<Vec<Lemma>, Stop> {
        let (solver, off) = self.frames.lend_infinity();
        let mut switched = Switched::new(solver, off, &lemmas, &self.transition, self.control.stop);
        let mut alive = vec![true; lemmas.len()];
        let mut supports: Vec<Vec<usize>> = vec![Vec::new(); lemmas.len()];
        let mut open: Vec<usize> = (0..lemmas.len()).rev().collect();
        while let Some(index) = open.pop() {
            if !alive[index] {
                continue;
            }
            if let Some(support) = switched.support_of(&lemmas[index], &alive) {
                supports[index] = support;
                continue;
            }
            if let Some(reason) = self.control.stop.reason() {
                self.frames.return_infinity(switched.into_solver());
                return Err(Stop(reason));
            }
            alive[index] = false;
            let leaning =
                (0..lemmas.len()).filter(|&other| alive[other] && supports[other].contains(&index));
            open.extend(leaning);
        }
        self.frames.return_infinity(switched.into_solver());
        let mut alive = alive.into_iter();
        let mut lemmas = lemmas;
        lemmas.retain(|_| alive.next() == Some(true));
        Ok(lemmas)
    }
}
