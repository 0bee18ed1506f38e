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

    /// The answer of this word; also by the words of indices, where `unsafe|unknown` allows for either. `Unknown` for any other.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        match word.split('|').next().unwrap_or_default() {
            "good" | "safe" | "unsat" | "holds" => Self::Good,
            "bad" | "unsafe" | "sat" | "fails" => Self::Bad,
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
}

/// The reason of an `UNKNOWN (seconds): file:line: reason`.
#[must_use]
pub fn reason(line: &str) -> &str {
    let reason = line.split_once("): ").map_or(line, |(_, reason)| reason);
    match reason.split_once(".c:") {
        Some((_, place)) => place.split_once(": ").map_or(place, |(_, reason)| reason),
        None => reason,
    }
}
