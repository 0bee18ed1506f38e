//! Cubes of latch literals, and the lemmas that exclude them.

use craig_solver::Lit;

/// A conjunction of latch literals, sorted and without repetitions or contradictions.
pub(in crate::engine) type Cube = Vec<Lit>;

/// The clause that excludes a cube. The cube is what is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Lemma {
    pub(in crate::engine) cube: Cube,
    /// A bit for each literal, by a hash of 64 values: a cube can only contain another whose bits it has.
    signature: u64,
    /// A number that grows with each lemma added to the frames.
    pub(in crate::engine) number: u64,
}

impl Lemma {
    /// The lemma that excludes `cube`.
    pub(in crate::engine) fn new(mut cube: Cube) -> Self {
        cube.sort_unstable();
        debug_assert!(cube.windows(2).all(|pair| pair[0].var() != pair[1].var()));
        let signature = signature(&cube);
        Self {
            cube,
            signature,
            number: 0,
        }
    }

    /// Whether this lemma excludes all states that the other one excludes.
    pub(in crate::engine) fn subsumes(&self, other: &Self) -> bool {
        if self.cube.len() > other.cube.len() || !other.has_bits(self.signature) {
            return false;
        }
        let mut rest = other.cube.iter();
        self.cube.iter().all(|lit| rest.any(|other| other == lit))
    }

    /// The bits of its literals.
    pub(super) fn signature(&self) -> u64 {
        self.signature
    }

    /// Whether a lemma with this signature can subsume this one.
    pub(super) fn has_bits(&self, signature: u64) -> bool {
        signature & !self.signature == 0
    }

    /// The literals of the clause.
    pub(in crate::engine) fn clause(&self) -> Vec<Lit> {
        self.cube.iter().map(|&lit| !lit).collect()
    }
}

fn signature(cube: &[Lit]) -> u64 {
    cube.iter().fold(0, |bits, lit| {
        bits | 1 << (lit.code().wrapping_mul(0x9e37_79b1) >> 26)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_solver::Var;

    #[test]
    fn subsumption_is_inclusion_of_cubes() {
        let mut state = 1u64;
        let mut cubes = Vec::new();
        for _ in 0..60 {
            let mut cube = Cube::new();
            for var in 0..5 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                match state >> 61 {
                    0..=1 => cube.push(Var::new(3 * var).positive()),
                    2..=3 => cube.push(Var::new(3 * var).negative()),
                    _ => {}
                }
            }
            cubes.push(cube);
        }
        for left in &cubes {
            for right in &cubes {
                let expected = left.iter().all(|lit| right.contains(lit));
                let (left, right) = (Lemma::new(left.clone()), Lemma::new(right.clone()));
                assert_eq!(left.subsumes(&right), expected);
            }
        }
    }
}
