//! Answers of the compared programs.

use crate::process::Ended;

/// The answer of a program on a problem. Model checkers and SAT solvers share the type: a satisfiable formula
/// is "bad".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Safe, or unsatisfiable.
    Good,
    /// Unsafe, or satisfiable.
    Bad,
    /// None.
    Unknown,
    /// The program reported an error of its own.
    Failed,
}

impl Answer {
    /// The word for tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
        }
    }

    /// The answer of this word; also by the words of indices. `Unknown` for any other.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        match word {
            "good" | "safe" | "unsat" => Self::Good,
            "bad" | "unsafe" | "sat" => Self::Bad,
            "failed" => Self::Failed,
            _ => Self::Unknown,
        }
    }

    /// The answer of a run; `Unknown` if a limit ended it, whatever was printed.
    #[must_use]
    pub fn unless_limited(self, ended: &Ended) -> Self {
        if ended.is_limited {
            Self::Unknown
        } else {
            self
        }
    }

    /// By the exit codes 10 and 20 of the competitions; any other code not in `none` is a failure.
    #[must_use]
    pub fn of_code(ended: &Ended, none: &[i32]) -> Self {
        match ended.code {
            Some(20) => Self::Good,
            Some(10) => Self::Bad,
            _ if ended.is_limited => Self::Unknown,
            Some(code) if none.contains(&code) => Self::Unknown,
            _ => Self::Failed,
        }
    }

    /// By ABC's output.
    #[must_use]
    pub fn of_abc(ended: &Ended) -> Self {
        if ended.stdout.contains("Property proved") {
            Self::Good
        } else if ended.stdout.contains("was asserted in frame") {
            Self::Bad
        } else {
            Self::Unknown
        }
    }

    /// By rIC3's output: the competition's names of the verdicts, or words.
    #[must_use]
    pub fn of_ric3(ended: &Ended) -> Self {
        // Statistics come first, and contain words like `sat`.
        let mut results = ended
            .stdout
            .lines()
            .filter_map(|line| line.strip_prefix("result:"));
        results
            .find_map(|result| match result.trim() {
                "safe" => Some(Self::Good),
                "unsafe" => Some(Self::Bad),
                _ => None,
            })
            .unwrap_or(Self::of_code(ended, &[0, 30]))
    }
}
