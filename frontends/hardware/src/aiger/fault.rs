//! Errors in a file.

use std::fmt;

/// The position of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// In a line, counted from 1.
    Line(usize),
    /// In a line and column, both counted from 1.
    Column(usize, usize),
    /// At a byte, counted from 0: in the gates of a binary file.
    Byte(usize),
}

/// The first error in an AIGER file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AigerError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// Its position.
    pub place: Place,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for AigerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match self.place {
            Place::File => {}
            Place::Line(line) => write!(f, "line {line}: ")?,
            Place::Column(line, column) => write!(f, "line {line}, column {column}: ")?,
            Place::Byte(byte) => write!(f, "byte {byte}: ")?,
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for AigerError {}

/// An [`AigerError`] without the name of its file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
}

impl Fault {
    /// An error and its position.
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
        }
    }
}
