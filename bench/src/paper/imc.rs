//! Table 2 of D. Beyer, N.-Z. Lee and P. Wendler, "Interpolation and SAT-based model checking revisited"
//! (2022): right and wrong verdicts of six algorithms on 6027 tasks.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Failure, Run, find, of};
use super::table::{Table, percent, seconds};
use crate::answer::Answer;
use crate::plot;

/// The paper's tasks; each had 900 seconds and 15 GB.
const TASKS: usize = 6027;

/// The paper's column of an algorithm: right proofs and alarms, wrong proofs and alarms, out of time, out of
/// memory, other.
struct Column {
    /// The configuration.
    name: &'static str,
    figures: [usize; 7],
}

const COLUMNS: [Column; 6] = [
    column("imc", [1867, 900, 0, 3, 2038, 141, 1078]),
    column("pdr", [1146, 464, 0, 1, 3367, 33, 1016]),
    column("bmc", [1205, 1175, 0, 1, 2228, 358, 1060]),
    column("kind", [2128, 988, 0, 1, 1825, 277, 808]),
    column("predabs", [1532, 810, 1, 5, 1959, 22, 1698]),
    column("impact", [1547, 871, 0, 6, 1728, 102, 1773]),
];

const fn column(name: &'static str, figures: [usize; 7]) -> Column {
    Column { name, figures }
}

pub(super) fn plan() -> Plan {
    Plan {
        name: "paper-imc",
        configurations: vec![
            Configuration {
                name: "imc",
                options: &["--engine", "imc"],
            },
            Configuration {
                name: "pdr",
                options: &["--engine", "pdr"],
            },
            Configuration {
                name: "bmc",
                options: &["--engine", "bmc"],
            },
            Configuration {
                name: "kind",
                options: &["--engine", "kind"],
            },
            Configuration {
                name: "predabs",
                options: &["--engine", "predabs"],
            },
            Configuration {
                name: "impact",
                options: &["--engine", "impact"],
            },
        ],
        families: &[],
        render,
        draw,
    }
}

/// The numbers of a row of the table, for `runs`.
fn figures(runs: &[&Run]) -> [usize; 7] {
    let count = |test: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| test(run)).count();
    let right = |answer| count(&|run| run.is_right() && run.answer == answer);
    let wrong = |answer| count(&|run| run.is_wrong() && run.answer == answer);
    let failed = |failure| count(&|run| run.failure() == Some(failure));
    [
        right(Answer::Good),
        right(Answer::Bad),
        wrong(Answer::Good),
        wrong(Answer::Bad),
        failed(Failure::Time),
        failed(Failure::Memory),
        failed(Failure::Other),
    ]
}

fn render(runs: &[Run]) -> String {
    let mut header = vec![String::new()];
    for column in &COLUMNS {
        header.extend([column.name.to_owned(), format!("{}, paper", column.name)]);
    }
    let mut table = Table::new(&header);
    let own: Vec<([usize; 7], usize)> = (COLUMNS.iter())
        .map(|column| {
            let runs = of(runs, column.name);
            (figures(&runs), runs.len())
        })
        .collect();
    let mut row = |name: &str, of: &dyn Fn(&[usize; 7]) -> usize| {
        let mut cells = vec![name.to_owned()];
        for (column, (own, n_runs)) in COLUMNS.iter().zip(&own) {
            let cell = |figures, whole| {
                let number = of(figures);
                format!("{number} ({})", percent(number, whole))
            };
            cells.extend([cell(own, *n_runs), cell(&column.figures, TASKS)]);
        }
        table.row(&cells);
    };
    row("tasks", &|figures| figures.iter().sum());
    row("right", &|figures| figures[0] + figures[1]);
    let rest = [
        "proofs",
        "alarms",
        "wrong proofs",
        "wrong alarms",
        "out of time",
        "out of memory",
        "other",
    ];
    for (index, name) in rest.into_iter().enumerate() {
        row(name, &|figures| figures[index]);
    }
    let mut text = table.into_text() + "\n" + &pairs(runs) + &interpolants(runs);
    for run in runs.iter().filter(|run| run.is_wrong()) {
        let (file, configuration) = (&run.file, &run.configuration);
        text += &format!(
            "\nAgainst the index: {file}, {configuration}: {}.\n",
            run.answer.word()
        );
    }
    text
}

/// What figure 6 draws: IMC beside each other engine on the programs that both decide rightly. The paper leaves out
/// bounded model checking.
fn pairs(runs: &[Run]) -> String {
    let mut table = Table::new(&[
        "beside imc",
        "both right",
        "imc, s",
        "other, s",
        "imc takes less",
    ]);
    for column in COLUMNS
        .iter()
        .filter(|it| !["imc", "bmc"].contains(&it.name))
    {
        let others = of(runs, column.name)
            .into_iter()
            .filter(|run| run.is_right());
        let both: Vec<(f64, f64)> = others
            .filter_map(|other| {
                let own = find(runs, &other.file, "imc").filter(|own| own.is_right())?;
                Some((own.seconds, other.seconds))
            })
            .collect();
        table.row(&[
            column.name.to_owned(),
            both.len().to_string(),
            seconds(both.iter().map(|pair| pair.0).sum()),
            seconds(both.iter().map(|pair| pair.1).sum()),
            both.iter()
                .filter(|pair| pair.0 < pair.1)
                .count()
                .to_string(),
        ]);
    }
    table.into_text()
}

/// How many interpolants IMC computed, and the AND gates of one: over all, and the largest mean of a program.
fn interpolants(runs: &[Run]) -> String {
    let of_run = |run: &&Run| {
        let number = run.statistic("interpolants")?;
        Some((number, run.statistic("interpolant_gates")?))
    };
    let sizes: Vec<(u64, u64)> = of(runs, "imc").iter().filter_map(of_run).collect();
    let number: u64 = sizes.iter().map(|size| size.0).sum();
    let gates: u64 = sizes.iter().map(|size| size.1).sum();
    let mean = |(number, gates): (u64, u64)| gates as f64 / number.max(1) as f64;
    let largest = sizes.iter().map(|&size| mean(size)).fold(0.0, f64::max);
    format!(
        "\nimc: {number} interpolants on {} programs, {:.1} gates each, at most {largest:.1} on average of a program.\n",
        sizes.len(),
        mean((number, gates)),
    )
}

fn draw(path: &Path, runs: &[Run], limit: f64) -> io::Result<()> {
    let times = |column: &Column| {
        let right = of(runs, column.name)
            .into_iter()
            .filter(|run| run.is_right());
        (
            column.name.to_owned(),
            right.map(|run| run.seconds).collect(),
        )
    };
    let times: Vec<(String, Vec<f64>)> = COLUMNS.iter().map(times).collect();
    plot::quantiles(path, &times, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    /// The columns of the paper's table add up to its tasks.
    #[test]
    fn the_papers_figures_are_complete() {
        for column in &COLUMNS {
            assert_eq!(
                column.figures.iter().sum::<usize>(),
                TASKS,
                "{}",
                column.name
            );
        }
    }

    #[test]
    fn verdicts_are_counted_by_engine() {
        let runs = [
            canned(
                "p.c",
                "imc",
                ("good", "good"),
                1.0,
                "interpolants=4 interpolant_gates=10",
            ),
            canned("q.c", "imc", ("bad", "good"), 1.0, ""),
            canned("r.c", "imc", ("bad", "unknown"), 1.0, ""),
            canned("p.c", "kind", ("good", "bad"), 1.0, ""),
            canned("p.c", "pdr", ("good", "good"), 3.0, ""),
            canned("q.c", "pdr", ("bad", "bad"), 3.0, ""),
        ];
        let text = render(&runs);
        let lines = [
            "| tasks | 3 (100.0 %) | 6027 (100.0 %) |",
            "| right | 1 (33.3 %) | 2767 (45.9 %) | 2 (100.0 %) | 1610 (26.7 %) |",
            "| wrong proofs | 1 (33.3 %) | 0 (0.0 %) |",
            "| out of time | 1 (33.3 %) |",
            "| pdr | 1 | 1.00 | 3.00 | 1 |",
            "| kind | 0 | 0.00 | 0.00 | 0 |",
            "imc: 4 interpolants on 1 programs, 2.5 gates each, at most 2.5 on average of a program.",
            "Against the index: q.c, imc: good.",
            "Against the index: p.c, kind: bad.",
        ];
        for line in lines {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
