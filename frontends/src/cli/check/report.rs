//! The reports on one property, and on all of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use craig_c::{Goals, Native, PropertyPlace, Report};
use craig_verify::{ENGINES, Judgement};
use serde::Serialize;

use crate::cli::circuits::{Kind, PropertyId};
use crate::cli::journal::Journal;
use crate::cli::waves::Waves;

/// The answer for one property, or for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// No bad state or error is reachable.
    Safe,
    /// One is reachable.
    Unsafe,
    /// Not decided.
    Unknown,
    /// The evidence of an engine failed its check.
    Failed,
}

impl Answer {
    /// The first word of the verdict line.
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

/// The exit codes for safe, unsafe and unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExitCodes([u8; 3]);

impl ExitCodes {
    /// Those of the Hardware Model Checking Competition.
    pub(super) const HWMCC: Self = Self([20, 10, 30]);
    /// For shells: 0 is success.
    pub(super) const SHELL: Self = Self([0, 1, 2]);

    /// The code for an answer.
    pub(super) fn of(self, answer: Answer) -> u8 {
        let Self([safe, unsafe_, unknown]) = self;
        match answer {
            Answer::Safe => safe,
            Answer::Unsafe => unsafe_,
            Answer::Unknown => unknown,
            Answer::Failed => 1,
        }
    }
}

/// The result for one property.
#[derive(Clone, Debug)]
pub(super) enum PropertyReport {
    /// Of a property of a circuit.
    Circuit(CircuitReport),
    /// Of an error mark or a check in a C program, or of all of them together.
    Program(ProgramReport),
}

impl PropertyReport {
    /// Records where evidence was written.
    pub(super) fn add_file(&mut self, path: PathBuf) {
        match self {
            Self::Circuit(report) => report.files.push(path),
            Self::Program(report) => report.files.push(path),
        }
    }

    /// The name of the property of a circuit.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Circuit(report) => Some(&report.name),
            Self::Program(_) => None,
        }
    }

    /// What was tried and what to try, if it is not decided.
    pub(super) fn advice(&self) -> &Advice {
        match self {
            Self::Circuit(report) => &report.advice,
            Self::Program(report) => &report.advice,
        }
    }

    /// Says what was tried and what to try, if it is not decided.
    pub(super) fn advise(&mut self, advice: impl FnOnce(&str) -> Advice) {
        match self {
            Self::Circuit(report) if report.answer == Answer::Unknown => {
                report.advice = advice(report.reason.as_deref().unwrap_or_default());
            }
            Self::Program(report) => {
                if let craig_c::Answer::Unknown(reason) = &report.report.answer {
                    report.advice = advice(reason.text());
                }
            }
            Self::Circuit(_) => {}
        }
    }

    /// Adds to the statistics of its search.
    pub(super) fn add_statistics(&mut self, more: BTreeMap<&'static str, u64>) {
        match self {
            Self::Circuit(report) => report.statistics.extend(more),
            Self::Program(report) => report.statistics.extend(more),
        }
    }

    /// Its place in the list of all reports: bads before justice properties, each by their numbers.
    pub(super) fn place(&self) -> (bool, usize) {
        match self {
            Self::Circuit(report) => (report.kind == Kind::Justice, report.property),
            Self::Program(report) => (false, report.number),
        }
    }

    /// The answer.
    pub(super) fn answer(&self) -> Answer {
        match self {
            Self::Circuit(report) => report.answer,
            Self::Program(report) => match report.report.answer {
                craig_c::Answer::Safe(_) => Answer::Safe,
                craig_c::Answer::Unsafe(_) => Answer::Unsafe,
                craig_c::Answer::Unknown(_) => Answer::Unknown,
            },
        }
    }
}

/// The result for a property of a circuit.
#[derive(Clone, Debug)]
pub(super) struct CircuitReport {
    /// The kind of the property.
    pub(super) kind: Kind,
    /// Its number among the circuit's properties of this kind.
    pub(super) property: usize,
    /// Its name.
    pub(super) name: String,
    /// Whether it is a goal, which is reached if it is unsafe.
    pub(super) is_goal: bool,
    /// The answer.
    pub(super) answer: Answer,
    /// Why it is unknown or failed.
    pub(super) reason: Option<String>,
    /// The engine that found the answer.
    pub(super) engine: &'static str,
    /// The stage of the schedule in which it did: `engines`, or what comes before them.
    pub(super) phase: &'static str,
    /// The number of steps that the engine reached.
    pub(super) depth: usize,
    /// For a justice property that fails: the step in which the loop starts.
    pub(super) loop_start: Option<usize>,
    /// The search time.
    pub(super) seconds: f64,
    /// Whether the evidence was checked; if so, it is valid.
    pub(super) certified: bool,
    /// The time of the check.
    pub(super) certify_seconds: Option<f64>,
    /// Counts of the engines' steps.
    pub(super) statistics: BTreeMap<&'static str, u64>,
    /// The files of the evidence.
    pub(super) files: Vec<PathBuf>,
    /// If it is unknown: what was tried, and what to try.
    pub(super) advice: Advice,
    /// The signals of the run, if a page shows them.
    pub(super) waves: Option<Waves>,
}

impl CircuitReport {
    /// A report without an answer, of this engine.
    pub(super) fn unanswered(
        (kind, property): (Kind, usize),
        name: String,
        engine: &'static str,
    ) -> Self {
        Self {
            kind,
            property,
            name,
            is_goal: false,
            answer: Answer::Unknown,
            reason: None,
            engine,
            phase: ENGINES,
            depth: 0,
            loop_start: None,
            seconds: 0.0,
            certified: false,
            certify_seconds: None,
            statistics: BTreeMap::new(),
            files: Vec::new(),
            advice: Advice::default(),
            waves: None,
        }
    }

    /// The property.
    pub(super) fn id(&self) -> PropertyId {
        PropertyId {
            kind: self.kind,
            number: self.property,
        }
    }

    /// Records the result of the check of the evidence.
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

/// The result for a property of a C program.
#[derive(Clone, Debug)]
pub(super) struct ProgramReport {
    /// Its number among several, in the order of the source.
    pub(super) number: usize,
    /// The property, if it is one of several.
    pub(super) place: Option<PropertyPlace>,
    /// The answer with its evidence.
    pub(super) report: Report,
    /// How long it took.
    pub(super) seconds: f64,
    /// Counts of the engine's steps, if the program was decided as a whole.
    pub(super) statistics: BTreeMap<&'static str, u64>,
    /// The result of compiling and running the program, if requested.
    pub(super) native: Option<Native>,
    /// The files about it.
    pub(super) files: Vec<PathBuf>,
    /// If it is unknown: what was tried, and what to try.
    pub(super) advice: Advice,
}

/// What was tried, and what to try.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// Each engine with how far it has come.
    pub(super) tried: Vec<String>,
    /// Options that may help, the most promising first.
    pub(super) next: Vec<String>,
}

/// The subject of the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A circuit with this number of properties.
    Circuit(usize),
    /// A C program.
    Program {
        /// Whether each of its properties has a report.
        is_each: bool,
        /// The coverage goals; otherwise, the properties are the absence of errors.
        goals: Option<Goals>,
    },
}

/// The name of a kind of goal.
pub(super) fn goal_name(goals: Goals) -> &'static str {
    match goals {
        Goals::Locations => "location",
        Goals::Branches => "branch",
        Goals::Conditions => "condition",
    }
}

/// The name of what the `cover` statements of a design ask for.
pub(super) const STATEMENT: &str = "statement";

/// The numbers of goals of a coverage task by result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Coverage {
    /// The kind: `location`, `branch`, `condition`; `statement` for those of a design.
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
    fn new(goals: &'static str, reports: &[PropertyReport]) -> Self {
        let count = |answer| {
            reports
                .iter()
                .filter(|report| report.answer() == answer)
                .count()
        };
        let (total, reached) = (reports.len(), count(Answer::Unsafe));
        let unreachable = count(Answer::Safe);
        Self {
            goals,
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

/// All reports of a task, with the results for the task as a whole.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    /// The file.
    pub(super) file: String,
    /// The subject of the reports.
    pub(super) subject: Subject,
    /// The answer for all properties.
    pub(super) answer: Answer,
    /// The exit code.
    pub(super) exit_code: u8,
    /// The time of the whole task.
    pub(super) seconds: f64,
    /// The reports.
    pub(super) reports: &'a [PropertyReport],
    /// What the engines have told.
    pub(super) journal: &'a Journal,
}

impl Summary<'_> {
    /// The coverage, if it was requested and the goals are known: `None` if the program could not be read, or
    /// the search was abandoned.
    pub(super) fn coverage(&self) -> Option<Coverage> {
        let is_goal = |report: &PropertyReport| match report {
            PropertyReport::Program(found) => {
                let place = found.place.as_ref();
                place.is_some_and(|place| place.text != craig_c::EVERY_PROPERTY)
            }
            PropertyReport::Circuit(report) => report.is_goal,
        };
        match self.subject {
            // Where the reading was ended by a limit, no property is known, and no goal either.
            Subject::Circuit(_) if !self.reports.is_empty() && self.reports.iter().all(is_goal) => {
                Some(Coverage::new(STATEMENT, self.reports))
            }
            Subject::Program {
                goals: Some(goals), ..
            } if self.reports.iter().all(is_goal) => {
                Some(Coverage::new(goal_name(goals), self.reports))
            }
            _ => None,
        }
    }
}
