//! Text for people: each verdict as soon as it is known.

use std::fmt::Write as _;

use craig_c::{Evidence, Native, PathStep, Safety};
use craig_verify::ENGINES;

use super::sink::Format;
use crate::cli::check::report::{
    Answer, CircuitReport, ProgramReport, PropertyReport, Subject, Summary,
};
use crate::cli::circuits::Kind;
use crate::cli::failure::Failure;
use crate::cli::page::source::is_input;
use crate::cli::terminal::print;
use crate::cli::watch::peak_resident_bytes;

/// The printer.
pub(super) struct Text {
    subject: Subject,
    is_quiet: bool,
}

impl Text {
    /// A printer; if it is quiet, it prints verdicts only.
    pub(super) fn new(subject: Subject, is_quiet: bool) -> Self {
        Self { subject, is_quiet }
    }
}

impl Format for Text {
    fn verdict(&mut self, report: &PropertyReport) {
        let text = match report {
            PropertyReport::Circuit(report) => {
                let is_alone = self.subject == Subject::Circuit(1);
                circuit(report, is_alone)
            }
            PropertyReport::Program(report) => {
                let is_goal = matches!(self.subject, Subject::Program { goals: Some(_), .. });
                program(report, is_goal, self.is_quiet)
            }
        };
        print(&text);
    }

    fn details(&mut self, report: &PropertyReport) {
        if let PropertyReport::Circuit(report) = report
            && !self.is_quiet
        {
            print(&circuit_details(report));
        }
    }

    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        if !self.is_quiet {
            print(&advice(summary.reports));
        }
        match summary.subject {
            Subject::Circuit(n_properties) if !self.is_quiet => {
                print(&totals(summary, n_properties));
            }
            Subject::Program { goals: None, .. } if summary.reports.is_empty() => print(
                "SAFE   there is nothing to check: no error mark, and no check that was asked for\n",
            ),
            _ => {}
        }
        if let Some(coverage) = summary.coverage() {
            print(&format!(
                "{} coverage: {} of {} reached ({:.1} %), {} cannot be reached, {} not decided\n",
                coverage.goals,
                coverage.reached,
                coverage.total,
                coverage.percent,
                coverage.unreachable,
                coverage.undecided
            ));
        }
        Ok(())
    }
}

/// The words for goals.
const UNREACHABLE: &str = "UNREACHABLE";
const REACHED: &str = "REACHED";

/// The verdict line for a property of a circuit.
fn circuit(report: &CircuitReport, is_alone: bool) -> String {
    let word = match (report.is_goal, report.answer) {
        (true, Answer::Safe) => UNREACHABLE,
        (true, Answer::Unsafe) => REACHED,
        _ => report.answer.word(),
    };
    let mut text = word.to_owned();
    if !is_alone || report.is_goal {
        let id = report.id().to_string();
        text += &format!(" {id}");
        if report.name != id {
            text += &format!(" ({})", report.name);
        }
    }
    if let Some(reason) = &report.reason {
        text += &format!(": {reason}");
    }
    if report.kind == Kind::Justice {
        match (report.answer, report.loop_start) {
            (Answer::Safe, _) => text += ": the justice property holds",
            (Answer::Unsafe, Some(step)) => {
                text += &format!(": the justice property fails, in a loop from step {step}");
            }
            _ => {}
        }
    }
    text.push('\n');
    text
}

/// The line of details below it.
fn circuit_details(report: &CircuitReport) -> String {
    let phase = match report.phase {
        ENGINES => String::new(),
        stage => format!(" in {stage}"),
    };
    let mut text = format!(
        "  engine {}{phase}, depth {}, {:.2} s",
        report.engine, report.depth, report.seconds
    );
    if let Some(seconds) = report.certify_seconds {
        text += &format!("; certified in {seconds:.2} s");
    }
    for (number, path) in report.files.iter().enumerate() {
        let what = if number == 0 { "; witness in" } else { "," };
        text += &format!("{what} {}", path.display());
    }
    text.push('\n');
    text
}

/// What was tried for the properties that are not decided, and what to try for the first of them.
fn advice(reports: &[PropertyReport]) -> String {
    let unknown = reports
        .iter()
        .filter(|report| report.answer() == Answer::Unknown);
    let all: Vec<_> = unknown.map(PropertyReport::advice).collect();
    let Some(first) = all.first() else {
        return String::new();
    };
    let mut tried: Vec<&str> = Vec::new();
    for one in all.iter().flat_map(|advice| &advice.tried) {
        if !tried.contains(&one.as_str()) && tried.len() < MOST_TRIED {
            tried.push(one);
        }
    }
    format!(
        "  tried: {}\n  next: {}\n",
        tried.join("; "),
        first.next.join("; ")
    )
}

/// Searches that the last lines name, at most.
const MOST_TRIED: usize = 12;

/// The last line for a circuit: the number of properties with each answer, time and memory.
fn totals(summary: &Summary<'_>, n_properties: usize) -> String {
    let mut text = String::new();
    if n_properties > 1 && summary.coverage().is_none() {
        let count = |answer| {
            let has = |report: &&PropertyReport| report.answer() == answer;
            summary.reports.iter().filter(has).count()
        };
        text += &format!(
            "{n_properties} properties: {} safe, {} unsafe, {} unknown",
            count(Answer::Safe),
            count(Answer::Unsafe),
            count(Answer::Unknown)
        );
        if count(Answer::Failed) > 0 {
            text += &format!(", {} failed", count(Answer::Failed));
        }
        text += "; ";
    } else {
        text += "  ";
    }
    text += &format!("{:.2} s in all", summary.seconds);
    if let Some(bytes) = peak_resident_bytes() {
        text += &format!(", at most {} MB", bytes.div_ceil(1 << 20));
    }
    text.push('\n');
    text
}

/// The verdict on a C program or one of its properties, then notes, and unless `is_quiet` the path to the
/// error.
fn program(found: &ProgramReport, is_goal: bool, is_quiet: bool) -> String {
    let mut text = String::new();
    let engine = match found.report.help() {
        Some(help) => format!("{} in {help}", found.report.engine),
        None => found.report.engine.to_owned(),
    };
    let seconds = found.seconds;
    let place = found.place.as_ref().map_or_else(String::new, |place| {
        format!("{}:{}: {}; ", place.file, place.line, place.text)
    });
    // Writing to a string does not fail.
    let [safe, unsafe_] = if is_goal {
        [UNREACHABLE, REACHED]
    } else {
        ["SAFE  ", "UNSAFE"]
    };
    let _ = match &found.report.answer {
        craig_c::Answer::Safe(safety) => writeln!(
            text,
            "{safe} {place}{engine} ({seconds:.2} s): {}{}",
            safety.text,
            unchecked(&found.report.unchecked)
        ),
        craig_c::Answer::Unsafe(_) if found.place.is_some() => writeln!(
            text,
            "{unsafe_} {place}{engine} ({seconds:.2} s): the path was replayed"
        ),
        craig_c::Answer::Unsafe(own) => writeln!(
            text,
            "UNSAFE {engine} ({seconds:.2} s): {}; the path was replayed",
            own.error
        ),
        craig_c::Answer::Unknown(reason) => {
            writeln!(text, "UNKNOWN {place}({seconds:.2} s): {reason}")
        }
    };
    if let craig_c::Answer::Safe(safety) = &found.report.answer
        && !is_quiet
    {
        describe_elements(&mut text, safety);
    }
    for note in &found.report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = match &found.native {
        Some(Native::Reproduced(how)) => {
            writeln!(text, "compiled and run, the program fails as well: {how}")
        }
        Some(Native::Not(why) | Native::Differs(why)) => {
            writeln!(text, "the error is not reproduced natively: {why}")
        }
        None => Ok(()),
    };
    if let craig_c::Answer::Unsafe(own) = &found.report.answer
        && !is_quiet
    {
        for step in &own.path {
            describe_step(&mut text, step);
        }
    }
    text
}

/// What the first line of a verdict says about calls whose accesses nobody checked.
fn unchecked(functions: &[String]) -> String {
    if functions.is_empty() {
        return String::new();
    }
    let names: Vec<String> = functions.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "; accesses to memory within {} are taken to be valid",
        names.join(", ")
    )
}

/// What a proof with followed elements says at the loops: about variables, and about all elements.
fn describe_elements(text: &mut String, safety: &Safety) {
    let Some(elements) = &safety.elements else {
        return;
    };
    if let Evidence::Certificate(_, invariants) = &safety.evidence {
        for own in invariants.iter().filter(|own| own.value != "1") {
            let _ = writeln!(
                text,
                "   {}:{} {}: {}",
                own.file, own.line, own.function, own.value
            );
        }
    }
    for own in elements {
        let calls = own.calls.iter().map(|call| format!(", called at {call}"));
        let calls: String = calls.collect();
        let _ = writeln!(
            text,
            "   {}:{} {}{calls}: {own}",
            own.file, own.line, own.function
        );
    }
    if elements.is_empty() {
        text.push_str(
            "   what holds of elements is a formula over bits that has no short form in C\n",
        );
    }
}

/// A line of a path: position, event, and statement.
fn describe_step(text: &mut String, step: &PathStep) {
    let arrow = if is_input(step) { "<-" } else { "  " };
    let function = if step.function.is_empty() {
        String::new()
    } else {
        format!(" {}", step.function)
    };
    let what = format!(
        "{arrow} {}:{}{function}: {}",
        step.file, step.line, step.text
    );
    let _ = match &step.source {
        Some(source) if !source.is_empty() => writeln!(text, "{what:<56} | {source}"),
        _ => writeln!(text, "{what}"),
    };
}
