//! The reports of a check of a C file.

use std::collections::BTreeMap;

use super::evidence::Safety;
use super::interpret::AllocatedMemory;
use super::ir::Convention;

/// A line of a path through the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The column, from 1; 0 where there is none.
    pub column: u32,
    /// The function.
    pub function: String,
    /// The event.
    pub text: String,
    /// The line of the source, without the blanks around it.
    pub source: Option<String>,
    /// The input value of this step.
    pub chosen: Option<InputValue>,
    /// Whether the step takes contents of memory that no function returns.
    pub is_open: bool,
    /// Memory of the heap that was allocated near the step, in the order of the run.
    pub allocated: Vec<AllocatedMemory>,
}

/// An input value of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    /// The function that returned it; a variable without a value has none.
    pub function: Option<String>,
    /// The variable that has the value without one being assigned.
    pub variable: Option<String>,
    /// As a C expression.
    pub literal: String,
    /// As a plain number.
    pub number: String,
    /// The C type.
    pub ty: &'static str,
    /// The line and column of the closing parenthesis of the call.
    pub end: Option<(u32, u32)>,
}

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
pub enum Failure {
    /// The file cannot be read.
    Input(String),
    /// Evidence failed its check.
    Internal(String),
}
