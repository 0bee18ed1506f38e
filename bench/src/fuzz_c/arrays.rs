//! Arrays of a program.

use super::types::Scalar;

/// An array of four elements with static storage duration.
#[derive(Clone)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) elements: Elements,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Elements {
    Of(Scalar),
    /// The number of the record.
    Record(usize),
}
