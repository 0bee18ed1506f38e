//! `craig check FILE.c`: decides whether a C program can reach an error.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use craig_mc::Control;
use serde::Serialize;

use super::engines::{EngineArguments, EngineName};
use super::watch::{End, Limits, Stop, watch};
use super::{Failure, complain, print};
use crate::c::{
    self, Answer, Checks, DataModel, Engine, Options, PathStep, Preprocessing, Report, Search,
};

/// What only concerns C programs.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "C programs (FILE.c, FILE.i)")]
pub(super) struct CArguments {
    /// The machine that the program is for: sizes of `long` and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    data_model: Machine,
    /// Look for included files in this directory, too.
    #[arg(short = 'I', value_name = "DIRECTORY")]
    include: Vec<String>,
    /// Define a macro for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// The language standard for the preprocessor, such as `gnu11`.
    #[arg(long, value_name = "STANDARD")]
    std: Option<String>,
    /// Unroll loops at most so many times. By default, further and further.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// The label or function that marks the error, instead of the customary ones.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,
    /// The function that the program starts with.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    entry: String,
    /// Further checks, separated by commas.
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    check: Vec<Check>,
    /// How C programs are treated: by unrolling, as a transition system, or both at once. By default both; with a
    /// single `--engine`, as a transition system for that engine.
    #[arg(long, value_name = "WAY")]
    c_engine: Option<Way>,
    /// Exit codes: `hwmcc` is 20, 10, 30 for safe, unsafe, unknown; `shell` is 0, 1, 2.
    #[arg(long, value_name = "CODES", default_value = "hwmcc")]
    exit_code: Codes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Machine {
    /// x86-64.
    Lp64,
    /// i386.
    Ilp32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Check {
    /// Everything below.
    All,
    /// Overflow of signed arithmetic.
    Overflow,
    /// Division by zero.
    Div,
    /// Shift amounts out of range.
    Shift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Way {
    /// Both at once.
    Portfolio,
    /// Unrolled symbolic execution.
    Unwind,
    /// The single-loop program in the engines for circuits.
    Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Codes {
    /// 20, 10, 30.
    Hwmcc,
    /// 0, 1, 2.
    Shell,
}

/// Whether the file is one for this module.
pub(super) fn is_c(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "c" || extension == "i")
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Json<'a> {
    file: String,
    verdict: &'static str,
    engine: &'static str,
    seconds: f64,
    evidence: Option<&'a str>,
    reason: Option<&'a str>,
    error: Option<&'a str>,
    path: Vec<JsonStep<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct JsonStep<'a> {
    file: &'a str,
    line: u32,
    function: &'a str,
    text: &'a str,
    input: bool,
}

/// Runs the subcommand on a C file.
pub(super) fn run(
    file: &Path,
    arguments: &CArguments,
    engines: &EngineArguments,
    json: bool,
    verbose: bool,
    quiet: bool,
) -> Result<u8, Failure> {
    let start = Instant::now();
    let has =
        |check: Check| arguments.check.contains(&check) || arguments.check.contains(&Check::All);
    let options = Options {
        model: match arguments.data_model {
            Machine::Lp64 => DataModel::Lp64,
            Machine::Ilp32 => DataModel::Ilp32,
        },
        preprocessing: Preprocessing {
            include: arguments.include.clone(),
            define: arguments.define.clone(),
            standard: arguments.std.clone(),
        },
        error_name: arguments.error_label.clone(),
        entry: arguments.entry.clone(),
        checks: Checks {
            overflow: has(Check::Overflow),
            division: has(Check::Div),
            shift: has(Check::Shift),
        },
        unwind: arguments.unwind,
        engine: match (arguments.c_engine, engines.engine) {
            (Some(Way::Portfolio), _) | (None, EngineName::Portfolio) => Engine::Portfolio,
            (Some(Way::Unwind), _) => Engine::Unwind,
            (Some(Way::Model) | None, _) => Engine::Model,
        },
        search: search(engines),
    };
    let deadline = engines.timeout.map(|time| start + time);
    let mut control = Control::new();
    if let Some(deadline) = deadline {
        control = control.with_deadline(deadline);
    }
    if verbose {
        control = control.with_listener(Arc::new(|event| complain(&format!("{event:?}"))));
    }
    let limits = Limits {
        deadline,
        memory: engines.memory.map(|megabytes| megabytes << 20),
    };
    let asked = control.clone();
    let ask_to_stop = move |stop| match stop {
        Stop::Memory => asked.report_out_of_memory(),
        // The engines see the deadline by themselves.
        Stop::Deadline | Stop::Signal => asked.cancel(),
    };
    let path = file.to_path_buf();
    let end = watch(limits, ask_to_stop, move || {
        c::run(&path, &options, &control)
    })?;
    let is_abandoned = matches!(end, End::Abandoned(_));
    let report = match end {
        End::Finished(result) => result.map_err(|failure| match failure {
            c::Failure::Input(message) => Failure::Input(message),
            c::Failure::Internal(message) => Failure::Internal(message),
        })?,
        End::Abandoned(stop) => Report {
            answer: Answer::Unknown {
                reason: stop.reason().to_owned(),
            },
            engine: "frontend",
            notes: Vec::new(),
        },
    };
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let text =
            serde_json::to_string(&as_json(file, &report, seconds)).map_err(Failure::internal)?;
        print(&format!("{text}\n"));
    } else {
        print(&describe(&report, seconds, quiet));
    }
    let codes = match arguments.exit_code {
        Codes::Hwmcc => [20, 10, 30],
        Codes::Shell => [0, 1, 2],
    };
    let code = match report.answer {
        Answer::Safe { .. } => codes[0],
        Answer::Unsafe { .. } => codes[1],
        Answer::Unknown { .. } => codes[2],
    };
    if is_abandoned {
        // The search goes on, and would keep the process alive.
        std::process::exit(code.into());
    }
    Ok(code)
}

/// What decides the single-loop program: the usual line-up for so many threads, or the engine that was asked for.
fn search(engines: &EngineArguments) -> Search {
    if engines.engine == EngineName::Portfolio {
        return Search::portfolio(engines.n_threads());
    }
    let engines = engines.clone();
    Search::new(move |model, control| {
        engines
            .check(model, 0, control)
            .map_err(|failure| match failure {
                Failure::Input(message) | Failure::Internal(message) => message,
            })
    })
}

fn as_json<'a>(file: &Path, report: &'a Report, seconds: f64) -> Json<'a> {
    let mut json = Json {
        file: file.display().to_string(),
        verdict: "unknown",
        engine: report.engine,
        seconds,
        evidence: None,
        reason: None,
        error: None,
        path: Vec::new(),
        notes: &report.notes,
    };
    match &report.answer {
        Answer::Safe { evidence } => {
            json.verdict = "safe";
            json.evidence = Some(evidence);
        }
        Answer::Unsafe { error, path } => {
            json.verdict = "unsafe";
            json.error = Some(error);
            let step = |step: &'a PathStep| JsonStep {
                file: &step.file,
                line: step.line,
                function: &step.function,
                text: &step.text,
                input: step.is_input,
            };
            json.path = path.iter().map(step).collect();
        }
        Answer::Unknown { reason } => json.reason = Some(reason),
    }
    json
}

/// The verdict first, then what belongs to it.
fn describe(report: &Report, seconds: f64, quiet: bool) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = match &report.answer {
        Answer::Safe { evidence } => writeln!(
            text,
            "SAFE   {} ({seconds:.2} s): {evidence}",
            report.engine
        ),
        Answer::Unsafe { error, .. } => {
            writeln!(
                text,
                "UNSAFE {} ({seconds:.2} s): {error}; the path was replayed",
                report.engine
            )
        }
        Answer::Unknown { reason } => writeln!(text, "UNKNOWN ({seconds:.2} s): {reason}"),
    };
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if let Answer::Unsafe { path, .. } = &report.answer
        && !quiet
    {
        for step in path {
            let arrow = if step.is_input { "<-" } else { "  " };
            let function = if step.function.is_empty() {
                ""
            } else {
                &step.function
            };
            let _ = writeln!(
                text,
                "{arrow} {}:{} {function}: {}",
                step.file, step.line, step.text
            );
        }
    }
    text
}
