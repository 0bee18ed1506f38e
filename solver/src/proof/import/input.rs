//! Bytes and numbers from a file, with their positions.

use super::error::{Fault, Found, ImportError, Place};
use std::io::Read;

/// A buffered input that counts its lines and columns.
#[derive(Debug)]
pub(super) struct Input<R> {
    reader: R,
    buffer: Vec<u8>,
    position: usize,
    /// How many bytes of the file precede the buffer.
    before: u64,
    line: u64,
    line_start: u64,
    pub(super) is_binary: bool,
}

impl<R: Read> Input<R> {
    const CHUNK: u64 = 1 << 16;

    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            position: 0,
            before: 0,
            line: 1,
            line_start: 0,
            is_binary: false,
        }
    }

    /// The next byte, without consuming it; `None` at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ImportError> {
        if self.position == self.buffer.len() {
            self.before += self.buffer.len() as u64;
            self.position = 0;
            self.buffer.clear();
            let mut chunk = self.reader.by_ref().take(Self::CHUNK);
            chunk.read_to_end(&mut self.buffer)?;
        }
        Ok(self.buffer.get(self.position).copied())
    }

    /// Consumes the peeked byte.
    #[inline]
    pub(super) fn skip(&mut self) {
        if self.buffer[self.position] == b'\n' {
            self.line += 1;
            self.line_start = self.before + self.position as u64 + 1;
        }
        self.position += 1;
    }

    /// The position of the next byte.
    pub(super) fn place(&self) -> Place {
        let byte = self.before + self.position as u64;
        if self.is_binary {
            Place::Binary { byte }
        } else {
            Place::Text {
                line: self.line,
                column: byte - self.line_start + 1,
            }
        }
    }

    pub(super) fn fault(&self, fault: Fault) -> ImportError {
        ImportError::Syntax {
            place: self.place(),
            fault,
        }
    }

    /// The error for an unexpected next byte.
    pub(super) fn unexpected(&mut self, expected: &'static str) -> ImportError {
        match self.peek() {
            Ok(byte) => {
                let found = byte.map_or(Found::End, Found::Byte);
                self.fault(Fault::Unexpected { expected, found })
            }
            Err(error) => error,
        }
    }

    /// Skips spaces, ends of lines, and lines that start with `c`. Returns the next byte, if any.
    pub(super) fn skip_blanks_and_comments(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            match self.skip_blanks()? {
                Some(b'c') => {
                    while self.peek()?.is_some_and(|byte| byte != b'\n') {
                        self.skip();
                    }
                }
                next => return Ok(next),
            }
        }
    }

    /// Skips spaces and ends of lines. Returns the next byte, if any.
    #[inline]
    pub(super) fn skip_blanks(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.skip(),
                next => return Ok(next),
            }
        }
    }

    /// A decimal number after blanks, possibly negative, followed by a blank or the end of the file.
    pub(super) fn decimal(&mut self) -> Result<i64, ImportError> {
        let is_negative = self.skip_blanks()? == Some(b'-');
        if is_negative {
            self.skip();
        }
        let mut number: Option<i64> = None;
        while let Some(byte @ b'0'..=b'9') = self.peek()? {
            let grown = number.unwrap_or(0).checked_mul(10);
            let grown = grown.and_then(|number| number.checked_add(i64::from(byte - b'0')));
            if grown.is_none() {
                return Err(self.unexpected("a number of 64 bits"));
            }
            number = grown;
            self.skip();
        }
        let Some(number) = number else {
            return Err(self.unexpected("a number"));
        };
        match self.peek()? {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => {
                Ok(if is_negative { -number } else { number })
            }
            _ => Err(self.unexpected("a blank after the number")),
        }
    }

    /// A number of a binary file: seven bits a byte; the lowest bit of the number is the sign.
    pub(super) fn variable_length(&mut self) -> Result<i64, ImportError> {
        let mut number = 0u64;
        for shift in (0..63).step_by(7) {
            let Some(byte) = self.peek()? else {
                return Err(self.unexpected("a number"));
            };
            self.skip();
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let magnitude = (number >> 1) as i64;
                return Ok(if number & 1 == 1 {
                    -magnitude
                } else {
                    magnitude
                });
            }
        }
        Err(self.unexpected("a number of at most nine bytes"))
    }

    /// A number in the file's encoding.
    #[inline]
    pub(super) fn number(&mut self) -> Result<i64, ImportError> {
        if self.is_binary {
            self.variable_length()
        } else {
            self.decimal()
        }
    }

    /// The number as a clause number.
    pub(super) fn clause_number(&self, number: i64) -> Result<u32, ImportError> {
        match u32::try_from(number) {
            Ok(0) | Err(_) => Err(self.fault(Fault::ClauseNumber)),
            Ok(id) => Ok(id),
        }
    }
}
