//! Faults from outside: processes killed while they write, signals, limits of the system, streams without room.
//!
//! A subject (`subject.rs`) is a command of craig with the files that it writes. It runs undisturbed first; then each fault of `fault.rs`
//! strikes it many times, at random moments or limits. After each run the files at their final names have to be whole, what
//! was printed has to be one clear error or a verdict, and a run that was ended from outside has to be over soon.

mod fault;
mod subject;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use craig_aig::Random;

use fault::{Fault, strike};
use subject::{Subject, subjects, undisturbed};

/// Arguments of `craig-bench faults`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The program.
    #[arg(long, value_name = "PROGRAM", default_value = "craig")]
    craig: PathBuf,
    /// The folder of the project's examples.
    #[arg(long, value_name = "DIRECTORY", default_value = "examples")]
    examples: PathBuf,
    /// How often each fault strikes each command.
    #[arg(long, value_name = "N", default_value_t = 20)]
    times: u32,
    /// The seed of moments and limits.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the commands write.
    #[arg(long, value_name = "DIRECTORY")]
    folder: Option<PathBuf>,
}

/// What a fault did to a command, over all of its runs.
#[derive(Clone, Debug, Default)]
struct Row {
    n_runs: u32,
    /// Runs that ended as if nothing had happened.
    n_unharmed: u32,
    findings: Vec<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// If the program can't be started, if an undisturbed run fails, or if there is a finding.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => std::env::temp_dir().join(format!("craig-faults-{}", std::process::id())),
    };
    let rows = struck(arguments, &folder)?;
    if arguments.folder.is_none() {
        std::fs::remove_dir_all(&folder)?;
    }
    print!("{}", table(&rows));
    match rows.values().map(|row| row.findings.len()).sum() {
        0 => Ok(()),
        n_findings => Err(io::Error::other(format!("{n_findings} findings"))),
    }
}

/// Each command and fault, with what came of it.
type Rows = BTreeMap<(&'static str, &'static str), Row>;

fn struck(arguments: &Arguments, folder: &Path) -> io::Result<Rows> {
    let craig = std::path::absolute(&arguments.craig)?;
    let craig = if craig.exists() {
        craig
    } else {
        arguments.craig.clone()
    };
    let examples = std::fs::canonicalize(&arguments.examples)
        .map_err(|error| io::Error::other(format!("{}: {error}", arguments.examples.display())))?;
    let mut random = Random::new(arguments.seed);
    let mut rows = Rows::new();
    for subject in subjects(&examples) {
        let whole = undisturbed(&craig, &subject, &folder.join("whole"))?;
        for fault in Fault::ALL {
            let row = rows.entry((subject.name, fault.name())).or_default();
            for _ in 0..arguments.times {
                let place = folder.join("struck");
                let struck = strike(
                    fault,
                    &craig,
                    &subject,
                    (&place, whole.duration),
                    &mut random,
                )?;
                row.n_runs += 1;
                row.n_unharmed += u32::from(struck.code == whole.code);
                row.findings
                    .extend(faults_of(&subject, &place, &whole, &struck)?);
            }
        }
    }
    Ok(rows)
}

/// What is wrong after a run that a fault struck.
fn faults_of(
    subject: &Subject,
    place: &Path,
    whole: &subject::Whole,
    struck: &fault::Struck,
) -> io::Result<Vec<String>> {
    let mut findings = whole.broken(subject, place)?;
    if struck.is_late {
        findings.push(format!("it did not end within {:?}", fault::PATIENCE));
    }
    if struck.stderr.contains("panicked at") {
        findings.push(format!("a panic: {}", first_line(&struck.stderr)));
    }
    let is_said = !struck.stderr.trim().is_empty();
    if matches!(struck.code, Some(1 | 2)) && !is_said {
        findings.push(format!("exit code {:?} without a reason", struck.code));
    }
    let told = |finding| format!("{finding} [{}]", struck.how);
    Ok(findings.into_iter().map(told).collect())
}

fn first_line(text: &str) -> &str {
    text.lines()
        .find(|line| line.contains("panicked at"))
        .unwrap_or(text)
}

/// The table in Markdown, and the findings below it.
fn table(rows: &Rows) -> String {
    let mut text =
        "| command | fault | runs | unharmed | findings |\n| --- | --- | ---: | ---: | ---: |\n"
            .to_owned();
    for ((subject, fault), row) in rows {
        let _ = writeln!(
            text,
            "| {subject} | {fault} | {} | {} | {} |",
            row.n_runs,
            row.n_unharmed,
            row.findings.len()
        );
    }
    for ((subject, fault), row) in rows {
        for finding in &row.findings {
            let _ = writeln!(text, "{subject}, {fault}: {finding}");
        }
    }
    text
}
