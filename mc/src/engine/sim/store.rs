//! States that rounds may start from, with the way to each.

/// Truth values, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    pub(super) fn new(values: impl IntoIterator<Item = bool>) -> Self {
        let mut words = Vec::new();
        for (place, value) in values.into_iter().enumerate() {
            if place % 64 == 0 {
                words.push(0);
            }
            words[place / 64] |= u64::from(value) << (place % 64);
        }
        Self(words.into_boxed_slice())
    }

    /// The value at a place.
    pub(super) fn get(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// The value at a place in all bits of a word.
    pub(super) fn word(&self, place: usize) -> u64 {
        0_u64.wrapping_sub(u64::from(self.get(place)))
    }

    /// The values at 64 places, the first a multiple of 64.
    pub(super) fn block(&self, block: usize) -> u64 {
        self.0[block]
    }

    fn n_words(&self) -> usize {
        self.0.len()
    }
}

/// A run at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) round: usize,
    pub(super) step: usize,
    pub(super) lane: usize,
}

/// How a stored state was reached.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// It is a reset state.
    Reset,
    /// By a simulated run.
    Simulated(Place),
    /// By one step from an earlier stored state, with these inputs.
    Step(usize, Bits),
}

/// A state that later rounds may start from.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) origin: Origin,
    pub(super) latches: Bits,
    /// The number of steps from the reset.
    pub(super) depth: usize,
}

/// The maximal size of a store: states, and words of their bits.
const MOST_STATES: usize = 1 << 14;
const MOST_WORDS: usize = 1 << 23;

/// Stored states; none is removed, since others are reached from it.
#[derive(Debug, Default)]
pub(super) struct Store {
    states: Vec<Stored>,
    n_words: usize,
}

impl Store {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= MOST_STATES || self.n_words >= MOST_WORDS
    }

    /// Adds a state; returns its number.
    pub(super) fn push(&mut self, stored: Stored) -> usize {
        if let Origin::Step(before, inputs) = &stored.origin {
            debug_assert!(*before < self.len());
            self.n_words += inputs.n_words();
        }
        self.n_words += stored.latches.n_words();
        self.states.push(stored);
        self.len() - 1
    }

    pub(super) fn get(&self, number: usize) -> &Stored {
        &self.states[number]
    }
}

/// Makes bit `i` of word `j` bit `j` of word `i` (Warren, "Hacker's Delight", 2003, section 7-3).
pub(super) fn transpose(words: &mut [u64; 64]) {
    let (mut distance, mut mask) = (32, 0xffff_ffff_u64);
    while distance != 0 {
        let mut row = 0;
        while row < 64 {
            let other = row | distance;
            let swapped = (words[row] >> distance ^ words[other]) & mask;
            words[row] ^= swapped << distance;
            words[other] ^= swapped;
            row = (other + 1) & !distance;
        }
        distance >>= 1;
        mask ^= mask << distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    #[test]
    fn transposition_exchanges_rows_and_columns() {
        let mut random = Random::new(2);
        let words: [u64; 64] = std::array::from_fn(|_| random.word());
        let mut transposed = words;
        transpose(&mut transposed);
        for (row, word) in words.iter().enumerate() {
            for (column, other) in transposed.iter().enumerate() {
                assert_eq!(word >> column & 1, other >> row & 1, "{row} {column}");
            }
        }
    }

    #[test]
    fn bits_are_the_values_that_they_were_made_of() {
        let mut random = Random::new(3);
        for n_values in [0, 1, 63, 64, 65, 200] {
            let values: Vec<bool> = (0..n_values).map(|_| random.below(2) == 0).collect();
            let bits = Bits::new(values.iter().copied());
            for (place, &value) in values.iter().enumerate() {
                assert_eq!(bits.get(place), value);
                assert_eq!(bits.word(place), if value { u64::MAX } else { 0 });
                assert_eq!(bits.block(place / 64) >> (place % 64) & 1 == 1, value);
            }
        }
    }
}
