//! The solver of a session: one that records no proof, or one that reports it.

use craig_solver::proof::NoProof;
use craig_solver::{Options, Solver};

use crate::recorder::Recorder;

/// A solver with or without a proof.
pub(crate) enum Engine {
    /// Recording is compiled away.
    Plain(Box<Solver<NoProof>>),
    /// Each step is reported to those who want it.
    Traced(Box<Solver<Recorder>>),
}

impl Engine {
    /// A solver without clauses.
    pub(crate) fn new(options: Options, recorder: Option<Recorder>) -> Self {
        match recorder {
            None => Self::Plain(Box::new(Solver::with_proof(options, NoProof))),
            Some(recorder) => Self::Traced(Box::new(Solver::with_proof(options, recorder))),
        }
    }
}

/// The expression with either solver.
macro_rules! each {
    ($engine:expr, $solver:ident => $value:expr) => {
        match $engine {
            $crate::engine::Engine::Plain($solver) => $value,
            $crate::engine::Engine::Traced($solver) => $value,
        }
    };
}
pub(crate) use each;
