//! Figure 6 of K. L. McMillan, "Lazy annotation for program testing and verification" (CAV 2010): how many paths
//! the search for tests gives up, with and without learning, until all locations that can be reached are, and until
//! it ends.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, files, find};
use super::table::{Table, seconds};
use crate::plot;

/// A driver of the paper with its figures: backtracks without and with learning, to completion and to saturation.
struct Driver {
    name: &'static str,
    completion: [u64; 2],
    saturation: [u64; 2],
}

const DRIVERS: [Driver; 3] = [
    Driver {
        name: "kbfiltr",
        completion: [1811, 94],
        saturation: [1290, 87],
    },
    Driver {
        name: "diskperf",
        completion: [15_148, 221],
        saturation: [7552, 214],
    },
    Driver {
        name: "floppy",
        completion: [27_788, 330],
        saturation: [13_827, 327],
    },
];

const LEARN: &str = "learn";
const NO_LEARN: &str = "no learn";

pub(super) fn plan() -> Plan {
    Plan {
        name: "paper-annotate",
        configurations: vec![
            Configuration {
                name: NO_LEARN,
                options: &[
                    "test",
                    "--goals",
                    "locations",
                    "--blocks",
                    "basic",
                    "--no-proofs",
                    "--unknown-calls",
                    "pure",
                    "--no-learn",
                ],
            },
            Configuration {
                name: LEARN,
                options: &[
                    "test",
                    "--goals",
                    "locations",
                    "--blocks",
                    "basic",
                    "--no-proofs",
                    "--unknown-calls",
                    "pure",
                ],
            },
        ],
        families: &[
            "svcomp.ntdrivers-simplified",
            "smack.ntdrivers-simplified",
            "cpachecker-hist.ntdrivers-simplified",
            "svcomp.ntdrivers",
            "smack.ntdrivers",
            "cpachecker-hist.ntdrivers",
        ],
        render,
        draw,
    }
}

/// A number of backtracks; one that was counted when the search was stopped is a lower bound.
fn backtracks(run: Option<&Run>, name: &str) -> Option<(u64, bool)> {
    let run = run?;
    let is_complete = run.statistic("complete") == Some(1);
    Some((run.statistic(name)?, is_complete))
}

fn shown(number: Option<(u64, bool)>) -> String {
    match number {
        None => "-".to_owned(),
        Some((number, true)) => number.to_string(),
        Some((number, false)) => format!("> {number}"),
    }
}

fn ratio(without: Option<(u64, bool)>, with: Option<(u64, bool)>) -> String {
    match (without, with) {
        (Some((without, is_exact)), Some((with, true))) => {
            let sign = if is_exact { "" } else { "> " };
            format!("{sign}{:.1}", without as f64 / with.max(1) as f64)
        }
        _ => "-".to_owned(),
    }
}

fn render(runs: &[Run]) -> String {
    let mut table = Table::new(&[
        "program",
        "covered",
        "completion: no learn",
        "learn",
        "ratio",
        "saturation: no learn",
        "learn",
        "ratio",
        "seconds: no learn",
        "learn",
    ]);
    for file in files(runs) {
        let [without, with] = [NO_LEARN, LEARN].map(|name| find(runs, file, name));
        let mut row = vec![file.to_owned()];
        let covered = |run: Option<&Run>| {
            let run = run?;
            Some(format!(
                "{} of {}",
                run.statistic("covered")?,
                run.statistic("goals")?
            ))
        };
        row.push(covered(with).unwrap_or_else(|| "-".to_owned()));
        for name in ["backtracks_to_completion", "backtracks_to_saturation"] {
            let [without, with] = [without, with].map(|run| backtracks(run, name));
            row.extend([shown(without), shown(with), ratio(without, with)]);
        }
        for run in [without, with] {
            row.push(run.map_or_else(|| "-".to_owned(), |run| seconds(run.seconds)));
        }
        table.row(&row);
    }
    for driver in &DRIVERS {
        let mut row = vec![format!("paper: {}", driver.name), String::new()];
        for [without, with] in [driver.completion, driver.saturation] {
            let (without, with) = (Some((without, true)), Some((with, true)));
            row.extend([shown(without), shown(with), ratio(without, with)]);
        }
        row.extend([String::new(), String::new()]);
        table.row(&row);
    }
    table.into_text()
}

fn draw(path: &Path, runs: &[Run], limit: f64) -> io::Result<()> {
    let times = |name: &'static str| {
        let own = runs.iter().filter(|run| run.configuration == name);
        let complete = own.filter(|run| run.statistic("complete") == Some(1));
        (name.to_owned(), complete.map(|run| run.seconds).collect())
    };
    let times: Vec<(String, Vec<f64>)> = [NO_LEARN, LEARN].map(times).into();
    plot::quantiles(path, &times, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    #[test]
    fn ratios_are_shown_with_their_bounds() {
        let statistics =
            "complete=1 covered=7 goals=9 backtracks_to_completion=40 backtracks_to_saturation=30";
        let fewer =
            "complete=1 covered=7 goals=9 backtracks_to_completion=4 backtracks_to_saturation=3";
        let stopped =
            "complete=0 covered=6 goals=9 backtracks_to_completion=90 backtracks_to_saturation=80";
        let runs = [
            canned("p.c", NO_LEARN, ("good", "unknown"), 2.0, statistics),
            canned("p.c", LEARN, ("good", "unknown"), 1.0, fewer),
            canned("q.c", NO_LEARN, ("good", "unknown"), 2.0, stopped),
            canned("q.c", LEARN, ("good", "unknown"), 1.0, fewer),
        ];
        let text = render(&runs);
        for line in [
            "| p.c | 7 of 9 | 40 | 4 | 10.0 | 30 | 3 | 10.0 | 2.00 | 1.00 |",
            "| q.c | 7 of 9 | > 90 | 4 | > 22.5 | > 80 | 3 | > 26.7 | 2.00 | 1.00 |",
            "| paper: floppy |  | 27788 | 330 | 84.2 | 13827 | 327 | 42.3 |  |  |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
