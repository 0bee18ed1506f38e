//! Constraints as clauses over further variables: counts, weighted sums, parities; and formulas in files.

use craig_formula::dimacs;
use craig_solver::{Cnf, Lit, constraints};
use pyo3::prelude::*;

use crate::errors::{argument, input};
use crate::literals::{clauses, literals, numbers};

/// The largest variable of a constraint: further variables come after it.
const MOST_VARIABLE: usize = 1 << 29;

/// The clauses of a constraint, and the largest variable that is used.
type Encoded = (Vec<Vec<i32>>, usize);

/// What `add` makes of literals. New variables come after `top` and those of the literals.
fn encode(lits: Vec<i64>, top: usize, add: impl FnOnce(&mut Cnf, &[Lit])) -> PyResult<Encoded> {
    let lits = literals(lits)?;
    let largest = lits.iter().map(|lit| lit.var().index() + 1).max();
    let top = top.max(largest.unwrap_or_default());
    if top > MOST_VARIABLE {
        return Err(argument(&format!(
            "{top} is too large: a constraint has new variables after it, and there are 2^30 in all"
        )));
    }
    let mut cnf = Cnf::new();
    cnf.reserve_vars(top);
    add(&mut cnf, &lits);
    Ok((clauses(&cnf), cnf.n_vars()))
}

/// At most `bound` of the literals are true.
#[pyfunction]
pub(crate) fn at_most(lits: Vec<i64>, bound: usize, top: usize) -> PyResult<Encoded> {
    encode(lits, top, |cnf, lits| {
        constraints::at_most(cnf, lits, bound);
    })
}

/// The sum of the weights of the true literals is at most `bound`.
#[pyfunction]
pub(crate) fn linear_at_most(
    lits: Vec<i64>,
    weights: Vec<u64>,
    bound: u64,
    top: usize,
) -> PyResult<Encoded> {
    if lits.len() != weights.len() {
        return Err(argument("expected as many weights as literals"));
    }
    encode(lits, top, |cnf, lits| {
        let terms: Vec<(u64, Lit)> = weights.into_iter().zip(lits.iter().copied()).collect();
        constraints::linear_at_most(cnf, &terms, bound);
    })
}

/// An odd number of the literals is true, or an even one.
#[pyfunction]
pub(crate) fn parity(lits: Vec<i64>, is_odd: bool, top: usize) -> PyResult<Encoded> {
    encode(lits, top, |cnf, lits| {
        constraints::parity(cnf, lits, is_odd);
    })
}

/// The clauses of a totalizer, the largest variable, and for each number from 0 on the literal that more of them are true.
#[pyfunction]
pub(crate) fn totalizer(lits: Vec<i64>, top: usize) -> PyResult<(Vec<Vec<i32>>, usize, Vec<i32>)> {
    let mut more = Vec::new();
    let (clauses, top) = encode(lits, top, |cnf, lits| {
        let counted = constraints::Totalizer::new(cnf, lits);
        more.extend((0..).map_while(|bound| counted.more_than(bound)));
    })?;
    Ok((clauses, top, numbers(&more)))
}

/// Reads a formula in DIMACS, plain or compressed; also returns the number of variables that it declares.
#[pyfunction]
pub(crate) fn read_dimacs(
    py: Python<'_>,
    data: &[u8],
    name: &str,
) -> PyResult<(Vec<Vec<i32>>, usize)> {
    let read = py.detach(|| {
        let mut plain = dimacs::decompress(data).map_err(|error| format!("{name}: {error}"))?;
        dimacs::read_declared(&mut *plain, name).map_err(|error| error.to_string())
    });
    let (cnf, n_vars) = read.map_err(|error| input(&error))?;
    Ok((clauses(&cnf), n_vars.max(cnf.n_vars())))
}
