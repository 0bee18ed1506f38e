//! What a user may set.

/// How the search goes about its work. None of it changes an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where random choices start from. The same seed gives the same search. Default 0.
    pub seed: u64,
    /// The phase that a variable is first tried in. Default `true`.
    pub initial_phase: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            initial_phase: true,
        }
    }
}

/// How much one call of [`Solver::solve`](super::Solver::solve) may do before it answers
/// [`Answer::Unknown`](super::Answer::Unknown). `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of conflicts.
    pub conflicts: Option<u64>,
    /// The number of propagated literals; looked at between propagations, so a call may do a few more.
    pub propagations: Option<u64>,
}
