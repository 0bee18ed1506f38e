//! Activities of latches: how often a latch was in a recent lemma. They order the literals to drop.

use craig_solver::Lit;

use super::transition::Transition;

const DECAY: f64 = 1.0 / 0.98;
const RESCALE: f64 = 1e100;

/// Activities of latches.
pub(super) struct Activities {
    of: Vec<f64>,
    increment: f64,
}

impl Activities {
    /// All 0 with seed 0, else random small values, which lead to other lemmas.
    pub(super) fn new(n_latches: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut noise = || {
            if seed == 0 {
                0.0
            } else {
                random.below(1 << 20) as f64 / f64::from(1 << 20)
            }
        };
        Self {
            of: (0..n_latches).map(|_| noise()).collect(),
            increment: 1.0,
        }
    }

    /// Bumps the latches of a new lemma.
    pub(super) fn bump(&mut self, cube: &[Lit], transition: &Transition) {
        let mut largest: f64 = 0.0;
        for &lit in cube {
            let activity = &mut self.of[transition.latch(lit)];
            *activity += self.increment;
            largest = largest.max(*activity);
        }
        self.increment *= DECAY;
        if largest > RESCALE {
            for activity in &mut self.of {
                *activity /= RESCALE;
            }
            self.increment /= RESCALE;
        }
    }

    /// Sorts latch literals, those of signals last, least active first; ties by number, so that runs are deterministic.
    pub(super) fn sort(&self, lits: &mut [Lit], transition: &Transition) {
        lits.sort_unstable_by(|&left, &right| {
            let is_signal = |lit: Lit| transition.is_signal(lit);
            let activity = |lit: Lit| self.of[transition.latch(lit)];
            (is_signal(left).cmp(&is_signal(right)))
                .then(activity(left).total_cmp(&activity(right)))
                .then(left.cmp(&right))
        });
    }
}

/// A generator of pseudo-random numbers (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((word * bound as u64) >> 32) as usize
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}
