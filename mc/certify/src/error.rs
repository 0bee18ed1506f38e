//! Why evidence is rejected.

use craig_model::ModelError;

/// One of the conditions that make a witness circuit a proof (those of Certifaiger): five for safety, and four
/// more for a justice property.
///
/// K are the latches shared by witness and model, s and t consecutive steps. For the model, R says that the
/// latches in K have their reset values, F that in t they have the values of their next-state functions in s,
/// C that the constraints hold, P that the bad does not; R', F', C' and P' are the same for the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// R(K) & C implies R'(K) & C'.
    Reset,
    /// F(K) & C(s) & C(t) & C'(s) implies F'(K) & C'(t).
    Transition,
    /// C & C' & P' implies P.
    Safety,
    /// R' of all the witness's latches & C' implies P'.
    Base,
    /// F' of all the witness's latches & C'(s) & C'(t) & P'(s) implies P'(t).
    Inductive,
    /// F'(s, t) & C(s) & C(t) & D(s) & D(t) implies that each literal whose edge predicate holds from s to t
    /// does not hold in s. D is C' & P'.
    Liveness,
    /// F'(s, t) & D(s) & D(t) implies Q'(t, s). Q' says that one of the edge predicates holds.
    Decrease,
    /// F'(s, t) & D(s) & D(t) & D(u) & Q'(s, u) implies Q'(t, u).
    Closure,
    /// F'(s, t) & F'(t, u) & D(s) & D(t) & D(u) & Q'(s, t) & Q'(t, u) implies that each edge predicate that
    /// holds from s to t holds from t to u.
    Consistent,
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reset => "reset",
            Self::Transition => "transition",
            Self::Safety => "safety",
            Self::Base => "base",
            Self::Inductive => "inductive",
            Self::Liveness => "liveness",
            Self::Decrease => "decrease",
            Self::Closure => "closure",
            Self::Consistent => "consistent",
        })
    }
}

/// Why evidence was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The model that the evidence is about is none.
    #[error("the model is wrong: {0}")]
    Model(#[from] ModelError),
    /// The evidence has parts that the model does not have, or the same part twice.
    #[error("the evidence does not fit the model: {0}")]
    Shape(String),
    /// A latch of the trace starts at a value other than its reset.
    #[error("the trace is wrong: latch {latch} does not start at its reset")]
    TraceReset {
        /// The latch's position among the model's latches.
        latch: usize,
    },
    /// The trace does not reach the bad, or only after a constraint was violated, or only for some of the
    /// values that it leaves open.
    #[error("the trace is wrong: it does not show the bad")]
    TraceBad,
    /// The lasso is wrong, for the reason in the text.
    #[error("the lasso is wrong: {0}")]
    Lasso(String),
    /// The witness circuit fails one of the conditions.
    #[error("the certificate is wrong: the condition `{0}` does not hold")]
    Condition(Condition),
    /// The model differs from the circuit of its file: an error of the reader. Names the part.
    #[error("the model is not the circuit of its file: {0}")]
    Source(String),
    /// The SAT solver returned an error.
    #[error("the certifying solver failed: {0}")]
    Solver(String),
}
