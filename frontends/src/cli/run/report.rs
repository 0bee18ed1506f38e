//! What is printed and written of results.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use craig_hardware::btor2::slice::Property;
use craig_hardware::btor2::{evaluate, trace};
use serde::Serialize;

use super::Arguments;
use super::decide::{Decided, Decider};
use super::plan::{Asked, Plan};
use super::store::Verdict;
use super::task::{Mode, Status};
use crate::cli::batch::rounded;
use crate::cli::dump;
use crate::cli::failure::Failure;
use crate::cli::json::print_object;
use crate::cli::output::write_file;
use crate::cli::replay::yosys_witness;
use crate::cli::simulate_words;
use crate::cli::terminal::{complain, print};

/// A property, for JSON.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    verdict: &'static str,
    reason: Option<&'a str>,
    engine: &'a str,
    steps: u64,
    seconds: f64,
    kept: bool,
    files: Vec<PathBuf>,
}

/// A task that has come to an end.
#[derive(Serialize)]
pub(super) struct Ended<'a> {
    name: &'a str,
    mode: Mode,
    status: Status,
    expected: bool,
    reason: Option<&'a str>,
    properties: Vec<Row<'a>>,
}

/// The fields of `craig run --json`.
#[derive(Serialize)]
struct Body<'a, 'b> {
    tasks: &'b [Ended<'a>],
}

/// The word for a verdict, and as JSON has it.
fn words(mode: Mode, verdict: Verdict) -> (&'static str, &'static str) {
    match (mode, verdict) {
        (Mode::Cover, Verdict::Safe) => ("UNREACHABLE", "unreachable"),
        (Mode::Cover, Verdict::Unsafe) => ("REACHED", "reached"),
        (Mode::Cover, Verdict::Bounded) => ("NOT REACHED", "not-reached"),
        (_, Verdict::Safe) => ("SAFE", "safe"),
        (_, Verdict::Unsafe) => ("UNSAFE", "unsafe"),
        (_, Verdict::Bounded) => ("PASSED", "passed"),
        (_, Verdict::Unknown) => ("UNKNOWN", "unknown"),
        (_, Verdict::Failed) => ("ERROR", "error"),
    }
}

/// Prints the line of a property.
pub(super) fn tell(plan: &Plan<'_>, asked: &Asked, decided: &Decided) {
    let (word, _) = words(plan.task.mode, decided.known.verdict);
    let mut text = format!(
        "{word:<11} {:>8.2} s  {}: {}",
        decided.seconds, plan.task.name, asked.name
    );
    if decided.is_kept {
        text += " (kept)";
    }
    if decided.known.verdict == Verdict::Bounded {
        text += &format!(" (in {} steps)", decided.known.steps);
    }
    if let Some(reason) = &decided.reason {
        text += &format!(": {reason}");
    }
    print(&(text + "\n"));
}

/// The status of a task by the results for its properties.
fn status(mode: Mode, results: &[Decided]) -> Status {
    let of = |decided: &Decided| match (mode, decided.known.verdict) {
        (_, Verdict::Failed) => Status::Error,
        (_, Verdict::Unknown) if decided.is_late() => Status::Timeout,
        (_, Verdict::Unknown) => Status::Unknown,
        (Mode::Cover, Verdict::Unsafe) => Status::Pass,
        (Mode::Cover, Verdict::Safe | Verdict::Bounded) => Status::Fail,
        (_, Verdict::Unsafe) => Status::Fail,
        (_, Verdict::Safe | Verdict::Bounded) => Status::Pass,
    };
    results.iter().map(of).max().unwrap_or(Status::Pass)
}

impl<'a> Ended<'a> {
    /// The end of a task, with files for its runs.
    ///
    /// # Errors
    /// If a run can't be written, or is none of the whole design.
    pub(super) fn of(
        plan: &'a Plan<'a>,
        results: &'a [Decided],
        decider: &Decider<'_>,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let mode = plan.task.mode;
        let mut properties = Vec::new();
        let place = folder.join("runs").join(file_name(&plan.task.name));
        // Runs of earlier answers are none of this one.
        let _ = fs::remove_dir_all(&place);
        for (asked, decided) in plan.asked.iter().zip(results) {
            let files = match decided.known.verdict {
                Verdict::Unsafe => write_run(plan, asked, decider, &place)?,
                _ => Vec::new(),
            };
            properties.push(Row {
                name: &asked.name,
                verdict: words(mode, decided.known.verdict).1,
                reason: decided.reason.as_deref(),
                engine: &decided.known.engine,
                steps: decided.known.steps,
                seconds: rounded(decided.seconds),
                kept: decided.is_kept,
                files,
            });
        }
        let status = match &plan.error {
            Some(_) => Status::Error,
            None => status(mode, results),
        };
        Ok(Self {
            name: &plan.task.name,
            mode,
            status,
            expected: plan.task.expect.contains(&status),
            reason: plan.error.as_deref(),
            properties,
        })
    }

    /// The line of the task.
    fn line(&self) -> String {
        let n_kept = self.properties.iter().filter(|it| it.kept).count();
        let kept = match n_kept {
            0 => String::new(),
            count => format!(", {count} kept"),
        };
        let expected = if self.expected {
            ""
        } else {
            ", not as expected"
        };
        let n_files = self.properties.iter().flat_map(|it| &it.files).next();
        let runs = n_files.and_then(|file| file.parent());
        let runs = runs.map_or_else(String::new, |runs| format!(", runs in {}", runs.display()));
        let reason = self.reason.map_or_else(String::new, |it| format!(": {it}"));
        let count = match self.properties.len() {
            1 => "1 property".to_owned(),
            count => format!("{count} properties"),
        };
        format!(
            "{}  {} ({count}{kept}{expected}{runs}){reason}\n",
            self.status.word(),
            self.name
        )
    }
}

/// A text as the name of a file.
fn file_name(text: &str) -> String {
    let letter = |it: char| match it {
        it if it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.') => it,
        _ => '_',
    };
    let name: String = text.chars().map(letter).collect();
    let name: String = name.trim_start_matches('.').chars().take(100).collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}

/// Writes the run against a property, over the whole design, after it was replayed there.
fn write_run(
    plan: &Plan<'_>,
    asked: &Asked,
    decider: &Decider<'_>,
    folder: &Path,
) -> Result<Vec<PathBuf>, Failure> {
    let bytes = decider.run_of(&asked.question)?;
    let run = trace::read(&bytes, &asked.name, &asked.slice.model).map_err(Failure::internal)?;
    let run = asked.slice.lift(&run, asked.property);
    let steps = evaluate::replay(&plan.model, &run).map_err(Failure::internal)?;
    let is_shown = match asked.property {
        Property::Bad(number) => evaluate::first_bad_step(&steps, number).is_some(),
        Property::Justice(number) => evaluate::find_loop(&plan.model, &run, number).is_ok(),
    };
    if !is_shown {
        return Err(Failure::internal(format!(
            "{}: the run against it is none of the whole design",
            asked.name
        )));
    }
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    let number = match asked.property {
        Property::Bad(number) => format!("b{number}"),
        Property::Justice(number) => format!("j{number}"),
    };
    let label = asked.name.split(':').next().unwrap_or_default();
    let base = folder.join(format!("{number}.{}", file_name(label)));
    let [yw, vcd] = ["yw", "vcd"].map(|end| PathBuf::from(format!("{}.{end}", base.display())));
    write_file(&yw, |output| {
        yosys_witness::write_words(&plan.model, &run, Some(&plan.signals), output)
    })?;
    write_file(&vcd, |output| {
        let words = simulate_words::Words::new(&plan.model, &steps);
        dump::write(&words, dump::Format::Vcd, output)
    })?;
    Ok(vec![yw, vcd])
}

/// Prints the results of all tasks; returns the exit code.
pub(super) fn print_all(
    ended: &[Ended<'_>],
    arguments: &Arguments,
    begin: Instant,
) -> Result<u8, Failure> {
    let wrong = ended.iter().filter(|task| !task.expected);
    let code = wrong.fold(0, |code, task| code | task.status.code());
    let seconds = begin.elapsed().as_secs_f64();
    if arguments.json {
        let verdict = if code == 0 { "expected" } else { "unexpected" };
        print_object((verdict, code), seconds, &Body { tasks: ended })?;
        return Ok(code);
    }
    for task in ended {
        print(&task.line());
    }
    if !arguments.quiet {
        complain(&format!("{seconds:.2} s in all"));
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::super::store::Known;
    use super::*;

    fn decided(verdict: Verdict, reason: Option<&str>) -> Decided {
        Decided {
            known: Known {
                verdict,
                engine: String::new(),
                steps: 1,
            },
            reason: reason.map(str::to_owned),
            seconds: 0.0,
            is_kept: false,
        }
    }

    #[test]
    fn the_worst_property_decides() {
        use Verdict::{Bounded, Failed, Safe, Unknown, Unsafe};
        let of = |mode, all: &[Verdict]| {
            let all: Vec<Decided> = all.iter().map(|&it| decided(it, None)).collect();
            status(mode, &all)
        };
        assert_eq!(of(Mode::Prove, &[]), Status::Pass);
        assert_eq!(of(Mode::Prove, &[Safe, Unknown]), Status::Unknown);
        assert_eq!(of(Mode::Prove, &[Unknown, Unsafe, Safe]), Status::Fail);
        assert_eq!(of(Mode::Bmc, &[Bounded, Safe]), Status::Pass);
        assert_eq!(of(Mode::Cover, &[Unsafe, Bounded]), Status::Fail);
        assert_eq!(of(Mode::Cover, &[Unsafe]), Status::Pass);
        assert_eq!(of(Mode::Live, &[Unsafe, Failed]), Status::Error);
        let late = decided(Unknown, Some("the time limit was reached"));
        assert_eq!(status(Mode::Prove, &[late]), Status::Timeout);
    }

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("a b/../c"), "a_b_.._c");
        assert_eq!(file_name(".."), "_");
    }
}
