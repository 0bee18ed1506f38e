//! Witnesses in the format 2.0 of SV-COMP (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl and Strejček,
//! "Software Verification Witnesses 2.0", SPIN 2024).

use std::fmt::Write as _;

use crate::task::{Task, yaml};
use craig_c_exec::concrete::error_path::PathStep;

/// An invariant of a loop: at the evaluation of the condition, or where the body of a `do` loop begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The file.
    pub file: String,
    /// Whether it is one of a loop's condition; the position is that of the loop's keyword then, and else that of
    /// the statement or declaration before which it holds.
    pub is_of_condition: bool,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// A C expression over variables that are in scope at the loop.
    pub value: String,
}

fn metadata(task: &Task, kind: &str, salt: &str) -> String {
    let own = (&task.file, &task.hash);
    let linked = task.linked.iter().map(|(file, hash)| (file, hash));
    let (mut files, mut hashes) = (String::new(), String::new());
    for (file, hash) in std::iter::once(own).chain(linked) {
        let _ = writeln!(files, "      - {}", yaml(file));
        let _ = writeln!(hashes, "        {}: '{hash}'", yaml(file));
    }
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: '2.0'\n    uuid: '{}'\n    creation_time: \
         '{}'\n\
         \x20   producer:\n      name: craig\n      version: '{}'\n    task:\n      input_files:\n{files}\
         \x20     input_file_hashes:\n{hashes}      specification: {}\n      data_model: {}\n\
         \x20     language: C\n",
        task.uuid(salt),
        task.time,
        env!("CARGO_PKG_VERSION"),
        yaml(&task.specification),
        task.data_model()
    )
}

fn location(text: &mut String, indent: &str, file: &str, line: u32, column: u32, function: &str) {
    let _ = write!(
        text,
        "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {line}\n",
        yaml(file)
    );
    if column > 0 {
        let _ = writeln!(text, "{indent}  column: {column}");
    }
    if !function.is_empty() {
        let _ = writeln!(text, "{indent}  function: {function}");
    }
}

/// A witness of the path to an error: the return values of the input functions, in order, and the position of
/// the error. The last step of the path is the error.
#[must_use]
pub fn violation_witness(task: &Task, path: &[PathStep]) -> String {
    let mut content = String::from("  content:\n");
    for (index, step) in path.iter().enumerate() {
        let is_target = index + 1 == path.len();
        let returned = step.chosen.as_ref().and_then(|chosen| {
            let end = chosen.end?;
            chosen.function.is_some().then_some((chosen, end))
        });
        let (kind, line, column, value) = match (is_target, returned) {
            (true, _) => ("target", step.line, step.column, None),
            (false, Some((chosen, (line, column)))) => {
                ("function_return", line, column, Some(&chosen.literal))
            }
            (false, None) => continue,
        };
        let _ = write!(
            content,
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n"
        );
        location(
            &mut content,
            "        ",
            &step.file,
            line,
            column,
            &step.function,
        );
        if let Some(value) = value {
            let _ = write!(
                content,
                "        constraint:\n          value: {}\n          format: acsl_expression\n",
                yaml(&format!("\\result == {value}"))
            );
        }
    }
    metadata(task, "violation_sequence", &content) + &content
}

/// A witness that no error is reachable: loop invariants.
#[must_use]
pub fn correctness_witness(task: &Task, invariants: &[LoopInvariant]) -> String {
    let mut content = String::from("  content:");
    content.push_str(if invariants.is_empty() { " []\n" } else { "\n" });
    for invariant in invariants {
        let kind = if invariant.is_of_condition {
            "loop_invariant"
        } else {
            "location_invariant"
        };
        let _ = write!(content, "  - invariant:\n      type: {kind}\n");
        location(
            &mut content,
            "      ",
            &invariant.file,
            invariant.line,
            invariant.column,
            &invariant.function,
        );
        let _ = write!(
            content,
            "      value: {}\n      format: c_expression\n",
            yaml(&invariant.value)
        );
    }
    metadata(task, "invariant_set", &content) + &content
}
