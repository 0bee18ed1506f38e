//! TraceCheck files: original and derived clauses, the derived ones with their antecedents.
//!
//! The format is that of Biere's TraceCheck (booleforce): number, literals, 0, antecedents, 0; always text.

use super::output::Output;
use super::sink::{ClauseId, ProofSink};
use crate::cnf::Label;
use crate::lit::Lit;
use std::io::{self, Write};

/// A sink that streams TraceCheck, with the numbers of the search.
#[derive(Debug)]
pub struct TracecheckWriter<W> {
    output: Output<W>,
}

impl<W: Write> TracecheckWriter<W> {
    /// A proof that is written to `writer`. There is no need to buffer it once more.
    pub fn new(writer: W) -> Self {
        Self {
            output: Output::new(writer),
        }
    }

    /// Flushes the buffer and returns the writer.
    ///
    /// # Errors
    /// The first error that the writer met since [`TracecheckWriter::new`].
    pub fn finish(self) -> io::Result<W> {
        self.output.finish()
    }

    fn line(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.output.decimal(id);
        self.output.byte(b' ');
        for &lit in lits {
            self.output.literal(lit);
            self.output.byte(b' ');
        }
        self.output.byte(b'0');
        self.output.byte(b' ');
        for &antecedent in antecedents {
            self.output.decimal(antecedent);
            self.output.byte(b' ');
        }
        self.output.byte(b'0');
        self.output.byte(b'\n');
    }
}

impl<W: Write> ProofSink for TracecheckWriter<W> {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], _: Label) {
        self.line(id, lits, &[]);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.line(id, lits, antecedents);
    }

    fn deleted(&mut self, _: ClauseId, _: &[Lit]) {}
}

#[cfg(test)]
mod tests {
    use super::super::example::lits;
    use super::*;

    #[test]
    fn originals_and_chains_are_written() {
        let mut writer = TracecheckWriter::new(Vec::new());
        writer.original(1, &lits(&[1, -2]), 3);
        writer.original(2, &lits(&[2]), 0);
        writer.derived(3, &lits(&[1]), &[1, 2]);
        writer.deleted(1, &lits(&[1, -2]));
        writer.original(7, &[], 0);
        assert_eq!(
            String::from_utf8(writer.finish().unwrap()).unwrap(),
            "1 1 -2 0 0\n2 2 0 0\n3 1 0 1 2 0\n7 0 0\n"
        );
    }
}
