//! `craig sat`: decides a formula in DIMACS CNF.

mod calls;
mod counts;
mod cubes;
mod models;
mod question;
mod report;
mod workers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use craig_formula::decide::{Decision, Question, Recorded, Recording, Watch, decide_question};
use craig_formula::decide_parallel::{Team, decide_parallel};
use craig_formula::dimacs::{self, Input};
use craig_formula::minimal::minimal_subset;
use craig_formula::refutation::{RefutationFile, RefutationFormat};
use craig_solver::proof::{Encoding, Origin, ProofDag};
use craig_solver::{Answer, Cnf, UnknownReason, Var};
use serde::Serialize;

use self::calls::{check_options, make_calls};
use self::counts::describe;
use self::cubes::{CubeArguments, all_counts, write_cubes};
use self::models::Wanted;
use self::question::{QuestionArguments, describe_options};
use self::report::Reporter;
use self::workers::{WorkerBody, describe_workers, worker_bodies};
use super::failure::Failure;
use super::json::print_object;
use super::output::{Output, PendingFile, abandon, claim, write_file};
use super::progress::conflicts_line;
use super::terminal::{leave, print};
use super::watch::{End, Limits, Stop, parse_megabytes, parse_seconds, watch};

/// Decide a formula in DIMACS CNF.
///
/// Prints the output format of the SAT competitions: `s SATISFIABLE` with `v` lines, `s UNSATISFIABLE` or `s
/// UNKNOWN`. Exit codes: 10, 20 and 0, in this order. A file with the header `p inccnf` has calls between its clauses (`a LITERALS
/// 0`), each of which gets an answer; the exit code is 10 if one has a model, and 20 if none has.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("refutation").args(["proof", "trim"])))]
pub(super) struct Arguments {
    /// The formula: plain, gzip or xz. `-` is standard input, which is also read where no file is given.
    #[arg(default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    question: QuestionArguments,
    /// Write the proof of unsatisfiability to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The format of the proof.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "drat",
        requires = "refutation"
    )]
    proof_format: RefutationFormat,
    /// Write the proof in the format's binary encoding.
    #[arg(long, requires = "refutation")]
    binary: bool,
    /// Write an unsatisfiable subset of the clauses to a file, in DIMACS.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    core: Option<PathBuf>,
    /// Make the core minimal: without any of its clauses it has a model.
    #[arg(long, requires = "core")]
    minimal: bool,
    /// Write the part of the proof on which the empty clause depends to a file, in the format of
    /// `--proof-format`.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    trim: Option<PathBuf>,
    /// Check each step of the search's proof when it is made, by a checker that shares no code with the
    /// search.
    #[arg(long, conflicts_with_all = ["proof", "core", "trim"])]
    check: bool,
    /// Search with this many threads, which differ in their options and exchange learned clauses. Proofs are joined
    /// to one when the search has ended, and are written or checked then.
    #[arg(long, value_name = "N", default_value_t = NonZeroU8::MIN, conflicts_with_all = ["enumerate", "verbose"])]
    threads: NonZeroU8,
    #[command(flatten)]
    cubes: CubeArguments,
    /// With --threads: let the answer, the model and the proof not depend on the speed of the threads.
    #[arg(long, requires = "threads")]
    deterministic: bool,
    /// Stop after this time.
    #[arg(long, alias = "time", value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Stop when this amount of memory is resident.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    memory: Option<u64>,
    /// Print statistics as comments.
    #[arg(long, conflicts_with = "json")]
    stats: bool,
    /// Print how far the search is each second, as comments.
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    /// Print the lines of the answer alone: the only comments are failed assumptions, and how many models there are.
    #[arg(long, short, conflicts_with_all = ["json", "stats", "verbose"])]
    quiet: bool,
    /// Print one JSON object instead: verdict, model, statistics.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    if arguments.question.is_help() {
        print(&describe_options());
        return Ok(0);
    }
    let file = &arguments.file;
    if file.as_os_str() == "-" && io::stdin().is_terminal() {
        return Err(Failure::input(
            "expected the file of a formula, or a formula on standard input, which is a terminal",
        ));
    }
    if arguments.binary && arguments.proof_format == RefutationFormat::Tracecheck {
        return Err(Failure::input("TraceCheck has no binary encoding"));
    }
    let outputs = [
        Output::file("--proof", arguments.proof.as_deref()),
        Output::file("--core", arguments.core.as_deref()),
        Output::file("--trim", arguments.trim.as_deref()),
        Output::file("--cubes-only", arguments.cubes.cubes_only.as_deref()),
    ];
    claim([file.as_path()], &outputs)?;
    let (cnf, n_declared, calls) = match read_formula(file)? {
        Input::Formula(cnf, n_declared) => (cnf, n_declared, None),
        Input::Calls(calls) => {
            check_options(arguments)?;
            let n_vars = calls.cnf.n_vars();
            (calls.cnf, n_vars, Some(calls.calls))
        }
    };
    let task = Task {
        question: arguments.question.question(n_declared)?,
        cnf: Arc::new(cnf),
        n_declared,
        watched: Watch::default(),
        start,
    };
    let [variables, clauses] = task.size();
    comment(
        arguments,
        &format!(
            "c craig {}: {variables} variables, {clauses} clauses\n",
            env!("CARGO_PKG_VERSION"),
        ),
    );
    if let Some(calls) = calls {
        return make_calls(arguments, &task, calls);
    }
    match (&arguments.cubes.cubes_only, arguments.question.enumerate) {
        (Some(path), _) => write_cubes(arguments, &task, path),
        (None, Some(most)) => list_models(arguments, &task, most),
        (None, None) => decide_formula(arguments, &task),
    }
}

/// A formula, and what is asked of it.
struct Task {
    question: Question,
    cnf: Arc<Cnf>,
    n_declared: usize,
    watched: Watch,
    start: Instant,
}

impl Task {
    fn size(&self) -> [usize; 2] {
        [self.cnf.n_vars(), self.cnf.n_clauses()]
    }
}

/// Prints a comment, unless it is not wanted; JSON has no place for it.
fn comment(arguments: &Arguments, text: &str) {
    if !arguments.json && !arguments.quiet {
        print(text);
    }
}

/// Does the work within the limits, and shows progress; with the reason if it was asked to stop. Does not return if the work
/// does not stop.
fn watch_work<T: Send + 'static>(
    arguments: &Arguments,
    task: &Task,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<(T, Option<Stop>), Failure> {
    let watched = &task.watched;
    let limits = Limits::new(task.start, arguments.timeout, arguments.memory);
    let mut reason = None;
    let ask_to_stop = |stop: Stop| {
        reason = Some(stop);
        watched.interrupt.store(true, Ordering::Relaxed);
    };
    let [variables, clauses] = task.size();
    let what = format!("{variables} variables, {clauses} clauses");
    let line = conflicts_line(&watched.conflicts, &what);
    let reporter =
        (arguments.verbose).then(|| Reporter::new(Arc::clone(&watched.counters), task.start));
    let end = watch(limits, ask_to_stop, work);
    line.finish_and_clear();
    if let Some(reporter) = reporter {
        reporter.finish();
    }
    match end? {
        End::Finished(result) => Ok((result, reason)),
        End::Abandoned(stop) => {
            if arguments.json {
                let body = Body::new(task.size(), Some(stop.reason()));
                print_object(("unknown", 0), task.start.elapsed().as_secs_f64(), &body)?;
            } else {
                comment(arguments, &format!("c {}\n", stop.reason()));
                print("s UNKNOWN\n");
            }
            if let Some(path) = &arguments.proof {
                abandon(path);
            }
            leave(0);
        }
    }
}

/// Why there is no answer.
fn reason(reason: Option<UnknownReason>, stop: Option<Stop>) -> &'static str {
    match (stop, reason) {
        (Some(stop), _) => stop.reason(),
        (None, Some(UnknownReason::Limit)) => "the limit on conflicts was reached",
        (None, Some(UnknownReason::Memory)) => "the solver has no room for another clause",
        (None, _) => "the search gave up",
    }
}

/// Finds models one after the other.
fn list_models(arguments: &Arguments, task: &Task, most: u64) -> Result<u8, Failure> {
    let all = || {
        (0..task.n_declared.min(MOST_PRINTED))
            .map(Var::new)
            .collect()
    };
    let vars = arguments.question.projection(task.n_declared)?;
    let wanted = Wanted {
        vars: vars.unwrap_or_else(all),
        most,
        is_kept: arguments.json,
    };
    if most == 0 {
        return Err(Failure::input("--enumerate=0: expected at least one model"));
    }
    let work = models::worker(&task.cnf, task.question.clone(), &task.watched, wanted);
    let (models, stop) = watch_work(arguments, task, work)?;
    let models = models?;
    let (word, code) = models.verdict();
    if arguments.json {
        let body = models.body(task.size(), stop);
        print_object((word, code), task.start.elapsed().as_secs_f64(), &body)?;
        return Ok(code);
    }
    if arguments.stats {
        print(&models.statistics(task.start.elapsed()));
    }
    print(&models.describe(stop));
    Ok(code)
}

/// Decides whether there is a model.
fn decide_formula(arguments: &Arguments, task: &Task) -> Result<u8, Failure> {
    let size = task.size();
    let work = worker(arguments, task)?;
    let (result, stop) = watch_work(arguments, task, work)?;
    let (result, written) = result?;
    if let Recorded::Checked(steps) = result.recorded {
        comment(
            arguments,
            &format!("c every step of the proof was accepted: {steps}\n"),
        );
    }
    if arguments.stats {
        print(&describe(&all_counts(&result), task.start.elapsed()));
        print(&describe_workers(&result.workers));
    }
    let (word, code, reason) = match result.answer {
        Answer::Satisfiable if !is_model(task, &result.model) => {
            return Err(Failure::internal("the model does not satisfy the formula"));
        }
        Answer::Satisfiable => ("satisfiable", 10, None),
        Answer::Unsatisfiable => ("unsatisfiable", 20, None),
        Answer::Unknown => ("unknown", 0, Some(reason(result.reason, stop))),
    };
    let failed = (code == 20 && !task.question.assumptions.is_empty()).then(|| {
        let failed = result.failed.iter().map(|lit| i64::from(lit.to_dimacs()));
        failed.collect::<Vec<i64>>()
    });
    let is_minimal = written.as_ref().ok().copied().flatten();
    if arguments.json {
        let body = Body {
            model: (code == 10).then(|| literals(&whole_model(&result, task.n_declared)).collect()),
            failed_assumptions: failed,
            minimal_core: is_minimal,
            files: written_files(arguments, result.answer, written.is_ok()),
            statistics: all_counts(&result).into_iter().collect(),
            workers: worker_bodies(&result.workers),
            checked_steps: match result.recorded {
                Recorded::Checked(steps) => Some(steps),
                _ => None,
            },
            ..Body::new(size, reason)
        };
        let code = written.as_ref().map_or_else(Failure::exit_code, |_| code);
        print_object((word, code), task.start.elapsed().as_secs_f64(), &body)?;
        return written.map(|_| code);
    }
    if let Some(reason) = reason {
        comment(arguments, &format!("c {reason}\n"));
    }
    match is_minimal {
        Some(true) => comment(arguments, "c the core is minimal\n"),
        Some(false) => comment(arguments, "c the core may not be minimal\n"),
        None => {}
    }
    if let Some(failed) = failed {
        let numbers: Vec<String> = failed.iter().map(i64::to_string).collect();
        print(&format!("c failed assumptions: {}\n", numbers.join(" ")));
    }
    print(&format!("s {}\n", word.to_uppercase()));
    if code == 10 {
        let model = whole_model(&result, task.n_declared);
        print(&describe_literals(literals(&model)));
    }
    written.map(|_| code)
}

/// Whether the values satisfy the formula and the assumptions.
fn is_model(task: &Task, model: &[bool]) -> bool {
    let mut assumed = task.question.assumptions.iter();
    let value = |index: usize| model.get(index).copied();
    task.cnf.is_satisfied_by(model)
        && assumed.all(|lit| value(lit.var().index()) == Some(!lit.is_negated()))
}

/// The model, also of variables that no clause has.
fn whole_model(result: &Decision, n_declared: usize) -> Vec<bool> {
    let mut model = result.model.clone();
    model.resize(model.len().max(n_declared.min(MOST_PRINTED)), false);
    model
}

/// The files that were written about the answer.
fn written_files(arguments: &Arguments, answer: Answer, is_written: bool) -> Vec<PathBuf> {
    let files = [&arguments.proof, &arguments.core, &arguments.trim];
    match (answer, is_written) {
        (Answer::Unsatisfiable, true) => files.into_iter().flatten().cloned().collect(),
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
    failed_assumptions: Option<Vec<i64>>,
    /// Of an enumeration.
    models: Option<Vec<Vec<i64>>>,
    all_models: Option<bool>,
    /// Whether the core that was written is known to be minimal.
    minimal_core: Option<bool>,
    checked_steps: Option<u64>,
    statistics: BTreeMap<&'static str, u64>,
    workers: Vec<WorkerBody>,
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
            failed_assumptions: None,
            models: None,
            all_models: None,
            minimal_core: None,
            checked_steps: None,
            statistics: BTreeMap::new(),
            workers: Vec::new(),
            files: Vec::new(),
        }
    }
}

/// The formula with the number of variables that its header declares, or one that grows between calls.
fn read_formula(path: &Path) -> Result<Input, Failure> {
    let name = path.display().to_string();
    let unreadable = |error: io::Error| Failure::input(format!("{name}: can't be read: {error}"));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut input = dimacs::decompress(input).map_err(unreadable)?;
    dimacs::read_input(&mut input, &name).map_err(Failure::input)
}

/// The result of the search, and whether the files about it were written; with whether the core is minimal, if that was asked
/// for.
type Found = (Decision, Result<Option<bool>, Failure>);
type Work = Box<dyn FnOnce() -> Result<Found, Failure> + Send>;

/// The search, with the requested recording of the proof.
fn worker(arguments: &Arguments, task: &Task) -> Result<Work, Failure> {
    let (cnf, watched) = (Arc::clone(&task.cnf), task.watched.clone());
    let question = task.question.clone();
    let wants_minimal = arguments.minimal;
    let format = arguments.proof_format;
    let encoding = if arguments.binary {
        Encoding::Binary
    } else {
        Encoding::Text
    };
    let (core_path, trim_path) = (arguments.core.clone(), arguments.trim.clone());
    let is_kept = core_path.is_some() || trim_path.is_some();
    let is_checked = arguments.check;
    let cubes = arguments.cubes.cubes();
    let team = (arguments.threads > NonZeroU8::MIN || cubes.is_some()).then(|| Team {
        workers: arguments.threads.into(),
        deterministic: arguments.deterministic,
        cubes,
    });
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
        let found = match team {
            Some(team) => decide_parallel(&cnf, &question, team, recording, &watched),
            None => decide_question(&cnf, &question, recording, &watched),
        }
        .map_err(|error| {
            if error.is_internal() {
                Failure::internal(error)
            } else {
                Failure::input(error)
            }
        })?;
        let is_unproved = found.answer == Answer::Unsatisfiable
            && is_kept
            && !matches!(found.recorded, Recorded::Refutation(_));
        let mut written = match is_unproved {
            true => Err(Failure::input(
                "a literal and its negation are assumed: there is no proof to be written",
            )),
            false => Ok(None),
        };
        if let Recorded::Refutation(refutation) = &found.recorded {
            if let Some(path) = core_path {
                let core = core(&cnf, refutation);
                let (core, is_minimal) = match wants_minimal {
                    true => minimal(&core, &watched)?,
                    false => (core, None),
                };
                let done = write_file(&path, |output| dimacs::write(&core, output));
                written = done.map(|()| is_minimal);
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
                written = written.and_then(|is_minimal| trimmed.map(|()| is_minimal));
            }
        }
        // The file gets its final name only if it is a refutation.
        if let (Recorded::Lost(error), Some(path)) = (&found.recorded, proof_path) {
            let path = path.display();
            written = Err(Failure::input(format!("{path}: can't be written: {error}")));
        } else if let Some(file) = file
            && found.answer == Answer::Unsatisfiable
        {
            written = file.finish().map(|()| None);
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

/// A minimal part of an unsatisfiable formula, or one that may not be, if the search was ended before.
fn minimal(core: &Cnf, watched: &Watch) -> Result<(Cnf, Option<bool>), Failure> {
    let Some(subset) = minimal_subset(core, watched) else {
        return Err(Failure::internal("the core has a model"));
    };
    let mut part = Cnf::new();
    part.reserve_vars(core.n_vars());
    for clause in subset.clauses {
        part.add_clause(core.clause(clause));
    }
    Ok((part, Some(subset.is_minimal)))
}

/// The literals that are true.
fn literals(model: &[bool]) -> impl Iterator<Item = i64> {
    model.iter().enumerate().map(|(index, &value)| {
        let number = index as i64 + 1;
        if value { number } else { -number }
    })
}

/// The literals of a model in lines of at most 78 characters.
fn describe_literals(literals: impl Iterator<Item = i64>) -> String {
    let mut text = String::new();
    let mut column = 78;
    for literal in literals.chain(std::iter::once(0)) {
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
