//! For which value of a word an index is a prophecy index.

use std::collections::{BTreeSet, HashMap};

use craig_word::{Node, Op, Term, Terms};

/// Sums with more parts are not solved.
const MAX_STEPS: usize = 32;

/// Terms that are replaced where indices are prophecy indices.
#[derive(Default)]
pub(super) struct Solved {
    images: HashMap<Term, Term>,
}

impl Solved {
    /// Assumes that an index is a prophecy index: replaces a word that counts, if there is one in the index that can be
    /// solved for. Returns what is left of the equation.
    pub(super) fn add(
        &mut self,
        terms: &mut Terms,
        prophecy: Term,
        index: Term,
        counters: &HashMap<Term, BTreeSet<u128>>,
    ) -> Option<Term> {
        let index = self.apply(terms, index);
        let width = terms.width(index);
        let target = match width >= terms.width(prophecy) {
            true => terms.zext(prophecy, width),
            false => terms.extract(prophecy, 0, width),
        };
        let counts = |terms: &Terms, term: Term| {
            terms
                .cone(&[term], |_| false)
                .iter()
                .any(|word| counters.contains_key(word))
        };
        if !counts(terms, index) {
            return Some(terms.eq(target, index));
        }
        let (mut term, mut target) = (index, target);
        for _ in 0..MAX_STEPS {
            self.images.insert(term, target);
            let width = terms.width(term);
            (term, target) = match terms.node(term) {
                Node::ZExt(inner) | Node::SExt(inner) => {
                    (inner, terms.extract(target, 0, terms.width(inner)))
                }
                Node::Binary(Op::Add, a, b) => match (counts(terms, a), counts(terms, b)) {
                    (true, false) => (a, terms.sub(target, b)),
                    (false, true) => (b, terms.sub(target, a)),
                    _ => return None,
                },
                Node::Binary(Op::Sub, a, b) => match (counts(terms, a), counts(terms, b)) {
                    (true, false) => (a, terms.add(target, b)),
                    (false, true) => (b, terms.sub(a, target)),
                    _ => return None,
                },
                // The quotient, where the index is a multiple.
                Node::Binary(Op::Mul, a, b) => {
                    let factor = terms.constant_value(b)?;
                    if !counts(terms, a) || factor == 0 || factor >> (width - 1) != 0 {
                        return None;
                    }
                    (a, terms.binary(Op::UDiv, target, b))
                }
                Node::Concat(high, low) if terms.constant_value(low).is_some() => {
                    let n_low = terms.width(low);
                    (high, terms.extract(target, n_low, width - n_low))
                }
                // The upper bits are those of a small number.
                Node::Extract(inner, 0) => (inner, terms.zext(target, terms.width(inner))),
                // The element that a pointer is to.
                Node::Extract(inner, low) => {
                    let all = terms.width(inner);
                    let shifted = terms.zext(target, all);
                    let places = terms.constant(u128::from(low), all);
                    (inner, terms.binary(Op::Shl, shifted, places))
                }
                _ => return None,
            };
        }
        None
    }

    /// The words that are replaced, with their values.
    pub(super) fn counters(&self, terms: &Terms) -> Vec<(Term, Term)> {
        let images = self.images.iter();
        let mut found: Vec<(Term, Term)> = images
            .filter(|(term, _)| matches!(terms.node(**term), Node::Var(_)))
            .map(|(&term, &value)| (term, value))
            .collect();
        found.sort_unstable();
        found
    }

    /// A term with these replacements.
    pub(super) fn apply(&self, terms: &mut Terms, term: Term) -> Term {
        terms.substitute(term, &mut self.images.clone())
    }
}
