//! `craig sat`: decides a formula in DIMACS CNF.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use craig_formula::decide::{Decision, Recorded, Recording, Watch, decide};
use craig_formula::dimacs;
use craig_formula::refutation::{RefutationFile, RefutationFormat};
use craig_solver::proof::{Encoding, Origin, ProofDag};
use craig_solver::{Answer, Cnf};
use serde::Serialize;

use super::failure::Failure;
use super::json::print_object;
use super::output::{Output, PendingFile, abandon, claim, write_file};
use super::progress::conflicts_line;
use super::terminal::{leave, print};
use super::watch::{End, Limits, Stop, parse_megabytes, parse_seconds, peak_resident_bytes, watch};

/// Decide a formula in DIMACS CNF.
///
/// Prints the output format of the SAT competitions: `s SATISFIABLE` with `v` lines, `s UNSATISFIABLE` or `s
/// UNKNOWN`. Exit codes: 10, 20 and 0, in this order.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The formula: plain, gzip or xz. `-` is standard input.
    file: PathBuf,
    /// Write the proof of unsatisfiability to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The format of the proof.
    #[arg(long, value_name = "FORMAT", default_value = "drat")]
    proof_format: RefutationFormat,
    /// Write the proof in the format's binary encoding.
    #[arg(long)]
    binary: bool,
    /// Write an unsatisfiable subset of the clauses to a file, in DIMACS.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    core: Option<PathBuf>,
    /// Write the part of the proof on which the empty clause depends to a file, in the format of
    /// `--proof-format`.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    trim: Option<PathBuf>,
    /// Check each step of the search's proof when it is made, by a checker that shares no code with the
    /// search.
    #[arg(long, conflicts_with_all = ["proof", "core", "trim"])]
    check: bool,
    /// Stop after this time.
    #[arg(long, alias = "time", value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Stop when this amount of memory is resident.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    memory: Option<u64>,
    /// Print statistics as comments.
    #[arg(long, conflicts_with = "json")]
    stats: bool,
    /// Print one JSON object instead: verdict, model, statistics.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    if arguments.binary && arguments.proof_format == RefutationFormat::Tracecheck {
        return Err(Failure::input("TraceCheck has no binary encoding"));
    }
    let outputs = [
        Output::file("--proof", arguments.proof.as_deref()),
        Output::file("--core", arguments.core.as_deref()),
        Output::file("--trim", arguments.trim.as_deref()),
    ];
    claim([arguments.file.as_path()], &outputs)?;
    let (cnf, n_declared) = read_formula(&arguments.file)?;
    let cnf = Arc::new(cnf);
    let size = [cnf.n_vars(), cnf.n_clauses()];
    let comment = |text: &str| {
        if !arguments.json {
            print(text);
        }
    };
    comment(&format!(
        "c craig {}: {} variables, {} clauses\n",
        env!("CARGO_PKG_VERSION"),
        size[0],
        size[1]
    ));
    let watched = Watch::default();
    let limits = Limits::new(start, arguments.timeout, arguments.memory);
    let work = worker(arguments, &cnf, &watched)?;
    let mut reason = None;
    let ask_to_stop = |stop: Stop| {
        reason = Some(stop);
        watched.interrupt.store(true, Ordering::Relaxed);
    };
    let what = format!("{} variables, {} clauses", size[0], size[1]);
    let line = conflicts_line(&watched.conflicts, &what);
    let end = watch(limits, ask_to_stop, work);
    line.finish_and_clear();
    let (result, written) = match end? {
        End::Finished(result) => result?,
        End::Abandoned(stop) => {
            comment(&format!("c {}\ns UNKNOWN\n", stop.reason()));
            if arguments.json {
                let body = Body::new(size, Some(stop.reason()));
                print_object(("unknown", 0), start.elapsed().as_secs_f64(), &body)?;
            }
            if let Some(path) = &arguments.proof {
                abandon(path);
            }
            leave(0);
        }
    };
    if let Recorded::Checked(steps) = result.recorded {
        comment(&format!(
            "c every step of the proof was accepted: {steps}\n"
        ));
    }
    if arguments.stats {
        print(&describe(&result, start.elapsed()));
    }
    let (word, code, reason) = match result.answer {
        Answer::Satisfiable if !cnf.is_satisfied_by(&result.model) => {
            return Err(Failure::internal("the model does not satisfy the formula"));
        }
        Answer::Satisfiable => ("satisfiable", 10, None),
        Answer::Unsatisfiable => ("unsatisfiable", 20, None),
        Answer::Unknown => {
            let reason = reason.map_or("the search gave up", Stop::reason);
            ("unknown", 0, Some(reason))
        }
    };
    if arguments.json {
        let body = Body {
            model: (code == 10).then(|| literals(&whole_model(&result, n_declared)).collect()),
            files: written_files(arguments, result.answer, &written),
            statistics: counts(&result).into_iter().collect(),
            checked_steps: match result.recorded {
                Recorded::Checked(steps) => Some(steps),
                _ => None,
            },
            ..Body::new(size, reason)
        };
        let code = written.as_ref().map_or_else(Failure::exit_code, |()| code);
        print_object((word, code), start.elapsed().as_secs_f64(), &body)?;
        return written.map(|()| code);
    }
    if let Some(reason) = reason {
        print(&format!("c {reason}\n"));
    }
    print(&format!("s {}\n", word.to_uppercase()));
    if code == 10 {
        print(&describe_model(&whole_model(&result, n_declared)));
    }
    written.map(|()| code)
}

/// The model, also of variables that no clause has.
fn whole_model(result: &Decision, n_declared: usize) -> Vec<bool> {
    let mut model = result.model.clone();
    model.resize(model.len().max(n_declared.min(MOST_PRINTED)), false);
    model
}

/// The files that were written about the answer.
fn written_files(
    arguments: &Arguments,
    answer: Answer,
    written: &Result<(), Failure>,
) -> Vec<PathBuf> {
    let files = [&arguments.proof, &arguments.core, &arguments.trim];
    match (answer, written) {
        (Answer::Unsatisfiable, Ok(())) => files.into_iter().flatten().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The fields of `craig sat --json`.
#[derive(Serialize)]
struct Body<'a> {
    reason: Option<&'a str>,
    variables: usize,
    clauses: usize,
    /// The literals that are true, one of each variable.
    model: Option<Vec<i64>>,
    checked_steps: Option<u64>,
    statistics: BTreeMap<&'static str, u64>,
    files: Vec<PathBuf>,
}

impl<'a> Body<'a> {
    /// Without an answer.
    fn new([variables, clauses]: [usize; 2], reason: Option<&'a str>) -> Self {
        Self {
            reason,
            variables,
            clauses,
            model: None,
            checked_steps: None,
            statistics: BTreeMap::new(),
            files: Vec::new(),
        }
    }
}

/// The formula, and the number of variables that its header declares.
fn read_formula(path: &Path) -> Result<(Cnf, usize), Failure> {
    let name = path.display().to_string();
    let unreadable = |error: io::Error| Failure::input(format!("{name}: can't be read: {error}"));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut input = dimacs::decompress(input).map_err(unreadable)?;
    dimacs::read_declared(&mut input, &name).map_err(Failure::input)
}

/// The result of the search, and whether the files about it were written.
type Found = (Decision, Result<(), Failure>);
type Work = Box<dyn FnOnce() -> Result<Found, Failure> + Send>;

/// The search, with the requested recording of the proof.
fn worker(arguments: &Arguments, cnf: &Arc<Cnf>, watched: &Watch) -> Result<Work, Failure> {
    let (cnf, watched) = (Arc::clone(cnf), watched.clone());
    let format = arguments.proof_format;
    let encoding = if arguments.binary {
        Encoding::Binary
    } else {
        Encoding::Text
    };
    let (core_path, trim_path) = (arguments.core.clone(), arguments.trim.clone());
    let is_kept = core_path.is_some() || trim_path.is_some();
    let is_checked = arguments.check;
    let proof_path = arguments.proof.clone();
    let mut file = match &arguments.proof {
        Some(path) => Some(PendingFile::create(path)?),
        None => None,
    };
    Ok(Box::new(move || {
        let recording = if is_kept {
            Recording::Memory
        } else if is_checked {
            Recording::Checked
        } else if let Some(output) = &mut file {
            Recording::File(RefutationFile {
                format,
                encoding,
                output,
            })
        } else {
            Recording::Nothing
        };
        let found = decide(&cnf, recording, &watched).map_err(|error| {
            if error.is_internal() {
                Failure::internal(error)
            } else {
                Failure::input(error)
            }
        })?;
        let mut written = Ok(());
        if let Recorded::Refutation(refutation) = &found.recorded {
            if let Some(path) = core_path {
                let core = core(&cnf, refutation);
                written = write_file(&path, |output| dimacs::write(&core, output));
            }
            if let Some(path) = trim_path {
                let trimmed = write_file(&path, |output| {
                    RefutationFile {
                        format,
                        encoding,
                        output,
                    }
                    .write(&cnf, refutation)
                });
                written = written.and(trimmed);
            }
        }
        // The file gets its final name only if it is a refutation.
        if let (Recorded::Lost(error), Some(path)) = (&found.recorded, proof_path) {
            let path = path.display();
            written = Err(Failure::input(format!("{path}: can't be written: {error}")));
        } else if let Some(file) = file
            && found.answer == Answer::Unsatisfiable
        {
            written = file.finish();
        }
        Ok((found, written))
    }))
}

/// Variables that no clause has are part of the model, too; of more than this, only those up to the last one that has.
const MOST_PRINTED: usize = 1 << 24;

/// The clauses that a refutation uses, in the order of the formula.
fn core(cnf: &Cnf, dag: &ProofDag) -> Cnf {
    let mut used: Vec<u32> = dag
        .vertices()
        .filter_map(|vertex| match dag.origin(vertex) {
            Origin::Leaf { label } => Some(label),
            Origin::Chain { .. } => None,
        })
        .collect();
    used.sort_unstable();
    used.dedup();
    let mut core = Cnf::new();
    core.reserve_vars(cnf.n_vars());
    for index in used {
        core.add_clause(cnf.clause(index as usize));
    }
    core
}

/// The literals that are true.
fn literals(model: &[bool]) -> impl Iterator<Item = i64> {
    model.iter().enumerate().map(|(index, &value)| {
        let number = index as i64 + 1;
        if value { number } else { -number }
    })
}

/// The model in lines of at most 78 characters.
fn describe_model(model: &[bool]) -> String {
    let mut text = String::new();
    let mut column = 78;
    for literal in literals(model).chain(std::iter::once(0)) {
        let word = literal.to_string();
        if column + 1 + word.len() > 78 {
            text.push_str(if text.is_empty() { "v" } else { "\nv" });
            column = 1;
        }
        let _ = write!(text, " {word}");
        column += 1 + word.len();
    }
    text.push('\n');
    text
}

/// What the search has counted.
fn counts(result: &Decision) -> [(&'static str, u64); 13] {
    let statistics = &result.statistics;
    [
        ("conflicts", statistics.conflicts),
        ("decisions", statistics.decisions),
        ("propagations", statistics.propagations),
        ("restarts", statistics.restarts),
        ("learned clauses", statistics.learned_clauses),
        ("learned literals", statistics.learned_literals),
        ("minimized literals", statistics.minimized_literals),
        ("shrunken literals", statistics.shrunken_literals),
        ("reductions", statistics.reductions),
        ("deleted clauses", statistics.deleted_clauses),
        ("failed literals", statistics.failed_literals),
        ("eliminated variables", statistics.eliminated_variables),
        ("bytes of clauses", result.clause_bytes as u64),
    ]
}

fn describe(result: &Decision, elapsed: Duration) -> String {
    let mut text = String::new();
    for (name, count) in counts(result) {
        let _ = writeln!(text, "c {name:<20} {count:>14}");
    }
    let _ = writeln!(text, "c {:<20} {:>14.2}", "seconds", elapsed.as_secs_f64());
    if let Some(bytes) = peak_resident_bytes() {
        let _ = writeln!(text, "c {:<20} {:>14}", "peak memory in MB", bytes >> 20);
    }
    text
}
