//! Pseudo-random numbers: the same seed gives the same sequence on every machine.

/// The generator SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug, Default)]
pub struct Random(u64);

impl Random {
    /// The generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Either truth value, equally likely.
    pub fn flip(&mut self) -> bool {
        self.word() & 1 == 0
    }

    /// A number below `bound`, which is positive.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias is below bound / 2^64.
        (self.word() % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_of_the_generator() {
        // The reference implementation's first outputs for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.word(), 6_457_827_717_110_365_317);
        assert_eq!(random.word(), 3_203_168_211_198_807_973);
        assert!((0..100).all(|_| random.below(3) < 3));
    }
}
