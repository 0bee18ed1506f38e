//! A page for people: verdict, evidence, engines over the time, and statistics, in addition to the output of another format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use craig_c::{Evidence, Native};

use crate::cli::check::report::Advice;
use crate::cli::check::report::{Answer, CircuitReport, ProgramReport, PropertyReport, Summary};
use crate::cli::circuits::class_of;
use crate::cli::failure::Failure;
use crate::cli::journal::Track;
use crate::cli::output::write_file;
use crate::cli::page::chart::chart;
use crate::cli::page::source::run_in_source;
use crate::cli::page::wave::wave_view;
use crate::cli::page::{escaped, page};
use crate::cli::watch::peak_resident_bytes;

/// Properties that have a section of their own, at most; the table has all.
const MOST_SECTIONS: usize = 60;

/// Writes the page.
pub(super) fn write_page(path: &Path, summary: &Summary<'_>) -> Result<(), Failure> {
    let page = page(
        &format!("{}: {}", summary.file, summary.answer.word()),
        &body(summary),
    );
    write_file(path, |output| output.write_all(page.as_bytes()))
}

/// A verdict, coloured.
fn badge(answer: Answer) -> String {
    let word = answer.word();
    format!(
        "<span class=\"badge {}\">{word}</span>",
        word.to_lowercase()
    )
}

fn body(summary: &Summary<'_>) -> String {
    let memory = peak_resident_bytes().map_or_else(String::new, |bytes| {
        format!(", at most {} MB of memory", bytes.div_ceil(1 << 20))
    });
    let mut html = format!(
        "<p>{} <code>{}</code> in {:.2} s{memory}</p>\n",
        badge(summary.answer),
        escaped(&summary.file),
        summary.seconds
    );
    if summary.reports.is_empty() {
        html.push_str("<p>There is nothing to check.</p>\n");
    }
    if summary.reports.len() > 1 {
        html.push_str(&table(summary.reports));
    }
    for (number, report) in summary.reports.iter().take(MOST_SECTIONS).enumerate() {
        let tracks = summary.journal.of(report.name().unwrap_or(&summary.file));
        section(&mut html, number, report, &tracks);
    }
    html
}

/// Engine, phase, seconds and name of a report.
fn facts(report: &PropertyReport) -> (String, &'static str, &'static str, f64) {
    match report {
        PropertyReport::Circuit(found) => {
            (found.name.clone(), found.engine, found.phase, found.seconds)
        }
        PropertyReport::Program(found) => {
            let name = match &found.place {
                Some(place) => format!("{}:{}: {}", place.file, place.line, place.text),
                None => "all properties of the program".to_owned(),
            };
            (name, found.report.engine, found.report.phase, found.seconds)
        }
    }
}

fn table(reports: &[PropertyReport]) -> String {
    let mut html = String::from(
        "<h2>Properties</h2>\n<div class=\"wide\"><table><tr><th>property</th><th>verdict</th><th>engine</th>\
         <th class=\"number\">seconds</th></tr>\n",
    );
    for (number, report) in reports.iter().enumerate() {
        let (name, engine, _, seconds) = facts(report);
        let name = match number < MOST_SECTIONS {
            true => format!("<a href=\"#p{number}\">{}</a>", escaped(&name)),
            false => escaped(&name),
        };
        let _ = writeln!(
            html,
            "<tr><td>{name}</td><td>{}</td><td>{engine}</td><td class=\"number\">{seconds:.2}</td></tr>",
            badge(report.answer())
        );
    }
    html + "</table></div>\n"
}

fn section(
    html: &mut String,
    number: usize,
    report: &PropertyReport,
    tracks: &BTreeMap<&'static str, Track>,
) {
    let (name, engine, phase, seconds) = facts(report);
    let _ = writeln!(
        html,
        "<section id=\"p{number}\">\n<h2>{} {}</h2>\n<dl>\n<dt>decided by</dt><dd>{engine}, in {phase}, in {seconds:.2} s</dd>",
        escaped(&name),
        badge(report.answer())
    );
    match report {
        PropertyReport::Circuit(found) => circuit(html, found),
        PropertyReport::Program(found) => program(html, found),
    }
    let chart = chart(tracks);
    if !chart.is_empty() {
        let _ = write!(html, "<h3>Engines over the time</h3>\n{chart}");
    }
    statistics(html, report);
    html.push_str("</section>\n");
}

fn item(html: &mut String, name: &str, text: &str) {
    let _ = writeln!(html, "<dt>{name}</dt><dd>{}</dd>", escaped(text));
}

fn circuit(html: &mut String, found: &CircuitReport) {
    item(html, "class", class_of(found.kind));
    item(html, "depth", &found.depth.to_string());
    if let Some(seconds) = found.certify_seconds {
        let text = format!("checked on the circuit of the file, in {seconds:.2} s");
        item(html, "evidence", &text);
    }
    common(html, found.reason.as_deref(), &found.files, &found.advice);
    if let Some(waves) = &found.waves {
        let _ = write!(
            html,
            "<h3>The run</h3>\n{}",
            wave_view(&waves.about(&found.name))
        );
    }
}

fn program(html: &mut String, found: &ProgramReport) {
    let mut reason = None;
    match &found.report.answer {
        craig_c::Answer::Safe(safety) => {
            item(html, "evidence", &safety.text);
            if let Evidence::Certificate(_, invariants) = &safety.evidence {
                for own in invariants.iter().filter(|own| own.value != "1") {
                    let place = format!("at {}:{}", own.file, own.line);
                    item(html, &escaped(&place), &own.value);
                }
            }
        }
        craig_c::Answer::Unsafe(found) => {
            item(html, "error", &found.error);
            item(html, "evidence", "the path was replayed");
        }
        craig_c::Answer::Unknown(why) => reason = Some(why.text()),
    }
    for note in &found.report.notes {
        item(html, "note", note);
    }
    match &found.native {
        Some(Native::Reproduced(text)) => item(html, "compiled and run", text),
        Some(Native::Not(text) | Native::Differs(text)) => {
            item(html, "not reproduced natively", text);
        }
        None => {}
    }
    common(html, reason, &found.files, &found.advice);
    if let craig_c::Answer::Unsafe(found) = &found.report.answer {
        let _ = write!(
            html,
            "<h3>The run</h3>\n<p class=\"faint\">Values stand beside the lines; an arrow marks those that come from outside.</p>\n{}",
            run_in_source(&found.path)
        );
    }
}

/// The rest of the list of facts, which ends here.
fn common(html: &mut String, reason: Option<&str>, files: &[PathBuf], advice: &Advice) {
    if let Some(reason) = reason {
        item(html, "reason", reason);
    }
    for file in files {
        item(html, "file", &file.display().to_string());
    }
    for tried in &advice.tried {
        item(html, "tried", tried);
    }
    for next in &advice.next {
        item(html, "next", next);
    }
    html.push_str("</dl>\n");
}

fn statistics(html: &mut String, report: &PropertyReport) {
    let statistics = match report {
        PropertyReport::Circuit(found) => &found.statistics,
        PropertyReport::Program(found) => &found.statistics,
    };
    if statistics.is_empty() {
        return;
    }
    html.push_str("<h3>Statistics</h3>\n<div class=\"wide\"><table>\n");
    for (name, count) in statistics {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{count}</td></tr>",
            escaped(&name.replace('_', " "))
        );
    }
    html.push_str("</table></div>\n");
}
