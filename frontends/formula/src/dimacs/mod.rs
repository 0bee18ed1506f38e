//! Formulas in DIMACS CNF, plain or compressed.
//!
//! Comments may stand between any two lines of clauses, clauses may span lines, and a line that starts with
//! `%` ends the file (as in the files of SATLIB). The header has to be right: a variable beyond the
//! declared ones, and more or fewer clauses than declared, are errors. Nothing is allocated by what the
//! header says.

mod decompress;
mod read;

use std::fmt;
use std::io::{self, Write};

use craig_solver::Cnf;

pub use decompress::decompress;
pub use read::read;

/// What is wrong with a DIMACS file: the first thing that is.
#[derive(Debug)]
pub enum DimacsError {
    /// It can't be read, or decompressed.
    Io {
        /// The file's name, as the caller gave it.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// It is malformed.
    Syntax {
        /// The file's name, as the caller gave it.
        file: String,
        /// The line, counted from 1, in what was decompressed.
        line: usize,
        /// The column, counted from 1 in bytes.
        column: usize,
        /// What was found, and what was expected.
        message: String,
    },
}

impl fmt::Display for DimacsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { file, error } => write!(f, "{file}: can't be read: {error}"),
            Self::Syntax {
                file,
                line,
                column,
                message,
            } => write!(f, "{file}:{line}:{column}: {message}"),
        }
    }
}

impl std::error::Error for DimacsError {}

/// Writes a formula. Labels are not written: DIMACS has no place for them.
///
/// # Errors
/// If `output` can't be written to.
pub fn write(cnf: &Cnf, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "p cnf {} {}", cnf.n_vars(), cnf.n_clauses())?;
    for (clause, _) in cnf.iter() {
        for lit in clause {
            write!(output, "{} ", lit.to_dimacs())?;
        }
        writeln!(output, "0")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
