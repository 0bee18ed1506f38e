//! Exclusion of states that need not lead to the bad.

use super::generalise::Strategy;
use super::lemma::Cube;
use super::queries::Scope;
use super::state::{Pdr, Stop};

impl Pdr<'_> {
    /// Excludes the states of a cube from a frame, after their predecessors in the frames before. Returns the cube of a lemma that
    /// does, or `None` if one of them is reached from an initial state within `frame` steps.
    ///
    /// Unlike the obligations of [`Pdr::block_bad`], the states are not asked about in later frames, since they may be
    /// reachable there.
    pub(in crate::engine) fn exclude(
        &mut self,
        frame: usize,
        cube: Cube,
        strategy: Strategy,
    ) -> Result<Option<Cube>, Stop> {
        // Each entry has a predecessor in the next one, which is a frame lower.
        let mut open = vec![cube];
        loop {
            let cube = &open[open.len() - 1];
            if self.transition.meets_initial(cube) {
                return Ok(None);
            }
            let frame = frame + 1 - open.len();
            // A step from frame 0 starts in an initial state, so the lifted cube contains one.
            debug_assert!(frame > 0);
            let mut cube = cube.clone();
            self.sort_by_activity(&mut cube);
            cube.reverse();
            if self.is_blocked(frame, &cube, true, Scope::Own)? {
                let (held, cube) = self.generalised(frame, &cube, strategy)?;
                open.pop();
                self.learn(held, cube.clone());
                if open.is_empty() {
                    return Ok(Some(cube));
                }
            } else {
                let (predecessor, _) = self.predecessor(frame, &cube)?;
                open.push(predecessor);
            }
        }
    }
}
