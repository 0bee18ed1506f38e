//! Samples that only many rounds of a loop reach.
//!
//! Where a step changes words by constants only, its effect in `n` rounds is known (acceleration of counters: Bardin,
//! Finkel, Leroux, Petrucci, *FAST: fast acceleration of symbolic transition systems*, CAV 2003). Here that gives
//! samples, against which candidates are tested, so that nothing has to be exact: a state that no run reaches may only
//! cost a candidate.

use std::collections::HashMap;

use craig_word::{Evaluator, Node, Op, Term, mask};

use super::affine::inverse;
use super::linear::form;
use super::search::{Sample, Search};

/// Samples of a place from which loops are taken at once, in each round, and rounds.
const MAX_FROM: usize = 24;
const ROUNDS: usize = 3;
/// Numbers between the first and the last round at which the condition is asked.
const PROBES: u128 = 6;

/// A step from a place to itself that changes words by constants.
struct Loop {
    place: usize,
    condition: Term,
    /// Words and what is added to them.
    increments: HashMap<usize, u128>,
    /// The equalities in the condition.
    equalities: Vec<(Term, Term)>,
}

impl Search<'_> {
    /// Adds states that the loops reach from samples.
    pub(super) fn accelerate(&mut self, samples: &mut Vec<Sample>) {
        let loops = self.counting_loops();
        if loops.is_empty() {
            return;
        }
        let mut first = 0;
        for _ in 0..ROUNDS {
            let mut n_here = vec![0; self.vocabulary.at.len() + 1];
            let mut found = Vec::new();
            // The newest first.
            for sample in samples[first..].iter().rev() {
                n_here[sample.place] += 1;
                if n_here[sample.place] > MAX_FROM || self.is_over() {
                    continue;
                }
                for own in loops.iter().filter(|own| own.place == sample.place) {
                    for inputs in [0, u128::MAX] {
                        let rounds = self.rounds(own, sample, inputs);
                        for n in rounds.into_iter().flatten() {
                            found.push(self.after(own, sample, n));
                        }
                    }
                }
            }
            first = samples.len();
            samples.extend(found);
        }
    }

    fn counting_loops(&self) -> Vec<Loop> {
        let number: HashMap<Term, usize> = self.words.iter().copied().zip(0..).collect();
        let mut loops = Vec::new();
        for case in self.parts.iter().filter(|case| case.source == case.target) {
            let mut increments = HashMap::new();
            for (&word, &value) in &case.images {
                let form = form(&self.terms, value);
                if form.multiples.len() == 1 && form.multiples.get(&word) == Some(&1) {
                    increments.insert(number[&word], form.constant);
                }
            }
            let is_known = case.source > 0 && increments.len() == case.images.len();
            if !is_known || increments.values().all(|&more| more == 0) {
                continue;
            }
            let equalities = self.terms.cone(&[case.condition], |_| false);
            let equalities =
                equalities
                    .into_iter()
                    .filter_map(|term| match self.terms.node(term) {
                        Node::Binary(Op::Eq, a, b) if self.terms.width(a) > 1 => Some((a, b)),
                        _ => None,
                    });
            loops.push(Loop {
                place: case.source,
                condition: case.condition,
                increments,
                equalities: equalities.collect(),
            });
        }
        loops
    }

    /// The values of words after `n` rounds, and of inputs.
    fn values(&self, own: &Loop, sample: &Sample, n: u128, inputs: u128) -> HashMap<Term, u128> {
        let words = self.words.iter().enumerate().map(|(number, &word)| {
            let more = own.increments.get(&number).copied().unwrap_or(0);
            let value = sample.words[number].wrapping_add(more.wrapping_mul(n));
            (word, value & mask(self.terms.width(word)))
        });
        let mut values: HashMap<Term, u128> = words.collect();
        values.insert(self.counter, sample.place as u128);
        for &input in &self.inputs {
            values.insert(input, inputs & mask(self.terms.width(input)));
        }
        values
    }

    /// Numbers of rounds after which the loop can be left, or taken again: the last one, the one after it, and one
    /// between.
    fn rounds(&self, own: &Loop, sample: &Sample, inputs: u128) -> Option<[u128; 3]> {
        let value = |n: u128, term: Term| {
            let values = self.values(own, sample, n, inputs);
            Evaluator::new(&self.terms, move |term, _| values[&term]).value(term)
        };
        let holds = |n: u128| value(n, own.condition) == 1;
        if !holds(0) {
            return None;
        }
        let mut limit = u128::from(u64::MAX);
        for &(a, b) in &own.equalities {
            let width = self.terms.width(a);
            let difference = |n: u128| value(n, a).wrapping_sub(value(n, b)) & mask(width);
            let (start, more) = (difference(0), difference(1).wrapping_sub(difference(0)));
            limit = limit.min(first_zero(start, more & mask(width), width));
        }
        let (mut last, mut step) = (0u128, 1u128);
        while last + step < limit && holds(last + step) {
            last += step;
            step *= 2;
        }
        while step > 0 {
            if last + step < limit && holds(last + step) {
                last += step;
            }
            step /= 2;
        }
        let is_convex = (1..PROBES).all(|probe| holds(last * probe / PROBES));
        let last = if is_convex { last } else { 0 };
        Some([last, last + 1, last / 2])
    }

    fn after(&self, own: &Loop, sample: &Sample, n: u128) -> Sample {
        let values = self.values(own, sample, n, 0);
        let mut latches = sample.latches.clone();
        for (edges, word) in self.vocabulary.words.iter().zip(&self.words) {
            for (bit, edge) in edges.iter().enumerate() {
                latches[self.number[edge]] = values[word] >> bit & 1 == 1;
            }
        }
        self.sample_of(latches, sample.place)
    }
}

/// The first number `n` above 0 with `start + n * more == 0`, modulo 2^width, or a large one.
fn first_zero(start: u128, more: u128, width: u32) -> u128 {
    if more == 0 || start == 0 {
        return u128::from(u64::MAX);
    }
    let twos = more.trailing_zeros();
    if start.trailing_zeros() < twos {
        return u128::from(u64::MAX);
    }
    let inverse = inverse(more >> twos);
    (start >> twos).wrapping_neg().wrapping_mul(inverse) & mask(width - twos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_zero_is_that_of_enumeration() {
        let mut n_found = 0;
        for width in 1..=5 {
            for start in 1..=mask(width) {
                for more in 0..=mask(width) {
                    let zero = |&n: &u128| start.wrapping_add(n * more) & mask(width) == 0;
                    let expected = (1..=mask(width) + 1).find(zero);
                    let found = first_zero(start, more, width);
                    match expected {
                        Some(expected) => assert_eq!(found, expected, "{start} {more} {width}"),
                        None => assert_eq!(found, u128::from(u64::MAX)),
                    }
                    n_found += usize::from(expected.is_some());
                }
            }
        }
        assert!(n_found > 100);
    }
}
