//! Errors in witnesses.

use std::fmt;

use crate::aiger::AigerError;

/// An error in a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WitnessError {
    /// A trace is malformed.
    Trace {
        /// The file's name, as the caller gave it.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What was found, and what was expected.
        message: String,
    },
    /// A witness circuit is not a valid circuit.
    Circuit(AigerError),
    /// A witness circuit does not match the model.
    Mapping {
        /// The file's name, as the caller gave it.
        file: String,
        /// The mismatch.
        message: String,
    },
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace {
                file,
                line,
                message,
            } => write!(f, "{file}: line {line}: {message}"),
            Self::Circuit(error) => error.fmt(f),
            Self::Mapping { file, message } => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for WitnessError {}

/// The beginning of what was found, for messages.
pub(super) fn quote(bytes: &[u8]) -> String {
    format!(
        "{:?}",
        String::from_utf8_lossy(&bytes[..bytes.len().min(40)])
    )
}
