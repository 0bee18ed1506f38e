//! JSON: one object for the whole task, at the end.

use std::collections::BTreeMap;
use std::path::PathBuf;

use craig_c::{CallPlace, ElementInvariant, Evidence, Goals, LoopInvariant, Native, PathStep};
use serde::Serialize;

use super::sink::Format;
use crate::cli::check::report::{
    Answer, CircuitReport, Coverage, ProgramReport, PropertyReport, STATEMENT, Subject, Summary,
    goal_name,
};
use crate::cli::circuits::class_of;
use crate::cli::failure::Failure;
use crate::cli::json::print_object;
use crate::cli::page::source::is_input;

/// The printer.
pub(super) struct Json;

impl Format for Json {
    fn verdict(&mut self, _: &PropertyReport) {}

    fn details(&mut self, _: &PropertyReport) {}

    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        let goals = match summary.subject {
            Subject::Program { goals, .. } => goals,
            Subject::Circuit(_) => None,
        };
        let body = Body {
            file: &summary.file,
            coverage: summary.coverage(),
            properties: (summary.reports.iter())
                .map(|report| property(report, goals))
                .collect(),
        };
        let word = summary.answer.word().to_lowercase();
        print_object((&word, summary.exit_code), summary.seconds, &body)
    }
}

/// The fields of `craig check`.
#[derive(Serialize)]
struct Body<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Coverage>,
    properties: Vec<Property<'a>>,
}

/// A property, of an input of any kind.
#[derive(Serialize)]
struct Property<'a> {
    class: &'static str,
    number: usize,
    name: &'a str,
    place: Option<Place<'a>>,
    verdict: Answer,
    reason: Option<&'a str>,
    engine: &'static str,
    phase: &'static str,
    seconds: f64,
    statistics: &'a BTreeMap<&'static str, u64>,
    files: &'a [PathBuf],
    tried: &'a [String],
    next: &'a [String],
    #[serde(flatten)]
    of_kind: OfKind<'a>,
}

/// The fields of a property that depend on the kind of the input.
#[derive(Serialize)]
#[serde(untagged)]
enum OfKind<'a> {
    Circuit(OfCircuit),
    Program(Box<OfProgram<'a>>),
}

#[derive(Serialize)]
struct OfCircuit {
    depth: usize,
    loop_start: Option<usize>,
    certified: bool,
    certify_seconds: Option<f64>,
}

#[derive(Serialize)]
struct OfProgram<'a> {
    /// What proves it.
    evidence: Option<&'a str>,
    error: Option<&'a str>,
    path: Vec<Step<'a>>,
    native: Option<NativeRun<'a>>,
    /// What holds at the loops; of a safe program with a certificate only.
    invariants: Vec<Invariant<'a>>,
    /// What holds of elements of arrays at the loops, if some are followed.
    for_all: Option<Vec<OfElements<'a>>>,
    notes: &'a [String],
    /// The functions without model whose accesses to memory were not checked, although accesses are.
    unchecked_calls: &'a [String],
}

/// An invariant of a loop, a C expression.
#[derive(Serialize)]
struct Invariant<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    value: &'a str,
}

/// An invariant about elements of arrays.
#[derive(Serialize)]
struct OfElements<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    /// If the function is called in several ways, the calls in which it holds, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<CallOf<'a>>,
    /// For which indices it holds.
    scope: &'a str,
    /// If this C expression does.
    premise: Option<&'a str>,
    value: &'a str,
}

/// The place of a call.
#[derive(Serialize)]
struct CallOf<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
}

fn call_of(call: &CallPlace) -> CallOf<'_> {
    CallOf {
        file: &call.file,
        line: call.line,
        column: call.column,
        function: &call.function,
    }
}

fn of_elements(own: &ElementInvariant) -> OfElements<'_> {
    OfElements {
        file: &own.file,
        line: own.line,
        column: own.column,
        function: &own.function,
        calls: own.calls.iter().map(call_of).collect(),
        scope: &own.scope,
        premise: own.premise.as_deref(),
        value: &own.value,
    }
}

fn invariant(own: &LoopInvariant) -> Invariant<'_> {
    Invariant {
        file: &own.file,
        line: own.line,
        column: own.column,
        function: &own.function,
        value: &own.value,
    }
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct NativeRun<'a> {
    reproduced: bool,
    text: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    text: &'a str,
    source: Option<&'a str>,
    input: bool,
    value: Option<&'a str>,
}

fn property(report: &PropertyReport, goals: Option<Goals>) -> Property<'_> {
    match report {
        PropertyReport::Circuit(found) => circuit(found),
        PropertyReport::Program(found) => program(found, report.answer(), goals),
    }
}

fn circuit(found: &CircuitReport) -> Property<'_> {
    Property {
        class: match found.is_goal {
            true => STATEMENT,
            false => class_of(found.kind),
        },
        number: found.property,
        name: &found.name,
        place: None,
        verdict: found.answer,
        reason: found.reason.as_deref(),
        engine: found.engine,
        phase: found.phase,
        seconds: found.seconds,
        statistics: &found.statistics,
        files: &found.files,
        tried: &found.advice.tried,
        next: &found.advice.next,
        of_kind: OfKind::Circuit(OfCircuit {
            depth: found.depth,
            loop_start: found.loop_start,
            certified: found.certified,
            certify_seconds: found.certify_seconds,
        }),
    }
}

/// The name of the property that stands for all of a program.
const WHOLE: &str = "all";

fn program(found: &ProgramReport, verdict: Answer, goals: Option<Goals>) -> Property<'_> {
    let (mut reason, mut of_program) = (None, of_program(found));
    match &found.report.answer {
        craig_c::Answer::Safe(safety) => {
            of_program.evidence = Some(safety.text.as_str());
            if let Evidence::Certificate(_, own) = &safety.evidence {
                of_program.invariants = own.iter().map(invariant).collect();
            }
            let own = safety.elements.as_ref();
            of_program.for_all = own.map(|own| own.iter().map(of_elements).collect());
        }
        craig_c::Answer::Unsafe(craig_c::ErrorPath { error, path }) => {
            of_program.error = Some(error.as_str());
            of_program.path = path.iter().map(step).collect();
        }
        craig_c::Answer::Unknown(why) => reason = Some(why.text()),
    }
    let class = match (&found.place, goals) {
        (None, _) => WHOLE,
        (Some(_), Some(goals)) => goal_name(goals),
        (Some(place), None) => craig_c::error_kind(&place.text),
    };
    Property {
        class,
        number: found.number,
        name: found.place.as_ref().map_or(WHOLE, |place| &place.text),
        place: found.place.as_ref().map(|place| Place {
            file: &place.file,
            line: place.line,
        }),
        verdict,
        reason,
        engine: found.report.engine,
        phase: found.report.phase,
        seconds: found.seconds,
        statistics: &found.statistics,
        files: &found.files,
        tried: &found.advice.tried,
        next: &found.advice.next,
        of_kind: OfKind::Program(Box::new(of_program)),
    }
}

/// The fields that do not depend on the answer.
fn of_program(found: &ProgramReport) -> OfProgram<'_> {
    OfProgram {
        evidence: None,
        error: None,
        path: Vec::new(),
        native: found.native.as_ref().map(|native| match native {
            Native::Reproduced(text) => NativeRun {
                reproduced: true,
                text,
            },
            Native::Not(text) | Native::Differs(text) => NativeRun {
                reproduced: false,
                text,
            },
        }),
        invariants: Vec::new(),
        for_all: None,
        notes: &found.report.notes,
        unchecked_calls: &found.report.unchecked,
    }
}

fn step(step: &PathStep) -> Step<'_> {
    Step {
        file: &step.file,
        line: step.line,
        column: step.column,
        function: &step.function,
        text: &step.text,
        source: step.source.as_deref(),
        input: is_input(step),
        value: step.chosen.as_ref().map(|chosen| chosen.literal.as_str()),
    }
}
