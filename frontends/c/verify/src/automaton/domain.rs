//! Cells that hold few values, as indices.
//!
//! A cell whose value at a cut is chosen from constants by every execution up to there holds one of these: the
//! set of them is closed under the executions. Its state is the index of the value in its *domain*, all values
//! that it has at some cut.

use std::collections::BTreeSet;

use craig_word::{Term, Terms};

use craig_c_exec::symbolic::image;

/// The values of a cell, and the word for its state.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// In the order in which they were found.
    values: Vec<u128>,
    width: u32,
    /// The number of the cell's value among the values.
    pub(super) index: Term,
}

impl Domain {
    /// A domain without values, of a cell of `width` bits.
    pub(super) fn new(terms: &mut Terms, width: u32) -> Self {
        Self {
            values: Vec::new(),
            width,
            index: terms.variable(1),
        }
    }

    /// Adds values.
    pub(super) fn extend(&mut self, terms: &mut Terms, values: &BTreeSet<u128>) {
        for value in values {
            if !self.values.contains(value) {
                self.values.push(*value);
            }
        }
        let bits = (self.values.len().max(2) - 1).ilog2() + 1;
        if terms.width(self.index) < bits {
            self.index = terms.variable(bits);
        }
    }

    /// The condition that the cell has a value of the domain.
    pub(super) fn is(&self, terms: &mut Terms, value: u128) -> Term {
        let code = terms.constant(self.code(value), terms.width(self.index));
        terms.eq(self.index, code)
    }

    /// The code of the only value that is not null, if there is one.
    pub(super) fn only_address(&self) -> Option<u128> {
        let mut addresses = (0..).zip(&self.values).filter(|&(_, &value)| value != 0);
        match (addresses.next(), addresses.next()) {
            (Some((code, _)), None) => Some(code),
            _ => None,
        }
    }

    fn code(&self, value: u128) -> u128 {
        let position = self.values.iter().position(|&own| own == value);
        position.expect("the value is in the domain") as u128
    }

    /// The value of the cell, if it is one of these, as a choice by the index.
    pub(super) fn value(&self, terms: &mut Terms, among: &BTreeSet<u128>) -> Term {
        let mut chosen: Option<Term> = None;
        for &value in among {
            let here = self.is(terms, value);
            let value = terms.constant(value, self.width);
            chosen = Some(match chosen {
                Some(other) => terms.ite(here, value, other),
                None => value,
            });
        }
        chosen.unwrap_or_else(|| terms.constant(0, self.width))
    }

    /// The index of a term that chooses from values of the domain, and from `old`, the cell's own value.
    pub(super) fn encoded(&self, terms: &mut Terms, root: Term, old: Option<Term>) -> Term {
        let bits = terms.width(self.index);
        let known: Vec<(Term, Term)> = old.map(|old| (old, self.index)).into_iter().collect();
        let code = |terms: &mut Terms, leaf| {
            let code = self.code(terms.constant_value(leaf)?);
            Some(terms.constant(code, bits))
        };
        image(terms, root, &known, code).expect("a choice of constants")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_word::Evaluator;

    /// The index of a choice is that of its value, also after the domain has grown.
    #[test]
    fn indices_are_those_of_the_values() {
        let mut terms = Terms::new();
        let mut domain = Domain::new(&mut terms, 64);
        let first = BTreeSet::from([0u128, 7 << 40]);
        domain.extend(&mut terms, &first);
        let all = BTreeSet::from([0u128, 3 << 40, 7 << 40, 9 << 40, 11 << 40]);
        domain.extend(&mut terms, &all);
        let value = domain.value(&mut terms, &all);
        let (x, y) = (terms.variable(1), terms.variable(1));
        let constants = [3u128, 7].map(|page| terms.constant(page << 40, 64));
        let chosen = terms.ite(y, constants[1], value);
        let chosen = terms.ite(x, constants[0], chosen);
        let encoded = domain.encoded(&mut terms, chosen, None);
        let shared = domain.encoded(&mut terms, chosen, Some(value));
        let decoded = |code: u128| domain.values[code as usize];
        for code in 0..5 {
            for choice in 0..4u128 {
                let mut evaluator = Evaluator::new(&terms, |variable, _| match variable {
                    _ if variable == x => choice & 1,
                    _ if variable == y => choice >> 1,
                    _ => code,
                });
                let expected = evaluator.value(chosen);
                let found = evaluator.value(encoded);
                assert_eq!(decoded(found), expected);
                assert_eq!(evaluator.value(shared), found);
                if choice == 0 {
                    assert_eq!(found, code);
                }
            }
        }
    }
}
