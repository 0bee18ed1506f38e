//! States that simulated runs come to.

use craig_aig::Random;
use craig_model::Model;

use super::bounds::Cube;
use crate::circuit::patterns::Run;

/// The steps of the runs.
const N_STEPS: usize = 256;

/// The states of 64 random runs.
pub(super) struct Seen {
    /// For each step, the runs that satisfy the constraints before it, and the words of the latches.
    steps: Vec<(u64, Vec<u64>)>,
}

impl Seen {
    pub(super) fn new(model: &Model) -> Self {
        let mut random = Random::new(0);
        let mut run = Run::new(model, &mut random);
        let mut steps = Vec::with_capacity(N_STEPS);
        while steps.len() < N_STEPS && run.mask != 0 {
            steps.push((run.mask, run.states.clone()));
            let values = run.values(&mut random);
            run.advance(&values);
        }
        Self { steps }
    }

    /// Whether a state of a cube was seen.
    pub(super) fn has(&self, cube: &Cube) -> bool {
        self.steps.iter().any(|(mask, states)| {
            let agree = |&(latch, value): &(usize, bool)| match value {
                true => states[latch],
                false => !states[latch],
            };
            cube.iter().map(agree).fold(*mask, |all, word| all & word) != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Aig;
    use craig_model::{Latch, Reset};

    /// A latch that keeps its value 0, and one that takes that of an input.
    #[test]
    fn reachable_states_are_seen_and_others_are_not() {
        let mut aig = Aig::new();
        let [input, kept, follows] = [(); 3].map(|()| aig.add_input());
        let reset = Reset::Zero;
        let latch = |state, next| Latch { state, next, reset };
        let model = Model {
            aig,
            inputs: vec![input],
            latches: vec![latch(kept, kept), latch(follows, input)],
            ..Model::default()
        };
        let seen = Seen::new(&model);
        assert!(seen.has(&vec![(0, false), (1, false)]));
        assert!(seen.has(&vec![(0, false), (1, true)]));
        assert!(!seen.has(&vec![(0, true)]));
    }
}
