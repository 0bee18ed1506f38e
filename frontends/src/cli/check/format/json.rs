//! JSON: one object for the whole task, at the end.

use std::collections::BTreeMap;

use craig_c::{CallPlace, ElementInvariant, Evidence, LoopInvariant, Native, PathStep};
use serde::Serialize;

use super::sink::Format;
use crate::cli::check::report::{
    Answer, CircuitReport, Coverage, ProgramReport, PropertyReport, Subject, Summary, is_input,
};
use crate::cli::failure::Failure;
use crate::cli::terminal::print;
use crate::cli::watch::peak_resident_bytes;

/// The printer.
pub(super) struct Json;

impl Format for Json {
    fn verdict(&mut self, _: &PropertyReport) {}

    fn details(&mut self, _: &PropertyReport) {}

    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        let text = match summary.subject {
            Subject::Circuit(_) => serde_json::to_string_pretty(&circuit(summary)),
            Subject::Program { is_each: true, .. } => serde_json::to_string(&ProgramSummary {
                file: &summary.file,
                seconds: summary.seconds,
                coverage: summary.coverage(),
                properties: programs(summary),
            }),
            Subject::Program { is_each: false, .. } => {
                let mut properties = programs(summary);
                for property in &mut properties {
                    property.file = Some(&summary.file);
                }
                serde_json::to_string(&properties.first())
            }
        };
        print(&format!("{}\n", text.map_err(Failure::internal)?));
        Ok(())
    }
}

/// The schema for a circuit.
#[derive(Serialize)]
struct CircuitSummary<'a> {
    file: &'a str,
    verdict: Answer,
    exit_code: u8,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    properties: Vec<&'a CircuitReport>,
}

fn circuit<'a>(summary: &'a Summary<'_>) -> CircuitSummary<'a> {
    let of_circuit = |report: &'a PropertyReport| match report {
        PropertyReport::Circuit(report) => Some(report),
        PropertyReport::Program(_) => None,
    };
    CircuitSummary {
        file: &summary.file,
        verdict: summary.answer,
        exit_code: summary.exit_code,
        seconds: summary.seconds,
        peak_memory_bytes: peak_resident_bytes(),
        properties: summary.reports.iter().filter_map(of_circuit).collect(),
    }
}

/// The schema for a C program whose properties are decided one by one.
#[derive(Serialize)]
struct ProgramSummary<'a> {
    file: &'a str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Coverage>,
    properties: Vec<ProgramProperty<'a>>,
}

/// The schema for a C program, or for one of its properties.
#[derive(Serialize)]
struct ProgramProperty<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    verdict: Answer,
    engine: &'static str,
    phase: &'static str,
    seconds: f64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    statistics: &'a BTreeMap<&'static str, u64>,
    evidence: Option<&'a str>,
    reason: Option<&'a str>,
    error: Option<&'a str>,
    path: Vec<Step<'a>>,
    native: Option<NativeRun<'a>>,
    /// What holds at the loops; of a safe program with a certificate only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<Invariant<'a>>,
    /// What holds of elements of arrays at the loops, if some are followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    for_all: Option<Vec<OfElements<'a>>>,
    notes: &'a [String],
    /// The functions without model whose accesses to memory were not checked, although accesses are.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
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
    text: &'a str,
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

fn programs<'a>(summary: &'a Summary<'_>) -> Vec<ProgramProperty<'a>> {
    let of_program = |report: &'a PropertyReport| match report {
        PropertyReport::Program(found) => Some(program(found, report.answer())),
        PropertyReport::Circuit(_) => None,
    };
    summary.reports.iter().filter_map(of_program).collect()
}

fn program(found: &ProgramReport, verdict: Answer) -> ProgramProperty<'_> {
    let (mut evidence, mut reason, mut error, mut path) = (None, None, None, Vec::new());
    let (mut invariants, mut for_all) = (Vec::new(), None);
    match &found.report.answer {
        craig_c::Answer::Safe(safety) => {
            evidence = Some(safety.text.as_str());
            if let Evidence::Certificate(_, own) = &safety.evidence {
                invariants = own.iter().map(invariant).collect();
            }
            let own = safety.elements.as_ref();
            for_all = own.map(|own| own.iter().map(of_elements).collect());
        }
        craig_c::Answer::Unsafe {
            error: text,
            path: steps,
        } => {
            error = Some(text.as_str());
            path = steps.iter().map(step).collect();
        }
        craig_c::Answer::Unknown { reason: text } => reason = Some(text.as_str()),
    }
    ProgramProperty {
        property: found.place.as_ref().map(|place| Place {
            file: &place.file,
            line: place.line,
            text: &place.text,
        }),
        file: None,
        verdict,
        engine: found.report.engine,
        phase: found.report.phase,
        seconds: found.seconds,
        statistics: &found.statistics,
        evidence,
        reason,
        error,
        path,
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
        invariants,
        for_all,
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
