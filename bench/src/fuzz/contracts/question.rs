//! A contract, and what is asked of it.

use super::super::programs::Door;
use super::function::Function;

/// What is done with the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The body is checked against it.
    Enforce,
    /// A call is replaced by it.
    Replace,
}

/// A function and a question.
#[derive(Clone, Debug)]
pub(in crate::fuzz) struct Case {
    pub(super) function: Function,
    pub(super) kind: Kind,
    /// For a call: how many of the predicates the contract ensures.
    pub(super) n_ensured: usize,
    /// How many of the predicates that hold are asked for.
    pub(super) n_asked: usize,
    /// Whether one that does not hold is asked for, too.
    pub(super) with_wrong: bool,
    pub(super) door: Door,
}
