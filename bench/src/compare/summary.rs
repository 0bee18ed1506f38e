//! Tables of results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::answer::Answer;
use crate::row::{Row, programs};

/// The file of a run's folder with a line for each problem and engine.
pub(super) const RESULTS: &str = "results.csv";

/// The rows of results: of files, or of the folders of runs.
pub(super) fn read(paths: &[PathBuf]) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for path in paths {
        let path = match path.is_dir() {
            true => path.join(RESULTS),
            false => path.clone(),
        };
        let text = fs::read_to_string(&path)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            let row = Row::parse(line).ok_or_else(|| {
                io::Error::other(format!(
                    "{}:{number}: expected a row of results",
                    path.display()
                ))
            })?;
            rows.push(row);
        }
    }
    match rows.is_empty() {
        true => Err(io::Error::other("there are no results")),
        false => Ok(rows),
    }
}

/// What is counted of an engine.
pub(super) struct Score<'a> {
    pub(super) name: &'a str,
    pub(super) rows: Vec<&'a Row>,
    /// The mean processor time, where a problem without a right answer counts for twice the limit.
    pub(super) par2: f64,
    /// The problems that no other engine solves.
    pub(super) unique: Vec<&'a str>,
}

impl Score<'_> {
    /// Its cells in a table: solved, of, good, bad, wrong, failed, unique, PAR-2, evidence accepted, rejected.
    pub(super) fn cells(&self) -> [String; 10] {
        let good = |row: &Row| row.is_solved() && row.answer == Answer::Good;
        let bad = |row: &Row| row.is_solved() && row.answer == Answer::Bad;
        [
            self.solved().to_string(),
            self.rows.len().to_string(),
            self.count(good).to_string(),
            self.count(bad).to_string(),
            self.count(Row::is_wrong).to_string(),
            self.count(|row| row.answer == Answer::Failed).to_string(),
            self.unique.len().to_string(),
            format!("{:.2}", self.par2),
            self.count(is_accepted).to_string(),
            self.count(|row| row.checks.contains("REJECTED"))
                .to_string(),
        ]
    }

    pub(super) fn count(&self, test: impl Fn(&Row) -> bool) -> usize {
        self.rows.iter().filter(|row| test(row)).count()
    }

    pub(super) fn solved(&self) -> usize {
        self.count(Row::is_solved)
    }
}

/// The seconds for which a run counts.
pub(super) fn penalised(row: &Row, limit: f64) -> f64 {
    match row.is_solved() {
        true => row.cpu_seconds,
        false => 2.0 * limit,
    }
}

/// The scores of all engines.
pub(super) fn scores<'r>(rows: &'r [Row], limit: f64) -> Vec<Score<'r>> {
    let mut solvers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_solved()) {
        solvers
            .entry(&row.problem)
            .or_default()
            .insert(&row.program);
    }
    let score = |name: &'r str| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.program == name).collect();
        let sum: f64 = own.iter().map(|row| penalised(row, limit)).sum();
        let is_unique = |row: &&&Row| row.is_solved() && solvers[row.problem.as_str()].len() == 1;
        let unique = own
            .iter()
            .filter(is_unique)
            .map(|row| row.problem.as_str())
            .collect();
        let par2 = sum / own.len().max(1) as f64;
        Score {
            name,
            rows: own,
            par2,
            unique,
        }
    };
    programs(rows).into_iter().map(score).collect()
}

/// The virtual best engine: how many problems some engine solves, of how many, and its PAR-2.
pub(super) fn virtual_best(rows: &[Row], limit: f64) -> (usize, usize, f64) {
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows {
        let seconds = penalised(row, limit);
        let entry = best.entry(&row.problem).or_insert(seconds);
        *entry = entry.min(seconds);
    }
    let mut solved: Vec<&str> = rows
        .iter()
        .filter(|row| row.is_solved())
        .map(|row| row.problem.as_str())
        .collect();
    solved.sort_unstable();
    solved.dedup();
    (
        solved.len(),
        best.len(),
        best.values().sum::<f64>() / best.len().max(1) as f64,
    )
}

/// Whether all judges have accepted the evidence, of which there is some.
fn is_accepted(row: &Row) -> bool {
    !row.checks.is_empty()
        && row
            .checks
            .split("; ")
            .all(|check| check.ends_with("accepted"))
}

/// The tables, in Markdown.
pub(super) fn tables(rows: &[Row], limit: f64) -> String {
    format!("{}\n{}", summary(rows, limit), list(rows))
}

/// A line for each engine.
fn summary(rows: &[Row], limit: f64) -> String {
    let mut text = String::from(
        "| engine | solved | safe or unsat | unsafe or sat | wrong | failed | unique | PAR-2 | evidence \
         accepted | rejected |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for score in scores(rows, limit) {
        let [solved, of, rest @ ..] = score.cells();
        let rest = rest.join(" | ");
        let _ = writeln!(text, "| {} | {solved} of {of} | {rest} |", score.name);
    }
    let (solved, of, par2) = virtual_best(rows, limit);
    let _ = writeln!(
        text,
        "| virtual best | {solved} of {of} | | | | | | {par2:.2} | | |"
    );
    text
}

/// The problems, in the order in which they appear.
pub(super) fn problems(rows: &[Row]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let names = rows.iter().map(|row| row.problem.as_str());
    names.filter(|name| seen.insert(*name)).collect()
}

/// What a table says of a run.
pub(super) fn cell(row: Option<&Row>) -> String {
    match row {
        Some(row) if row.is_wrong() => format!("WRONG {:.2}", row.cpu_seconds),
        Some(row) if row.is_solved() => format!("{} {:.2}", row.answer.word(), row.cpu_seconds),
        Some(row) if row.answer == Answer::Failed => "failed".to_owned(),
        _ => String::new(),
    }
}

/// A line for each problem, a column for each engine: processor seconds where solved.
fn list(rows: &[Row]) -> String {
    let programs = programs(rows);
    let mut text = format!("| problem | expected | {} |\n", programs.join(" | "));
    let _ = writeln!(text, "| --- | --- |{}", " ---: |".repeat(programs.len()));
    for problem in problems(rows) {
        let of_problem: Vec<&Row> = rows.iter().filter(|row| row.problem == problem).collect();
        let _ = write!(text, "| {problem} | {} |", of_problem[0].expected.word());
        for program in &programs {
            let row = of_problem.iter().find(|row| row.program == *program);
            let _ = write!(text, " {} |", cell(row.copied()));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(problem: &str, program: &str, answer: &str, expected: &str, checks: &str) -> Row {
        Row::parse(&format!(
            "{problem}\t{program}\t{answer}\t{expected}\t2.0\t3.0\t{checks}"
        ))
        .unwrap()
    }

    #[test]
    fn scores_are_counted_by_engine() {
        let rows = [
            row(
                "p",
                "a",
                "good",
                "good",
                "certify accepted; checker accepted",
            ),
            row("p", "b", "bad", "good", "certify REJECTED"),
            row("q", "a", "unknown", "unknown", ""),
            row(
                "q",
                "b",
                "bad",
                "unknown",
                "certify accepted; checker undecided",
            ),
        ];
        let text = tables(&rows, 10.0);
        for line in [
            "| a | 1 of 2 | 1 | 0 | 0 | 0 | 1 | 11.00 | 1 | 0 |",
            "| b | 1 of 2 | 0 | 1 | 1 | 0 | 1 | 11.00 | 0 | 1 |",
            "| virtual best | 2 of 2 | | | | | | 2.00 | | |",
            "| p | good | good 2.00 | WRONG 2.00 |",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}
