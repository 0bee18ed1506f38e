//! Figures 7 to 9 of R. Jhala and K. L. McMillan, "Interpolant-based transition relation approximation" (LMCS
//! 2007): predicate abstraction whose relations are refined by interpolants of the path or by Das and Dill's
//! method, with and without the hybrid image.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, files, find};
use super::table::{Table, seconds};
use crate::plot::{self, Scatter};

const ITP: &str = "itp";
const DAS_DILL: &str = "dasdill";
const ITP_HYBRID: &str = "itp-hybrid";
const DAS_DILL_HYBRID: &str = "dasdill-hybrid";

/// A figure: the configuration at the x axis, that at the y axis, and the paper's claim.
struct Figure {
    title: &'static str,
    x: &'static str,
    y: &'static str,
    claim: &'static str,
}

const FIGURES: [Figure; 3] = [
    Figure {
        title: "Fig. 7: approximate image",
        x: DAS_DILL,
        y: ITP,
        claim: "interpolants need fewer refinements and less time on most programs, in one case by two orders \
                of magnitude",
    },
    Figure {
        title: "Fig. 8: hybrid image",
        x: DAS_DILL_HYBRID,
        y: ITP_HYBRID,
        claim: "as figure 7, and the reduction of refinements is less pronounced",
    },
    Figure {
        title: "Fig. 9: interpolants",
        x: ITP,
        y: ITP_HYBRID,
        claim: "the hybrid image can reduce refinements, and sometimes takes more time",
    },
];

pub(super) fn plan() -> Plan {
    // As in the paper, an edge is a statement or a block of them, and local resolutions are raised.
    Plan {
        name: "paper-tra",
        configurations: vec![
            Configuration {
                name: DAS_DILL,
                options: &[
                    "--engine", "predabs", "--blocks", "basic", "--image", "approx", "--refine",
                    "dasdill",
                ],
            },
            Configuration {
                name: ITP,
                options: &[
                    "--engine",
                    "predabs",
                    "--blocks",
                    "basic",
                    "--image",
                    "approx",
                    "--refine",
                    "itp",
                    "--transform",
                    "raise-local-shrink",
                ],
            },
            Configuration {
                name: DAS_DILL_HYBRID,
                options: &[
                    "--engine", "predabs", "--blocks", "basic", "--image", "hybrid", "--refine",
                    "dasdill",
                ],
            },
            Configuration {
                name: ITP_HYBRID,
                options: &[
                    "--engine",
                    "predabs",
                    "--blocks",
                    "basic",
                    "--image",
                    "hybrid",
                    "--refine",
                    "itp",
                    "--transform",
                    "raise-local-shrink",
                ],
            },
        ],
        families: &[
            "svcomp.ntdrivers",
            "svcomp.ntdrivers-simplified",
            "svcomp.locks",
            "svcomp.ssh-simplified",
            "svcomp.loops",
            "svcomp.loop-simple",
            "svcomp.bitvector-regression",
        ],
        render,
        draw,
    }
}

/// The steps of refinement, those that lead to new predicates included.
fn refinements(run: &Run) -> Option<u64> {
    run.statistic("refinements")
}

/// The programs that both configurations of a figure decide, with both runs.
fn pairs<'r>(runs: &'r [Run], figure: &Figure) -> Vec<(&'r str, &'r Run, &'r Run)> {
    let pair = |file: &'r str| {
        let (x, y) = (find(runs, file, figure.x)?, find(runs, file, figure.y)?);
        (x.is_right() && y.is_right()).then_some((file, x, y))
    };
    files(runs).into_iter().filter_map(pair).collect()
}

fn render(runs: &[Run]) -> String {
    let names = [DAS_DILL, ITP, DAS_DILL_HYBRID, ITP_HYBRID];
    let mut header = vec!["program".to_owned(), "expected".to_owned()];
    for name in names {
        header.extend([format!("{name}: refinements"), "s".to_owned()]);
    }
    let mut table = Table::new(&header);
    for file in files(runs) {
        let mut row = vec![file.to_owned()];
        let expected = runs.iter().find(|run| run.file == file);
        row.push(expected.map_or_else(String::new, |run| run.expected.word().to_owned()));
        for name in names {
            let run = find(runs, file, name);
            let steps = match run {
                Some(run) if run.is_wrong() => "WRONG".to_owned(),
                Some(run) if run.is_right() => {
                    refinements(run).map_or_else(String::new, |number| number.to_string())
                }
                Some(run) => run.answer.word().to_owned(),
                None => String::new(),
            };
            row.push(steps);
            row.push(run.map_or_else(String::new, |run| seconds(run.seconds)));
        }
        table.row(&row);
    }
    let mut text = table.into_text();
    text.push('\n');
    let mut table = Table::new(&[
        "configuration",
        "right",
        "wrong",
        "of all",
        "refinements, where all are right",
        "s",
    ]);
    let by_all = |file: &str| {
        let mut runs_of = names.iter().map(|name| find(runs, file, name));
        runs_of.all(|run| run.is_some_and(Run::is_right))
    };
    let common: Vec<&str> = files(runs)
        .into_iter()
        .filter(|file| by_all(file))
        .collect();
    for name in names {
        let of: Vec<&Run> = runs
            .iter()
            .filter(|run| run.configuration == name)
            .collect();
        let count = |test: fn(&Run) -> bool| of.iter().filter(|run| test(run)).count().to_string();
        let shared = common.iter().filter_map(|file| find(runs, file, name));
        let steps: u64 = shared.clone().filter_map(refinements).sum();
        let time: f64 = shared.map(|run| run.seconds).sum();
        table.row(&[
            name.to_owned(),
            count(Run::is_right),
            count(Run::is_wrong),
            of.len().to_string(),
            steps.to_string(),
            seconds(time),
        ]);
    }
    text += &table.into_text();
    text.push('\n');
    let mut table = Table::new(&[
        "figure",
        "y against x",
        "both right",
        "refinements: fewer",
        "equal",
        "more",
        "median ratio",
        "time: less",
        "more",
        "median ratio",
        "the paper",
    ]);
    for figure in &FIGURES {
        table.row(&summary(runs, figure));
    }
    text + &table.into_text()
}

/// The line of a figure in the last table.
fn summary(runs: &[Run], figure: &Figure) -> Vec<String> {
    let pairs = pairs(runs, figure);
    let steps: Vec<(u64, u64)> = (pairs.iter())
        .filter_map(|(_, x, y)| Some((refinements(x)?, refinements(y)?)))
        .collect();
    let times: Vec<(f64, f64)> = (pairs.iter())
        .map(|(_, x, y)| (x.seconds, y.seconds))
        .collect();
    let count =
        |test: &dyn Fn(&(u64, u64)) -> bool| steps.iter().filter(|&pair| test(pair)).count();
    let ratios = steps.iter().filter(|&&(x, y)| x > 0 && y > 0);
    let ratios = ratios.map(|&(x, y)| y as f64 / x as f64);
    vec![
        figure.title.to_owned(),
        format!("{} against {}", figure.y, figure.x),
        pairs.len().to_string(),
        count(&|&(x, y)| y < x).to_string(),
        count(&|&(x, y)| y == x).to_string(),
        count(&|&(x, y)| y > x).to_string(),
        median(ratios.collect()),
        times.iter().filter(|&&(x, y)| y < x).count().to_string(),
        times.iter().filter(|&&(x, y)| y > x).count().to_string(),
        median(times.iter().map(|&(x, y)| y / x.max(0.001)).collect()),
        figure.claim.to_owned(),
    ]
}

fn median(mut numbers: Vec<f64>) -> String {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.get(numbers.len() / 2);
    middle.map_or_else(String::new, |number| format!("{number:.2}"))
}

fn draw(path: &Path, runs: &[Run], _: f64) -> io::Result<()> {
    let mut plots = Vec::new();
    for figure in &FIGURES {
        let pairs = pairs(runs, figure);
        let axes = |what: &str| {
            let axis = |name: &str| format!("{name}: {what}");
            (axis(figure.x), axis(figure.y))
        };
        let steps = pairs
            .iter()
            .filter_map(|(_, x, y)| Some((refinements(x)? as f64, refinements(y)? as f64)));
        plots.push(Scatter {
            title: figure.title.to_owned(),
            axes: axes("refinements"),
            least: 1.0,
            series: vec![("a program".to_owned(), steps.collect())],
        });
        let times = pairs.iter().map(|(_, x, y)| (x.seconds, y.seconds));
        plots.push(Scatter {
            title: figure.title.to_owned(),
            axes: axes("seconds"),
            least: 0.01,
            series: vec![("a program".to_owned(), times.collect())],
        });
    }
    plot::scatter(path, &plots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    #[test]
    fn figures_compare_programs_that_both_decide() {
        let safe = ("good", "good");
        let open = ("good", "unknown");
        let runs = [
            canned("p.c", DAS_DILL, safe, 4.0, "refinements=10"),
            canned("p.c", ITP, safe, 2.0, "refinements=5"),
            canned("p.c", DAS_DILL_HYBRID, safe, 1.0, "refinements=3"),
            canned("p.c", ITP_HYBRID, safe, 3.0, "refinements=3"),
            canned("q.c", DAS_DILL, open, 9.0, "refinements=99"),
            canned("q.c", ITP, safe, 8.0, "refinements=8"),
            canned(
                "q.c",
                DAS_DILL_HYBRID,
                ("good", "bad"),
                1.0,
                "refinements=1",
            ),
            canned("q.c", ITP_HYBRID, safe, 16.0, "refinements=9"),
        ];
        let text = render(&runs);
        let lines = [
            "| p.c | good | 10 | 4.00 | 5 | 2.00 | 3 | 1.00 | 3 | 3.00 |",
            "| q.c | good | unknown | 9.00 | 8 | 8.00 | WRONG | 1.00 | 9 | 16.0 |",
            "| dasdill | 1 | 0 | 2 | 10 | 4.00 |",
            "| dasdill-hybrid | 1 | 1 | 2 | 3 | 1.00 |",
            "| Fig. 7: approximate image | itp against dasdill | 1 | 1 | 0 | 0 | 0.50 | 1 | 0 | 0.50 |",
            "| Fig. 8: hybrid image | itp-hybrid against dasdill-hybrid | 1 | 0 | 1 | 0 | 1.00 | 0 | 1 | 3.00 |",
            "| Fig. 9: interpolants | itp-hybrid against itp | 2 | 1 | 0 | 1 | 1.12 | 0 | 2 | 2.00 |",
        ];
        for line in lines {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
