//! Files that hold a refutation of a formula in the formats of the solvers.

use std::io::{self, Write};

use craig_solver::Cnf;
use craig_solver::proof::drat::DratWriter;
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::tracecheck::TracecheckWriter;
use craig_solver::proof::{Encoding, ProofDag};

/// The formats of refutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum RefutationFormat {
    /// Clauses that follow by unit propagation (the format also allows RAT clauses); most checkers read it.
    Drat,
    /// With the antecedents of each clause, for fast and verified checkers.
    Lrat,
    /// Resolution chains. Text only.
    Tracecheck,
}

/// All formats.
#[cfg(test)]
pub(crate) const FORMATS: [RefutationFormat; 3] = [
    RefutationFormat::Drat,
    RefutationFormat::Lrat,
    RefutationFormat::Tracecheck,
];

/// All encodings.
#[cfg(test)]
pub(crate) const ENCODINGS: [Encoding; 2] = [Encoding::Text, Encoding::Binary];

/// A file to write a refutation to.
pub struct RefutationFile<'w> {
    /// The format.
    pub format: RefutationFormat,
    /// The encoding; TraceCheck has text only and ignores it.
    pub encoding: Encoding,
    /// The output. The writers buffer it.
    pub output: &'w mut dyn Write,
}

impl RefutationFile<'_> {
    /// Writes a refutation of `cnf`, whose leaves have the numbers of the formula's clauses as labels.
    ///
    /// # Errors
    /// If the output can't be written, or the format can't number that many clauses.
    pub fn write(self, cnf: &Cnf, refutation: &ProofDag) -> io::Result<()> {
        let output = self.output;
        match self.format {
            RefutationFormat::Drat => {
                let mut writer = DratWriter::new(output, self.encoding);
                refutation.report(cnf, &mut writer);
                writer.finish().map(drop)
            }
            RefutationFormat::Lrat => {
                let n_clauses = u32::try_from(cnf.n_clauses()).map_err(io::Error::other)?;
                let mut writer = LratWriter::new(output, self.encoding, n_clauses);
                refutation.report(cnf, &mut writer);
                writer.finish().map(drop)
            }
            RefutationFormat::Tracecheck => {
                let mut writer = TracecheckWriter::new(output);
                refutation.report(cnf, &mut writer);
                writer.finish().map(drop)
            }
        }
    }
}
