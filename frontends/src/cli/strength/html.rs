//! A study as one self-contained HTML file.

use std::fmt::Write as _;

use craig_itp::study::Study;

use super::convergence::Run;
use super::plot::{curves, escape, first_run, hasse, scatter, times};
use super::report::Report;
use super::table::{checks, classes, density, optional, unknown, validity};
use crate::cli::page::page as whole_page;

const STYLE: &str = "
:root { --wrong: var(--bad); }
@media (prefers-color-scheme: dark) { svg circle, svg path, svg polyline, svg rect { filter: brightness(1.35); } }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid var(--hair); white-space: nowrap; }
th { border-bottom: 1px solid var(--rule); } .name { text-align: left; } .wide { overflow-x: auto; }
td.name { white-space: normal; overflow-wrap: anywhere; min-width: 10rem; }
.wrong, .missing { color: var(--wrong); } .wrong { font-weight: bold; }
figure { margin: 1.5rem 0; } figcaption { font-size: 13px; color: var(--faint); max-width: 46rem; }
svg { width: 100%; max-width: 49rem; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .grid { stroke: var(--hair); } svg .axis, svg .cover { stroke: var(--rule); } svg .error { stroke: \
var(--faint); }
svg .mixed { fill: #444; stroke: var(--ink); stroke-width: 2px; }
svg text { paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
svg .inside { fill: #fff; font-weight: bold; stroke: none; }
summary { cursor: pointer; margin: 1rem 0; }
";

/// The page.
pub(super) fn page(reports: &[Report]) -> String {
    let mut page = format!("<style>{STYLE}</style>\n");
    overview(&mut page, reports);
    for report in reports {
        let _ = write!(page, "<h2>{}</h2>", escape(&report.name));
        match &report.study {
            Ok(study) => section(&mut page, study),
            Err(error) => {
                let _ = write!(page, "<p>No study: {}.</p>", escape(error));
            }
        }
        if !report.runs.is_empty() {
            convergence(&mut page, &report.runs);
        }
    }
    whole_page("Interpolant strength", &page)
}

fn header(page: &mut String, columns: &[&str]) {
    page.push_str("<div class=\"wide\"><table><tr>");
    for (index, column) in columns.iter().enumerate() {
        let class = if index == 0 { " class=\"name\"" } else { "" };
        let _ = write!(page, "<th{class}>{column}</th>");
    }
    page.push_str("</tr>");
}

fn row(page: &mut String, cells: &[String]) {
    page.push_str("<tr>");
    for (index, cell) in cells.iter().enumerate() {
        let class = match cell.as_str() {
            "WRONG" => " class=\"wrong\"",
            _ if index == 0 => " class=\"name\"",
            _ => "",
        };
        let _ = write!(page, "<td{class}>{}</td>", escape(cell));
    }
    page.push_str("</tr>");
}

fn overview(page: &mut String, reports: &[Report]) {
    header(
        page,
        &[
            "problem",
            "shared",
            "proofs",
            "interpolants",
            "valid",
            "in CNF",
            "classes",
            "in order",
            "raised &#8658; plain",
        ],
    );
    for report in reports {
        let mut cells = vec![report.name.clone()];
        if let Ok(study) = &report.study {
            let checks = checks(study);
            let valid = study
                .entries
                .iter()
                .filter(|entry| validity(entry) == "valid");
            cells.extend([
                study.n_shared.to_string(),
                study.proofs.len().to_string(),
                study.entries.len().to_string(),
                valid.count().to_string(),
                checks.cnf.to_string(),
                study.order.classes.len().to_string(),
                checks.ordered.to_string(),
                checks.raised.to_string(),
            ]);
        } else {
            cells.resize(9, "\u{2013}".into());
        }
        row(page, &cells);
    }
    page.push_str(
        "</table></div><p>In order: the proofs on which McMillan's interpolant implies the symmetric one, \
         and \
         that the inverse. Raised &#8658; plain: the proofs on which raising local resolutions gives an \
         interpolant at \
         least as strong, in McMillan's system.</p>",
    );
    let with_runs: Vec<(&str, &[Run])> = reports
        .iter()
        .filter(|report| !report.runs.is_empty())
        .map(|report| (report.name.as_str(), &report.runs[..]))
        .collect();
    if with_runs.len() > 1 {
        for engine in engines(with_runs.iter().flat_map(|(_, runs)| *runs)) {
            figure(
                page,
                &times(&with_runs, engine),
                &format!(
                    "Processor time of model checking with {engine} in all its variants against {}. Each \
                     mark is a \
                     problem; below the diagonal, the other run is faster. Runs that were stopped count with \
                     the time they had.",
                    first_run(&with_runs)
                ),
            );
        }
    }
}

/// The engines of some runs, in order.
fn engines<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<&'static str> {
    let mut engines: Vec<&'static str> = Vec::new();
    for run in runs {
        if !engines.contains(&run.engine) {
            engines.push(run.engine);
        }
    }
    engines
}

fn figure(page: &mut String, svg: &str, caption: &str) {
    let _ = write!(
        page,
        "<figure>{svg}<figcaption>{caption}</figcaption></figure>"
    );
}

fn section(page: &mut String, study: &Study) {
    let _ = write!(
        page,
        "<p>{} shared variables. {}</p>",
        study.n_shared,
        escape(&checks(study).sentences(study.entries.len()).join(" "))
    );
    for missing in &study.missing {
        let _ = write!(
            page,
            "<p class=\"missing\">Missing: {}.</p>",
            escape(missing)
        );
    }
    figure(
        page,
        &hasse(study),
        &format!(
            "The implication order: a line leads from a formula up to one that it implies. Each circle is \
             a class of \
             equivalent interpolants; under it, how many there are and their density. Its colour is that \
             of its \
             labelling in the next plot, ringed if there are several.{}",
            match unknown(study) {
                0 => String::new(),
                n => format!(" {n} comparisons were not decided within their budget."),
            }
        ),
    );
    figure(
        page,
        &scatter(study),
        "Size against density. Horizontal bars are one standard error of a sampled density to either side.",
    );
    header(
        page,
        &[
            "proof",
            "core",
            "vertices",
            "resolutions",
            "literals",
            "depth",
            "seconds",
        ],
    );
    for proof in &study.proofs {
        row(
            page,
            &[
                format!("{}, {}", proof.source, proof.transform),
                proof.statistics.core.to_string(),
                proof.statistics.vertices.to_string(),
                proof.statistics.resolutions.to_string(),
                proof.statistics.literals.to_string(),
                proof.statistics.depth.to_string(),
                format!("{:.3}", proof.time.as_secs_f64()),
            ],
        );
    }
    page.push_str("</table></div><details><summary>All interpolants</summary>");
    header(
        page,
        &[
            "interpolant",
            "",
            "ANDs",
            "compacted",
            "simplified",
            "depth",
            "literals",
            "support",
            "CNF",
            "density",
            "class",
            "seconds",
        ],
    );
    for (entry, class) in study.entries.iter().zip(classes(study)) {
        let proof = &study.proofs[entry.proof];
        row(
            page,
            &[
                format!("{}, {}, {}", proof.source, proof.transform, entry.labelling),
                validity(entry).into(),
                entry.size.ands.to_string(),
                optional(entry.compacted),
                optional(entry.simplified),
                entry.size.depth.to_string(),
                entry.size.literals.to_string(),
                entry.size.support.to_string(),
                if entry.size.is_cnf { "yes" } else { "" }.into(),
                density(&entry.density),
                class.to_string(),
                format!("{:.3}", entry.time.as_secs_f64()),
            ],
        );
    }
    page.push_str("</table></div></details>");
}

fn convergence(page: &mut String, runs: &[Run]) {
    page.push_str("<h3>Inside the model checker</h3>");
    header(
        page,
        &[
            "run",
            "verdict",
            "depth",
            "bounds",
            "rounds",
            "largest, ANDs",
            "seconds",
        ],
    );
    for run in runs {
        row(
            page,
            &[
                run.name(),
                run.verdict.into(),
                run.depth.to_string(),
                run.n_bounds().to_string(),
                run.interpolants.len().to_string(),
                run.largest().to_string(),
                format!("{:.3}", run.time.as_secs_f64()),
            ],
        );
    }
    page.push_str("</table></div>");
    for engine in engines(runs.iter()) {
        figure(
            page,
            &curves(runs, engine),
            &format!(
                "Sizes of the interpolants of {engine} along each run; a run ends at its dot. Colours are \
                 systems, \
                 dashes say what was done to the proofs."
            ),
        );
    }
}
