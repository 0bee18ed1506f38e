//! Affine relations between words, modulo 2^w for words of width w.
//!
//! Müller-Olm, Seidl, *Analysis of modular arithmetic* (ESOP 2005): the relations that hold in a set of
//! states form a module over the integers modulo 2^w. It is represented by generators, and shrinks with every
//! added state.

use craig_word::{Term, Terms, mask, to_signed};

/// Relations with a coefficient of more digits -1 and 1 than this are omitted: multiplication is expensive.
const MAX_DIGITS: u32 = 3;

/// The number of digits -1 and 1 that a factor needs: 7 is 8 - 1.
fn n_digits(factor: u128) -> u32 {
    // In the non-adjacent form, a digit is not 0 where `n` and `3 n` differ.
    (factor ^ factor.wrapping_mul(3)).count_ones()
}

/// The relations `sum of c[i] * x[i] == sum of c[i] * origin[i]` that hold in all added states.
pub(crate) struct Affine {
    width: u32,
    /// The first state; without one, every relation holds.
    origin: Option<Vec<u128>>,
    /// Generators of the module of vectors `c`.
    generators: Vec<Vec<u128>>,
}

impl Affine {
    /// No state, over `n_words` words.
    pub(crate) fn new(width: u32, n_words: usize) -> Self {
        let unit = |one: usize| (0..n_words).map(|i| u128::from(i == one)).collect();
        Self {
            width,
            origin: None,
            generators: (0..n_words).map(unit).collect(),
        }
    }

    /// Adds a state. Returns whether a relation was lost.
    pub(crate) fn add(&mut self, state: &[u128]) -> bool {
        let Some(origin) = &self.origin else {
            self.origin = Some(state.to_vec());
            return true;
        };
        let mask = mask(self.width);
        let products: Vec<u128> = self
            .generators
            .iter()
            .map(|generator| {
                let differences = state.iter().zip(origin).map(|(x, o)| x.wrapping_sub(*o));
                let products = generator.iter().zip(differences);
                products.fold(0u128, |sum, (c, d)| sum.wrapping_add(c.wrapping_mul(d))) & mask
            })
            .collect();
        // The product with the fewest factors of two eliminates all others.
        let pivot = (0..products.len())
            .filter(|&i| products[i] != 0)
            .min_by_key(|&i| products[i].trailing_zeros());
        let Some(pivot) = pivot else {
            return false;
        };
        let twos = products[pivot].trailing_zeros();
        let inverse = inverse(products[pivot] >> twos);
        let base = self.generators[pivot].clone();
        for (generator, &product) in self.generators.iter_mut().zip(&products) {
            let factor = (product >> twos).wrapping_mul(inverse);
            for (c, b) in generator.iter_mut().zip(&base) {
                *c = c.wrapping_sub(factor.wrapping_mul(*b)) & mask;
            }
        }
        // Of the pivot, the multiples that the new state satisfies are kept.
        let rest = base.iter().map(|c| match twos {
            0 => 0,
            _ => c << (self.width - twos) & mask,
        });
        self.generators[pivot] = rest.collect();
        self.generators
            .retain(|generator| generator.iter().any(|&c| c != 0));
        true
    }

    /// Generators of the same module in row echelon form: those of random states have random coefficients.
    fn reduced(&self) -> Vec<Vec<u128>> {
        let mask = mask(self.width);
        let mut rows = self.generators.clone();
        for done in 0..rows.len() {
            // The entry with the fewest factors of two divides all others that remain.
            let entries = (done..rows.len())
                .flat_map(|row| (0..rows[row].len()).map(move |column| (row, column)))
                .filter(|&(row, column)| rows[row][column] != 0);
            let Some((row, column)) =
                entries.min_by_key(|&(row, column)| rows[row][column].trailing_zeros())
            else {
                rows.truncate(done);
                break;
            };
            rows.swap(done, row);
            let twos = rows[done][column].trailing_zeros();
            let unit = inverse(rows[done][column] >> twos);
            for c in &mut rows[done] {
                *c = c.wrapping_mul(unit) & mask;
            }
            let pivot = rows[done].clone();
            for (_, other) in rows.iter_mut().enumerate().filter(|&(row, _)| row != done) {
                let factor = other[column] >> twos;
                for (c, p) in other.iter_mut().zip(&pivot) {
                    *c = c.wrapping_sub(factor.wrapping_mul(*p)) & mask;
                }
            }
        }
        rows
    }

    /// The odd multiple with the smallest coefficients: one for which some coefficient is a power of two.
    fn scaled(&self, generator: &[u128]) -> Vec<u128> {
        let size = |c: &u128| to_signed(*c, self.width).unsigned_abs();
        let weight = |row: &[u128]| row.iter().map(size).max().unwrap_or(0);
        let mut best = generator.to_vec();
        for &c in generator.iter().filter(|&&c| c != 0) {
            let unit = inverse(c >> c.trailing_zeros());
            let multiply = |c: &u128| c.wrapping_mul(unit) & mask(self.width);
            let row: Vec<u128> = generator.iter().map(multiply).collect();
            if weight(&row) < weight(&best) {
                best = row;
            }
        }
        best
    }

    /// The relations, over the given words, without those whose coefficients exceed [`MAX_DIGITS`].
    pub(crate) fn relations(&self, terms: &mut Terms, words: &[Term]) -> Vec<Term> {
        self.relations_of(terms, words, self.reduced())
    }

    /// As `relations`, without multiples of powers of two, which only say something of the low bits.
    pub(crate) fn whole_relations(&self, terms: &mut Terms, words: &[Term]) -> Vec<Term> {
        let mut rows = self.reduced();
        rows.retain(|row| row.iter().any(|c| c & 1 == 1));
        self.relations_of(terms, words, rows)
    }

    fn relations_of(&self, terms: &mut Terms, words: &[Term], rows: Vec<Vec<u128>>) -> Vec<Term> {
        let Some(origin) = &self.origin else {
            return vec![terms.boolean(false)];
        };
        let mut relations = Vec::new();
        for generator in rows {
            let generator = &self.scaled(&generator);
            let signed = |&c: &u128| to_signed(c, self.width);
            if generator
                .iter()
                .any(|c| n_digits(signed(c).unsigned_abs()) > MAX_DIGITS)
            {
                continue;
            }
            let (mut left, mut right) = (None, None);
            let mut value = 0u128;
            for ((c, &word), o) in generator.iter().zip(words).zip(origin) {
                value = value.wrapping_add(c.wrapping_mul(*o));
                let c = signed(c);
                if c == 0 {
                    continue;
                }
                let factor = terms.constant(c.unsigned_abs() & mask(self.width), self.width);
                let product = terms.mul(word, factor);
                let side = if c > 0 { &mut left } else { &mut right };
                *side = Some(match *side {
                    None => product,
                    Some(sum) => terms.add(sum, product),
                });
            }
            let constant = terms.constant(value & mask(self.width), self.width);
            let right = right.map_or(constant, |right| terms.add(right, constant));
            let left = left.unwrap_or_else(|| terms.constant(0, self.width));
            relations.push(terms.eq(left, right));
        }
        relations
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
pub(super) fn inverse(odd: u128) -> u128 {
    debug_assert!(odd & 1 == 1);
    let mut inverse = odd;
    // The first approximation has three correct bits; each step doubles their number.
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    debug_assert!(odd.wrapping_mul(inverse) == 1);
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_word::Evaluator;
    use std::collections::HashMap;

    /// Which of the small states satisfy all relations of the given ones.
    fn closure(width: u32, states: &[[u128; 2]]) -> Vec<[u128; 2]> {
        let mut affine = Affine::new(width, 2);
        for state in states {
            affine.add(state);
            assert!(!affine.add(state), "a state is added once");
        }
        let mut terms = Terms::new();
        let words = [terms.variable(width), terms.variable(width)];
        let relations = affine.relations(&mut terms, &words);
        let mut found = Vec::new();
        for x in 0..=mask(width) {
            for y in 0..=mask(width) {
                let values = HashMap::from([(words[0], x), (words[1], y)]);
                let mut evaluator = Evaluator::new(&terms, |term, _| values[&term]);
                if relations.iter().all(|&r| evaluator.value(r) == 1) {
                    found.push([x, y]);
                }
            }
        }
        found
    }

    /// The affine hull, iteratively: with a, b and c, also a + b - c.
    fn hull(width: u32, states: &[[u128; 2]]) -> Vec<[u128; 2]> {
        let mut hull: Vec<[u128; 2]> = states.to_vec();
        hull.sort_unstable();
        hull.dedup();
        loop {
            let mut more = hull.clone();
            for a in &hull {
                for b in &hull {
                    for c in &hull {
                        let at =
                            |i: usize| a[i].wrapping_add(b[i]).wrapping_sub(c[i]) & mask(width);
                        more.push([at(0), at(1)]);
                    }
                }
            }
            more.sort_unstable();
            more.dedup();
            if more.len() == hull.len() {
                return hull;
            }
            hull = more;
        }
    }

    #[test]
    fn relations_between_random_words_are_simple() {
        let mut random = 7u64;
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            u128::from(random >> 32)
        };
        let mut affine = Affine::new(32, 4);
        for _ in 0..40 {
            let (x, y, steps) = (next(), next(), next());
            let minus = |value: u128| value.wrapping_sub(steps) & mask(32);
            affine.add(&[x, y, minus(x), minus(y)]);
        }
        // i - x - j + y == 0, and nothing else.
        let reduced = affine.reduced();
        assert_eq!(reduced.len(), 1);
        let minus_one = mask(32);
        assert_eq!(reduced[0], [1, minus_one, minus_one, 1]);
    }

    #[test]
    fn relations_keep_small_coefficients() {
        let mut affine = Affine::new(32, 3);
        for [i, x, y] in [[0, 0, 0], [1, 1, 2], [2, 3, 3], [3, 4, 5], [7, 7, 14]] {
            affine.add(&[i, x, y]);
        }
        // 3 i == x + y, up to the sign.
        let rows = affine.reduced();
        assert_eq!(rows.len(), 1);
        let row = affine.scaled(&rows[0]);
        let signed: Vec<i128> = row.iter().map(|&c| to_signed(c, 32)).collect();
        assert!(
            [vec![-3, 1, 1], vec![3, -1, -1]].contains(&signed),
            "{signed:?}"
        );
    }

    #[test]
    fn relations_describe_the_affine_hull() {
        let width = 3;
        let mut random = 1u64;
        for _ in 0..60 {
            let mut states = Vec::new();
            for _ in 0..4 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                states.push([u128::from(random >> 40 & 7), u128::from(random >> 50 & 7)]);
                assert_eq!(closure(width, &states), hull(width, &states), "{states:?}");
            }
        }
    }
}
