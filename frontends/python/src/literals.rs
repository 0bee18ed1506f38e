//! Literals of Python: integers as in DIMACS.

use craig_solver::{Cnf, Lit};
use pyo3::prelude::*;

use crate::errors::argument;

/// The literal of a number.
///
/// # Errors
/// If it is 0 or too large.
pub(crate) fn literal(number: i64) -> PyResult<Lit> {
    Lit::from_dimacs(number).ok_or_else(|| {
        argument(&format!(
            "{number} is no literal: expected -(2^30) to 2^30 without 0"
        ))
    })
}

/// The literals of numbers.
///
/// # Errors
/// As [`literal`].
pub(crate) fn literals(numbers: Vec<i64>) -> PyResult<Vec<Lit>> {
    numbers.into_iter().map(literal).collect()
}

/// The numbers of literals.
pub(crate) fn numbers(lits: &[Lit]) -> Vec<i32> {
    lits.iter().map(|lit| lit.to_dimacs()).collect()
}

/// The clauses of a formula, as numbers.
pub(crate) fn clauses(cnf: &Cnf) -> Vec<Vec<i32>> {
    cnf.iter().map(|(lits, _)| numbers(lits)).collect()
}
