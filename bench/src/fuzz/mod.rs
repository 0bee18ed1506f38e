//! Random inputs for the solver, the interpolation and the engines, judged by code of this folder.
//!
//! A subject (`Subject`) makes a case from random numbers, judges what craig says of it, and lists smaller cases. All subjects share the loop,
//! the report and the way in which a case that fails is made smaller (`shrink.rs`): it becomes a file, and a command that repeats it.
//!
//! - `formulas.rs`: the solver's options and call sequences; truth by varisat.
//! - `interpolants.rs`: derivations, labellings and transforms; truth by evaluating all assignments.
//! - `api`: calls of the solver in any order, on clones, too; truth by varisat, and proofs checked again.
//! - `readers`: files of each format, changed; what is read is written and read again.
//! - `automata.rs`: the engines for programs on automata; truth by enumerating states.
//! - `programs`: C programs with calls of the library; truth by gcc's code with the sanitizers, on all inputs.
//! - `mutants.rs`: changed C programs of a folder; gcc's code on random inputs, and on those of craig's error paths, contradicts.
//! - `contracts`: contracts of functions and loops; truth by gcc's code on all states.
//! - `circuits.rs`, `words.rs`: the engines and the reductions (`chosen.rs`) on AIGER and on BTOR2; truth by search in the graph of all
//!   states (`states.rs`).
//! - `verify.rs`: call sequences of `craig_verify` on both; truth by the same graph, and the judges.

mod api;
mod automata;
mod calls;
mod chosen;
mod circuits;
mod contracts;
mod formulas;
mod interpolants;
mod mutants;
mod programs;
mod readers;
mod recipe;
mod shrink;
mod states;
mod tally;
#[cfg(test)]
mod tests;
mod verify;
mod words;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use craig_aig::Random;

use shrink::{judged, shrunk};
use tally::Tally;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The solver: options, call sequences, models, cores, proofs.
    Cnf,
    /// Interpolants: derivations, labellings, transforms, sequences, symmetric ones.
    Itp,
    /// Engines and reductions on safety properties.
    Circuits,
    /// Methods for justice properties.
    Live,
    /// Operators, arrays, and engines on word-level circuits.
    Words,
    /// Call sequences of the interface of verification, on circuits and words.
    Verify,
    /// Engines for programs on automata.
    Automata,
    /// Calls of the solver: clauses, assumptions, limits, stops, clones.
    Api,
    /// The readers of files.
    Readers,
    /// C programs with calls of the library.
    C,
    /// Mutations of C programs of a folder (`--corpus`).
    Mutants,
    /// Functions with contracts, and calls that are replaced by them.
    Contracts,
}

/// Arguments of `craig-bench fuzz`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// What is tried.
    #[arg(value_enum)]
    what: What,
    /// Stop after this time.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// The seed: case N of a seed is always the same.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The first case.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Stop after this many cases.
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// How many cases at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Of the readers, try that of this format only.
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Judge the case in this file, instead of random ones.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// The command `craig`, for the subjects that ask it.
    #[arg(long, value_name = "PROGRAM", default_value = "craig")]
    craig: PathBuf,
    /// Of `mutants`: the folder of the C programs that are changed.
    #[arg(long, value_name = "DIRECTORY", required_if_eq("what", "mutants"))]
    corpus: Option<PathBuf>,
    /// Where cases that fail are written.
    #[arg(long, value_name = "DIRECTORY", default_value = "fuzz-findings")]
    folder: PathBuf,
}

/// What can be tried: how a case is made, judged, and made smaller.
trait Subject: Sync {
    /// All that a judgement depends on.
    type Case: Clone + Send;

    /// A case from random numbers.
    fn case(&self, random: &mut Random) -> Self::Case;

    /// What is wrong with craig's answers.
    fn judge(&self, case: &Self::Case, tally: &mut Tally) -> Result<(), String>;

    /// How many cases are judged together.
    fn batch(&self) -> u64 {
        1
    }

    /// What is wrong with craig's answers to each of some cases: what costs as much for one as for many is done once for all.
    fn judge_all(&self, cases: &[Self::Case], tally: &mut Tally) -> Vec<Result<(), String>>
    where
        Self: Sized,
    {
        let judge = |case| judged(self, case, tally);
        cases.iter().map(judge).collect()
    }

    /// Cases with less in them, those with the least first.
    fn smaller(&self, case: &Self::Case) -> Vec<Self::Case>;

    /// The case as a text that users can read, and the extension of its file.
    fn text(&self, case: &Self::Case) -> (String, &'static str);

    /// The bytes of the file.
    fn file(&self, case: &Self::Case) -> (Vec<u8>, &'static str) {
        let (text, extension) = self.text(case);
        (text.into_bytes(), extension)
    }

    /// The case in a file that was written for a finding, if cases are read at all.
    fn replay(&self, _name: &str, _bytes: &[u8]) -> Option<Result<Self::Case, String>> {
        None
    }
}

/// The random numbers of a case.
fn random_of(seed: u64, number: u64) -> Random {
    Random::new(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(number),
    )
}

/// The command `craig`, which can be started.
fn command(arguments: &Arguments) -> io::Result<PathBuf> {
    let craig = &arguments.craig;
    let started = Command::new(craig).arg("--version").output();
    let fault = |error| io::Error::other(format!("--craig {}: {error}", craig.display()));
    started.map_err(fault)?;
    Ok(craig.clone())
}

/// Runs the subcommand.
///
/// # Errors
/// If the command `craig` is needed and cannot be started, if a finding cannot be written, or if there is one.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    // A panic is a finding with a file, and many may come while a case is made smaller.
    std::panic::set_hook(Box::new(|_| {}));
    let report = match arguments.what {
        What::Cnf => tried(&formulas::Formulas, arguments),
        What::Itp => tried(&interpolants::Interpolants, arguments),
        What::Circuits => tried(&circuits::Circuits { is_live: false }, arguments),
        What::Live => tried(&circuits::Circuits { is_live: true }, arguments),
        What::Words => tried(&words::Words, arguments),
        What::Verify => tried(&verify::Verify, arguments),
        What::Automata => tried(&automata::Automata, arguments),
        What::Api => tried(&api::Api, arguments),
        What::C => {
            command(arguments).and_then(|craig| tried(&programs::Programs { craig }, arguments))
        }
        What::Mutants => command(arguments).and_then(|craig| {
            let corpus = arguments.corpus.as_deref().unwrap_or(Path::new("."));
            tried(&mutants::Mutants::new(craig, corpus)?, arguments)
        }),
        What::Contracts => {
            command(arguments).and_then(|craig| tried(&contracts::Contracts { craig }, arguments))
        }
        What::Readers => readers::Readers::new(arguments.format.as_deref())
            .map_err(io::Error::other)
            .and_then(|readers| tried(&readers, arguments)),
    };
    drop(std::panic::take_hook());
    let (text, n_findings) = report?;
    print!("{text}");
    match n_findings {
        0 => Ok(()),
        _ => Err(io::Error::other(format!("{n_findings} findings"))),
    }
}

/// Tries cases until the time or the number is reached; the report, and the number of findings.
fn tried<S: Subject>(subject: &S, arguments: &Arguments) -> io::Result<(String, usize)> {
    if let Some(path) = &arguments.replay {
        return replayed(subject, path);
    }
    let start = Instant::now();
    let limit = Duration::from_secs(arguments.seconds);
    let next = AtomicU64::new(arguments.from);
    let end = arguments
        .cases
        .map_or(u64::MAX, |cases| arguments.from.saturating_add(cases));
    let total = Mutex::new((Tally::default(), Vec::new()));
    let work = || -> io::Result<()> {
        let (mut tally, mut findings) = (Tally::default(), Vec::new());
        while start.elapsed() < limit {
            let first = next.fetch_add(subject.batch(), Ordering::Relaxed);
            if first >= end {
                break;
            }
            let numbers = first..end.min(first.saturating_add(subject.batch()));
            let cases: Vec<S::Case> = (numbers.clone())
                .map(|number| subject.case(&mut random_of(arguments.seed, number)))
                .collect();
            let results = subject.judge_all(&cases, &mut tally);
            for ((number, case), result) in numbers.zip(&cases).zip(results) {
                tally.count("cases");
                if let Err(what) = result {
                    let finding = written(subject, case, number, &what, &arguments.folder)?;
                    findings.push(finding);
                }
            }
        }
        let mut total = total.lock().expect("no other thread panics with it");
        total.0.add(&tally);
        total.1.extend(findings);
        Ok(())
    };
    std::thread::scope(|scope| -> io::Result<()> {
        let workers: Vec<_> = (0..arguments.jobs.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        for worker in workers {
            worker.join().expect("a case that panics is caught")?;
        }
        Ok(())
    })?;
    let (tally, findings) = total.into_inner().expect("no thread panicked");
    let mut text = format!("{:.1} s\n{tally}", start.elapsed().as_secs_f64());
    let name = arguments
        .what
        .to_possible_value()
        .expect("no value is skipped");
    for (number, what, path) in &findings {
        let _ = writeln!(
            text,
            "finding: {what}\n  {}\n  again: craig-bench fuzz {} --seed {} --from {number} --cases 1",
            path.display(),
            name.get_name(),
            arguments.seed,
        );
    }
    Ok((text, findings.len()))
}

/// Judges the case in a file.
fn replayed<S: Subject>(subject: &S, path: &Path) -> io::Result<(String, usize)> {
    let fault = |message: String| io::Error::other(format!("{}: {message}", path.display()));
    let bytes = fs::read(path).map_err(|error| fault(error.to_string()))?;
    let case = match subject.replay(&path.display().to_string(), &bytes) {
        Some(case) => case.map_err(fault)?,
        None => {
            let expected = "cases of this kind are repeated by their seed and number: --seed, --from, --cases 1";
            return Err(fault(expected.to_owned()));
        }
    };
    let mut tally = Tally::default();
    Ok(match judged(subject, &case, &mut tally) {
        Ok(()) => (format!("{tally}no finding\n"), 0),
        Err(what) => (format!("{tally}finding: {what}\n"), 1),
    })
}

/// Makes a case that fails smaller, and writes it to a file.
fn written<S: Subject>(
    subject: &S,
    case: &S::Case,
    number: u64,
    what: &str,
    folder: &Path,
) -> io::Result<(u64, String, PathBuf)> {
    let (case, what) = shrunk(subject, case, what);
    let (bytes, extension) = subject.file(&case);
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("case-{number}.{extension}"));
    fs::write(&path, bytes)?;
    Ok((number, what, path))
}
