//! The output buffer of the proof writers, with two encodings of numbers and deferred errors.

use crate::lit::Lit;
use std::io::{self, Write};

/// The encoding of numbers in a proof file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Decimal numbers, one line per step.
    #[default]
    Text,
    /// Seven bits a byte, lowest first, the highest bit set in all bytes but a number's last.
    Binary,
}

/// A buffered output. An error must not stop the search, so the first error is stored, nothing more is
/// written, and [`Output::finish`] returns it.
#[derive(Debug)]
pub(super) struct Output<W> {
    writer: W,
    buffer: Vec<u8>,
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    const FULL: usize = 1 << 16;

    pub(super) fn new(writer: W) -> Self {
        Self {
            writer,
            buffer: Vec::with_capacity(Self::FULL + 64),
            error: None,
        }
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        if self.buffer.len() >= Self::FULL {
            self.write_buffer();
        }
        self.buffer.push(byte);
    }

    /// A number in decimal digits.
    #[inline]
    pub(super) fn decimal(&mut self, mut number: u32) {
        let mut digits = [0; 10];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        for &digit in &digits[start..] {
            self.byte(digit);
        }
    }

    /// A literal as DIMACS writes it.
    #[inline]
    pub(super) fn literal(&mut self, lit: Lit) {
        if lit.is_negated() {
            self.byte(b'-');
        }
        self.decimal(lit.to_dimacs().unsigned_abs());
    }

    /// A number in the binary encoding.
    #[inline]
    pub(super) fn variable_length(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// A literal in the binary encoding: twice the variable's DIMACS number, and one more if negated.
    #[inline]
    pub(super) fn binary_literal(&mut self, lit: Lit) {
        self.variable_length(u64::from(lit.code()) + 2);
    }

    fn write_buffer(&mut self) {
        if self.error.is_none() {
            self.error = self.writer.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }

    /// Records an error of the proof writer itself; nothing more is written.
    pub(super) fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
    }

    /// Flushes the buffer and returns the writer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.write_buffer();
        match self.error {
            None => self.writer.flush().map(|()| self.writer),
            Some(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    #[test]
    fn numbers_have_both_spellings() {
        let mut output = Output::new(Vec::new());
        for number in [0, 7, 10, 4_294_967_295] {
            output.decimal(number);
            output.byte(b' ');
        }
        output.literal(Var::new(11).negative());
        output.literal(Var::new(0).positive());
        assert_eq!(output.finish().unwrap(), b"0 7 10 4294967295 -121");
        let mut output = Output::new(Vec::new());
        // The examples of drat-trim's README, section "Binary DRAT format".
        output.binary_literal(Lit::from_dimacs(-63).unwrap());
        output.binary_literal(Lit::from_dimacs(129).unwrap());
        output.binary_literal(Lit::from_dimacs(-8191).unwrap());
        output.binary_literal(Lit::from_dimacs(-8193).unwrap());
        assert_eq!(
            output.finish().unwrap(),
            [0x7f, 0x82, 0x02, 0xff, 0x7f, 0x83, 0x80, 0x01]
        );
    }

    /// Takes a few bytes and then fails.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or_else(|| io::Error::other("full"))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_remembered() {
        let mut output = Output::new(Disk(100_000));
        for _ in 0..300_000 {
            output.byte(b'0');
        }
        assert_eq!(output.finish().err().unwrap().to_string(), "full");
        let mut output = Output::new(Disk(100_000));
        for _ in 0..90_000 {
            output.byte(b'0');
        }
        assert_eq!(output.finish().unwrap().0, 10_000);
    }
}
