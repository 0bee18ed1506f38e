//! Answers.

/// The result of a call of [`Solver::solve`](super::Solver::solve).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// There is a model; [`Solver::value`](super::Solver::value) returns its values.
    Satisfiable,
    /// There is no model under the assumptions.
    /// [`Solver::failed_assumptions`](super::Solver::failed_assumptions) returns some that cannot hold
    /// together.
    Unsatisfiable,
    /// A limit was reached, the call was interrupted, or memory was exhausted;
    /// [`Solver::unknown_reason`](super::Solver::unknown_reason) returns which.
    Unknown,
}

/// Why a call of [`Solver::solve`](super::Solver::solve) has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnknownReason {
    /// One of the [`Limits`](super::Limits) was reached.
    Limit,
    /// The interrupt flag or the stop callback requested it.
    Stopped,
    /// There was no space for a clause, for its number, or for its record in the proof.
    Memory,
}
