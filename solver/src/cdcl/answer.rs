//! Answers.

/// What a call of [`Solver::solve`](super::Solver::solve) found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// There is a model; [`Solver::value`](super::Solver::value) returns its values.
    Satisfiable,
    /// There is no model under the assumptions.
    /// [`Solver::failed_assumptions`](super::Solver::failed_assumptions) returns some that cannot hold
    /// together.
    Unsatisfiable,
    /// A limit was reached, or the call was interrupted.
    Unknown,
}
