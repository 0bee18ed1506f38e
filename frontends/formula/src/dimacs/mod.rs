//! Formulas in DIMACS CNF, plain or compressed.
//!
//! Comments may occur between any two lines of clauses, clauses may span lines, and a line that starts with
//! `%` ends the file (as in the files of SATLIB). The header has to be correct: a variable beyond the
//! declared ones, and more or fewer clauses than declared, are errors. No allocation depends on the header.

mod decompress;
mod error;
mod read;

use std::io::{self, Write};

use craig_solver::{Cnf, Lit};

pub use decompress::decompress;
pub use error::DimacsError;
pub use read::{read, read_declared};

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
