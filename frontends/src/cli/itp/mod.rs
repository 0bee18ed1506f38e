//! `craig itp`: interpolants of a partitioned formula.

mod arguments;
mod export;
mod given;
mod input;
mod interpolants;
mod judge;
mod labels;
mod proof;
mod report;
mod shape;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use craig_formula::{Format, Formulas, write_proof};
use craig_itp::prove::NoRefutation;
use craig_itp::transform::ProofStatistics;
use craig_itp::verify::{CheckedSearch, Violation};
use craig_itp::{JointError, Stop};

pub(super) use arguments::{Arguments, ClassicSystem, SensitiveKind};
use export::export;
pub(super) use export::{write_names, write_partitioned};
pub(super) use input::{Source, load, load_model};
use interpolants::{interpolate, shrunk, verify};
pub(super) use labels::labels;
use labels::{check_labels, choice};
pub(super) use proof::import;
use proof::{Search, refutation, transformed};
use report::Summary;
use shape::shape;

use super::failure::Failure;
use super::json::{print_object, print_unless_printed};
use super::output::{Output, abandon, claim, write_file};
use super::terminal::{complain, leave, print};
use super::watch::{self, End, watch};
use crate::problem::Problem;

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let output = Output::file("--output", arguments.output.as_deref());
    let graph = Output::file("--proof-graph", arguments.proof_graph.as_deref());
    claim(arguments.inputs(), &[output, graph])?;
    let limits = watch::Limits {
        deadline: arguments.timeout.map(|time| Instant::now() + time),
        memory: arguments.memory.map(|megabytes| megabytes << 20),
    };
    let asked = Arc::new(AtomicBool::new(false));
    let mut reason = None;
    let ask_to_stop = |stop: watch::Stop| {
        reason = Some(stop.reason());
        asked.store(true, Ordering::Relaxed);
    };
    let work = {
        let (arguments, asked) = (arguments.clone(), Arc::clone(&asked));
        move || work(&arguments, start, &Stop::on_flag(asked))
    };
    let (code, is_abandoned) = match watch(limits, ask_to_stop, work)? {
        End::Finished(result) => (result?, false),
        End::Abandoned(_) => (UNKNOWN, true),
    };
    if code == UNKNOWN {
        let reason = reason.unwrap_or("the search gave up");
        if arguments.json {
            print_unless_printed(("unknown", UNKNOWN), start.elapsed().as_secs_f64(), reason)?;
        }
        complain(&format!("UNKNOWN: {reason}"));
    }
    if is_abandoned {
        // The working thread did not end in time: it ends with the process.
        if let Some(path) = &arguments.output {
            abandon(path);
        }
        leave(UNKNOWN);
    }
    Ok(code)
}

/// The exit code if a limit was reached.
const UNKNOWN: u8 = 30;

/// Reads, interpolates, verifies and writes; returns the exit code.
fn work(arguments: &Arguments, start: Instant, stop: &Stop) -> Result<u8, Failure> {
    arguments.rounds()?;
    let choice = choice(arguments)?;
    let format = format(arguments)?;
    let problem = load(&arguments.source)?;
    if let Some(path) = &arguments.check {
        return check_given(path, arguments, &problem, stop);
    }
    let shape = shape(arguments, &problem)?;
    check_labels(&choice, &problem, &shape)?;
    let original = match refutation(arguments, &problem, stop) {
        Ok(dag) => dag,
        Err(Search::Failed(failure)) => return Err(failure),
        Err(Search::Ended(NoRefutation::Unknown)) => return Ok(UNKNOWN),
        Err(Search::Ended(NoRefutation::Satisfiable(_))) => {
            let reason = "the partitions are consistent, there is no interpolant";
            match arguments.json {
                true => print_unanswered(("satisfiable", 10), start, reason)?,
                false => print(&format!("SATISFIABLE: {reason}\n")),
            }
            return Ok(10);
        }
        Err(Search::Ended(other)) => return Err(Failure::internal(other)),
    };
    let before = ProofStatistics::of(&original);
    let Ok(dag) = transformed(arguments, &shape, original, stop)? else {
        return Ok(UNKNOWN);
    };
    let exported = match &arguments.export {
        Some(folder) => export(folder, &problem, &dag)?,
        None => Vec::new(),
    };
    let formulas = match interpolate(&problem, &dag, &shape, &choice, stop) {
        Ok(formulas) => formulas,
        Err(JointError::TooWeak(error)) => return Err(Failure::input(error)),
        Err(JointError::Stopped(_)) => return Ok(UNKNOWN),
        Err(error) => return Err(Failure::internal(error)),
    };
    let (formulas, is_simplified) = shrunk(arguments, formulas, &problem, &shape, stop);
    let verified = arguments.verify
        && match verify(&problem, &formulas, &shape, &CheckedSearch, stop) {
            Ok(()) => true,
            Err(Violation::Undecided) => false,
            Err(violation @ Violation::Judge) => return Err(Failure::internal(violation)),
            Err(violation) => {
                let message = format!("the interpolants are wrong: {violation}");
                return Err(Failure::internal(message));
            }
        };
    let mut summary = Summary::new(&problem, &dag, &shape, &choice, &formulas);
    summary.verified = verified;
    summary.simplified = arguments.simplify.then_some(is_simplified);
    if !is_simplified {
        complain(
            "warning: the simplification was cut short: the interpolants are simplified in part",
        );
    }
    if !arguments.transform.is_empty() {
        summary.transformed = Some([before, ProofStatistics::of(&dag)]);
    }
    let code = if arguments.verify && !verified {
        UNKNOWN
    } else {
        0
    };
    if !arguments.json {
        print(&summary.text());
    }
    let written = write(arguments, format, &formulas);
    let mut graph = Ok(());
    if let Some(path) = &arguments.proof_graph {
        let name = |lit: craig_solver::Lit| {
            let sign = if lit.is_negated() { "\u{ac}" } else { "" };
            format!("{sign}{}", problem.name(lit.var()))
        };
        graph = write_file(path, |output| write_proof(&dag, &name, output));
    }
    let written = written.and(graph);
    if arguments.json {
        let code = written.as_ref().map_or_else(Failure::exit_code, |()| code);
        let mut body = summary.json();
        let files = [&arguments.output, &arguments.proof_graph];
        let files = files.into_iter().flatten().filter(|_| written.is_ok());
        let files = exported.iter().chain(files);
        body["files"] = files.map(|path| path.display().to_string()).collect();
        let word = if code == UNKNOWN {
            "unknown"
        } else {
            "interpolated"
        };
        print_object((word, code), start.elapsed().as_secs_f64(), &body)?;
    }
    written.map(|()| code)
}

/// Checks interpolants of a file, and the proof beside them, if there is one; returns the exit code.
fn check_given(
    path: &Path,
    arguments: &Arguments,
    problem: &Problem,
    stop: &Stop,
) -> Result<u8, Failure> {
    if let Some(proof) = &arguments.proof {
        let dag = import(proof, arguments.proof_format, problem, stop)?;
        print(&format!(
            "{}: a refutation of {} resolutions\n",
            proof.display(),
            dag.n_steps()
        ));
    }
    let Some(number) = given::check(path, problem, arguments, stop)? else {
        return Ok(UNKNOWN);
    };
    let plural = if number == 1 { "" } else { "s" };
    print(&format!(
        "{}: {number} interpolant{plural}, verified by varisat\n",
        path.display()
    ));
    Ok(0)
}

/// Prints an object without interpolants.
fn print_unanswered(answer: (&str, u8), start: Instant, reason: &str) -> Result<(), Failure> {
    let body = serde_json::json!({ "reason": reason });
    print_object(answer, start.elapsed().as_secs_f64(), &body)
}

/// Writes the interpolants.
fn write(
    arguments: &Arguments,
    format: Option<Format>,
    formulas: &Formulas,
) -> Result<(), Failure> {
    match (&arguments.output, format) {
        (Some(path), Some(format)) => write_file(path, |output| formulas.write(format, output)),
        _ => Ok(()),
    }
}

/// The format to write, if there is an output file.
fn format(arguments: &Arguments) -> Result<Option<Format>, Failure> {
    let Some(path) = &arguments.output else {
        return Ok(None);
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = arguments
        .format
        .or_else(|| Format::from_extension(extension?));
    match format {
        Some(format) => Ok(Some(format)),
        None => Err(Failure::input(format!(
            "{}: the name does not tell the format: use `--to`",
            path.display()
        ))),
    }
}
