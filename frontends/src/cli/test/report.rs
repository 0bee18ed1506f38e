//! The result as text, and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_c::{GoalReport, GoalState, TestReport};
use serde_json::{Value, json};

/// The line with the numbers; without `is_quiet`, a table with a line for each function, and the goals that are not
/// covered.
pub(super) fn text(report: &TestReport, goals: &str, seconds: f64, is_quiet: bool) -> String {
    let [n, n_covered, n_unreachable, n_open] = report.counts();
    let mut text = format!(
        "{goals}: {n_covered} of {n} covered, {n_unreachable} proved unreachable, {n_open} open; {} tests \
         ({} found), {seconds:.2} s\n",
        report.tests.len(),
        report.n_found,
    );
    if is_quiet {
        return text;
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(
        text,
        "search: {} backtracks to the last new goal, {} in all, {} steps to {} locations{}",
        report.backtracks[0],
        report.backtracks[1],
        report.steps[0],
        report.steps[1],
        if report.is_saturated {
            ", complete"
        } else {
            ""
        },
    );
    text += &table(&report.goals);
    // Goals that share a reason are one paragraph.
    let mut places: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for goal in &report.goals {
        let (state, why) = match &goal.state {
            GoalState::Covered(_) => continue,
            GoalState::Unreachable(why) => ("unreachable", why),
            GoalState::Open(why) => ("open", why),
        };
        let place = format!("  {}:{}: {}", goal.file, goal.line, goal.text);
        places.entry((state, why)).or_default().push(place);
    }
    for ((state, why), places) in places {
        let _ = writeln!(text, "{state} ({why}):\n{}", places.join("\n"));
    }
    text
}

/// The numbers for each function.
fn table(goals: &[GoalReport]) -> String {
    let mut numbers: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for goal in goals {
        let own = numbers.entry(&goal.function).or_default();
        own[0] += 1;
        own[match goal.state {
            GoalState::Covered(_) => 1,
            GoalState::Unreachable(_) => 2,
            GoalState::Open(_) => 3,
        }] += 1;
    }
    let width = numbers
        .keys()
        .map(|name| name.len())
        .max()
        .unwrap_or(0)
        .max(8);
    let mut text = format!(
        "{:width$} {:>7} {:>7} {:>11} {:>7}\n",
        "function", "goals", "covered", "unreachable", "open"
    );
    for (name, [n, covered, unreachable, open]) in numbers {
        let _ = writeln!(
            text,
            "{name:width$} {n:>7} {covered:>7} {unreachable:>11} {open:>7}"
        );
    }
    text
}

/// The fields of one object: every goal with its state, and the numbers as statistics.
pub(super) fn json(file: &Path, report: &TestReport, goals: &str) -> Value {
    let [n, n_covered, n_unreachable, n_open] = report.counts();
    let each = report.goals.iter().map(|goal| {
        let (state, why, tests): (&str, Option<&String>, Vec<usize>) = match &goal.state {
            GoalState::Covered(tests) => {
                ("covered", None, tests.iter().map(|test| test + 1).collect())
            }
            GoalState::Unreachable(why) => ("unreachable", Some(why), Vec::new()),
            GoalState::Open(why) => ("open", Some(why), Vec::new()),
        };
        json!({
            "file": goal.file, "line": goal.line, "column": goal.column, "function": goal.function,
            "text": goal.text, "state": state, "reason": why, "tests": tests,
        })
    });
    json!({
        "file": file.display().to_string(),
        "kind": goals,
        "reason": null,
        "statistics": {
            "goals": n,
            "covered": n_covered,
            "unreachable": n_unreachable,
            "open": n_open,
            "tests": report.tests.len(),
            "tests_found": report.n_found,
            "backtracks_to_saturation": report.backtracks[0],
            "backtracks_to_completion": report.backtracks[1],
            "steps": report.steps[0],
            "locations_entered": report.steps[1],
            "complete": u8::from(report.is_saturated),
        },
        "notes": report.notes,
        "goals": each.collect::<Vec<Value>>(),
    })
}
