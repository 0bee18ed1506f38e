//! Runs of `craig` on programs, and their results.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use craig_program::registry::ENGINES;
use serde_json::Value;

use super::Arguments;
use super::corpus::Task;
use crate::answer::Answer;
use crate::pool;
use crate::process::{Ended, Limits, run as run_process};

/// An engine with options.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub(super) name: &'static str,
    /// Options of `craig check`, or those of the command `test` behind its name.
    pub(super) options: &'static [&'static str],
}

impl Configuration {
    /// Whether its engine decides such inputs.
    fn is_for(&self, task: &Task) -> bool {
        let of_programs = |option: &&str| ENGINES.iter().any(|engine| engine.name == *option);
        !task.is_circuit() || !self.options.iter().any(of_programs)
    }
}

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Any other reason.
    Other,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) file: String,
    pub(super) family: String,
    pub(super) configuration: String,
    pub(super) expected: Answer,
    pub(super) answer: Answer,
    /// Processor seconds of the whole run: reading the program, and checking the evidence, included.
    pub(super) seconds: f64,
    /// The statistics that `craig` reports; none if the run was killed.
    pub(super) statistics: BTreeMap<String, u64>,
    /// The reason for no verdict, or a message.
    pub(super) reason: String,
}

impl Run {
    pub(super) fn is_right(&self) -> bool {
        self.is_definite() && self.answer == self.expected
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.is_definite() && self.answer != self.expected
    }

    fn is_definite(&self) -> bool {
        matches!(self.answer, Answer::Good | Answer::Bad)
    }

    /// Why there is no verdict, if there is none.
    pub(super) fn failure(&self) -> Option<Failure> {
        if self.is_definite() {
            None
        } else if self.reason.contains("time limit") {
            Some(Failure::Time)
        } else if self.reason.contains("memory") {
            Some(Failure::Memory)
        } else {
            Some(Failure::Other)
        }
    }

    /// A statistic, if it was reported.
    pub(super) fn statistic(&self, name: &str) -> Option<u64> {
        self.statistics.get(name).copied()
    }

    const HEADER: &'static str =
        "file\tfamily\tconfiguration\texpected\tanswer\tseconds\tstatistics\treason\n";

    /// The line of a file of results, separated by tabs.
    fn to_line(&self) -> String {
        let mut statistics = String::new();
        for (name, number) in &self.statistics {
            let _ = write!(statistics, "{name}={number} ");
        }
        let reason = self.reason.replace(['\t', '\n'], " ");
        format!(
            "{}\t{}\t{}\t{}\t{}\t{:.3}\t{}\t{reason}\n",
            self.file,
            self.family,
            self.configuration,
            self.expected.word(),
            self.answer.word(),
            self.seconds,
            statistics.trim_end(),
        )
    }

    /// The result of a line; `None` if it is none.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[
            file,
            family,
            configuration,
            expected,
            answer,
            seconds,
            statistics,
            reason,
        ] = fields.as_slice()
        else {
            return None;
        };
        let pairs = statistics.split(' ').filter(|text| !text.is_empty());
        let pair = |text: &str| {
            let (name, number) = text.split_once('=')?;
            Some((name.to_owned(), number.parse().ok()?))
        };
        Some(Self {
            file: file.to_owned(),
            family: family.to_owned(),
            configuration: configuration.to_owned(),
            expected: Answer::parse(expected),
            answer: Answer::parse(answer),
            seconds: seconds.parse().ok()?,
            statistics: pairs.map(pair).collect::<Option<_>>()?,
            reason: reason.to_owned(),
        })
    }
}

/// The runs of a configuration.
pub(super) fn of<'r>(runs: &'r [Run], configuration: &str) -> Vec<&'r Run> {
    let runs = runs.iter();
    runs.filter(|run| run.configuration == configuration)
        .collect()
}

/// The run of a configuration on a program.
pub(super) fn find<'r>(runs: &'r [Run], file: &str, configuration: &str) -> Option<&'r Run> {
    let mut runs = runs.iter();
    runs.find(|run| run.file == file && run.configuration == configuration)
}

/// The programs in the order in which they appear.
pub(super) fn files(runs: &[Run]) -> Vec<&str> {
    let mut seen = std::collections::HashSet::new();
    let files = runs.iter().map(|run| run.file.as_str());
    files.filter(|&file| seen.insert(file)).collect()
}

/// Runs each configuration on each program: all configurations on one program before the next program, so
/// that other load on the machine affects them equally. Writes each result at once, and at the
/// end all of them in the order of the tasks.
pub(super) fn run_all(
    arguments: &Arguments,
    tasks: &[Task],
    configurations: &[Configuration],
) -> io::Result<Vec<Run>> {
    let path = arguments.out.join("results.tsv");
    let mut file = File::create(&path)?;
    file.write_all(Run::HEADER.as_bytes())?;
    let found = Mutex::new((file, Vec::new()));
    pool::for_each(arguments.jobs, tasks, |_, task| {
        let fitting = configurations.iter();
        for configuration in fitting.filter(|own| own.is_for(task)) {
            let run = run_one(arguments, task, configuration)?;
            let mark = if run.is_wrong() { " WRONG" } else { "" };
            eprintln!(
                "{:<60} {:<16} {:<8} {:>8.2} s{mark}",
                run.file,
                run.configuration,
                run.answer.word(),
                run.seconds
            );
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.write_all(run.to_line().as_bytes())?;
            found.1.push(run);
        }
        Ok(())
    })?;
    let (_, mut runs) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In the order of the tasks, however many workers there were.
    let place = |run: &Run| tasks.iter().position(|task| task.file == run.file);
    runs.sort_by_cached_key(place);
    let lines: String = runs.iter().map(Run::to_line).collect();
    fs::write(path, Run::HEADER.to_owned() + &lines)?;
    Ok(runs)
}

fn run_one(arguments: &Arguments, task: &Task, with: &Configuration) -> io::Result<Run> {
    let wall_seconds = arguments.wall_limit.unwrap_or(3.0 * arguments.limit);
    let limits = Limits {
        cpu_seconds: arguments.limit,
        // craig ends itself at the limit; this one is for the case that it does not.
        wall_seconds: wall_seconds + 2.0,
        // craig polls its memory.
        megabytes: 2 * arguments.memory,
    };
    let (name, options) = match with.options {
        ["test", options @ ..] => ("test", options),
        options => ("check", options),
    };
    let mut command = vec![
        arguments.craig.display().to_string(),
        name.to_owned(),
        "--json".to_owned(),
        "--timeout".to_owned(),
        wall_seconds.to_string(),
        "--memory".to_owned(),
        arguments.memory.to_string(),
    ];
    if task.is_32_bit {
        command.extend(["--data-model".to_owned(), "ilp32".to_owned()]);
    }
    command.extend(options.iter().map(|&option| option.to_owned()));
    command.extend(arguments.options.iter().cloned());
    command.push(task.path.display().to_string());
    let ended = run_process(&command, limits)?;
    Ok(result(task, with.name, &ended))
}

/// The result of a run that has ended.
fn result(task: &Task, configuration: &str, ended: &Ended) -> Run {
    let json: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let answer = match json["verdict"].as_str() {
        Some("failed") | None => Answer::Failed,
        Some(word) => Answer::parse(word),
    };
    // A killed run has printed nothing.
    let is_killed = json.is_null() && ended.is_limited;
    // `check` has them for each property, and the program has one; `test` for all goals.
    let own = json["properties"].get(0).unwrap_or(&json);
    let statistics = own["statistics"].as_object().into_iter().flatten();
    let reason = match (own["reason"].as_str(), answer) {
        _ if ended.is_limited => "the time limit was reached".to_owned(),
        (Some(reason), _) => reason.to_owned(),
        (None, Answer::Failed) => match ended.code {
            Some(code) => format!("exit code {code}"),
            // An allocation that fails aborts the process.
            None => "killed, out of memory".to_owned(),
        },
        (None, _) => String::new(),
    };
    Run {
        file: task.file.clone(),
        family: task.family.clone(),
        configuration: configuration.to_owned(),
        expected: task.expected,
        answer: match is_killed {
            true => Answer::Unknown,
            false => answer.unless_limited(ended),
        },
        // As in the file of results.
        seconds: (ended.cpu_seconds * 1000.0).round() / 1000.0,
        statistics: statistics
            .filter_map(|(name, number)| Some((name.clone(), number.as_u64()?)))
            .collect(),
        reason,
    }
}

/// The results of files that were written by [`run_all`].
pub(super) fn read_all(paths: &[PathBuf]) -> io::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for path in paths {
        for (number, line) in fs::read_to_string(path)?.lines().enumerate().skip(1) {
            let run = Run::parse(line).ok_or_else(|| {
                let place = format!("{}:{}", path.display(), number + 1);
                io::Error::other(format!("{place}: no line of results"))
            })?;
            runs.push(run);
        }
    }
    Ok(runs)
}

/// A run for tests: the statistics are pairs as `vertices=3`.
#[cfg(test)]
pub(super) fn canned(
    file: &str,
    configuration: &str,
    answers: (&str, &str),
    seconds: f64,
    statistics: &str,
) -> Run {
    let (expected, answer) = answers;
    let reason = if answer == "unknown" {
        "the time limit was reached"
    } else {
        ""
    };
    let line = format!(
        "{file}\tsome.family\t{configuration}\t{expected}\t{answer}\t{seconds}\t{statistics}\t{reason}"
    );
    Run::parse(&line).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            file: "a/b.c".to_owned(),
            path: PathBuf::from("corpus/a/b.c"),
            family: "a".to_owned(),
            expected: Answer::Bad,
            is_32_bit: false,
        }
    }

    fn ended(stdout: &str, code: Option<i32>, is_limited: bool) -> Ended {
        Ended {
            code,
            stdout: stdout.to_owned(),
            cpu_seconds: 1.5,
            wall_seconds: 2.0,
            is_limited,
        }
    }

    #[test]
    fn answers_are_read_and_written() {
        let json = r#"{"verdict":"safe","properties":[{"statistics":{"vertices":7,"queries":0},"reason":null}]}"#;
        let run = result(&task(), "c", &ended(json, Some(20), false));
        assert!(run.is_wrong() && !run.is_right());
        assert_eq!(run.failure(), None);
        assert_eq!(run.statistic("vertices"), Some(7));
        assert_eq!(run.statistic("refinements"), None);
        assert_eq!(Run::parse(run.to_line().trim_end_matches('\n')), Some(run));
    }

    /// Circuits are not given to engines for programs.
    #[test]
    fn engines_for_programs_are_not_for_circuits() {
        let circuit = Task {
            path: PathBuf::from("c.aig"),
            ..task()
        };
        for (engine, is_for) in [("impact", false), ("predabs-whole", false), ("imc", true)] {
            let options: &'static [&'static str] = vec!["--engine", engine].leak();
            let own = Configuration {
                name: "own",
                options,
            };
            assert_eq!(own.is_for(&circuit), is_for, "{engine}");
            assert!(own.is_for(&task()));
        }
    }

    #[test]
    fn reasons_for_no_verdict_are_told_apart() {
        let failure = |stdout: &str, code, is_limited| {
            let run = result(&task(), "c", &ended(stdout, code, is_limited));
            assert!(!run.is_right() && !run.is_wrong());
            run.failure()
        };
        let unknown = |reason: &str| {
            format!(r#"{{"verdict":"unknown","properties":[{{"reason":"{reason}"}}]}}"#)
        };
        assert_eq!(failure("", None, true), Some(Failure::Time));
        let time = unknown("the time limit was reached");
        assert_eq!(failure(&time, Some(30), false), Some(Failure::Time));
        let memory = unknown("the memory limit was reached");
        assert_eq!(failure(&memory, Some(30), false), Some(Failure::Memory));
        assert_eq!(failure("", None, false), Some(Failure::Memory));
        let other = unknown("unsupported: a call");
        assert_eq!(failure(&other, Some(30), false), Some(Failure::Other));
        assert_eq!(failure("", Some(2), false), Some(Failure::Other));
        // A verdict after the limit does not count.
        let late = r#"{"verdict":"unsafe","reason":null}"#;
        assert_eq!(failure(late, Some(10), true), Some(Failure::Time));
    }
}
