//! Which calls of a function are edges, and what is recorded of one.

use std::collections::{BTreeMap, BTreeSet};

use craig_c_lang::ir::{FunctionId, StaticId};
use craig_word::Term;

/// What calls of a function read and write.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The widths of its parameters.
    pub parameters: Vec<u32>,
    /// The static objects that it or its callees read or write, whole.
    pub accessed: Vec<StaticId>,
    /// Those that they write.
    pub written: Vec<StaticId>,
    /// The width of its result.
    pub result: Option<u32>,
}

/// The calls to be recorded.
#[derive(Debug, Default)]
pub struct EdgeCalls {
    /// Caller and callee.
    pub calls: BTreeSet<(FunctionId, FunctionId)>,
    /// Of each function that is such a callee.
    pub vocabularies: BTreeMap<FunctionId, Vocabulary>,
}

/// A recorded call. Words at the entry are the parameters and the cells of the accessed objects; words at the exit
/// are the result, if there is one, and the cells of the written objects.
pub struct RecordedCall {
    pub callee: FunctionId,
    /// The condition that it is reached.
    pub guard: Term,
    pub entry: Vec<Term>,
    /// A variable: it returns.
    pub returns: Term,
    /// Variables.
    pub exit: Vec<Term>,
    /// The number of the body's events that come before it.
    pub n_events: usize,
}

/// A return of the function that the execution started in, with the words at its exit.
pub struct RecordedReturn {
    pub guard: Term,
    pub exit: Vec<Term>,
}
