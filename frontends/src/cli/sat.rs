//! `craig sat`: decides a formula in DIMACS CNF.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use craig_solver::cdcl::Statistics;
use craig_solver::proof::check::CheckingSink;
use craig_solver::proof::drat::DratWriter;
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::tracecheck::TracecheckWriter;
use craig_solver::proof::{Encoding, NoProof, Origin, ProofDag, ProofLog, ProofSink};
use craig_solver::{Answer, Cnf, Options, Solver, Var};

use super::failure::Failure;
use super::output::{PendingFile, abandon, write_file};
use super::terminal::print;
use super::watch::{End, Limits, Stop, parse_seconds, peak_resident_bytes, watch};
use craig_formula::dimacs;

/// Decide a formula in DIMACS CNF.
///
/// Prints what the SAT competitions ask for: `s SATISFIABLE` with `v` lines, `s UNSATISFIABLE` or
/// `s UNKNOWN`. Exit codes: 10, 20 and 0, in this order.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The formula: plain, gzip or xz. `-` is standard input.
    file: PathBuf,
    /// Write the proof of unsatisfiability to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The format of the proof.
    #[arg(long, value_name = "FORMAT", default_value = "drat")]
    proof_format: ProofFormat,
    /// Write the proof in the format's binary encoding.
    #[arg(long)]
    binary: bool,
    /// Write an unsatisfiable part of the clauses to a file, in DIMACS.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    core: Option<PathBuf>,
    /// Write the part of the proof that unsatisfiability rests on to a file, in the format of
    /// `--proof-format`.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    trim: Option<PathBuf>,
    /// Have each step of the search's proof checked, as it is made, by a checker that shares no code with the
    /// search.
    #[arg(long, conflicts_with_all = ["proof", "core", "trim"])]
    check: bool,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Stop when so much memory is resident.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Print statistics as comments.
    #[arg(long)]
    stats: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ProofFormat {
    /// Clauses that follow by unit propagation (or would do by a blocked variable); most checkers read it.
    Drat,
    /// With the antecedents of each clause, for fast and verified checkers.
    Lrat,
    /// Resolution chains. Text only.
    Tracecheck,
}

/// What a search comes back with.
struct Finding {
    answer: Answer,
    /// By variable; of a satisfiable formula.
    model: Vec<bool>,
    statistics: Statistics,
    /// What the clauses take at the end.
    clause_bytes: usize,
    /// How many steps of the proof were checked, where that was asked for.
    checked_steps: Option<u64>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    if arguments.binary && arguments.proof_format == ProofFormat::Tracecheck {
        return Err(Failure::input("TraceCheck has no binary encoding"));
    }
    let cnf = Arc::new(read_formula(&arguments.file)?);
    print(&format!(
        "c craig {}: {} variables, {} clauses\n",
        env!("CARGO_PKG_VERSION"),
        cnf.n_vars(),
        cnf.n_clauses()
    ));
    let interrupt = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        deadline: arguments.time.map(|time| start + time),
        memory: arguments.memory.map(|megabytes| megabytes << 20),
    };
    let work = worker(arguments, &cnf, &interrupt)?;
    let mut reason = None;
    let ask_to_stop = |stop: Stop| {
        reason = Some(stop);
        interrupt.store(true, Ordering::Relaxed);
    };
    let result = match watch(limits, ask_to_stop, work)? {
        End::Finished(result) => result?,
        End::Abandoned(stop) => {
            print(&format!("c {}\ns UNKNOWN\n", stop.reason()));
            if let Some(path) = &arguments.proof {
                abandon(path);
            }
            std::process::exit(0);
        }
    };
    if let Some(steps) = result.checked_steps {
        print(&format!(
            "c every step of the proof was accepted: {steps}\n"
        ));
    }
    if arguments.stats {
        print(&describe(&result, start.elapsed()));
    }
    Ok(match result.answer {
        Answer::Satisfiable => {
            if !cnf.is_satisfied_by(&result.model) {
                return Err(Failure::internal("the model does not satisfy the formula"));
            }
            print(&format!("s SATISFIABLE\n{}", describe_model(&result.model)));
            10
        }
        Answer::Unsatisfiable => {
            print("s UNSATISFIABLE\n");
            20
        }
        Answer::Unknown => {
            let reason = reason.map_or("the search gave up", Stop::reason);
            print(&format!("c {reason}\ns UNKNOWN\n"));
            0
        }
    })
}

fn read_formula(path: &Path) -> Result<Cnf, Failure> {
    let name = path.display().to_string();
    let unreadable = |error: io::Error| Failure::input(format!("{name}: can't be read: {error}"));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut input = dimacs::decompress(input).map_err(unreadable)?;
    dimacs::read(&mut input, &name).map_err(Failure::input)
}

type Work = Box<dyn FnOnce() -> Result<Finding, Failure> + Send>;

/// The search with the proof sink that the arguments ask for.
fn worker(
    arguments: &Arguments,
    cnf: &Arc<Cnf>,
    interrupt: &Arc<AtomicBool>,
) -> Result<Work, Failure> {
    let (cnf, interrupt) = (Arc::clone(cnf), Arc::clone(interrupt));
    let encoding = if arguments.binary {
        Encoding::Binary
    } else {
        Encoding::Text
    };
    let format = arguments.proof_format;
    if arguments.core.is_some() || arguments.trim.is_some() {
        let (core_path, trim_path) = (arguments.core.clone(), arguments.trim.clone());
        return Ok(Box::new(move || {
            let (result, refutation, log) = search(&cnf, ProofLog::new(), interrupt);
            if let Some(refutation) = refutation {
                let dag = log.try_trim(refutation).map_err(Failure::internal)?;
                if let Some(path) = core_path {
                    let core = core(&cnf, &dag);
                    write_file(&path, |output| dimacs::write(&core, output))?;
                }
                if let Some(path) = trim_path {
                    write_file(&path, |output| {
                        write_trimmed(&cnf, &dag, format, encoding, output)
                    })?;
                }
            }
            Ok(result)
        }));
    }
    if arguments.check {
        return Ok(Box::new(move || {
            let (mut result, refutation, checker) = search(&cnf, CheckingSink::new(), interrupt);
            checker.finish().map_err(Failure::internal)?;
            if result.answer == Answer::Unsatisfiable
                && !refutation.is_some_and(|id| checker.is_empty_clause(id))
            {
                return Err(Failure::internal(
                    "the proof does not end in the empty clause",
                ));
            }
            result.checked_steps = Some(checker.n_derived());
            Ok(result)
        }));
    }
    let Some(path) = &arguments.proof else {
        return Ok(Box::new(move || Ok(search(&cnf, NoProof, interrupt).0)));
    };
    let file = PendingFile::create(path)?;
    Ok(match format {
        ProofFormat::Drat => Box::new(move || {
            let (result, _, writer) = search(&cnf, DratWriter::new(file, encoding), interrupt);
            finish(&result, writer.finish())?;
            Ok(result)
        }),
        ProofFormat::Lrat => Box::new(move || {
            let n_clauses = u32::try_from(cnf.n_clauses()).map_err(Failure::input)?;
            let writer = LratWriter::new(file, encoding, n_clauses);
            let (result, _, writer) = search(&cnf, writer, interrupt);
            finish(&result, writer.finish())?;
            Ok(result)
        }),
        ProofFormat::Tracecheck => Box::new(move || {
            let (result, _, writer) = search(&cnf, TracecheckWriter::new(file), interrupt);
            finish(&result, writer.finish())?;
            Ok(result)
        }),
    })
}

/// Puts the proof in its place, if it is one.
fn finish(result: &Finding, file: io::Result<PendingFile>) -> Result<(), Failure> {
    let file =
        file.map_err(|error| Failure::input(format!("the proof can't be written: {error}")))?;
    if result.answer == Answer::Unsatisfiable {
        file.finish()?;
    }
    Ok(())
}

/// Solves the formula. Clause number i gets label i.
fn search<P: ProofSink>(
    cnf: &Cnf,
    sink: P,
    interrupt: Arc<AtomicBool>,
) -> (Finding, Option<u32>, P) {
    let options = Options {
        eliminate: true,
        ..Options::default()
    };
    let mut solver = Solver::with_proof(options, sink);
    solver.set_interrupt(interrupt);
    solver.reserve_vars(cnf.n_vars());
    for (index, (clause, _)) in cnf.iter().enumerate() {
        // The flag stays set, so that the call below ends without an answer.
        if index % 4096 == 0 && solver.is_asked_to_stop() {
            break;
        }
        solver.add_labelled_clause(clause, index as u32);
    }
    let answer = solver.solve(&[]);
    let value = |index| solver.value(Var::new(index).positive()).unwrap_or(false);
    let result = Finding {
        answer,
        model: match answer {
            Answer::Satisfiable => (0..cnf.n_vars()).map(value).collect(),
            _ => Vec::new(),
        },
        statistics: *solver.statistics(),
        clause_bytes: solver.clause_bytes(),
        checked_steps: None,
    };
    let refutation = solver.refutation();
    (result, refutation, solver.into_proof())
}

/// Writes a trimmed proof about the formula.
fn write_trimmed(
    cnf: &Cnf,
    dag: &ProofDag,
    format: ProofFormat,
    encoding: Encoding,
    output: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ProofFormat::Drat => {
            let mut writer = DratWriter::new(output, encoding);
            dag.report(cnf, &mut writer);
            writer.finish().map(drop)
        }
        ProofFormat::Lrat => {
            let n_clauses = u32::try_from(cnf.n_clauses()).map_err(io::Error::other)?;
            let mut writer = LratWriter::new(output, encoding, n_clauses);
            dag.report(cnf, &mut writer);
            writer.finish().map(drop)
        }
        ProofFormat::Tracecheck => {
            let mut writer = TracecheckWriter::new(output);
            dag.report(cnf, &mut writer);
            writer.finish().map(drop)
        }
    }
}

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

/// The model in lines of at most 78 characters.
fn describe_model(model: &[bool]) -> String {
    let mut text = String::new();
    let mut column = 78;
    let literals = model.iter().enumerate().map(|(index, &value)| {
        let number = index as i64 + 1;
        if value { number } else { -number }
    });
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

fn describe(result: &Finding, elapsed: Duration) -> String {
    let statistics = &result.statistics;
    let mut text = String::new();
    let counts = [
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
    ];
    for (name, count) in counts {
        let _ = writeln!(text, "c {name:<20} {count:>14}");
    }
    let _ = writeln!(text, "c {:<20} {:>14.2}", "seconds", elapsed.as_secs_f64());
    if let Some(bytes) = peak_resident_bytes() {
        let _ = writeln!(text, "c {:<20} {:>14}", "peak memory in MB", bytes >> 20);
    }
    text
}
