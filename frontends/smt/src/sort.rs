//! Sorts, and terms with theirs: truth values and words of one bit are terms of one bit, and different in a script.

use std::fmt;

use craig_word::{Sort as WordSort, Term};

/// The largest width of a word.
pub(crate) const MAX_WIDTH: u32 = 1 << 20;

/// A sort of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Bool,
    Word(u32),
    Array { index: u32, element: u32 },
}

impl Sort {
    /// The sort of the terms.
    pub(crate) fn of_terms(self) -> WordSort {
        match self {
            Self::Bool => WordSort::BitVector(1),
            Self::Word(width) => WordSort::BitVector(width),
            Self::Array { index, element } => WordSort::Array { index, element },
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Bool"),
            Self::Word(width) => write!(f, "(_ BitVec {width})"),
            Self::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
        }
    }
}

/// A term with its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) term: Term,
    pub(crate) sort: Sort,
}
