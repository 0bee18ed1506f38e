//! From a blocked cube to a lemma.

use std::collections::{BTreeMap, HashSet};

use craig_aig::{Aig, Edge};
use craig_model::UnknownReason;
use craig_word::Term;

use super::search::{Reached, Search};
use crate::actions::{StateBit, position};
use crate::cfa::LocationId;

/// Narrower words have no bounds.
const FEWEST_BITS: u32 = 3;
/// The most queries that look for a wider bound.
const WIDENINGS: usize = 6;

/// A bound of a word: at most, or at least, a constant, as signed numbers or not.
#[derive(Clone, Copy)]
struct Bound {
    is_upper: bool,
    is_signed: bool,
}

const BOUNDS: [Bound; 4] = [
    Bound {
        is_upper: true,
        is_signed: false,
    },
    Bound {
        is_upper: false,
        is_signed: false,
    },
    Bound {
        is_upper: true,
        is_signed: true,
    },
    Bound {
        is_upper: false,
        is_signed: true,
    },
];

impl Bound {
    /// The formula that a word has this bound.
    fn of(self, aig: &mut Aig, (first, width): (StateBit, u32), constant: u128) -> Edge {
        let mut holds = Edge::TRUE;
        for place in 0..width {
            let bit = Edge::new(aig.inputs()[(first + place) as usize], false);
            let is_sign = self.is_signed && place == width - 1;
            let (bit, set) = (
                bit.negate_if(is_sign),
                (constant >> place & 1 == 1) != is_sign,
            );
            // Of an upper bound, a bit that is set in the constant alone decides for it.
            holds = match (self.is_upper, set) {
                (true, true) => aig.or(!bit, holds),
                (true, false) => aig.and(!bit, holds),
                (false, true) => aig.and(bit, holds),
                (false, false) => aig.or(bit, holds),
            };
        }
        holds
    }

    /// A number by which constants are compared.
    fn key(self, width: u32, constant: u128) -> u128 {
        match self.is_signed {
            true => constant ^ 1 << (width - 1),
            false => constant,
        }
    }
}

impl Search<'_> {
    /// A part of the needed literals of a cube, or other formulas, that is not reached within `level` steps either.
    ///
    /// It holds in `open`, a state of the cube that no lemma excludes, so that each lemma excludes a state more and the
    /// search ends. It need not hold in all states of the cube: comparisons that `open` meets replace bits.
    pub(super) fn generalised(
        &mut self,
        location: LocationId,
        open: &[bool],
        core: Vec<Edge>,
        level: usize,
    ) -> Result<Vec<Edge>, UnknownReason> {
        let mut cube = self.without_words(location, core, level)?;
        if self.options.words {
            cube = self.with_comparisons(location, open, cube, level)?;
            cube = self.with_bounds(location, cube, level)?;
        }
        let mut place = 0;
        while place < cube.len() {
            let mut fewer = cube.clone();
            let dropped = fewer.remove(place);
            match self.blocked(location, fewer, level)? {
                Some(smaller) => cube = smaller,
                None => {
                    place = cube
                        .iter()
                        .position(|&edge| edge == dropped)
                        .map_or(place, |at| at + 1);
                }
            }
        }
        Ok(cube)
    }

    /// What is needed of a cube, if it is not reached.
    fn blocked(
        &mut self,
        location: LocationId,
        mut cube: Vec<Edge>,
        level: usize,
    ) -> Result<Option<Vec<Edge>>, UnknownReason> {
        cube.sort_unstable();
        cube.dedup();
        Ok(match self.reached(location, &cube, level)? {
            Reached::No(needed) => Some(needed),
            Reached::By(_) => None,
        })
    }

    /// The words that the literals of a cube that are bits belong to, each with those literals.
    fn words_of(&self, cube: &[Edge]) -> BTreeMap<usize, Vec<Edge>> {
        let inputs = self.formulas.aig.inputs();
        let mut words: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        for &edge in cube {
            if inputs.binary_search(&edge.node()).is_ok() {
                let bit = position(&self.formulas.aig, edge.node());
                let word = self.vocabulary.word_of[bit as usize];
                words.entry(word).or_default().push(edge);
            }
        }
        words
    }

    /// Drops all literals of a word together, for each word.
    fn without_words(
        &mut self,
        location: LocationId,
        mut cube: Vec<Edge>,
        level: usize,
    ) -> Result<Vec<Edge>, UnknownReason> {
        let words = self.words_of(&cube);
        if words.len() < 2 {
            return Ok(cube);
        }
        for literals in words.into_values() {
            if !literals.iter().any(|edge| cube.contains(edge)) {
                continue;
            }
            let rest = without(&cube, &literals);
            if let Some(smaller) = self.blocked(location, rest, level)? {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    /// Replaces the literals of several words by a comparison between them that the program makes, as it is in the
    /// state `open`.
    fn with_comparisons(
        &mut self,
        location: LocationId,
        open: &[bool],
        mut cube: Vec<Edge>,
        level: usize,
    ) -> Result<Vec<Edge>, UnknownReason> {
        if self.vocabulary.comparisons.is_empty() {
            return Ok(cube);
        }
        let carried: HashSet<Term> = (self
            .actions
            .sliced()
            .location(location)
            .words
            .iter()
            .copied())
        .collect();
        let comparisons = self.vocabulary.comparisons.clone();
        let edges: Vec<Edge> = comparisons.iter().map(|&(edge, _)| edge).collect();
        let values = self.formulas.aig.evaluate(open, &edges);
        for ((edge, read), holds) in comparisons.into_iter().zip(values) {
            let words = self.words_of(&cube);
            if !read.iter().all(|word| words.contains_key(word)) {
                continue;
            }
            let is_carried = |&word: &usize| {
                let first = self.vocabulary.words[word].0;
                carried.contains(&self.actions.bits()[first as usize].0)
            };
            if !read.iter().all(is_carried) {
                continue;
            }
            let literals: Vec<Edge> = read.iter().flat_map(|word| words[word].clone()).collect();
            let mut weaker = without(&cube, &literals);
            weaker.push(edge.negate_if(!holds));
            if let Some(smaller) = self.blocked(location, weaker, level)? {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    /// Replaces the literals of a word by a bound, for each word, and widens the bound.
    fn with_bounds(
        &mut self,
        location: LocationId,
        mut cube: Vec<Edge>,
        level: usize,
    ) -> Result<Vec<Edge>, UnknownReason> {
        for (word, literals) in self.words_of(&cube) {
            let (first, width) = self.vocabulary.words[word];
            let is_left = literals.iter().all(|edge| cube.contains(edge));
            if width < FEWEST_BITS || literals.len() < 2 || !is_left {
                continue;
            }
            // The word is among the values with these bits, and any others.
            let (mut known, mut value) = (0u128, 0u128);
            for edge in &literals {
                let place = position(&self.formulas.aig, edge.node()) - first;
                known |= 1 << place;
                value |= u128::from(!edge.is_negated()) << place;
            }
            let rest = without(&cube, &literals);
            let open = !known & (u128::MAX >> (128 - width));
            for bound in BOUNDS {
                let sign = if bound.is_signed {
                    open & 1 << (width - 1)
                } else {
                    0
                };
                // The extreme value: an open sign bit is set in the least and clear in the greatest.
                let extreme = match bound.is_upper {
                    true => value | (open & !sign),
                    false => value | sign,
                };
                let edge = bound.of(&mut self.formulas.aig, (first, width), extreme);
                if edge.is_constant() {
                    continue;
                }
                let mut weaker = rest.clone();
                weaker.push(edge);
                if let Some(smaller) = self.blocked(location, weaker, level)? {
                    cube = smaller;
                    if cube.contains(&edge) {
                        let found = (bound, extreme, edge);
                        cube = self.widened(location, cube, (first, width), found, level)?;
                    }
                    break;
                }
            }
        }
        Ok(cube)
    }

    /// Replaces a bound by a wider one, with a constant of the program.
    fn widened(
        &mut self,
        location: LocationId,
        mut cube: Vec<Edge>,
        (first, width): (StateBit, u32),
        (bound, constant, mut edge): (Bound, u128, Edge),
        level: usize,
    ) -> Result<Vec<Edge>, UnknownReason> {
        let key = |constant| bound.key(width, constant);
        let constants = self.vocabulary.constants.get(&width).into_iter().flatten();
        let mut wider: Vec<u128> = constants
            .copied()
            .filter(|&other| match bound.is_upper {
                true => key(other) > key(constant),
                false => key(other) < key(constant),
            })
            .collect();
        wider.sort_unstable_by_key(|&other| key(other));
        if !bound.is_upper {
            wider.reverse();
        }
        // The nearest first; the widest that is not reached is found by halving.
        let (mut held, mut fails) = (0, wider.len() + 1);
        for _ in 0..WIDENINGS {
            if fails - held < 2 {
                break;
            }
            let middle = held + (fails - held) / 2;
            let formula = bound.of(&mut self.formulas.aig, (first, width), wider[middle - 1]);
            let mut weaker = without(&cube, &[edge]);
            weaker.push(formula);
            match self.blocked(location, weaker, level)? {
                Some(smaller) => {
                    cube = smaller;
                    edge = formula;
                    held = middle;
                    if !cube.contains(&edge) {
                        break;
                    }
                }
                None => fails = middle,
            }
        }
        Ok(cube)
    }
}

/// A cube without some literals.
fn without(cube: &[Edge], literals: &[Edge]) -> Vec<Edge> {
    let rest = cube.iter().copied();
    rest.filter(|edge| !literals.contains(edge)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bound holds for the values that it should.
    #[test]
    fn bounds_are_those_of_the_machine() {
        let width = 3;
        for bound in BOUNDS {
            for constant in 0..8u128 {
                let mut aig = Aig::new();
                for _ in 0..width {
                    aig.add_input();
                }
                let edge = bound.of(&mut aig, (0, width), constant);
                for value in 0..8u128 {
                    let bits: Vec<bool> = (0..width).map(|bit| value >> bit & 1 == 1).collect();
                    let holds = aig.evaluate(&bits, &[edge])[0];
                    let number = |value: u128| match (bound.is_signed, value >= 4) {
                        (true, true) => value as i64 - 8,
                        _ => value as i64,
                    };
                    let expected = match bound.is_upper {
                        true => number(value) <= number(constant),
                        false => number(value) >= number(constant),
                    };
                    assert_eq!(holds, expected);
                }
            }
        }
    }
}
