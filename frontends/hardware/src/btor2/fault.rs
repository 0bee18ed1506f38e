//! Errors in a file.

use std::fmt;

/// The first error in a BTOR2 file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Btor2Error {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for Btor2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for Btor2Error {}

/// A [`Btor2Error`] without the name of its file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) message: String,
}
