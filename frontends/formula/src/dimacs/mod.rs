//! Formulas in DIMACS CNF, plain or compressed.
//!
//! Comments may occur between any two lines of clauses, clauses may span lines, and a line that starts with
//! `%` ends the file (as in the files of SATLIB). The header has to be correct: a variable beyond the
//! declared ones, and more or fewer clauses than declared, are errors. No allocation depends on the header.
//! Files with the header `p inccnf` have calls between their clauses ([`Calls`]).

mod decompress;
mod error;
mod read;

use std::io::{self, Write};

use craig_solver::{Cnf, Lit};

pub use decompress::decompress;
pub use error::DimacsError;
pub use read::{read, read_declared, read_input};

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Input {
    /// A formula (`p cnf`), with the number of variables that its header declares.
    Formula(Cnf, usize),
    /// A formula that grows, and calls (`p inccnf`).
    Calls(Calls),
}

/// Clauses, and calls between them (`p inccnf`): a line `a LITERALS 0` asks about the clauses before it under these assumptions.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// All clauses; its variables are those of the assumptions, too.
    pub cnf: Cnf,
    /// The calls, in the order of the file.
    pub calls: Vec<Call>,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many of the clauses stand before it.
    pub n_clauses: usize,
    /// What is assumed.
    pub assumptions: Vec<Lit>,
}

impl Call {
    /// Whether the values satisfy the clauses before the call and its assumptions.
    #[must_use]
    pub fn is_satisfied_by(&self, cnf: &Cnf, model: &[bool]) -> bool {
        let holds = |lit: &Lit| model.get(lit.var().index()) == Some(&!lit.is_negated());
        let mut clauses = (0..self.n_clauses).map(|index| cnf.clause(index));
        clauses.all(|clause| clause.iter().any(holds)) && self.assumptions.iter().all(holds)
    }
}

/// Writes a formula. Labels are not written: DIMACS has none.
///
/// # Errors
/// If `output` can't be written to.
pub fn write(cnf: &Cnf, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "p cnf {} {}", cnf.n_vars(), cnf.n_clauses())?;
    for (clause, _) in cnf.iter() {
        write_literals(clause, output)?;
    }
    Ok(())
}

/// Writes a formula with cubes, each of which is to be assumed in turn (`p inccnf`).
///
/// # Errors
/// If `output` can't be written to.
pub fn write_cubes(cnf: &Cnf, cubes: &[Vec<Lit>], output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "p inccnf")?;
    for (clause, _) in cnf.iter() {
        write_literals(clause, output)?;
    }
    for cube in cubes {
        write!(output, "a ")?;
        write_literals(cube, output)?;
    }
    Ok(())
}

fn write_literals(lits: &[Lit], output: &mut dyn Write) -> io::Result<()> {
    for lit in lits {
        write!(output, "{} ", lit.to_dimacs())?;
    }
    writeln!(output, "0")
}

#[cfg(test)]
mod tests;
