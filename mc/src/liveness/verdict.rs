//! Answers about justice properties, with their evidence.

use craig_model::{Lasso, LivenessCertificate, Verdict};

use crate::control::StateClause;
use crate::portfolio::Failure;

/// The answer for a justice property: safe if no run meets all literals infinitely often, and unsafe with a run that does.
pub type LivenessVerdict = Verdict<Box<LivenessCertificate>, Lasso>;

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
    /// Clauses about the model's latches that hold in all reachable states of a reduction of it: candidates for other properties.
    pub invariants: Vec<StateClause>,
}
