//! The values of the free variables of an execution.

use std::collections::{BTreeMap, HashMap};

use craig_word::{Evaluator, Term, Terms};

/// The values of the free variables in an assignment.
#[derive(Default)]
pub struct FreeValues {
    /// The values of variables, by term; others are 0.
    pub values: HashMap<Term, u128>,
    /// The initial bytes of objects without cells that are not zero, by the owner of their contents.
    pub blanks: HashMap<Term, BTreeMap<u64, u8>>,
}

/// The values of variables, by term, as an evaluator expects them; others are 0.
pub fn evaluator<'t>(terms: &'t Terms, values: &'t HashMap<Term, u128>) -> Evaluator<'t> {
    Evaluator::new(terms, move |term, _| {
        values.get(&term).copied().unwrap_or(0)
    })
}
