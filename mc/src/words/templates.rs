//! Candidate invariants over one, two and three words at a place.

use std::collections::{BTreeSet, HashSet};

use craig_word::{Term, Terms, from_signed, mask, to_signed};

use super::search::{Guess, Sample, Search, evaluator};

/// With more words at a place than this, pairs are skipped.
const MAX_PAIRED: usize = 10;
/// With more words at a place than this, triples are skipped.
const MAX_TRIPLES: usize = 7;
const MAX_CANDIDATES: usize = 800;
const MAX_CONSTANTS: usize = 12;
/// Bounds of a difference or a sum are candidates if its values lie within this range.
const MAX_SPREAD: i128 = 1 << 12;

impl Search<'_> {
    /// The candidates that hold in all samples and are not known already: either those about three words, or
    /// all others.
    pub(super) fn guesses(
        &mut self,
        samples: &[Sample],
        mut known: HashSet<Term>,
        triples: bool,
    ) -> Vec<Guess> {
        let mut terms = Vec::new();
        for place in 1..=self.vocabulary.at.len() {
            let here: Vec<&Sample> = samples.iter().filter(|s| s.place == place).collect();
            let elsewhere = self.elsewhere(place);
            let mut bodies = if here.is_empty() {
                vec![self.terms.boolean(false)]
            } else {
                self.templates(place, &here, triples)
            };
            for sample in &here {
                let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
                bodies.retain(|&body| evaluator.value(body) == 1);
            }
            for body in bodies {
                let term = self.terms.or(elsewhere, body);
                if !self.terms.is_true(term) && known.insert(term) && terms.len() < MAX_CANDIDATES {
                    terms.push(term);
                }
            }
        }
        terms.into_iter().map(|term| self.guess(term)).collect()
    }

    /// Candidates at a place: the likelier and cheaper first.
    fn templates(&mut self, place: usize, samples: &[&Sample], triples: bool) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let at = &vocabulary.at[place - 1];
        if triples {
            return self.triples(at);
        }
        let mut bodies = Vec::new();
        for &word in at {
            self.about_one(word, samples, &mut bodies);
        }
        if at.len() > MAX_PAIRED {
            return bodies;
        }
        let width = |word: usize| vocabulary.words[word].len();
        for &x in at {
            for &y in at {
                if x != y && width(x) == width(y) && width(x) > 1 {
                    self.about_two(x, y, samples, &mut bodies);
                    if x < y {
                        self.about_distance(x, y, samples, &mut bodies);
                    }
                }
            }
        }
        bodies
    }

    fn triples(&mut self, at: &[usize]) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let width = |word: usize| vocabulary.words[word].len();
        let mut bodies = Vec::new();
        if at.len() <= MAX_TRIPLES {
            for (position, &x) in at.iter().enumerate() {
                for &y in &at[position + 1..] {
                    for &z in at {
                        let same = width(x) == width(y) && width(y) == width(z) && width(x) > 1;
                        if z != x && z != y && same {
                            self.about_three(x, y, z, &mut bodies);
                        }
                    }
                }
            }
        }
        bodies
    }

    fn about_one(&mut self, word: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let x = self.words[word];
        let width = self.terms.width(x);
        let mut values = samples.iter().map(|sample| sample.words[word]);
        let first = values.next().unwrap_or(0);
        let terms = &mut self.terms;
        let own = terms.constant(first, width);
        bodies.push(terms.eq(x, own));
        if width == 1 {
            return;
        }
        for bits in 1..=2 {
            let low = terms.extract(x, 0, bits);
            let value = terms.constant(first & mask(bits), bits);
            bodies.push(terms.eq(low, value));
        }
        let constants = &self.vocabulary.constants;
        let constants = constants.range((width, 0)..=(width, mask(width)));
        let mut bounds: BTreeSet<u128> = BTreeSet::from([0, 1, first]);
        for &(_, value) in constants.take(MAX_CONSTANTS) {
            let near = [value, value.wrapping_add(1), value.wrapping_sub(1)];
            bounds.extend(near.map(|value| value & mask(width)));
        }
        // The extreme values of the samples, too.
        let seen = samples.iter().map(|sample| sample.words[word]);
        bounds.extend(seen.clone().min_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.clone().max_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.max());
        for value in bounds {
            let bound = terms.constant(value, width);
            bodies.extend([
                terms.sle(bound, x),
                terms.sle(x, bound),
                terms.ule(x, bound),
            ]);
        }
    }

    fn about_two(&mut self, one: usize, other: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let (x, y) = (self.words[one], self.words[other]);
        let width = self.terms.width(x);
        let entries = samples.iter().filter(|sample| sample.is_entry);
        let entry: BTreeSet<u128> = entries.map(|sample| sample.words[one]).collect();
        let terms = &mut self.terms;
        let constant = |terms: &mut Terms, value: u128| terms.constant(value & mask(width), width);
        let one_more = constant(terms, 1);
        let (up, down) = (terms.add(x, one_more), terms.sub(x, one_more));
        let orders = [
            terms.sle(x, y),
            terms.slt(x, y),
            terms.ule(x, y),
            terms.ult(x, y),
            terms.sle(down, y),
            terms.sle(y, up),
            terms.ule(down, y),
        ];
        bodies.extend(orders);
        // On entry, before the first iteration, the order may differ.
        if let Some(&value) = entry.first()
            && entry.len() == 1
        {
            let start = constant(terms, value);
            let at_start = terms.eq(x, start);
            let back = [terms.sle(y, x), terms.slt(y, x), terms.sle(y, up)];
            for order in orders[..5].iter().chain(&back) {
                bodies.push(terms.or(at_start, *order));
            }
        }
    }

    /// The distances of two words, or of one and the negation of the other.
    fn about_distance(
        &mut self,
        one: usize,
        other: usize,
        samples: &[&Sample],
        bodies: &mut Vec<Term>,
    ) {
        let (x, y) = (self.words[one], self.words[other]);
        let terms = &mut self.terms;
        let width = terms.width(x);
        for (term, sign) in [(terms.sub(x, y), false), (terms.add(x, y), true)] {
            let values = samples.iter().map(|sample| {
                let (x, y) = (sample.words[one], sample.words[other]);
                let y = if sign { y } else { y.wrapping_neg() };
                to_signed(x.wrapping_add(y) & mask(width), width)
            });
            let (Some(least), Some(largest)) = (values.clone().min(), values.max()) else {
                continue;
            };
            if largest - least <= MAX_SPREAD {
                let least = terms.constant(from_signed(least, width), width);
                let largest = terms.constant(from_signed(largest, width), width);
                bodies.extend([terms.sle(least, term), terms.sle(term, largest)]);
            }
        }
    }

    fn about_three(&mut self, one: usize, two: usize, three: usize, bodies: &mut Vec<Term>) {
        let (x, y, z) = (self.words[one], self.words[two], self.words[three]);
        let terms = &mut self.terms;
        let sum = terms.add(x, y);
        bodies.extend([
            terms.sle(z, sum),
            terms.slt(z, sum),
            terms.sle(sum, z),
            terms.slt(sum, z),
        ]);
    }
}
