//! The reports of a check of a C file.

use std::collections::BTreeMap;
use std::fmt;

use crate::evidence::Safety;
use craig_c_exec::concrete::error_path::PathStep;
use craig_c_lang::ir::Convention;
use craig_model::{UnknownReason, Verdict};
use craig_program::line_up::StageName;

/// An error that is reached; the path was replayed.
#[derive(Clone, Debug)]
pub struct ErrorPath {
    /// What happens at its end.
    pub error: String,
    /// The path, in order; the last step is the error.
    pub path: Vec<PathStep>,
}

/// The answer: why no error can be reached, or one that is.
pub type Answer = Verdict<Safety, ErrorPath>;

/// The phase of lazy annotation of the functions of a recursion.
pub(crate) const ANNOTATED: &str = "annotated calls";
/// The phase of runs with a few small values.
pub(crate) const SAMPLES: &str = "samples";

/// The phase of an engine that was asked for and has decided by itself.
pub(crate) const ENGINE: &str = "engine";

/// Who has decided: an engine, and the stage of the schedule in which it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decider {
    /// The engine.
    pub engine: &'static str,
    /// The stage: `engine` if the engine that was asked for decided by itself.
    pub phase: &'static str,
}

impl Decider {
    /// An engine in a stage of the schedule.
    pub(crate) fn of(engine: &'static str, stage: StageName) -> Self {
        let phase = stage.name();
        Self { engine, phase }
    }
}

/// An answer, with the engine and the assumptions behind it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub answer: Answer,
    /// The engine that found it.
    pub engine: &'static str,
    /// As [`Decider::phase`].
    pub phase: &'static str,
    /// The assumptions of the answer.
    pub notes: Vec<String>,
    /// The functions without body and model that get pointers, where memory accesses are checked: theirs are not.
    pub unchecked: Vec<String>,
    /// The functions with a conventional meaning in the program.
    pub(crate) conventions: BTreeMap<String, Convention>,
}

impl Report {
    /// If the engine that was asked for has not decided by itself, what has helped it or decided in its place.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        let help = [
            StageName::EngineTailCalls.name(),
            StageName::EngineProcedures.name(),
            StageName::EngineElements.name(),
            ANNOTATED,
            SAMPLES,
        ];
        help.contains(&self.phase).then_some(self.phase)
    }

    /// A report without an engine.
    #[must_use]
    pub fn unknown(reason: String) -> Self {
        Self {
            answer: Answer::Unknown(UnknownReason::Unsupported(reason)),
            engine: "frontend",
            phase: "reading",
            notes: Vec::new(),
            unchecked: Vec::new(),
            conventions: BTreeMap::new(),
        }
    }
}

/// A property of several, where it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyPlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The description of its violation.
    pub text: String,
}

/// The report on one property of several.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The property.
    pub place: PropertyPlace,
    /// The report.
    pub report: Report,
    /// The time of its verdict, in seconds; properties that are decided together share that time.
    pub seconds: f64,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The file cannot be read.
    Input(String),
    /// Evidence failed its check.
    Internal(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) | Self::Internal(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}
