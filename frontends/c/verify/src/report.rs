//! The reports of a check of a C file.

use std::collections::BTreeMap;
use std::fmt;

use crate::evidence::Safety;
use craig_c_exec::concrete::error_path::PathStep;
use craig_c_lang::ir::Convention;

/// The answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No error can be reached.
    Safe(Safety),
    /// An error is reached; the path was replayed.
    Unsafe {
        /// What happens at its end.
        error: String,
        /// The path, in order; the last step is the error.
        path: Vec<PathStep>,
    },
    /// No engine decided the question.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// An answer, with the engine and the assumptions behind it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub answer: Answer,
    /// The engine that found it.
    pub engine: &'static str,
    /// The assumptions of the answer.
    pub notes: Vec<String>,
    /// The functions with a conventional meaning in the program.
    pub(crate) conventions: BTreeMap<String, Convention>,
}

impl Report {
    /// A report without an engine.
    #[must_use]
    pub fn unknown(reason: String) -> Self {
        Self {
            answer: Answer::Unknown { reason },
            engine: "frontend",
            notes: Vec::new(),
            conventions: BTreeMap::new(),
        }
    }
}

/// The report on one property of several.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The file of its place.
    pub file: String,
    /// The line of its place, from 1.
    pub line: u32,
    /// The description of its violation.
    pub text: String,
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
