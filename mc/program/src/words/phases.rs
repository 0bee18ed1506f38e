//! Candidates under a condition that a guard tests: the phases of a loop.
//!
//! In a loop with `if (x < 50) .. else ..`, relations hold as long as `x < 50`, and others behind that. The conditions are the
//! comparisons in the steps (Sharma, Dillig, Dillig, Aiken, *Simplifying loop invariant generation using splitter
//! predicates*, CAV 2011, split loops by them). They, and what they imply, are candidates: samples are tested, and what is
//! not inductive is dropped later.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Op, Term, mask, to_signed};

use super::affine::Affine;
use super::linear::form;
use super::search::{Sample, Search, evaluator};

/// Comparisons at a place that are used.
const MAX_ATOMS: usize = 16;
/// With more words at a place than this, differences are left out.
const MAX_PAIRED: usize = 7;
/// The samples without which there are no relations under a condition.
const FEWEST_SAMPLES: usize = 3;
/// Bounds of a difference are candidates if its values lie within this range.
const MAX_SPREAD: i128 = 1 << 12;

impl Search<'_> {
    /// Whether some step adds a constant to a word. Without that, phases are few.
    pub(super) fn counts(&self) -> bool {
        let cases = self.parts.iter().filter(|case| case.source > 0);
        cases.flat_map(|case| &case.images).any(|(&word, &value)| {
            let form = form(&self.terms, value);
            form.constant != 0 && form.multiples.len() == 1 && form.multiples.get(&word) == Some(&1)
        })
    }

    /// The comparisons of words in the steps that a place can state, the shorter ones first.
    pub(super) fn atoms(&mut self, at: &[usize]) -> Vec<Term> {
        let carried: HashSet<Term> = at.iter().map(|&word| self.words[word]).collect();
        let mut conditions: Vec<Term> = self.parts.iter().map(|part| part.condition).collect();
        conditions.extend(self.conditions_after());
        let mut found: BTreeSet<(usize, Term)> = BTreeSet::new();
        for term in self.terms.cone(&conditions, |_| false) {
            let Node::Binary(Op::Eq | Op::Ult | Op::Slt, a, _) = self.terms.node(term) else {
                continue;
            };
            if self.terms.width(a) == 1 {
                continue;
            }
            let cone = self.terms.cone(&[term], |_| false);
            let is_variable = |&&part: &&Term| matches!(self.terms.node(part), Node::Var(_));
            let mut variables = cone.iter().filter(is_variable);
            if variables.all(|variable| carried.contains(variable)) {
                found.insert((cone.len(), term));
            }
        }
        found
            .into_iter()
            .map(|(_, term)| term)
            .take(MAX_ATOMS)
            .collect()
    }

    /// The conditions of steps on inputs that become values of words, as conditions on these words after the step.
    fn conditions_after(&mut self) -> Vec<Term> {
        let mut found = Vec::new();
        for part in &self.parts {
            let mut values: Vec<(Term, Term)> = part.images.iter().map(|(&a, &b)| (a, b)).collect();
            values.sort_unstable();
            let mut images: HashMap<Term, Term> = HashMap::new();
            for (word, value) in values {
                if self.inputs.contains(&value) {
                    images.entry(value).or_insert(word);
                }
            }
            if !images.is_empty() {
                found.push(self.terms.substitute(part.condition, &mut images));
            }
        }
        found
    }

    /// The comparisons at a place as candidates, and weaker forms of them.
    pub(super) fn stated(&mut self, at: &[usize]) -> Vec<Term> {
        let mut bodies = Vec::new();
        for atom in self.atoms(at) {
            bodies.extend([atom, self.terms.not(atom)]);
            if let Node::Binary(op @ (Op::Ult | Op::Slt), a, b) = self.terms.node(atom) {
                let width = self.terms.width(a);
                let one = self.terms.constant(1, width);
                let less = self.terms.sub(a, one);
                bodies.extend(match op {
                    Op::Ult => [self.terms.ule(a, b), self.terms.ule(less, b)],
                    _ => [self.terms.sle(a, b), self.terms.sle(less, b)],
                });
            }
        }
        bodies
    }

    /// Relations and differences of words under each comparison, as they are in the samples.
    pub(super) fn phases(&mut self, at: &[usize], samples: &[&Sample]) -> Vec<Term> {
        let mut bodies = Vec::new();
        for atom in self.atoms(at) {
            let (yes, no): (Vec<&Sample>, Vec<&Sample>) =
                samples.iter().copied().partition(|sample| {
                    let own = evaluator(&self.terms, self.counter, &self.words, sample);
                    { own }.value(atom) == 1
                });
            let negated = self.terms.not(atom);
            for (here, other) in [(yes, negated), (no, atom)] {
                if here.len() < FEWEST_SAMPLES {
                    continue;
                }
                let mut found = self.hulls(at, &here);
                if at.len() <= MAX_PAIRED {
                    self.differences(at, &here, &mut found);
                }
                bodies.extend(found.into_iter().map(|body| self.terms.or(other, body)));
            }
        }
        bodies
    }

    /// The affine relations of samples.
    fn hulls(&mut self, at: &[usize], samples: &[&Sample]) -> Vec<Term> {
        let width = |word: usize| self.vocabulary.words[word].len() as u32;
        let widths: BTreeSet<u32> = at.iter().map(|&word| width(word)).collect();
        let mut found = Vec::new();
        for own in widths.into_iter().filter(|&width| width > 1) {
            let words: Vec<usize> = at
                .iter()
                .copied()
                .filter(|&word| width(word) == own)
                .collect();
            let mut hull = Affine::new(own, words.len());
            for sample in samples {
                let state: Vec<u128> = words.iter().map(|&word| sample.words[word]).collect();
                hull.add(&state);
            }
            let words: Vec<Term> = words.iter().map(|&word| self.words[word]).collect();
            found.extend(hull.relations(&mut self.terms, &words));
        }
        found
    }

    /// Bounds of the differences of two words.
    fn differences(&mut self, at: &[usize], samples: &[&Sample], bodies: &mut Vec<Term>) {
        for (position, &x) in at.iter().enumerate() {
            for &y in &at[position + 1..] {
                let width = self.vocabulary.words[x].len() as u32;
                if width == 1 || self.vocabulary.words[y].len() as u32 != width {
                    continue;
                }
                let values = samples.iter().map(|sample| {
                    let difference = sample.words[x].wrapping_sub(sample.words[y]);
                    to_signed(difference & mask(width), width)
                });
                let (Some(least), Some(largest)) = (values.clone().min(), values.max()) else {
                    continue;
                };
                let difference = self.terms.sub(self.words[x], self.words[y]);
                for (value, is_least) in [(least, true), (largest, false)] {
                    if value.abs() > MAX_SPREAD {
                        continue;
                    }
                    let bound = craig_word::from_signed(value, width);
                    let bound = self.terms.constant(bound, width);
                    bodies.push(match is_least {
                        true => self.terms.sle(bound, difference),
                        false => self.terms.sle(difference, bound),
                    });
                }
            }
        }
    }
}
