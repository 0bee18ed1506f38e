//! A line-up by greedy cover: which engine, with which options, adds most to those chosen before.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::Args;

use super::host;
use super::summary::{problems, read};
use crate::answer::Answer;
use crate::row::{Row, programs};

/// Arguments of `craig-bench cover`.
///
/// At each place, the engine is chosen with which those chosen so far solve the most problems within the limit, if each has a
/// processor of its own; of these, the one with the least PAR-2. A problem that an engine was not asked about counts as not solved by
/// it, and is shown as missing.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// Results: folders of `craig-bench run`, or their tables. A later row about the same engine and problem replaces an earlier one.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Processor seconds; by default, the limit of the runs.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<f64>,
    /// How many engines to choose.
    #[arg(long, value_name = "N", default_value_t = 8)]
    count: usize,
    /// Engines that are chosen first, in this order.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    first: Vec<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// If results can't be read, or contradict each other.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let rows = read(&arguments.results)?;
    print!("{}", table(&rows, arguments)?);
    Ok(())
}

/// The seconds within the limit, by engine and problem.
type Times<'a> = BTreeMap<(&'a str, &'a str), f64>;

/// How many problems some chosen engine solves, and their PAR-2.
fn measure(chosen: &[&str], problems: &[&str], times: &Times<'_>, limit: f64) -> (usize, f64) {
    let least = |problem: &str| {
        let own = chosen
            .iter()
            .filter_map(|engine| times.get(&(*engine, problem)));
        own.copied().min_by(f64::total_cmp)
    };
    let best: Vec<Option<f64>> = problems.iter().map(|problem| least(problem)).collect();
    let sum: f64 = best.iter().map(|it| it.unwrap_or(2.0 * limit)).sum();
    (
        best.iter().flatten().count(),
        sum / problems.len().max(1) as f64,
    )
}

fn table(rows: &[Row], arguments: &Arguments) -> io::Result<String> {
    let (engines, problems) = (programs(rows), problems(rows));
    let limit = host::limit(arguments.limit, &arguments.results);
    let mut last: BTreeMap<(&str, &str), &Row> = BTreeMap::new();
    for row in rows {
        last.insert((&row.program, &row.problem), row);
    }
    for &problem in &problems {
        let of_problem = || last.iter().filter(move |((_, other), _)| *other == problem);
        let says = |answer: Answer| of_problem().any(|(_, row)| row.answer == answer);
        if says(Answer::Good) && says(Answer::Bad) {
            return Err(io::Error::other(format!("{problem}: both safe and unsafe")));
        }
    }
    if let Some(name) = arguments
        .first
        .iter()
        .find(|name| !engines.contains(&name.as_str()))
    {
        return Err(io::Error::other(format!(
            "{name}: it is not in the results"
        )));
    }
    let solved = last
        .iter()
        .filter(|(_, row)| row.is_solved() && row.cpu_seconds <= limit);
    let times: Times<'_> = solved.map(|(key, row)| (*key, row.cpu_seconds)).collect();
    let measure = |chosen: &[&str]| measure(chosen, &problems, &times, limit);
    let mut text = format!(
        "{} problems, {limit} s; of these {} solved by some engine\n\n\
         | | engine | alone | together | PAR-2 | adds | missing |\n\
         | ---: | --- | ---: | ---: | ---: | --- | ---: |\n",
        problems.len(),
        measure(&engines).0
    );
    let mut chosen: Vec<&str> = Vec::new();
    while chosen.len() < arguments.count.min(engines.len()) {
        let left = engines
            .iter()
            .copied()
            .filter(|engine| !chosen.contains(engine));
        let with = |engine: &str| measure(&[&chosen[..], &[engine]].concat());
        let best = left.min_by(|left, right| {
            let (left, right) = (with(left), with(right));
            right.0.cmp(&left.0).then(left.1.total_cmp(&right.1))
        });
        let first = arguments.first.get(chosen.len()).map(String::as_str);
        let Some(engine) = first.or(best) else {
            break;
        };
        let solves = |chosen: &[&str], problem: &str| {
            chosen
                .iter()
                .any(|one| times.contains_key(&(*one, problem)))
        };
        let added = problems
            .iter()
            .filter(|it| !solves(&chosen, it) && solves(&[engine], it));
        let added: Vec<String> = added.map(|problem| format!("`{problem}`")).collect();
        let added = if chosen.is_empty() {
            String::new()
        } else {
            added.join(", ")
        };
        chosen.push(engine);
        let (together, par2) = measure(&chosen);
        let missing = problems
            .iter()
            .filter(|it| !last.contains_key(&(engine, **it)));
        let _ = writeln!(
            text,
            "| {} | {engine} | {} | {together} | {par2:.2} | {added} | {} |",
            chosen.len(),
            measure(&[engine]).0,
            missing.count()
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_that_adds_most_comes_next() {
        let row = |engine: &str, problem: &str, answer: &str, cpu: f64| {
            Row::parse(&format!(
                "{problem}\t{engine}\t{answer}\tunknown\t{cpu}\t{cpu}\t"
            ))
            .unwrap()
        };
        let rows = [
            row("a", "p", "good", 1.0),
            row("a", "q", "good", 1.0),
            row("a", "r", "unknown", 9.0),
            row("b", "p", "good", 0.1),
            row("b", "q", "good", 0.2),
            row("b", "r", "unknown", 9.0),
            row("c", "r", "bad", 2.0),
        ];
        let arguments = |first: &[&str]| Arguments {
            results: Vec::new(),
            limit: Some(10.0),
            count: 2,
            first: first.iter().map(|&name| name.to_owned()).collect(),
        };
        let text = table(&rows, &arguments(&[])).unwrap();
        assert!(
            text.contains("3 problems, 10 s; of these 3 solved"),
            "{text}"
        );
        assert!(text.contains("| 1 | b | 2 | 2 | 6.77 |  | 0 |"), "{text}");
        assert!(
            text.contains("| 2 | c | 1 | 3 | 0.77 | `r` | 2 |"),
            "{text}"
        );
        let text = table(&rows, &arguments(&["a"])).unwrap();
        assert!(text.contains("| 1 | a | 2 | 2 | 7.33 |"), "{text}");
        assert!(table(&rows, &arguments(&["d"])).is_err());
        let contrary = [&rows[..], &[row("c", "p", "bad", 1.0)]].concat();
        assert!(table(&contrary, &arguments(&[])).is_err());
    }
}
