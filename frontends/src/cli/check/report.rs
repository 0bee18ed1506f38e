//! What is reported of a property, and of all of them.

use std::path::PathBuf;

use serde::Serialize;

use crate::cli::engines::Judgement;
use craig_c::{Goals, Native, PathStep, Report};

/// The answer for one property, or for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// No bad and no error can be reached.
    Safe,
    /// One can.
    Unsafe,
    /// Not decided.
    Unknown,
    /// An engine's claim that its own evidence does not support.
    Failed,
}

impl Answer {
    /// The word that starts the verdict line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unsafe => "UNSAFE",
            Self::Unknown => "UNKNOWN",
            Self::Failed => "FAILED",
        }
    }

    /// The answer for all properties: unsafe if any is, safe if all are.
    pub(super) fn of_all(reports: &[PropertyReport]) -> Self {
        let has = |answer| reports.iter().any(|report| report.answer() == answer);
        [Self::Failed, Self::Unsafe, Self::Unknown]
            .into_iter()
            .find(|&answer| has(answer))
            .unwrap_or(Self::Safe)
    }
}

/// What is known of one property.
#[derive(Clone, Debug)]
pub(super) enum PropertyReport {
    /// Of a bad of a circuit.
    Circuit(CircuitReport),
    /// Of an error mark or a check in a C program, or of all of them together.
    Program(ProgramReport),
}

impl PropertyReport {
    /// The answer.
    pub(super) fn answer(&self) -> Answer {
        match self {
            Self::Circuit(report) => report.answer,
            Self::Program(report) => match report.report.answer {
                craig_c::Answer::Safe(_) => Answer::Safe,
                craig_c::Answer::Unsafe { .. } => Answer::Unsafe,
                craig_c::Answer::Unknown { .. } => Answer::Unknown,
            },
        }
    }
}

/// What is known of a bad of a circuit. The fields are the schema of `--json`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CircuitReport {
    /// Its number among the circuit's bads.
    pub(super) property: usize,
    /// Its name.
    pub(super) name: String,
    /// The answer.
    #[serde(rename = "verdict")]
    pub(super) answer: Answer,
    /// Why it is unknown or has failed.
    pub(super) reason: Option<String>,
    /// The engine that found the answer.
    pub(super) engine: &'static str,
    /// How many steps the engine went.
    pub(super) depth: usize,
    /// How long that took.
    pub(super) seconds: f64,
    /// Whether the evidence was judged; if so, it holds.
    pub(super) certified: bool,
    /// How long the judge took.
    pub(super) certify_seconds: Option<f64>,
    /// Where the evidence was written.
    pub(super) witness: Option<PathBuf>,
}

impl CircuitReport {
    /// Enters the judgement on the evidence.
    pub(super) fn judge(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::None => {}
            Judgement::Valid(seconds) => {
                self.certified = true;
                self.certify_seconds = Some(seconds);
            }
            Judgement::Invalid(reason) => {
                self.reason = Some(format!(
                    "the evidence for {} does not hold: {reason}",
                    self.answer.word()
                ));
                self.answer = Answer::Failed;
            }
        }
    }
}

/// What is known of a property of a C program.
#[derive(Clone, Debug)]
pub(super) struct ProgramReport {
    /// File, line and meaning of the property, if it is one of several.
    pub(super) place: Option<(String, u32, String)>,
    /// The answer with its evidence.
    pub(super) report: Report,
    /// How long it took.
    pub(super) seconds: f64,
    /// What came of compiling and running the program, if that was asked for.
    pub(super) native: Option<Native>,
}

/// Whether a step of a path is a value that the program got from outside.
pub(super) fn is_input(step: &PathStep) -> bool {
    step.chosen
        .as_ref()
        .is_some_and(|chosen| chosen.function.is_some())
}

/// What the reports are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// So many bads of a circuit.
    Bads(usize),
    /// A C program.
    Program {
        /// Whether each of its properties has a report.
        is_each: bool,
        /// What is covered; otherwise, the properties are that there are no errors.
        goals: Option<Goals>,
    },
}

/// How many goals a coverage question has, and what became of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Coverage {
    /// What they are: `location`, `branch`, `condition`.
    pub(super) goals: &'static str,
    /// All of them, in functions that the program may call.
    pub(super) total: usize,
    /// A run reaches them.
    pub(super) reached: usize,
    /// No run does.
    pub(super) unreachable: usize,
    /// The rest.
    pub(super) undecided: usize,
    /// The reached among all, in percent; 100 if there are none.
    pub(super) percent: f64,
}

impl Coverage {
    fn new(goals: Goals, reports: &[PropertyReport]) -> Self {
        let count = |answer| {
            reports
                .iter()
                .filter(|report| report.answer() == answer)
                .count()
        };
        let (total, reached) = (reports.len(), count(Answer::Unsafe));
        let unreachable = count(Answer::Safe);
        Self {
            goals: match goals {
                Goals::Locations => "location",
                Goals::Branches => "branch",
                Goals::Conditions => "condition",
            },
            total,
            reached,
            unreachable,
            undecided: total - reached - unreachable,
            percent: if total == 0 {
                100.0
            } else {
                100.0 * reached as f64 / total as f64
            },
        }
    }
}

/// All reports on a question, with what concerns the question as a whole.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    /// The file.
    pub(super) file: String,
    /// What the reports are about.
    pub(super) subject: Subject,
    /// The answer for all properties.
    pub(super) answer: Answer,
    /// The exit code.
    pub(super) exit_code: u8,
    /// How long everything took.
    pub(super) seconds: f64,
    /// The reports.
    pub(super) reports: &'a [PropertyReport],
}

impl Summary<'_> {
    /// How much is covered, if that is the question and the goals are known: not where the program could not be
    /// read, or the search was abandoned.
    pub(super) fn coverage(&self) -> Option<Coverage> {
        let is_goal = |report: &PropertyReport| match report {
            PropertyReport::Program(found) => {
                let place = found.place.as_ref();
                place.is_some_and(|(_, _, text)| text != craig_c::EVERY_PROPERTY)
            }
            PropertyReport::Circuit(_) => false,
        };
        match self.subject {
            Subject::Program {
                goals: Some(goals), ..
            } if self.reports.iter().all(is_goal) => Some(Coverage::new(goals, self.reports)),
            _ => None,
        }
    }
}
