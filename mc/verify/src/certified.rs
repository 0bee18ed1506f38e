//! A verdict with its evidence, and what has become of its check.

use std::sync::Arc;

use craig_mc::liveness::{LivenessOutcome, LivenessVerdict};
use craig_model::{Certificate, Outcome, Trace, UnknownReason, Verdict};

use crate::answer::Answer;
use crate::design::Apart;
use crate::judge::Judgement;
use crate::property::PropertyId;

/// What was found about a property.
#[derive(Clone, Debug)]
pub enum Finding<E> {
    /// About a bad of the model.
    Bad(Outcome),
    /// About a justice property of the model.
    Justice(LivenessOutcome),
    /// About the design itself.
    Apart(Apart<E>),
}

impl<E> Finding<E> {
    /// The answer; a justice property that holds is safe.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match self {
            Self::Bad(outcome) => match outcome.verdict {
                Verdict::Safe(_) => Answer::Safe,
                Verdict::Unsafe(_) => Answer::Unsafe,
                Verdict::Unknown(_) => Answer::Unknown,
            },
            Self::Justice(outcome) => match outcome.verdict {
                LivenessVerdict::Safe(_) => Answer::Safe,
                LivenessVerdict::Unsafe(_) => Answer::Unsafe,
                LivenessVerdict::Unknown(_) => Answer::Unknown,
            },
            Self::Apart(found) => found.answer,
        }
    }

    /// Why there is no answer.
    #[must_use]
    pub fn reason(&self) -> Option<&UnknownReason> {
        match self {
            Self::Bad(outcome) => match &outcome.verdict {
                Verdict::Unknown(reason) => Some(reason),
                _ => None,
            },
            Self::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Unknown(reason) => Some(reason),
                _ => None,
            },
            Self::Apart(found) => found.reason.as_ref(),
        }
    }

    /// The name of the engine or method.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        match self {
            Self::Bad(outcome) => outcome.engine,
            Self::Justice(outcome) => outcome.method,
            Self::Apart(found) => found.engine,
        }
    }

    /// The depth reached, or the length of the run.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Bad(outcome) => outcome.depth,
            Self::Justice(outcome) => outcome.depth,
            Self::Apart(found) => found.depth,
        }
    }

    /// The step in which the loop of a lasso starts.
    #[must_use]
    pub fn loop_start(&self) -> Option<usize> {
        match self {
            Self::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Unsafe(lasso) => Some(lasso.loop_start),
                _ => None,
            },
            Self::Bad(_) => None,
            Self::Apart(found) => found.loop_start,
        }
    }
}

/// The result about a property, after the check of its evidence. It is an answer only if [`Certified::judgement`] is not
/// [`Judgement::Invalid`].
#[derive(Clone, Debug)]
pub struct Certified<E> {
    /// The property.
    pub property: PropertyId,
    /// What was found. Several properties share it if one proof is of all of them.
    pub finding: Arc<Finding<E>>,
    /// The bads that a proof is about: one, or several that were proved together.
    pub together: Arc<[usize]>,
    /// The stage of the schedule that has decided, or [`ENGINES`](crate::ENGINES).
    pub phase: &'static str,
    /// What the check of the evidence has found.
    pub judgement: Judgement,
    /// The time of the search.
    pub seconds: f64,
}

impl<E> Certified<E> {
    /// The answer; unknown if the evidence does not hold.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match self.judgement {
            Judgement::Invalid(_) => Answer::Unknown,
            Judgement::None | Judgement::Valid(_) => self.finding.answer(),
        }
    }

    /// The run to a bad, if there is one.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        match &*self.finding {
            Finding::Bad(Outcome {
                verdict: Verdict::Unsafe(trace),
                ..
            }) => Some(trace),
            _ => None,
        }
    }

    /// The proof that a bad is unreachable, if there is one.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        match &*self.finding {
            Finding::Bad(Outcome {
                verdict: Verdict::Safe(certificate),
                ..
            }) => Some(certificate),
            _ => None,
        }
    }
}
