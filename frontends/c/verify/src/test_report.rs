//! What is known about the coverage goals of a program, and the tests that reach them.

use crate::report::Report;

/// What is known about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalState {
    /// The tests of these numbers reach it.
    Covered(Vec<usize>),
    /// No run reaches it; what shows that.
    Unreachable(String),
    /// Not decided, for this reason.
    Open(String),
}

/// A coverage goal.
#[derive(Clone, Debug)]
pub struct GoalReport {
    /// The file of its place.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 for lines.
    pub column: u32,
    /// The function.
    pub function: String,
    /// What is to be reached there.
    pub text: String,
    /// What is known about it.
    pub state: GoalState,
}

/// A test: a run to a goal.
#[derive(Clone, Debug)]
pub struct GeneratedTest {
    /// The run, as an answer whose path ends at the goal that it was made for.
    pub report: Report,
    /// The goals that it reaches, as positions in [`TestReport::goals`].
    pub goals: Vec<usize>,
}

/// The goals of a program, and a suite of tests that covers what is covered.
#[derive(Clone, Debug, Default)]
pub struct TestReport {
    /// The goals in the order of the source.
    pub goals: Vec<GoalReport>,
    /// The tests: without any of them, fewer goals would be covered.
    pub tests: Vec<GeneratedTest>,
    /// The number of tests that were found before the suite was made smaller.
    pub n_found: usize,
    /// Paths that the search gave up for another one, up to the last test of a new goal and in all.
    pub backtracks: [u64; 2],
    /// The steps of all paths of the search, and the locations of the automaton that they entered. With labels that
    /// block every second visit, these numbers are the same.
    pub steps: [u64; 2],
    /// Whether the search followed every path, and ended because none reaches an open goal.
    pub is_saturated: bool,
    /// Assumptions and restrictions.
    pub notes: Vec<String>,
}

impl TestReport {
    /// The numbers of goals: all, covered, unreachable, open.
    #[must_use]
    pub fn counts(&self) -> [usize; 4] {
        let count = |is_counted: fn(&GoalState) -> bool| {
            let goals = self.goals.iter();
            goals.filter(|goal| is_counted(&goal.state)).count()
        };
        [
            self.goals.len(),
            count(|state| matches!(state, GoalState::Covered(_))),
            count(|state| matches!(state, GoalState::Unreachable(_))),
            count(|state| matches!(state, GoalState::Open(_))),
        ]
    }
}
