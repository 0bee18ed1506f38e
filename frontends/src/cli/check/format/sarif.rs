//! SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), for code scanning: a log in addition to
//! the output of another format.
//!
//! Each reachable error is a result, with the path to it as a code flow. An undecided property is not a
//! result but a notification of the tool; a safe one is neither.

use std::path::{Path, PathBuf};

use craig_c::{Answer, ERROR_KINDS, PathStep, error_kind};
use serde_json::{Value, json};

use crate::cli::check::report::{ProgramReport, PropertyReport, Summary};
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// The URL of the schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes the log.
pub(super) fn write_sarif(path: &Path, summary: &Summary<'_>) -> Result<(), Failure> {
    write_log(path, &log(summary))
}

fn log(summary: &Summary<'_>) -> Value {
    let (mut results, mut notifications) = (Vec::new(), Vec::new());
    for report in summary.reports {
        let PropertyReport::Program(found) = report else {
            continue;
        };
        match &found.report.answer {
            Answer::Safe(_) => {}
            Answer::Unsafe(own) => results.push(result(found, &own.error, &own.path)),
            Answer::Unknown(reason) => {
                notifications.push(notification(found, summary, reason.text()));
            }
        }
    }
    let invocation = json!({
        "executionSuccessful": true,
        "exitCode": summary.exit_code,
        "toolExecutionNotifications": notifications,
    });
    log_of(&[invocation], &results)
}

/// A log of one run of the tool, in one or several invocations.
fn log_of(invocations: &[Value], results: &[Value]) -> Value {
    let rules: Vec<Value> = ERROR_KINDS.iter().map(rule).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "craig",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "invocations": invocations,
            "results": results,
        }],
    })
}

/// The log of one of several inputs: what its process has written, or why it has not.
pub(in crate::cli::check) enum Part {
    /// Its log.
    Log(Value),
    /// There is none.
    Failed {
        /// The input.
        file: PathBuf,
        /// The exit code of its process.
        exit_code: u8,
        /// The reason.
        message: String,
    },
}

/// Writes one log for several inputs: one run, for consumers that take one run of a tool in a file, with an
/// invocation for each input and the results of all.
pub(in crate::cli::check) fn write_merged(path: &Path, parts: Vec<Part>) -> Result<(), Failure> {
    let (mut invocations, mut results) = (Vec::new(), Vec::new());
    let list = |run: &mut Value, key: &str| match run[key].take() {
        Value::Array(values) => values,
        _ => Vec::new(),
    };
    for part in parts {
        match part {
            Part::Log(mut log) => {
                let run = &mut log["runs"][0];
                invocations.extend(list(run, "invocations"));
                results.extend(list(run, "results"));
            }
            Part::Failed {
                file,
                exit_code,
                message,
            } => {
                let place = json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&file.display().to_string()) } } });
                invocations.push(json!({
                    "executionSuccessful": false,
                    "exitCode": exit_code,
                    "toolExecutionNotifications": [{
                        "level": "error",
                        "message": { "text": message },
                        "locations": [place],
                    }],
                }));
            }
        }
    }
    write_log(path, &log_of(&invocations, &results))
}

fn write_log(path: &Path, log: &Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(log).map_err(Failure::internal)?;
    write_file(path, |output| writeln!(output, "{text}"))
}

fn rule((id, description): &(&str, &str)) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": description },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["correctness"], "precision": "very-high", "problem.severity": "error" },
    })
}

fn result(found: &ProgramReport, error: &str, path: &[PathStep]) -> Value {
    let kind = error_kind(error);
    let index = ERROR_KINDS.iter().position(|(id, _)| *id == kind);
    let steps: Vec<Value> = path.iter().filter_map(step).collect();
    let place = match (&found.place, path.last()) {
        (_, Some(end)) if !is_internal(&end.file) => {
            Some(location(&end.file, end.line, column(end)))
        }
        (Some(place), _) => Some(location(&place.file, place.line, None)),
        _ => None,
    };
    let mut result = json!({
        "ruleId": kind,
        "ruleIndex": index,
        "kind": "fail",
        "level": "error",
        "message": { "text": format!("{error}; {}", found.report.engine) },
        "locations": place.into_iter().collect::<Vec<Value>>(),
    });
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn notification(found: &ProgramReport, summary: &Summary<'_>, reason: &str) -> Value {
    let (place, what) = match &found.place {
        Some(place) => (
            location(&place.file, place.line, None),
            format!("{}: ", place.text),
        ),
        None => (
            json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&summary.file) } } }),
            String::new(),
        ),
    };
    json!({
        "level": "warning",
        "message": { "text": format!("{what}not decided: {reason}") },
        "locations": [place],
    })
}

/// A step of a path; steps in models of library functions have no position in a file.
fn step(step: &PathStep) -> Option<Value> {
    if is_internal(&step.file) {
        return None;
    }
    let mut place = location(&step.file, step.line, column(step));
    place["message"] = json!({ "text": step.text });
    Some(json!({ "location": place }))
}

fn is_internal(file: &str) -> bool {
    file.is_empty() || file.starts_with('<')
}

/// Columns of paths count bytes, which equal characters if all of them are ASCII.
fn column(step: &PathStep) -> Option<u32> {
    let is_ascii = step.source.as_ref().is_none_or(|source| source.is_ascii());
    (step.column > 0 && is_ascii).then_some(step.column)
}

fn location(file: &str, line: u32, column: Option<u32>) -> Value {
    let mut region = json!({ "startLine": line.max(1) });
    if let Some(column) = column {
        region["startColumn"] = json!(column);
    }
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": region,
        },
    })
}

/// A path as a URI reference (RFC 3986): a relative one stays relative.
fn uri(file: &str) -> String {
    let mut text = String::new();
    if Path::new(file).is_absolute() {
        text += "file://";
    }
    let mut file = file;
    while let Some(rest) = file.strip_prefix("./") {
        file = rest;
    }
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/ä#1.c"), "file:///tmp/%C3%A4%231.c");
        assert_eq!(uri("a:b.c"), "a%3Ab.c");
    }
}
