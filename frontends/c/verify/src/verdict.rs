//! What an engine comes to.

use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::concrete::single_run::Ran;
use craig_model::UnknownReason;
use craig_verify::VerifyError;

use crate::evidence::Safety;

/// A verdict on a program with its evidence.
pub(crate) type Found = craig_model::Verdict<Safety, Box<Counterexample>>;

/// The verdict of an engine on a program.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// No error is reachable.
    Safe(Safety),
    Unsafe(Box<Counterexample>),
    Unknown(UnknownReason),
    /// Evidence failed its check: an internal error.
    Internal(String),
}

impl Verdict {
    /// This verdict, or why its evidence has failed.
    pub(crate) fn found(self) -> Result<Found, VerifyError> {
        match self {
            Self::Safe(safety) => Ok(Found::Safe(safety)),
            Self::Unsafe(found) => Ok(Found::Unsafe(found)),
            Self::Unknown(reason) => Ok(Found::Unknown(reason)),
            Self::Internal(message) => Err(VerifyError::Internal(message)),
        }
    }
}

impl From<Result<Found, VerifyError>> for Verdict {
    fn from(found: Result<Found, VerifyError>) -> Self {
        match found {
            Ok(Found::Safe(safety)) => Self::Safe(safety),
            Ok(Found::Unsafe(found)) => Self::Unsafe(found),
            Ok(Found::Unknown(reason)) => Self::Unknown(reason),
            Err(error) => Self::Internal(error.to_string()),
        }
    }
}

impl From<Ran> for Verdict {
    fn from(ran: Ran) -> Self {
        match ran {
            Ran::Safe(text) => Self::Safe(text.into()),
            Ran::Unsafe(found) => Self::Unsafe(found),
            Ran::Unknown(reason) => Self::Unknown(reason),
        }
    }
}
