//! Errors in a proof file, with their positions.

use std::fmt;

use crate::proof::check::CheckError;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text, counted from 1.
    Text {
        /// The line.
        line: u64,
        /// The byte of the line.
        column: u64,
    },
    /// In a binary file, counted from 0.
    Binary {
        /// The byte of the file.
        byte: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Binary { byte } => write!(f, "byte {byte}"),
        }
    }
}

/// Why a file is not a proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file can't be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file does not follow its format.
    #[error("{place}: {fault}")]
    Syntax {
        /// The position.
        place: Place,
        /// The error.
        fault: Fault,
    },
    /// A step that does not follow.
    #[error("{place}: {error}")]
    Step {
        /// The end of the step.
        place: Place,
        /// Why it does not follow.
        error: CheckError,
    },
    /// The caller asked for the end.
    #[error("stopped before the end of the proof")]
    Stopped,
    /// The proof derives something, but not the empty clause.
    #[error("the proof never derives the empty clause")]
    NoRefutation,
    /// Clauses of a TraceCheck file that depend on each other.
    #[error("clause {0} is derived from itself")]
    Cycle(u32),
    /// Too many steps or literals to be numbered.
    #[error("the proof has more than 2^32 steps or literals")]
    TooLarge,
}

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An unexpected byte.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: Found,
    },
    /// A number that no clause can have.
    #[error("clause numbers lie between 1 and 4294967295")]
    ClauseNumber,
    /// An addition whose number is not larger than the previous ones.
    #[error("clause {0} must have a larger number than those before it")]
    NotIncreasing(u32),
    /// A number that an earlier clause has.
    #[error("clause {0} is there already")]
    Duplicate(u32),
    /// A literal over a variable that the formula does not have.
    #[error(
        "the formula has no variable for literal {0}: the proof defines it (an extension), which is no resolution. Let \
         the solver refute the formula without definitions and RAT steps (craig sat: --set factor=false; \
         kissat: --no-factor; cadical: --plain)"
    )]
    UnknownVariable(i64),
    /// A reference to a clause that does not exist (yet).
    #[error("there is no clause {0} here")]
    UnknownClause(u32),
    /// A negative hint: a RAT step.
    #[error(
        "a RAT step, which is no resolution: let the solver refute the formula without techniques that need RAT \
         (cadical: --plain)"
    )]
    RatStep,
    /// A clause of a DRAT file that unit propagation does not derive.
    #[error(
        "the clause before this does not follow by unit propagation: a RAT step, which is no resolution, or no proof \
         of this formula. Let the solver refute the formula without techniques that need RAT (cadical: --plain)"
    )]
    NoUnitConflict,
    /// An original clause in a TraceCheck file that the formula does not have.
    #[error("clause {0} has no antecedents and is no clause of the formula")]
    NoSuchClause(u32),
}

/// A byte of a file, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The byte.
    Byte(u8),
    /// The end of the file.
    End,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) if byte.is_ascii_graphic() => write!(f, "'{}'", char::from(*byte)),
            Self::Byte(byte) => write!(f, "byte 0x{byte:02x}"),
            Self::End => write!(f, "the end of the file"),
        }
    }
}
