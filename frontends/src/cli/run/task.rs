//! What a project asks.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cli::verilog::Design;

/// What is decided about the design of a task, by the names that SymbiYosys has for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mode {
    /// Do assertions hold?
    #[default]
    Prove,
    /// Do assertions hold in the first steps?
    Bmc,
    /// Does what is to happen at last?
    Live,
    /// Is what is to be covered reached in the first steps?
    Cover,
}

impl Mode {
    /// The mode of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [
            ("prove", Self::Prove),
            ("bmc", Self::Bmc),
            ("live", Self::Live),
            ("cover", Self::Cover),
        ];
        let found = all.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, mode)| mode)
    }
}

/// The result of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Pass,
    Unknown,
    Timeout,
    Fail,
    Error,
}

impl Status {
    /// All, with their names and the exit codes of those that are not expected.
    const ALL: [(Self, &'static str, u8); 5] = [
        (Self::Pass, "PASS", 1),
        (Self::Unknown, "UNKNOWN", 4),
        (Self::Timeout, "TIMEOUT", 8),
        (Self::Fail, "FAIL", 2),
        (Self::Error, "ERROR", 16),
    ];

    pub(super) fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(own, ..)| *own == self);
        found.map_or("", |&(_, word, _)| word)
    }

    /// The status of a name, in any case.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_uppercase();
        let found = Self::ALL.iter().find(|(_, own, _)| *own == name);
        found.map(|&(status, ..)| status)
    }

    /// The exit code if it is not expected.
    pub(super) fn code(self) -> u8 {
        let found = Self::ALL.iter().find(|(own, ..)| *own == self);
        found.map_or(16, |&(.., code)| code)
    }
}

/// The time that an assertion has alone, if a project does not say.
pub(super) const ALONE: Duration = Duration::from_secs(1);

/// A task.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) name: String,
    pub(super) mode: Mode,
    /// Whether assertions about what happens at last are decided beside the others.
    pub(super) has_liveness: bool,
    /// The number of steps that are searched; without one, there is no bound.
    pub(super) depth: Option<usize>,
    /// Whether `depth` counts as in SymbiYosys, where a statement in a process is seen one step after the one that it is about.
    pub(super) is_seen_later: bool,
    /// The time for the whole task.
    pub(super) timeout: Option<Duration>,
    /// The time that an assertion has alone before all are asked together.
    pub(super) alone: Duration,
    /// The results that are right.
    pub(super) expect: Vec<Status>,
    pub(super) design: Design,
    /// Options of `craig check` for each property.
    pub(super) options: Vec<String>,
    /// The properties: those whose name has one of these texts; without texts, all.
    pub(super) properties: Vec<String>,
    /// What is said of it on standard error.
    pub(super) notes: Vec<String>,
}

/// A project.
#[derive(Debug)]
pub(super) struct Project {
    /// The file.
    pub(super) file: PathBuf,
    /// Its tasks, in their order.
    pub(super) tasks: Vec<Task>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_symbiyosys() {
        assert_eq!(Status::named(" timeout"), Some(Status::Timeout));
        assert_eq!(Status::named("passed"), None);
        let codes: Vec<u8> = Status::ALL
            .iter()
            .map(|(status, ..)| status.code())
            .collect();
        assert_eq!(codes, [1, 4, 8, 2, 16]);
        assert_eq!(Mode::named("live"), Some(Mode::Live));
        assert_eq!(Mode::named("equiv"), None);
    }
}
