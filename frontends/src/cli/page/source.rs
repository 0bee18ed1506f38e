//! The source with notes beside its lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_c::{PathStep, source_bytes};

use super::escaped;

/// Whether a step of a path is an input of the program.
pub(in crate::cli) fn is_input(step: &PathStep) -> bool {
    step.chosen
        .as_ref()
        .is_some_and(|chosen| chosen.function.is_some())
}

/// Values beside a line, at most; the others are folded.
const MOST_VALUES: usize = 6;
/// Lines around the run that a page has; the rest of a long file is left out.
const AROUND: usize = 12;

/// The lines of a file, as far as it can be read.
pub(in crate::cli) fn lines_of(name: &str) -> Vec<String> {
    let bytes = source_bytes(Path::new(name)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(str::to_owned).collect()
}

/// What a step says beside its line.
fn value(step: &PathStep) -> String {
    let class = if is_input(step) {
        "value input"
    } else {
        "value"
    };
    format!("<span class=\"{class}\">{}</span>", escaped(&step.text))
}

/// The run to an error as the source of its files, with the values of each line.
pub(in crate::cli) fn run_in_source(path: &[PathStep]) -> String {
    let mut files: BTreeMap<&str, BTreeMap<usize, Vec<&PathStep>>> = BTreeMap::new();
    for step in path {
        let lines = files.entry(&step.file).or_default();
        lines.entry(step.line as usize).or_default().push(step);
    }
    let mut html = String::new();
    for (file, steps) in files {
        let source = lines_of(file);
        // Models of library functions are in no file.
        if source.is_empty() {
            continue;
        }
        let _ = write!(
            html,
            "<h3>{}</h3>\n<div class=\"code\"><table>\n",
            escaped(file)
        );
        let is_near = |line: usize| {
            let first = line.saturating_sub(AROUND);
            steps.range(first..=line + AROUND).next().is_some()
        };
        let mut is_cut = false;
        for (number, text) in (1..).zip(&source) {
            if !is_near(number) {
                is_cut = true;
                continue;
            }
            if std::mem::take(&mut is_cut) {
                html.push_str("<tr><td class=\"number\">&#8942;</td><td></td><td></td></tr>\n");
            }
            let own = steps.get(&number).map_or(&[][..], Vec::as_slice);
            let is_end = path
                .last()
                .is_some_and(|end| end.file == file && end.line as usize == number);
            let class = match (is_end, own.is_empty()) {
                (true, _) => " class=\"error\"",
                (false, false) => " class=\"on\"",
                (false, true) => "",
            };
            let _ = writeln!(
                html,
                "<tr{class}><td class=\"number\">{number}</td><td><pre>{}</pre></td><td class=\"notes\">{}</td></tr>",
                escaped(text),
                values(own)
            );
        }
        html.push_str("</table></div>\n");
    }
    html
}

/// The values of a line, in the order of the run.
fn values(steps: &[&PathStep]) -> String {
    let all: Vec<String> = steps.iter().map(|step| value(step)).collect();
    match all.split_at_checked(MOST_VALUES) {
        Some((first, rest)) if !rest.is_empty() => format!(
            "{}<details><summary>{} more</summary>{}</details>",
            first.concat(),
            rest.len(),
            rest.concat()
        ),
        _ => all.concat(),
    }
}
