//! Bounds of sums of words that a solver finds.
//!
//! For a sum `f` of up to three words with small factors at a place, `B` is the largest value of `f` after a step to the
//! place that comes from elsewhere or makes `f` larger. Then `f <= B` is inductive, given the invariants that are known: a
//! step of the first kind leads to at most `B`, and any other one to at most the value before. For `while (x < n) x++`
//! that bounds `x - n`, and where a step changes two words at once, by their increments, a sum in which these cancel
//! each other. The sums are template polyhedra (Sankaranarayanan, Sipma, Manna, *Scalable analysis of linear systems using
//! mathematical programming*, VMCAI 2005); here they have so many bits that they do not wrap around, and the largest value
//! is found bit by bit, the highest first.

use std::collections::{BTreeSet, HashMap};

use craig_solver::aig::{Aig, Edge};
use craig_solver::{Answer, Lit};
use craig_word::{Blaster, Term, mask, to_signed};

use super::linear::form;
use super::search::{Guess, SAMPLE_CONFLICTS, Search};

/// Sums at a place that are tried.
const MAX_SUMS: usize = 72;
/// With more words at a place than this, pairs and triples are left out.
const MAX_PAIRED: usize = 8;
/// Factors are less than this.
const MAX_FACTOR: i128 = 1 << 16;
/// Wider words are left out, so that sums are machine integers.
const MAX_WIDTH: u32 = 64;
/// Vectors of increments of two words that directions are made of.
const MAX_VECTORS: usize = 12;

/// Words with their factors.
type Sum = Vec<(usize, i128)>;

impl Search<'_> {
    /// Bounds of sums, each inductive with those before it and the known invariants, and candidates: bounds that hold
    /// where the place is entered.
    pub(super) fn extremes(&mut self) -> (Vec<Guess>, Vec<Guess>) {
        let (mut proved, mut open) = (Vec::new(), Vec::new());
        if !self.counts() {
            return (proved, open);
        }
        let places = 1..=self.vocabulary.at.len();
        let sums =
            places.flat_map(|place| self.sums(place).into_iter().map(move |sum| (place, sum)));
        let mut left: Vec<(usize, Sum)> = sums.collect();
        // A bound may be what another one needs, so that the unbounded ones are asked twice.
        for pass in 0..2 {
            let mut unbounded = Vec::new();
            for (place, sum) in left {
                if self.is_over() {
                    return (proved, open);
                }
                let own = (pass > 0).then_some(&mut open);
                if !self.bound(place, &sum, &mut proved, own) {
                    unbounded.push((place, sum));
                }
            }
            left = unbounded;
        }
        (proved, open)
    }

    /// Whether some step adds a constant to a word. Without that, sums of words say little about the loops, and phases
    /// are few.
    pub(super) fn counts(&self) -> bool {
        let increments = self.increments();
        increments
            .iter()
            .any(|step| step.values().any(|&more| more != 0))
    }

    /// The sums at a place: words, differences and sums of two, those in which increments cancel each other, and sums
    /// of three that no step makes larger.
    fn sums(&self, place: usize) -> Vec<Sum> {
        let width = |word: usize| self.vocabulary.words[word].len() as u32;
        let at = self.vocabulary.at[place - 1].iter().copied();
        let at: Vec<usize> = at
            .filter(|&word| (2..=MAX_WIDTH).contains(&width(word)))
            .collect();
        let mut sums: Vec<Sum> = Vec::new();
        for &x in &at {
            sums.extend([vec![(x, 1)], vec![(x, -1)]]);
        }
        if at.len() > MAX_PAIRED {
            return sums;
        }
        let steps = self.increments();
        for (position, &x) in at.iter().enumerate() {
            for &y in &at[position + 1..] {
                if width(x) != width(y) {
                    continue;
                }
                for (p, q) in [(1, -1), (-1, 1), (1, 1), (-1, -1)] {
                    sums.push(vec![(x, p), (y, q)]);
                }
                for (p, q) in directions(&steps, x, y) {
                    sums.push(vec![(x, p), (y, q)]);
                }
            }
        }
        for (position, &x) in at.iter().enumerate() {
            for (other, &y) in at.iter().enumerate().skip(position + 1) {
                for &z in &at[other + 1..] {
                    if width(x) != width(y) || width(y) != width(z) {
                        continue;
                    }
                    for (q, r) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                        for sign in [1, -1] {
                            let sum = vec![(x, sign), (y, sign * q), (z, sign * r)];
                            if grows_nowhere(&steps, &sum) {
                                sums.push(sum);
                            }
                        }
                    }
                }
            }
        }
        sums.truncate(MAX_SUMS);
        sums
    }

    /// The increments of words in the cases of steps between places; a word that gets something else has none.
    fn increments(&self) -> Vec<HashMap<usize, i128>> {
        let number: HashMap<Term, usize> = self.words.iter().copied().zip(0..).collect();
        let mut steps = Vec::new();
        for case in self.parts.iter().filter(|case| case.source > 0) {
            let mut own: HashMap<usize, i128> = (0..self.words.len()).map(|w| (w, 0)).collect();
            for (&word, &value) in &case.images {
                let width = self.terms.width(word);
                let form = form(&self.terms, value);
                let is_increment =
                    form.multiples.len() == 1 && form.multiples.get(&word) == Some(&1);
                match is_increment {
                    true => own.insert(number[&word], to_signed(form.constant, width)),
                    false => own.remove(&number[&word]),
                };
            }
            if !steps.contains(&own) {
                steps.push(own);
            }
        }
        steps
    }

    /// Looks for the bound of a sum. Returns whether there is one; if not, the bound where the place is entered becomes a
    /// candidate.
    fn bound(
        &mut self,
        place: usize,
        sum: &Sum,
        proved: &mut Vec<Guess>,
        mut open: Option<&mut Vec<Guess>>,
    ) -> bool {
        let (term, width) = self.sum_of(sum);
        let elsewhere = self.elsewhere(place);
        let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
        let aig = &mut self.model.aig;
        let now = self.now.blast(&self.terms, aig, term, &mut none);
        let then = self.then.blast(&self.terms, aig, term, &mut none);
        let from_elsewhere = self.now.blast(&self.terms, aig, elsewhere, &mut none)[0];
        let to_elsewhere = self.then.blast(&self.terms, aig, elsewhere, &mut none)[0];
        // Whether the sum grows.
        let mut blaster = Blaster::new();
        let (before, after) = (self.terms.variable(width), self.terms.variable(width));
        blaster.set(before, &now);
        blaster.set(after, &then);
        let grows = self.terms.slt(before, after);
        let grows = blaster.blast(&self.terms, aig, grows, &mut none)[0];
        let moves = aig.or(from_elsewhere, grows);
        let counts = aig.and(moves, !to_elsewhere);
        let enters = aig.and(from_elsewhere, !to_elsewhere);
        let mut literal = |edge: Edge| self.encoder.encode(aig, edge, &mut self.solver);
        let (counts, enters) = (literal(counts), literal(enters));
        let mut bits: Vec<Lit> = then.iter().map(|&edge| literal(edge)).collect();
        // With its sign inverted, the number has the order of an unsigned one.
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        // Bounds near the largest value that words can give say nothing.
        let most = i128::from(u64::MAX >> (64 - (width - extra_bits(sum)))) >> 1;
        let limit = most * sum.iter().map(|(_, factor)| factor.abs()).sum::<i128>() / 16 * 15;
        for (counted, is_proof) in [(counts, true), (enters, false)] {
            if !is_proof && open.is_none() {
                continue;
            }
            let Some(largest) = self.largest(&bits, counted, limit) else {
                continue;
            };
            let largest = to_signed(largest ^ 1 << (width - 1), width);
            let bound = craig_word::from_signed(largest, width);
            let bound = self.terms.constant(bound, width);
            let body = self.terms.sle(term, bound);
            let claim = self.terms.or(elsewhere, body);
            if self.terms.is_true(claim) {
                return true;
            }
            let guess = self.guess(claim);
            if is_proof {
                self.assumed.push(guess.now_lit);
                proved.push(guess);
                return true;
            }
            if let Some(open) = open.as_deref_mut() {
                open.push(guess);
            }
        }
        false
    }

    /// A sum as a term that is so wide that it does not wrap around, and its width.
    fn sum_of(&mut self, sum: &Sum) -> (Term, u32) {
        let own = self.vocabulary.words[sum[0].0].len() as u32;
        let width = own + extra_bits(sum);
        let mut all = self.terms.constant(0, width);
        for &(word, factor) in sum {
            let wide = self.terms.sext(self.words[word], width);
            let size = self
                .terms
                .constant(factor.unsigned_abs() & mask(width), width);
            let multiple = self.terms.mul(wide, size);
            all = match factor < 0 {
                true => self.terms.sub(all, multiple),
                false => self.terms.add(all, multiple),
            };
        }
        (all, width)
    }

    /// The largest number that bits, lowest first, form where a condition holds, or a larger one if that is hard to
    /// find; `None` if the condition holds nowhere, the number is as large as a limit, or the search is over. The highest
    /// bit is that of a sign, inverted; the limit has none.
    fn largest(&mut self, bits: &[Lit], condition: Lit, limit: i128) -> Option<u128> {
        let limit = limit.unsigned_abs() | 1 << (bits.len() - 1);
        let mut assumed = vec![condition];
        if self.solve(&assumed, SAMPLE_CONFLICTS) != Answer::Satisfiable {
            return None;
        }
        let mut value = 0u128;
        for (position, &bit) in bits.iter().enumerate().rev() {
            assumed.push(bit);
            match self.solve(&assumed, SAMPLE_CONFLICTS) {
                Answer::Satisfiable => value |= 1 << position,
                Answer::Unsatisfiable => {
                    assumed.pop();
                    assumed.push(!bit);
                }
                // All numbers that begin so are at most this.
                Answer::Unknown => {
                    value |= mask(position as u32 + 1);
                    return (value < limit).then_some(value);
                }
            }
            if value >= limit {
                return None;
            }
        }
        Some(value)
    }
}

/// The bits by which a sum is wider than its words.
fn extra_bits(sum: &Sum) -> u32 {
    let total: i128 = sum.iter().map(|(_, factor)| factor.abs()).sum();
    total.ilog2() + 2
}

/// Factors of two words with which some increments cancel each other, and no others make the sum larger.
fn directions(steps: &[HashMap<usize, i128>], x: usize, y: usize) -> Vec<(i128, i128)> {
    let pairs = steps
        .iter()
        .filter_map(|step| Some((*step.get(&x)?, *step.get(&y)?)));
    let vectors: BTreeSet<(i128, i128)> = pairs.filter(|&pair| pair != (0, 0)).collect();
    if vectors.len() > MAX_VECTORS {
        return Vec::new();
    }
    let mut found = BTreeSet::new();
    for &(a, b) in &vectors {
        let divisor = gcd(a, b);
        for (p, q) in [(b / divisor, -a / divisor), (-b / divisor, a / divisor)] {
            let is_new = p.abs() != q.abs() && p != 0 && q != 0;
            let is_small = p.abs() < MAX_FACTOR && q.abs() < MAX_FACTOR;
            if is_new && is_small && vectors.iter().all(|&(c, d)| p * c + q * d <= 0) {
                found.insert((p, q));
            }
        }
    }
    found.into_iter().collect()
}

/// Whether no increments make a sum larger. Steps that give its words other values are not asked.
fn grows_nowhere(steps: &[HashMap<usize, i128>], sum: &Sum) -> bool {
    steps.iter().all(|step| {
        let parts: Option<Vec<i128>> = (sum.iter())
            .map(|&(word, factor)| Some(step.get(&word)? * factor))
            .collect();
        parts.is_none_or(|parts| parts.iter().sum::<i128>() <= 0)
    })
}

/// The greatest common divisor of two numbers that are not both 0.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_that_no_step_makes_larger() {
        let step = |x: i128, y: i128| HashMap::from([(0, x), (1, y)]);
        // 7 y - 3 x and -x + ... of three steps.
        let steps = [step(7, -10), step(7, 3), step(10, 3)];
        let found = directions(&steps, 0, 1);
        assert!(found.contains(&(-3, 7)), "{found:?}");
        for (p, q) in found {
            for step in &steps {
                assert!(p * step[&0] + q * step[&1] <= 0);
            }
        }
        assert!(grows_nowhere(&[step(1, -1)], &vec![(0, 1), (1, 1)]));
        assert!(!grows_nowhere(&[step(1, -1)], &vec![(0, 1), (1, -1)]));
    }
}
