//! DRAT files: added and deleted clauses, without antecedents.
//!
//! The format is that of drat-trim (Wetzler, Heule, Hunt: DRAT-trim, SAT 2014).

use super::output::{Encoding, Output};
use super::sink::{ClauseId, ProofSink};
use crate::cnf::Label;
use crate::lit::Lit;
use std::io::{self, Write};

/// A sink that streams DRAT.
#[derive(Debug)]
pub struct DratWriter<W> {
    output: Output<W>,
    encoding: Encoding,
}

impl<W: Write> DratWriter<W> {
    /// A proof that is written to `writer`. There is no need to buffer it once more.
    pub fn new(writer: W, encoding: Encoding) -> Self {
        Self {
            output: Output::new(writer),
            encoding,
        }
    }

    /// Flushes the buffer and returns the writer.
    ///
    /// # Errors
    /// The first error that the writer met since [`DratWriter::new`].
    pub fn finish(self) -> io::Result<W> {
        self.output.finish()
    }

    #[inline]
    fn lits(&mut self, lits: &[Lit]) {
        match self.encoding {
            Encoding::Text => {
                for &lit in lits {
                    self.output.literal(lit);
                    self.output.byte(b' ');
                }
                self.output.byte(b'0');
                self.output.byte(b'\n');
            }
            Encoding::Binary => {
                for &lit in lits {
                    self.output.binary_literal(lit);
                }
                self.output.byte(0);
            }
        }
    }
}

impl<W: Write> ProofSink for DratWriter<W> {
    const ENABLED: bool = true;
    const LATE_ORIGINALS: bool = false;
    const ANTECEDENTS: bool = false;

    fn has_definitions(&self) -> bool {
        true
    }

    fn original(&mut self, _: ClauseId, _: &[Lit], _: Label) {}

    fn derived(&mut self, _: ClauseId, lits: &[Lit], _: &[ClauseId]) {
        if self.encoding == Encoding::Binary {
            self.output.byte(b'a');
        }
        self.lits(lits);
    }

    /// The literal of the new variable comes first: the property that a checker looks for is that of the first literal.
    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        for &factor in factors {
            self.derived(first, &[defined, factor], &[]);
        }
        let negated = factors.iter().map(|&lit| !lit);
        let long: Vec<Lit> = [!defined].into_iter().chain(negated).collect();
        self.derived(first, &long, &[]);
    }

    fn deleted(&mut self, _: ClauseId, lits: &[Lit]) {
        self.output.byte(b'd');
        if self.encoding == Encoding::Text {
            self.output.byte(b' ');
        }
        self.lits(lits);
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::lits;
    use super::*;

    fn write(encoding: Encoding) -> Vec<u8> {
        let mut writer = DratWriter::new(Vec::new(), encoding);
        writer.original(1, &lits(&[1, -2]), 0);
        writer.derived(2, &lits(&[-64, 3]), &[1]);
        writer.deleted(1, &lits(&[1, -2]));
        writer.derived(3, &[], &[2]);
        writer.finish().unwrap()
    }

    #[test]
    fn additions_and_deletions_are_written() {
        assert_eq!(
            String::from_utf8(write(Encoding::Text)).unwrap(),
            "-64 3 0\nd 1 -2 0\n0\n"
        );
        assert_eq!(
            write(Encoding::Binary),
            [b'a', 0x81, 1, 6, 0, b'd', 2, 5, 0, b'a', 0]
        );
    }
}
