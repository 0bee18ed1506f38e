//! A second prophecy index that is a function of the first one, and perhaps of a word of the program.
//!
//! Where a loop stores to element `k` what it has read of another element, `b[i] = a[i + 1]` or `b[i] = a[n - 1 - i]`,
//! facts about element `k` need one about that other element. Its index is `k + 1`, or `n - 1 - k`: the index of the
//! read where that of the store is `k`. So the second prophecy index `l` is an input at the start as well, and an error
//! counts only where `l` is that function of `k` and of the word's value in the error's step.
//!
//! **Soundness.** Take a run of the program with an error. Choose `k` as with [`IndexChoice::Read`]. The value of the
//! word in the step of the error depends on the run and not on `k` or `l`, by the simulation for two numbers. Each
//! equation here has a solution for `l`, modulo 2^32: choose that for `l`; then the error counts. At a location that
//! does not carry the word, `l` may be anything. Without a word, the equation is one of `k` and `l` alone: it holds from
//! the start then.
//!
//! [`IndexChoice::Read`]: craig_c_exec::symbolic::IndexChoice::Read

use std::collections::BTreeMap;
use std::fmt;

use craig_word::{Term, Terms};

use super::cell::{AtCut, Cell, Known};
use super::fixpoint::Analysis;
use super::pair_candidates::{Relation, constant, relations, sampled};
use craig_c_exec::symbolic::INDEX_BITS;
use craig_c_lang::address_space::ObjectId;

/// How the second prophecy index depends on the first one, as a [`Relation`] whose word is named by its cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Derived {
    /// `k == l + distance`.
    Distance(i32),
    /// `k + l == word + constant`; without a word, the constant.
    Sum(Option<Cell>, i32),
    /// `l == 2 * k + constant`.
    Twice(i32),
}

impl Derived {
    /// How the index of a read follows from that of a store in the same step, in all cases that the samples allow.
    pub(super) fn of_indices(
        terms: &Terms,
        variables: &BTreeMap<Cell, Term>,
        (stored, read): (Term, Term),
    ) -> Vec<Self> {
        let (of_store, of_read) = (sampled(terms, stored), sampled(terms, read));
        let pairs = of_store.iter().zip(&of_read);
        let rests: Vec<u32> = pairs
            .map(|(k, l)| l.wrapping_sub(k.wrapping_mul(2)))
            .collect();
        let mut found = Vec::new();
        for relation in relations(terms, (stored, read)) {
            match relation {
                Relation::Distance(distance) => found.push(Self::Distance(distance)),
                Relation::Sum(None, rest) => found.push(Self::Sum(None, rest)),
                Relation::Sum(Some(word), rest) => {
                    let cell = variables.iter().find(|&(_, &own)| own == word);
                    found.extend(cell.map(|(&cell, _)| Self::Sum(Some(cell), rest)));
                }
                Relation::Twice(_) | Relation::Below | Relation::Above => {}
            }
        }
        if found.is_empty() {
            found.extend(constant(&rests).map(Self::Twice));
        }
        found
    }

    /// The relation, if the word is at hand.
    fn relation(self, word: impl FnOnce(Cell) -> Option<Term>) -> Option<Relation> {
        Some(match self {
            Self::Distance(distance) => Relation::Distance(distance),
            Self::Sum(None, rest) => Relation::Sum(None, rest),
            Self::Sum(Some(cell), rest) => Relation::Sum(Some(word(cell)?), rest),
            Self::Twice(rest) => Relation::Twice(rest),
        })
    }
}

/// A derived index in an automaton that is being made.
pub(super) struct SecondIndex {
    derived: Derived,
    /// The words of `k` and `l`.
    pair: (Term, Term),
    /// The object that has them.
    object: ObjectId,
}

impl SecondIndex {
    /// `None` if the indices are no words of the state: nothing depends on them then.
    pub(super) fn new(derived: Derived, analysis: &Analysis<'_>) -> Option<Self> {
        let object = analysis.executor.elements.as_ref()?.index;
        let word = |index| {
            let cell = Cell::Memory { object, index };
            analysis.variables.get(&cell).copied()
        };
        let pair = (word(0)?, word(1)?);
        Some(Self {
            derived,
            pair,
            object,
        })
    }

    /// The relation where words vary. The cells are those of another analysis of the program, in which a number may have
    /// stood for another object: a narrower word is none that an index was compared with.
    pub(super) fn relation(&self, analysis: &Analysis<'_>, terms: &Terms) -> Option<Relation> {
        self.derived.relation(|cell| {
            let word = analysis.variables.get(&cell).copied();
            word.filter(|&word| terms.width(word) >= INDEX_BITS)
        })
    }

    /// When an error in a step from a cut counts; `None` if always.
    pub(super) fn at_cut(
        &self,
        analysis: &Analysis<'_>,
        terms: &mut Terms,
        at: &AtCut,
    ) -> Option<Term> {
        let relation = self.derived.relation(|cell| {
            let word = match at.known.get(&cell)? {
                Known::Constant(value) => Some(*value),
                Known::Varies(..) => analysis.variables.get(&cell).copied(),
                Known::Absent | Known::Among(_) => None,
            };
            word.filter(|&word| terms.width(word) >= INDEX_BITS)
        });
        Some(relation?.equation(terms, self.pair))
    }

    /// The relation of two indices that depends on nothing else: it holds from the start. The cells are those of the
    /// first state at a cut.
    pub(super) fn at_start(
        &self,
        terms: &mut Terms,
        cells: &BTreeMap<Cell, Option<Term>>,
    ) -> Option<Term> {
        let started = |index| {
            let object = self.object;
            *cells.get(&Cell::Memory { object, index })?
        };
        let fixed = self.derived.relation(|_| None)?;
        Some(fixed.equation(terms, (started(0)?, started(1)?)))
    }

    /// The relation that depends on nothing else, as a candidate about all states at cuts.
    pub(super) fn always(&self, terms: &mut Terms) -> Option<Term> {
        let fixed = self.derived.relation(|_| None)?;
        Some(fixed.equation(terms, self.pair))
    }
}

impl fmt::Display for Derived {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Distance(distance) => write!(formatter, "k == l + {distance}"),
            Self::Sum(None, rest) => write!(formatter, "k + l == {rest}"),
            Self::Sum(Some(_), rest) => write!(formatter, "k + l == a word + {rest}"),
            Self::Twice(rest) => write!(formatter, "l == 2 * k + {rest}"),
        }
    }
}
