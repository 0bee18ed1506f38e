//! Errors in a DIMACS file.

use std::{fmt, io};

/// The first error in a DIMACS file.
#[derive(Debug)]
#[non_exhaustive]
pub enum DimacsError {
    /// It can't be read, or decompressed.
    Io {
        /// The file's name, as the caller gave it.
        file: String,
        /// The cause.
        error: io::Error,
    },
    /// It is malformed.
    Syntax {
        /// The file's name, as the caller gave it.
        file: String,
        /// The line, counted from 1, in the decompressed text.
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
