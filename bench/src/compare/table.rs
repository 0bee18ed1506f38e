//! Tables of results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use craig_bench::answer::Answer;
use craig_bench::plot;
use craig_bench::row::{Row, programs, solving_times};

/// The problems of a folder with their expected answers.
pub(crate) fn read_index(
    folder: &Path,
    name_column: &str,
    answer_column: &str,
    only: &str,
) -> io::Result<Vec<(String, Answer)>> {
    let text = fs::read_to_string(folder.join("index.csv"))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        header
            .iter()
            .position(|&column| column == name)
            .ok_or_else(|| io::Error::other(format!("the index has no column {name}")))
    };
    let (name, answer) = (column(name_column)?, column(answer_column)?);
    let problems = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        Some((
            (*fields.get(name)?).to_owned(),
            Answer::parse(fields.get(answer)?),
        ))
    });
    Ok(problems.filter(|(name, _)| name.contains(only)).collect())
}

/// Prints the tables of the given results, and draws a quantile plot if a file is given for it.
pub(crate) fn report(results: &[PathBuf], limit: f64, plot: Option<&Path>) -> io::Result<()> {
    let mut rows = Vec::new();
    for path in results {
        let text = fs::read_to_string(path)?;
        rows.extend(text.lines().skip(1).filter_map(Row::parse));
    }
    println!("{}\n{}", summarise(&rows, limit), list(&rows));
    plot.map_or(Ok(()), |path| {
        plot::quantiles(path, &solving_times(&rows), limit)
    })
}

/// A line for each program. PAR-2: the mean processor time, where a problem without a right answer counts for
/// twice the limit. Unique: solved by no other program of the run.
fn summarise(rows: &[Row], limit: f64) -> String {
    let mut solvers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_solved()) {
        solvers
            .entry(&row.problem)
            .or_default()
            .insert(&row.program);
    }
    let mut text = String::from(
        "| program | solved | safe or unsat | unsafe or sat | wrong | failed | unique | PAR-2 | evidence \
         accepted | rejected |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for program in programs(rows) {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.program == program).collect();
        let count = |test: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| test(row)).count();
        let is_unique = |row: &Row| row.is_solved() && solvers[row.problem.as_str()].len() == 1;
        let penalised = rows.iter().map(|row| {
            if row.is_solved() {
                row.cpu_seconds
            } else {
                2.0 * limit
            }
        });
        let par2 = penalised.sum::<f64>() / rows.len().max(1) as f64;
        let accepted = |row: &Row| {
            !row.checks.is_empty()
                && row
                    .checks
                    .split("; ")
                    .all(|check| check.ends_with("accepted"))
        };
        let _ = writeln!(
            text,
            "| {program} | {} of {} | {} | {} | {} | {} | {} | {par2:.2} | {} | {} |",
            count(&Row::is_solved),
            rows.len(),
            count(&|row| row.is_solved() && row.answer == Answer::Good),
            count(&|row| row.is_solved() && row.answer == Answer::Bad),
            count(&Row::is_wrong),
            count(&|row| row.answer == Answer::Failed),
            count(&is_unique),
            count(&accepted),
            count(&|row| row.checks.contains("REJECTED")),
        );
    }
    text
}

/// A line for each problem, a column for each program: processor seconds where solved.
fn list(rows: &[Row]) -> String {
    let programs = programs(rows);
    let mut problems: Vec<&str> = Vec::new();
    for row in rows {
        if !problems.contains(&row.problem.as_str()) {
            problems.push(&row.problem);
        }
    }
    let mut text = format!("| problem | expected | {} |\n", programs.join(" | "));
    let _ = writeln!(text, "| --- | --- |{}", " ---: |".repeat(programs.len()));
    for problem in problems {
        let of_problem: Vec<&Row> = rows.iter().filter(|row| row.problem == problem).collect();
        let _ = write!(text, "| {problem} | {} |", of_problem[0].expected.word());
        for program in &programs {
            let row = of_problem.iter().find(|row| row.program == *program);
            let _ = match row {
                Some(row) if row.is_wrong() => write!(text, " WRONG {:.2} |", row.cpu_seconds),
                Some(row) if row.is_solved() => {
                    write!(text, " {} {:.2} |", row.answer.word(), row.cpu_seconds)
                }
                Some(row) if row.answer == Answer::Failed => write!(text, " failed |"),
                _ => write!(text, " |"),
            };
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
    fn scores_are_counted_by_program() {
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
        let text = summarise(&rows, 10.0);
        assert!(
            text.contains("| a | 1 of 2 | 1 | 0 | 0 | 0 | 1 | 11.00 | 1 | 0 |"),
            "{text}"
        );
        assert!(
            text.contains("| b | 1 of 2 | 0 | 1 | 1 | 0 | 1 | 11.00 | 0 | 1 |"),
            "{text}"
        );
        assert!(list(&rows).contains("| p | good | good 2.00 | WRONG 2.00 |"));
    }
}
