//! LRAT files: every derived clause with the clauses that imply it by unit propagation.
//!
//! The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp (Efficient Certified RAT
//! Verification, CADE 2017), the binary one that of CaDiCaL: `a` or `d`, then numbers in the encoding of
//! binary DRAT literals; clause numbers, too, so that they are doubled. Only a deletion in text is preceded
//! by the number of the previous clause.

use super::output::{Encoding, Output};
use super::sink::{ClauseId, ProofSink};
use crate::cnf::Label;
use crate::lit::Lit;
use std::io::{self, Write};

/// A sink that streams LRAT.
///
/// A checker numbers the clauses of the formula from 1 in the order of the file, and derived clauses have
/// larger numbers. A search numbers original and derived clauses in one sequence, so the writer renumbers
/// them, with a table of four bytes per clause.
#[derive(Debug)]
pub struct LratWriter<W> {
    output: Output<W>,
    encoding: Encoding,
    /// By the search's number, the number in the file.
    numbers: Vec<u32>,
    n_originals: u32,
    last_original: u32,
    last: u32,
    /// Numbers in the file of clauses deleted since the last addition.
    deleted: Vec<u32>,
    /// For the literals of an original clause, each once.
    set: Vec<Lit>,
}

impl<W: Write> LratWriter<W> {
    /// A writer of a proof about a formula of `n_originals` clauses, each of which is added once, in the
    /// order of the formula. It buffers its output.
    pub fn new(writer: W, encoding: Encoding, n_originals: u32) -> Self {
        Self {
            output: Output::new(writer),
            encoding,
            numbers: Vec::new(),
            n_originals,
            last_original: 0,
            last: n_originals,
            deleted: Vec::new(),
            set: Vec::new(),
        }
    }

    /// Flushes the buffer and returns the writer.
    ///
    /// # Errors
    /// The first error of the writer since [`LratWriter::new`], or that there were more original clauses than
    /// stated or more clauses than 32 bits can number.
    pub fn finish(mut self) -> io::Result<W> {
        self.deletions();
        self.output.finish()
    }

    fn set_number(&mut self, id: ClauseId, number: u32) {
        debug_assert!(id as usize >= self.numbers.len());
        self.numbers.resize(id as usize, 0);
        self.numbers.push(number);
    }

    /// Writes an addition under the next number, and returns it; `None` if the numbers are exhausted.
    #[inline]
    fn addition(&mut self, lits: &[Lit], hints: impl IntoIterator<Item = i64>) -> Option<u32> {
        self.deletions();
        let Some(number) = self.last.checked_add(1) else {
            let error = "more clauses than 32 bits can number";
            self.output.fail(io::Error::other(error));
            return None;
        };
        self.last = number;
        match self.encoding {
            Encoding::Text => {
                self.output.decimal(number);
                for &lit in lits {
                    self.output.byte(b' ');
                    self.output.literal(lit);
                }
                self.output.byte(b' ');
                self.output.byte(b'0');
                for hint in hints {
                    self.output.byte(b' ');
                    if hint < 0 {
                        self.output.byte(b'-');
                    }
                    self.output.decimal(hint.unsigned_abs() as u32);
                }
                self.end_of_line();
            }
            Encoding::Binary => {
                self.output.byte(b'a');
                self.output.variable_length(2 * u64::from(number));
                for &lit in lits {
                    self.output.binary_literal(lit);
                }
                self.output.byte(0);
                for hint in hints {
                    self.output
                        .variable_length(2 * hint.unsigned_abs() + u64::from(hint < 0));
                }
                self.output.byte(0);
            }
        }
        Some(number)
    }

    fn deletions(&mut self) {
        if self.deleted.is_empty() {
            return;
        }
        match self.encoding {
            Encoding::Text => {
                self.output.decimal(self.last);
                self.output.byte(b' ');
                self.output.byte(b'd');
                for &number in &self.deleted {
                    self.output.byte(b' ');
                    self.output.decimal(number);
                }
                self.end_of_line();
            }
            Encoding::Binary => {
                self.output.byte(b'd');
                for &number in &self.deleted {
                    self.output.variable_length(2 * u64::from(number));
                }
                self.output.byte(0);
            }
        }
        self.deleted.clear();
    }

    fn end_of_line(&mut self) {
        self.output.byte(b' ');
        self.output.byte(b'0');
        self.output.byte(b'\n');
    }
}

impl<W: Write> ProofSink for LratWriter<W> {
    const ENABLED: bool = true;
    const LATE_ORIGINALS: bool = false;
    const ANTECEDENTS: bool = true;

    fn has_definitions(&self) -> bool {
        true
    }

    fn original(&mut self, id: ClauseId, lits: &[Lit], _: Label) {
        if self.last_original == self.n_originals {
            let error = "more original clauses than the formula has";
            self.output.fail(io::Error::other(error));
            self.set_number(id, 0);
            return;
        }
        self.last_original += 1;
        let number = self.last_original;
        let mut set = std::mem::take(&mut self.set);
        set.clear();
        set.extend_from_slice(lits);
        set.sort_unstable();
        set.dedup();
        if set.len() == lits.len() {
            self.set_number(id, number);
        } else if let Some(copy) = self.addition(&set, [i64::from(number)]) {
            // lrat-check counts a literal that is repeated in a hint twice, so hints refer to a copy without
            // repetition.
            self.set_number(id, copy);
            self.deleted.push(number);
        }
        self.set = set;
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        let numbers = std::mem::take(&mut self.numbers);
        let hints = antecedents.iter().rev();
        let number = self.addition(lits, hints.map(|&hint| i64::from(numbers[hint as usize])));
        self.numbers = numbers;
        if let Some(number) = number {
            self.set_number(id, number);
        }
    }

    /// No clause has the negation of the variable when the short clauses are added, so that these need no hints. The
    /// long one contains the negation of a literal of each short one: negative hints name these, and nothing follows.
    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        let mut short = Vec::with_capacity(factors.len());
        for (id, &factor) in (first..).zip(factors) {
            let Some(number) = self.addition(&[defined, factor], []) else {
                return;
            };
            self.set_number(id, number);
            short.push(-i64::from(number));
        }
        let negated = factors.iter().map(|&lit| !lit);
        let long: Vec<Lit> = [!defined].into_iter().chain(negated).collect();
        if let Some(number) = self.addition(&long, short) {
            self.set_number(first + factors.len() as ClauseId, number);
        }
    }

    fn deleted(&mut self, id: ClauseId, _: &[Lit]) {
        if let Some(&number) = self.numbers.get(id as usize) {
            self.deleted.push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::lits;
    use super::*;

    /// The search derives something before the whole formula is added, and the first clause has a literal
    /// twice.
    fn write(encoding: Encoding) -> Vec<u8> {
        let mut writer = LratWriter::new(Vec::new(), encoding, 3);
        writer.original(1, &lits(&[1, 1]), 0);
        writer.derived(2, &lits(&[1]), &[1]);
        writer.deleted(1, &lits(&[1, 1]));
        writer.original(3, &lits(&[-1, 2]), 0);
        writer.original(4, &lits(&[-2]), 0);
        writer.derived(5, &lits(&[2]), &[3, 2]);
        writer.deleted(3, &lits(&[-1, 2]));
        writer.deleted(2, &lits(&[1]));
        writer.derived(6, &[], &[4, 5]);
        writer.deleted(4, &lits(&[-2]));
        writer.finish().unwrap()
    }

    #[test]
    fn originals_keep_the_numbers_that_they_have_in_the_formula() {
        assert_eq!(
            String::from_utf8(write(Encoding::Text)).unwrap(),
            "4 1 0 1 0\n4 d 1 0\n5 1 0 4 0\n5 d 4 0\n6 2 0 5 2 0\n6 d 2 5 0\n7 0 6 3 0\n7 d 3 0\n"
        );
        assert_eq!(
            write(Encoding::Binary),
            [
                &[b'a', 8, 2, 0, 2, 0][..],
                &[b'd', 2, 0],
                &[b'a', 10, 2, 0, 8, 0],
                &[b'd', 8, 0],
                &[b'a', 12, 4, 0, 10, 4, 0],
                &[b'd', 4, 10, 0],
                &[b'a', 14, 0, 12, 6, 0],
                &[b'd', 6, 0],
            ]
            .concat()
        );
    }

    #[test]
    fn an_original_clause_too_many_is_an_error() {
        let mut writer = LratWriter::new(Vec::new(), Encoding::Text, 1);
        writer.original(1, &lits(&[1]), 0);
        writer.original(2, &lits(&[-1]), 0);
        writer.derived(3, &[], &[1, 2]);
        assert!(writer.finish().is_err());
    }
}
