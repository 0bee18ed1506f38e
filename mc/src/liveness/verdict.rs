//! Answers about justice properties, with their evidence.

use craig_model::{Lasso, LivenessCertificate, UnknownReason};

use crate::portfolio::Failure;

/// The answer for a justice property.
#[derive(Clone, Debug)]
pub enum LivenessVerdict {
    /// No run meets all literals infinitely often.
    Holds(Box<LivenessCertificate>),
    /// This run does.
    Fails(Lasso),
    /// Neither is known.
    Unknown(UnknownReason),
}

/// The result for a justice property.
#[derive(Clone, Debug)]
pub struct LivenessOutcome {
    /// The answer.
    pub verdict: LivenessVerdict,
    /// The name of the method that found it.
    pub method: &'static str,
    /// The number of steps of the lasso; otherwise the depth that the engines have reached.
    pub depth: usize,
    /// The methods that panicked.
    pub failures: Vec<Failure>,
}
