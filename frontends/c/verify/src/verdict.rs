//! What an engine comes to.

use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::concrete::single_run::Ran;
use craig_model::UnknownReason;

use crate::evidence::Safety;

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

impl From<Ran> for Verdict {
    fn from(ran: Ran) -> Self {
        match ran {
            Ran::Safe(text) => Self::Safe(text.into()),
            Ran::Unsafe(found) => Self::Unsafe(found),
            Ran::Unknown(reason) => Self::Unknown(reason),
        }
    }
}
