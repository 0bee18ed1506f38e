//! What an engine comes to.

use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::concrete::single_run::Ran;
use craig_model::UnknownReason;
use craig_verify::VerifyError;

use crate::evidence::Safety;

/// A verdict on a program with its evidence.
pub(crate) type Found = craig_model::Verdict<Safety, Box<Counterexample>>;

/// What an engine says of a program. An error is one of this checker, as where evidence fails its check.
pub(crate) type Verdict = Result<Found, VerifyError>;

/// No answer, for this reason.
pub(crate) fn unknown(reason: UnknownReason) -> Verdict {
    Ok(Found::Unknown(reason))
}

/// The verdict of the execution of the only run.
pub(crate) fn of_single_run(ran: Ran) -> Verdict {
    Ok(match ran {
        Ran::Safe(text) => Found::Safe(text.into()),
        Ran::Unsafe(found) => Found::Unsafe(found),
        Ran::Unknown(reason) => Found::Unknown(reason),
    })
}
