//! A second frozen index that is a function of the first one, and perhaps of a word of the program.
//!
//! Where a loop stores to element `k` what it has read of another element, `b[i] = a[i + 1]` or `b[i] = a[n - 1 - i]`,
//! facts about element `k` need one about that other element. Its index is `k + 1`, or `n - 1 - k`: the index of the
//! read where that of the store is `k`. So the second frozen index `l` is an input at the start as well, and an error
//! counts only where `l` is that function of `k` and of the word's value in the error's step.
//!
//! **Soundness.** Take a run of the program with an error. Choose `k` as with [`IndexChoice::Read`]. The value of the
//! word in the step of the error depends on the run and not on `k` or `l`, by the simulation for two numbers. Each
//! equation here has a solution for `l`, modulo 2^32: choose that for `l`; then the error counts. At a location that
//! does not carry the word, `l` may be anything. Without a word, the equation is one of `k` and `l` alone: it holds from
//! the start then.
//!
//! [`IndexChoice::Read`]: crate::execute::IndexChoice::Read

use std::collections::BTreeMap;
use std::fmt;

use craig_word::{Term, Terms};

use super::cell::Cell;
use super::pair_claims::{Relation, constant, relations, sampled};

/// How the second frozen index depends on the first one, as a [`Relation`] whose word is named by its cell.
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
    pub(super) fn relation(self, word: impl FnOnce(Cell) -> Option<Term>) -> Option<Relation> {
        Some(match self {
            Self::Distance(distance) => Relation::Distance(distance),
            Self::Sum(None, rest) => Relation::Sum(None, rest),
            Self::Sum(Some(cell), rest) => Relation::Sum(Some(word(cell)?), rest),
            Self::Twice(rest) => Relation::Twice(rest),
        })
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
