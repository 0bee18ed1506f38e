//! Why evidence is rejected.

/// One of the five conditions that make a witness circuit a proof (those of Certifaiger).
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
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reset => "reset",
            Self::Transition => "transition",
            Self::Safety => "safety",
            Self::Base => "base",
            Self::Inductive => "inductive",
        })
    }
}

/// Why evidence was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
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
    /// The witness circuit fails one of the five conditions.
    #[error("the certificate is wrong: the condition `{0}` does not hold")]
    Condition(Condition),
    /// The model differs from the circuit of its file: an error of the reader. Names the part.
    #[error("the model is not the circuit of its file: {0}")]
    Source(String),
    /// The SAT solver returned an error.
    #[error("the certifying solver failed: {0}")]
    Solver(String),
}
