//! The result of the search about one property.

use craig_mc::liveness::{LivenessOutcome, LivenessVerdict};
use craig_model::{Outcome, UnknownReason, Verdict};

use crate::cli::check::report::Answer;

/// A result about a property of either kind.
pub(super) enum Found {
    /// About a bad.
    Bad(Outcome),
    /// About a justice property.
    Justice(LivenessOutcome),
}

impl Found {
    /// The answer; a justice property that holds is safe.
    pub(super) fn answer(&self) -> Answer {
        match self {
            Self::Bad(outcome) => match outcome.verdict {
                Verdict::Safe(_) => Answer::Safe,
                Verdict::Unsafe(_) => Answer::Unsafe,
                Verdict::Unknown(_) => Answer::Unknown,
            },
            Self::Justice(outcome) => match outcome.verdict {
                LivenessVerdict::Holds(_) => Answer::Safe,
                LivenessVerdict::Fails(_) => Answer::Unsafe,
                LivenessVerdict::Unknown(_) => Answer::Unknown,
            },
        }
    }

    /// Why there is no answer.
    pub(super) fn reason(&self) -> Option<&UnknownReason> {
        match self {
            Self::Bad(outcome) => match &outcome.verdict {
                Verdict::Unknown(reason) => Some(reason),
                _ => None,
            },
            Self::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Unknown(reason) => Some(reason),
                _ => None,
            },
        }
    }

    /// The name of the engine or method.
    pub(super) fn engine(&self) -> &'static str {
        match self {
            Self::Bad(outcome) => outcome.engine,
            Self::Justice(outcome) => outcome.method,
        }
    }

    /// The depth reached, or the length of the run.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Bad(outcome) => outcome.depth,
            Self::Justice(outcome) => outcome.depth,
        }
    }

    /// The step in which the loop of a lasso starts.
    pub(super) fn loop_start(&self) -> Option<usize> {
        match self {
            Self::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Fails(lasso) => Some(lasso.loop_start),
                _ => None,
            },
            Self::Bad(_) => None,
        }
    }
}
