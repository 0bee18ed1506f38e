//! Propagation of lemmas to later frames and to the infinity frame.

use super::lemma::Lemma;
use super::queries::Scope;
use super::state::{Pdr, Stop};

impl Pdr<'_> {
    /// Tries to move the lemmas of all frames but the last one to the next frame; returns whether a frame
    /// became empty.
    pub(in crate::engine) fn propagate(&mut self) -> Result<bool, Stop> {
        let last = self.frames.level();
        let first = if self.options.techniques.skip_untouched {
            self.frames.touched.min(last - 1).max(1)
        } else {
            1
        };
        self.frames.touched = last;
        for frame in first..last {
            if let Err(stop) = self.check_turn() {
                self.frames.touched = self.frames.touched.min(frame);
                return Err(stop);
            }
            let mut lemmas: Vec<Lemma> = self.frames.lemmas.of(frame).cloned().collect();
            lemmas.sort_by_key(|lemma| lemma.cube.len());
            for lemma in lemmas {
                // A lemma that was moved may have subsumed this one.
                if !self.frames.lemmas.still_has(frame, &lemma) {
                    continue;
                }
                let mut cube = lemma.cube;
                self.sort_by_activity(&mut cube);
                cube.reverse();
                if self.is_blocked(frame + 1, &cube, false, Scope::Own)? {
                    let core = self.core(frame + 1, &cube);
                    self.frames.add(frame + 1, Lemma::new(core));
                }
            }
            if self.frames.lemmas.n_of(frame) == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
