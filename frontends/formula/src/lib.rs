//! Formulas as files: AIGER, DIMACS, SMT-LIB 2 and Graphviz; their refutations as files; drawings of small
//! proofs.
//!
//! ```
//! use craig_formula::dimacs;
//!
//! let mut text = &b"p cnf 2 2\n1 2 0\n-1 0\n"[..];
//! let formula = dimacs::read(&mut text, "two.cnf")?;
//! assert_eq!((formula.n_vars(), formula.n_clauses()), (2, 2));
//! # Ok::<(), dimacs::DimacsError>(())
//! ```

#[cfg(feature = "aiger")]
mod aiger;
mod cnf;
pub mod decide;
pub mod decide_parallel;
pub mod dimacs;
pub mod enumerate;
mod formulas;
mod graphviz;
pub mod incremental;
mod lrat;
pub mod minimal;
mod proof;
pub mod refutation;
mod smtlib;
#[cfg(all(test, feature = "aiger"))]
mod tests;

use std::io::{self, Write};

pub use formulas::{Formulas, Variable};
pub use lrat::write_lrat;
pub use proof::write_proof;

/// The formats that formulas can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// A combinational AIGER circuit in ASCII, one output per formula.
    #[cfg(feature = "aiger")]
    Aag,
    /// A combinational AIGER circuit in binary, one output per formula.
    #[cfg(feature = "aiger")]
    Aig,
    /// Clauses that define one literal per formula; comments name these literals. A single formula is
    /// asserted.
    Cnf,
    /// SMT-LIB 2 definitions; a single formula is asserted.
    Smt2,
    /// A Graphviz drawing; dashed edges negate.
    Dot,
}

impl Format {
    /// The format of a file name's extension.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            #[cfg(feature = "aiger")]
            "aag" => Some(Self::Aag),
            #[cfg(feature = "aiger")]
            "aig" => Some(Self::Aig),
            "cnf" | "dimacs" => Some(Self::Cnf),
            "smt2" => Some(Self::Smt2),
            "dot" | "gv" => Some(Self::Dot),
            _ => None,
        }
    }
}

impl Formulas {
    /// Writes the formulas. Variables keep their numbers in DIMACS and their names elsewhere.
    ///
    /// # Errors
    /// If the output can't be written.
    pub fn write(&self, format: Format, output: &mut dyn Write) -> io::Result<()> {
        match format {
            #[cfg(feature = "aiger")]
            Format::Aag => aiger::write(self, false, output),
            #[cfg(feature = "aiger")]
            Format::Aig => aiger::write(self, true, output),
            Format::Cnf => cnf::write(self, output),
            Format::Smt2 => smtlib::write(self, output),
            Format::Dot => graphviz::write(self, output),
        }
    }
}
