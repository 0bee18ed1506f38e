//! Table 1 of K. L. McMillan, "Lazy abstraction with interpolants" (CAV 2006): time and vertices of Impact on
//! six Windows drivers, beside predicate abstraction.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, files, find};
use super::table::{Table, seconds};
use crate::plot::{self, Scatter};

/// A line of the paper's table. Times are seconds on a 3 GHz Xeon, of model checking alone.
struct Driver {
    name: &'static str,
    /// Thousands of lines of the goto program.
    lines: f64,
    blast_seconds: f64,
    impact_seconds: f64,
    /// Vertices of Impact's final unwinding.
    vertices: u64,
}

const fn driver(
    name: &'static str,
    lines: f64,
    blast_seconds: f64,
    impact_seconds: f64,
    vertices: u64,
) -> Driver {
    Driver {
        name,
        lines,
        blast_seconds,
        impact_seconds,
        vertices,
    }
}

const DRIVERS: [Driver; 6] = [
    driver("kbfiltr", 2.3, 26.3, 3.15, 744),
    driver("diskperf", 3.9, 102.0, 20.0, 3885),
    driver("cdaudio", 6.3, 310.0, 19.1, 3257),
    driver("floppy", 8.7, 455.0, 17.8, 2518),
    driver("parclass", 8.8, 5511.0, 26.2, 3720),
    driver("parport", 13.0, 8084.0, 37.1, 12_700),
];

/// As in the paper, an edge is a basic block.
const IMPACT: &str = "impact";
const IMPACT_LARGE: &str = "impact-large";
/// Takes the place of Blast.
const PREDICATES: &str = "predabs";

pub(super) fn plan() -> Plan {
    Plan {
        name: "paper-impact",
        configurations: vec![
            Configuration {
                name: IMPACT,
                options: &["--engine", "impact", "--blocks", "basic"],
            },
            Configuration {
                name: IMPACT_LARGE,
                options: &["--engine", "impact", "--blocks", "large"],
            },
            Configuration {
                name: PREDICATES,
                options: &["--engine", "predabs", "--blocks", "basic"],
            },
        ],
        families: &["svcomp.ntdrivers", "svcomp.ntdrivers-simplified"],
        render,
        draw,
    }
}

/// The programs that are versions of a driver.
fn versions<'r>(runs: &'r [Run], driver: &Driver) -> Vec<&'r str> {
    let is_version = |file: &&str| {
        let name = file.rsplit('/').next().unwrap_or_default();
        name.starts_with(driver.name)
    };
    files(runs).into_iter().filter(is_version).collect()
}

fn render(runs: &[Run]) -> String {
    let mut table = Table::new(&[
        "driver",
        "paper: lines",
        "Blast s",
        "Impact s",
        "vertices",
        "program",
        "impact",
        "s",
        "vertices",
        "impact, large blocks",
        "s",
        "vertices",
        "predabs",
        "s",
    ]);
    let none = String::new;
    for driver in &DRIVERS {
        let mut row = vec![
            driver.name.to_owned(),
            format!("{:.1}K", driver.lines),
            seconds(driver.blast_seconds),
            seconds(driver.impact_seconds),
            driver.vertices.to_string(),
        ];
        let versions = versions(runs, driver);
        if versions.is_empty() {
            row.push("not in the corpus".to_owned());
            row.extend(std::iter::repeat_with(none).take(8));
            table.row(&row);
        }
        for file in versions {
            row.push(file.to_owned());
            let [own, large, predicates] =
                [IMPACT, IMPACT_LARGE, PREDICATES].map(|name| find(runs, file, name));
            let vertices = |run: Option<&Run>| {
                let vertices = run.and_then(|run| run.statistic("vertices"));
                vertices.map_or_else(none, |number| number.to_string())
            };
            let time = |run: Option<&Run>| run.map_or_else(none, |run| seconds(run.seconds));
            row.extend([answer(own), time(own), vertices(own)]);
            row.extend([answer(large), time(large), vertices(large)]);
            row.extend([answer(predicates), time(predicates)]);
            table.row(&row);
            row = vec![none(); 5];
        }
    }
    let mut text = table.into_text();
    for name in [IMPACT, IMPACT_LARGE, PREDICATES] {
        text += &summary(runs, name);
    }
    text
}

/// The answer, with a mark if it is wrong.
fn answer(run: Option<&Run>) -> String {
    match run {
        None => String::new(),
        Some(run) if run.is_wrong() => format!("WRONG: {}", run.answer.word()),
        Some(run) => run.answer.word().to_owned(),
    }
}

/// How many programs a configuration decides, and how many of these in less time than the paper's.
fn summary(runs: &[Run], configuration: &str) -> String {
    let (mut n_all, mut n_right, mut n_wrong, mut n_faster) = (0, 0, 0, 0);
    for driver in &DRIVERS {
        for file in versions(runs, driver) {
            let Some(run) = find(runs, file, configuration) else {
                continue;
            };
            n_all += 1;
            n_wrong += usize::from(run.is_wrong());
            if run.is_right() {
                n_right += 1;
                n_faster += usize::from(run.seconds < driver.impact_seconds);
            }
        }
    }
    format!(
        "\n`{configuration}`: {n_right} of {n_all} right, {n_wrong} wrong, {n_faster} of the right ones in less \
         time than the paper's Impact for the driver.\n"
    )
}

/// The point of a run on a version of a driver.
type Point<'p> = dyn Fn(&Driver, &Run) -> Option<(f64, f64)> + 'p;

fn draw(path: &Path, runs: &[Run], _: f64) -> io::Result<()> {
    let points = |name: &str, of: &Point<'_>| {
        let mut points = Vec::new();
        for driver in &DRIVERS {
            let found = versions(runs, driver).into_iter();
            let found = found.filter_map(|file| find(runs, file, name));
            points.extend(
                found
                    .filter(|run| run.is_right())
                    .filter_map(|run| of(driver, run)),
            );
        }
        (name.to_owned(), points)
    };
    let time = |driver: &Driver, run: &Run| Some((driver.impact_seconds, run.seconds));
    let vertices = |driver: &Driver, run: &Run| {
        let own = run.statistic("vertices")?;
        Some((driver.vertices as f64, own as f64))
    };
    let axes = |what: &str| {
        (
            format!("the paper's Impact: {what}"),
            format!("craig: {what}"),
        )
    };
    let plots = [
        Scatter {
            title: "Time for each version of a driver".to_owned(),
            axes: axes("seconds"),
            least: 0.01,
            series: [IMPACT, IMPACT_LARGE, PREDICATES]
                .map(|name| points(name, &time))
                .into(),
        },
        Scatter {
            title: "Vertices of the final unwinding".to_owned(),
            axes: axes("vertices"),
            least: 1.0,
            series: [IMPACT, IMPACT_LARGE]
                .map(|name| points(name, &vertices))
                .into(),
        },
    ];
    plot::scatter(path, &plots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    #[test]
    fn figures_stand_beside_the_papers() {
        let safe = ("good", "good");
        let runs = [
            canned("x/kbfiltr_1.c", IMPACT, safe, 0.5, "vertices=214"),
            canned("x/kbfiltr_1.c", IMPACT_LARGE, safe, 0.1, "vertices=1"),
            canned("x/kbfiltr_1.c", PREDICATES, ("good", "bad"), 4.0, ""),
            canned("x/cdaudio.c", IMPACT, ("bad", "unknown"), 20.0, ""),
            canned(
                "x/cdaudio.c",
                IMPACT_LARGE,
                ("bad", "bad"),
                19.5,
                "vertices=7",
            ),
        ];
        let text = render(&runs);
        let lines = [
            "| kbfiltr | 2.3K | 26.3 | 3.15 | 744 | x/kbfiltr_1.c | good | 0.50 | 214 | good | 0.10 | 1 | \
             WRONG: bad | 4.00 |",
            "| cdaudio | 6.3K | 310 | 19.1 | 3257 | x/cdaudio.c | unknown | 20.0 |  | bad | 19.5 | 7 |  |  |",
            "| diskperf | 3.9K | 102 | 20.0 | 3885 | not in the corpus |  |  |  |  |  |  |  |  |",
            "`impact`: 1 of 2 right, 0 wrong, 1 of the right ones in less time",
            "`impact-large`: 2 of 2 right, 0 wrong, 1 of the right ones in less time",
            "`predabs`: 0 of 1 right, 1 wrong, 0 of the right ones in less time",
        ];
        for line in lines {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
