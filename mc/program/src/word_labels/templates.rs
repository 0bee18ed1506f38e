//! The templates of each location, and their costs.
//!
//! The costs follow those of Eldarica (J. Leroux, P. Ruemmer and P. Subotic, "Guiding Craig interpolation
//! with domain-specific abstractions", Acta Informatica 2016): relations between words that a loop keeps are
//! cheap, comparisons with constants dearer, and the value of a word is dear, most of all that of a counter.
//! What the program compares itself is cheapest here.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Term, Terms, mask};

use super::vocabulary::Vocabulary;
use crate::cfa::{Cfa, LocationId};

/// A word-level fact or value that can be known of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Template {
    pub(super) term: Term,
    pub(super) cost: u32,
    /// Whether it is the value of a word of the location, all of whose bits are told.
    pub(super) is_word: bool,
}

/// The most templates of a location besides its words, in the smallest language; each level doubles it.
const MAX_TEMPLATES: usize = 96;
/// Comparisons of one kind of a location, at most.
const MAX_ATOMS: usize = 40;
/// All pairs of numbers are compared at locations with at most this number of them.
const MAX_PAIRED: usize = 5;
const MAX_PAIRS: usize = 16;
/// Constants that one word is compared with, at most, in the smallest language; each level doubles it.
const MAX_CONSTANTS: usize = 8;
/// The most nodes of a comparison that is made behind an edge.
const MAX_CONE: usize = 400;
/// Words of a location that are compared with constants, at most.
const MAX_BOUNDED: usize = 8;

/// Costs.
mod cost {
    /// A comparison of the program.
    pub(super) const ATOM: u32 = 2;
    /// A bit of a word as wide as that.
    pub(super) const FLAG: u32 = 2;
    /// An order or equality of words that the program relates; of others.
    pub(super) const RELATED: u32 = 3;
    pub(super) const UNRELATED: u32 = 6;
    pub(super) const SIGN: u32 = 3;
    /// The lowest bits, where the steps of the word keep them; elsewhere.
    pub(super) const KEPT_PARITY: u32 = 3;
    pub(super) const PARITY: u32 = 6;
    /// A linear combination of two counters that a loop keeps.
    pub(super) const LINEAR: u32 = 4;
    pub(super) const BOUND: u32 = 4;
    pub(super) const CONSTANT: u32 = 6;
    /// A comparison before an edge into the location where it is made.
    pub(super) const PRECONDITION: u32 = 5;
    /// What a comparison costs more than a single operator, at most: less than the words that it reads.
    pub(super) const MOST_OPERATORS: u32 = 16;
    /// The bits of a word that no loop changes, of one that it does, and of a counter.
    pub(super) const FIXED_BITS: u32 = 10;
    pub(super) const BITS: u32 = 16;
    pub(super) const COUNTER_BITS: u32 = 32;
}

/// The templates of one location under construction.
struct Builder<'a> {
    cfa: &'a Cfa,
    terms: &'a mut Terms,
    vocabulary: &'a Vocabulary,
    found: Vec<Template>,
    known: HashSet<Term>,
}

/// What the operators of a comparison cost.
fn operators(number: usize) -> u32 {
    (number as u32 / 4).min(cost::MOST_OPERATORS)
}

/// The templates of each location, over an extension of the automaton's terms.
pub(super) fn templates(
    cfa: &Cfa,
    terms: &mut Terms,
    vocabulary: &Vocabulary,
) -> HashMap<LocationId, Vec<Template>> {
    let inner = cfa.sources().filter(|&location| location != Cfa::START);
    let at = inner.map(|location| {
        let mut builder = Builder {
            cfa,
            terms: &mut *terms,
            vocabulary,
            found: Vec::new(),
            known: HashSet::new(),
        };
        builder.fill(location);
        (location, builder.finish(location))
    });
    at.collect()
}

impl Builder<'_> {
    /// Adds a template, unless it is constant, a word, or there already. A fact and its negation are one.
    fn add(&mut self, mut term: Term, cost: u32) {
        if let Node::Not(inner) = self.terms.node(term)
            && self.terms.width(term) == 1
        {
            term = inner;
        }
        let is_plain = matches!(self.terms.node(term), Node::Var(_));
        if !is_plain && !self.terms.is_constant(term) && self.known.insert(term) {
            self.found.push(Template {
                term,
                cost,
                is_word: false,
            });
        }
    }

    fn fill(&mut self, location: LocationId) {
        let here = self.cfa.location(location);
        let words = &here.words;
        self.atoms(location);
        let is_number = |word: &&Term| here.numbers.contains(word);
        let numbers: Vec<Term> = words.iter().filter(is_number).copied().collect();
        self.pairs(words, &numbers);
        self.equations(location);
        for &word in numbers.iter().take(MAX_BOUNDED) {
            self.single(word);
        }
        self.preconditions(location);
    }

    /// The comparisons on the edges from the location.
    fn atoms(&mut self, location: LocationId) {
        let vocabulary = self.vocabulary;
        let mut atoms = vocabulary.atoms[&location].clone();
        atoms.sort_by_key(|atom| atom.size);
        for atom in atoms.iter().take(MAX_ATOMS) {
            self.add(atom.term, cost::ATOM + operators(usize::from(atom.size)));
        }
    }

    fn pairs(&mut self, words: &[Term], numbers: &[Term]) {
        let mut pairs: Vec<(bool, Term, Term)> = Vec::new();
        for (index, &x) in words.iter().enumerate() {
            for &y in &words[index + 1..] {
                let same = self.terms.width(x) == self.terms.width(y);
                let is_related = self.vocabulary.related.contains(&(x, y));
                let all = numbers.len() <= MAX_PAIRED && [x, y].iter().all(|w| numbers.contains(w));
                if same && self.terms.width(x) > 1 && (is_related || all) {
                    pairs.push((!is_related, x, y));
                }
            }
        }
        pairs.sort();
        for (is_unrelated, x, y) in pairs.into_iter().take(MAX_PAIRS) {
            let cost = match is_unrelated {
                true => cost::UNRELATED,
                false => cost::RELATED,
            };
            let equal = self.terms.eq(x, y);
            self.add(equal, cost);
            if numbers.contains(&x) && numbers.contains(&y) {
                self.orders(x, y, cost);
                self.kept_combinations(x, y);
            }
        }
    }

    /// The orders of terms over words of two widths that the program compares for equality, and of the wider one and the values
    /// that the other has for constants of the program: facts about all elements before an index.
    fn equations(&mut self, location: LocationId) {
        let vocabulary = self.vocabulary;
        for &(x, y) in &vocabulary.equations[&location] {
            for (x, y) in [(x, y), (y, x)] {
                let less = self.terms.ult(x, y);
                self.add(less, cost::RELATED);
                let cone = self.terms.cone(&[y], |_| false);
                let word = cone
                    .into_iter()
                    .find(|&term| matches!(self.terms.node(term), Node::Var(_)));
                let (Some(word), Node::Var(_)) = (word, self.terms.node(x)) else {
                    continue;
                };
                let width = self.terms.width(word);
                let constants = vocabulary.constants.get(&width).into_iter().flatten();
                for &value in constants.take(MAX_CONSTANTS) {
                    let constant = self.terms.constant(value, width);
                    let bound = (self.terms).substitute(y, &mut HashMap::from([(word, constant)]));
                    let less = self.terms.ult(x, bound);
                    self.add(less, cost::BOUND);
                }
            }
        }
    }

    fn is_signed(&self, word: Term) -> bool {
        self.vocabulary.signed.contains(&word) || !self.vocabulary.unsigned.contains(&word)
    }

    fn is_unsigned(&self, word: Term) -> bool {
        self.vocabulary.unsigned.contains(&word) || !self.vocabulary.signed.contains(&word)
    }

    /// The orders of two terms: signed, unsigned or both, as the program compares the words.
    fn orders(&mut self, x: Term, y: Term, cost: u32) {
        for (x, y) in [(x, y), (y, x)] {
            if self.is_signed(x) && self.is_signed(y) {
                let less = self.terms.slt(x, y);
                self.add(less, cost);
            }
            if self.is_unsigned(x) && self.is_unsigned(y) {
                let less = self.terms.ult(x, y);
                self.add(less, cost);
            }
        }
    }

    /// For two counters with steps `a` and `b` the combination `b * x - a * y`, which steps of both keep.
    fn kept_combinations(&mut self, x: Term, y: Term) {
        let steps = |word: Term| -> BTreeSet<u128> {
            let own = self.vocabulary.steps.get(&word);
            own.cloned().unwrap_or_default()
        };
        let (of_x, of_y) = (steps(x), steps(y));
        let width = self.terms.width(x);
        for &a in &of_x {
            for &b in &of_y {
                let (a, b) = (self.terms.constant(a, width), self.terms.constant(b, width));
                let (left, right) = (self.terms.mul(x, b), self.terms.mul(y, a));
                let combination = self.terms.sub(left, right);
                self.add(combination, cost::LINEAR);
            }
        }
    }

    /// Facts about one number: its sign, lowest bits, and comparisons with constants.
    fn single(&mut self, word: Term) {
        let width = self.terms.width(word);
        if width == 1 {
            return;
        }
        let zero = self.terms.constant(0, width);
        if self.is_signed(word) {
            let negative = self.terms.slt(word, zero);
            self.add(negative, cost::SIGN);
        }
        let steps = self.vocabulary.steps.get(&word);
        let kept = steps.and_then(|steps| steps.iter().map(|step| step.trailing_zeros()).min());
        for bits in 1..=2u32.min(width - 1) {
            let low = self.terms.extract(word, 0, bits);
            let is_kept = kept.is_some_and(|kept| kept >= bits);
            let cost = if is_kept {
                cost::KEPT_PARITY
            } else {
                cost::PARITY + bits
            };
            self.add(low, cost);
        }
        let level = self.vocabulary.level;
        let constants = self.vocabulary.constants.get(&width);
        let constants: Vec<u128> = (constants.into_iter().flatten().copied())
            .filter(|&value| value < mask(width))
            .take(MAX_CONSTANTS << level)
            .collect();
        for value in constants {
            let constant = self.terms.constant(value, width);
            let equal = self.terms.eq(word, constant);
            self.add(equal, cost::CONSTANT);
            self.orders(word, constant, cost::BOUND);
        }
    }

    /// The comparisons that are made behind an edge, as terms before it: weakest preconditions. Those that
    /// read inputs of the edge are left out.
    fn preconditions(&mut self, location: LocationId) {
        let (cfa, vocabulary) = (self.cfa, self.vocabulary);
        for &edge in cfa.outgoing(location) {
            let edge = cfa.edge(edge);
            let Some(atoms) = vocabulary.atoms.get(&edge.target) else {
                continue;
            };
            let images = edge.assignments.iter();
            let mut images: HashMap<Term, Term> = images.map(|own| (own.word, own.value)).collect();
            let mut atoms = atoms.clone();
            atoms.sort_by_key(|atom| atom.size);
            for atom in atoms.iter().take(MAX_ATOMS) {
                let before = self.terms.substitute(atom.term, &mut images);
                let cone = self.terms.cone(&[before], |_| false);
                let is_input = |&term: &Term| {
                    matches!(self.terms.node(term), Node::Var(_)) && cfa.word(term).is_none()
                };
                if cone.len() <= MAX_CONE && !cone.iter().any(is_input) {
                    self.add(before, cost::PRECONDITION + operators(cone.len()));
                }
            }
        }
    }

    /// The cheapest templates, and the words of the location.
    fn finish(mut self, location: LocationId) -> Vec<Template> {
        self.found.sort_by_key(|template| template.cost);
        self.found.truncate(MAX_TEMPLATES << self.vocabulary.level);
        for &word in &self.cfa.location(location).words {
            let is_counter = (self.vocabulary.steps.get(&word)).is_some_and(|own| !own.is_empty());
            let cost = match self.terms.width(word) {
                1 => cost::FLAG,
                _ if !self.vocabulary.changed.contains(&word) => cost::FIXED_BITS,
                _ if is_counter => cost::COUNTER_BITS,
                _ => cost::BITS,
            };
            self.found.push(Template {
                term: word,
                cost,
                is_word: true,
            });
        }
        self.found
    }
}
