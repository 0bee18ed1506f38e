//! Comparisons of words with bounds that only assumptions fix.

use std::ops::Range;

use craig_solver::Lit;

/// A word at the entry or the exit of a body, with the comparisons with a word that only assumptions give a value.
pub(super) struct BoundedWord {
    /// The positions of its bits, those of the exit behind those of the entry.
    pub(super) place: Range<usize>,
    pub(super) is_signed: bool,
    pub(super) bound: Vec<Lit>,
    pub(super) at_least: Lit,
    pub(super) at_most: Lit,
}
