//! The source with what is covered, as one HTML file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_c::{GoalReport, GoalState, TestReport, presumed_lines};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The class of a line: open goals come before unreachable ones, these before covered ones.
fn class(goals: &[&GoalReport]) -> &'static str {
    let has = |is: fn(&GoalState) -> bool| goals.iter().any(|goal| is(&goal.state));
    if has(|state| matches!(state, GoalState::Open(_))) {
        "open"
    } else if has(|state| matches!(state, GoalState::Unreachable(_))) {
        "unreachable"
    } else if goals.is_empty() {
        "none"
    } else {
        "covered"
    }
}

/// What is known about a goal, in a line.
fn line(goal: &GoalReport) -> String {
    match &goal.state {
        GoalState::Covered(tests) => {
            let numbers: Vec<String> = tests
                .iter()
                .take(8)
                .map(|test| (test + 1).to_string())
                .collect();
            let more = if tests.len() > 8 { ", .." } else { "" };
            format!("{}: tests {}{more}", goal.text, numbers.join(", "))
        }
        GoalState::Unreachable(why) => format!("{}: unreachable ({why})", goal.text),
        GoalState::Open(why) => format!("{}: open ({why})", goal.text),
    }
}

/// The page: each line of each file with goals, coloured by its goals, which are listed behind it.
pub(super) fn page(file: &Path, kind: &str, report: &TestReport) -> String {
    let [n, n_covered, n_unreachable, n_open] = report.counts();
    let name = escaped(&file.display().to_string());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}: {kind}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p>{kind}: {n_covered} of {n} covered, \
         {n_unreachable} proved unreachable, {n_open} open; {} tests. <span class=\"key covered\">covered</span> \
         <span class=\"key unreachable\">unreachable</span> <span class=\"key open\">open</span></p>\n",
        report.tests.len()
    );
    let mut files: BTreeMap<&str, BTreeMap<u32, Vec<&GoalReport>>> = BTreeMap::new();
    for goal in &report.goals {
        let lines = files.entry(&goal.file).or_default();
        lines.entry(goal.line).or_default().push(goal);
    }
    let read = |name: &str| -> String {
        let bytes = std::fs::read(name).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let own_name = file.display().to_string();
    let own_text = read(&own_name);
    let own_lines = presumed_lines(&own_name, &own_text);
    for (name, lines) in files {
        let _ = writeln!(page, "<h2>{}</h2>\n<table>", escaped(name));
        // The text of a file that line markers name is behind them, in the given file.
        let of_file = own_lines.iter().filter(|line| line.file == name);
        let mut shown: Vec<(u32, &str)> = of_file.map(|line| (line.line, line.text)).collect();
        let text;
        if shown.is_empty() {
            text = read(name);
            shown = (1..).zip(text.lines()).collect();
        }
        // Of several lines with one number, generated code has the statement in the last one.
        let last: BTreeMap<u32, usize> = (shown.iter().enumerate())
            .map(|(place, &(number, _))| (number, place))
            .collect();
        for (place, (number, source)) in shown.into_iter().enumerate() {
            let own = lines.get(&number).filter(|_| last[&number] == place);
            let goals = own.map_or(&[][..], Vec::as_slice);
            let note = |goal: &&GoalReport| {
                let text = escaped(&line(goal));
                format!("<span class=\"{}\">{text}</span>", class(&[goal]))
            };
            let notes: Vec<String> = goals.iter().map(note).collect();
            let _ = writeln!(
                page,
                "<tr class=\"{}\"><td>{number}</td><td><pre>{}</pre></td><td>{}</td></tr>",
                class(goals),
                escaped(source),
                notes.join("<br>")
            );
        }
        page += "</table>\n";
    }
    page + "</body>\n</html>\n"
}

const STYLE: &str = "\
body { font: 14px sans-serif; margin: 1em; }
table { border-collapse: collapse; }
td { padding: 0 0.6em; vertical-align: top; font-size: 12px; }
td:first-child { text-align: right; color: #666; }
pre { margin: 0; white-space: pre-wrap; font: 12px monospace; }
.covered { background: #d9f2d9; }
.unreachable { background: #dde3ee; }
.open { background: #f8d7d7; }
.key { padding: 0.1em 0.5em; }
";
