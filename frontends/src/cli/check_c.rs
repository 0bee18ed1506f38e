//! `craig check FILE.c`: decides whether a C program can reach an error.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use craig_mc::Control;

use super::c_answers::{Asked, Finding};
use super::engines::{EngineArguments, EngineName};
use super::watch::{End, Limits, Stop, watch_with};
use super::{Failure, complain, print};
use craig_c::{
    self as c, Answer, Checks, DataModel, Engine, Options, Preprocessing, Report, Search,
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
    /// Unroll each loop and each recursion at most so many times. By default, further and further. This binds what
    /// unrolls (`--c-engine unwind` for that alone), not the engines that work on the transition system.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// Other limits for single loops (`main.0:12`: the first loop of `main` goes round at most 12 times) and functions (`f:5`: at most
    /// 5 calls of `f` within each other), separated by commas.
    #[arg(long, value_name = "LIMITS", value_delimiter = ',')]
    unwindset: Vec<c::Limit>,
    /// The label or function that marks the error, instead of the customary ones.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,
    /// The function that the program starts with.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    entry: String,
    /// Further checks, separated by commas.
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    check: Vec<Check>,
    /// Ask whether a statement that starts on this line can be reached, and for nothing else. May be repeated.
    #[arg(long, value_name = "FILE:LINE", value_parser = parse_line, conflicts_with = "error_label")]
    cover: Vec<(String, u32)>,
    /// `malloc` and its relatives may return null at any time.
    #[arg(long)]
    malloc_may_fail: bool,
    /// How C programs are treated: by unrolling, as a transition system, or both at once. By default both; with a
    /// single `--engine`, as a transition system for that engine.
    #[arg(long, value_name = "WAY")]
    c_engine: Option<Way>,
    /// With a single `--engine`: look for word-level invariants of the loops first. They may prove the program by
    /// themselves; otherwise they strengthen the transition system that the engine gets. The portfolio always does
    /// this; an engine that is asked for by name otherwise answers alone.
    #[arg(long)]
    with_invariants: bool,
    /// Decide each property by itself: every error mark and every check at its place in the source.
    #[arg(long)]
    each: bool,
    /// Compile an unsafe program with `cc`, run it with the inputs that were chosen, and say whether it fails.
    #[arg(long)]
    replay_native: bool,
    /// Write a C file that reproduces the error when it is compiled and run.
    #[arg(long, value_name = "FILE.c")]
    test_driver: Option<PathBuf>,
    /// Write the inputs that lead to the error as a test suite in the format of Test-Comp.
    #[arg(long, value_name = "DIRECTORY")]
    test_suite: Option<PathBuf>,
    /// Write the transition system that the certificate of a safe program is about (binary if the name ends in
    /// `.aig`, else text); `--witness FILE.aag` writes the certificate.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write the formula, in DIMACS, that shows by its refutation that an unrolled program is safe.
    #[arg(long, value_name = "FILE")]
    cnf: Option<PathBuf>,
    /// Write its refutation, in LRAT.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Exit codes: `hwmcc` is 20, 10, 30 for safe, unsafe, unknown; `shell` is 0, 1, 2.
    #[arg(long, value_name = "CODES", default_value = "hwmcc")]
    exit_code: Codes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Machine {
    /// x86-64.
    #[default]
    Lp64,
    /// i386.
    Ilp32,
}

impl Machine {
    /// What the reader of C calls it.
    pub(super) fn data_model(self) -> DataModel {
        match self {
            Self::Lp64 => DataModel::Lp64,
            Self::Ilp32 => DataModel::Ilp32,
        }
    }
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
    /// Indices beyond their arrays, and accesses outside of every object.
    Bounds,
    /// Null pointers and objects that are gone, accessed; wrong calls of `free`.
    Pointer,
    /// Allocated memory that is not freed when the program ends.
    Leak,
    /// Implicit conversions that change the value.
    Conversion,
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

fn parse_line(text: &str) -> Result<(String, u32), String> {
    let wanted = "expected FILE:LINE, a line counted from 1";
    let (file, line) = text.rsplit_once(':').ok_or(wanted)?;
    let line = line.parse().ok().filter(|&line| line > 0).ok_or(wanted)?;
    Ok((file.to_owned(), line))
}

/// What C programs share with circuits.
pub(super) struct Common<'a> {
    pub(super) engines: &'a EngineArguments,
    pub(super) witness: Option<&'a Path>,
    pub(super) json: bool,
    pub(super) verbose: bool,
    pub(super) quiet: bool,
}

/// Whether the file is one for this module.
pub(super) fn is_c(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "c" || extension == "i")
}

fn options(
    arguments: &CArguments,
    engines: &EngineArguments,
    deadline: Option<Instant>,
) -> Options {
    let has =
        |check: Check| arguments.check.contains(&check) || arguments.check.contains(&Check::All);
    Options {
        model: arguments.data_model.data_model(),
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
            bounds: has(Check::Bounds),
            pointer: has(Check::Pointer),
            leak: has(Check::Leak),
            conversion: has(Check::Conversion),
        },
        cover: arguments.cover.clone(),
        malloc_may_fail: arguments.malloc_may_fail,
        unwinding: c::Unwinding {
            most: arguments.unwind,
            single: arguments.unwindset.clone(),
        },
        engine: match (arguments.c_engine, engines.engine) {
            (Some(Way::Portfolio), _) | (None, EngineName::Portfolio) => Engine::Portfolio,
            (Some(Way::Unwind), _) => Engine::Unwind,
            (Some(Way::Model) | None, _) => Engine::Model,
        },
        search: search(engines, arguments.with_invariants),
        deadline,
    }
}

/// Runs the subcommand on a C file.
pub(super) fn run(file: &Path, arguments: &CArguments, common: &Common<'_>) -> Result<u8, Failure> {
    let start = Instant::now();
    let deadline = common.engines.timeout.map(|time| start + time);
    let options = options(arguments, common.engines, deadline);
    let mut control = Control::new();
    if let Some(deadline) = deadline {
        control = control.with_deadline(deadline);
    }
    if common.verbose {
        control = control.with_listener(Arc::new(|event| complain(&format!("{event:?}"))));
    }
    let (mut findings, is_abandoned) =
        search_within(file, arguments.each, common, &options, &control)?;
    let asked = Asked {
        file,
        options: &options,
        witness: common.witness,
        replay_native: arguments.replay_native,
        test_driver: arguments.test_driver.as_deref(),
        test_suite: arguments.test_suite.as_deref(),
        model: arguments.model.as_deref(),
        cnf: arguments.cnf.as_deref(),
        proof: arguments.proof.as_deref(),
    };
    let notes = asked.answer(&mut findings)?;
    if common.json {
        let text = asked.json(&findings, arguments.each, start.elapsed().as_secs_f64())?;
        print(&format!("{text}\n"));
    } else {
        for finding in &findings {
            print(&finding.describe(common.quiet));
        }
        if findings.is_empty() {
            print(
                "SAFE   there is nothing to check: no error mark, and no check that was asked for\n",
            );
        }
    }
    for note in notes {
        complain(&note);
    }
    let codes = match arguments.exit_code {
        Codes::Hwmcc => [20, 10, 30],
        Codes::Shell => [0, 1, 2],
    };
    let any = |is: fn(&Answer) -> bool| findings.iter().any(|found| is(&found.report.answer));
    let code = if any(|answer| matches!(answer, Answer::Unsafe { .. })) {
        codes[1]
    } else if any(|answer| matches!(answer, Answer::Unknown { .. })) {
        codes[2]
    } else {
        codes[0]
    };
    if is_abandoned {
        // The search goes on, and would keep the process alive.
        std::process::exit(code.into());
    }
    Ok(code)
}

/// Searches on another thread, within the limits. The findings, and whether the search was left to itself.
fn search_within(
    file: &Path,
    each: bool,
    common: &Common<'_>,
    options: &Options,
    control: &Control,
) -> Result<(Vec<Finding>, bool), Failure> {
    let start = Instant::now();
    let limits = Limits {
        deadline: options.deadline,
        memory: common.engines.memory.map(|megabytes| megabytes << 20),
    };
    let [wanted, asked] = [0; 2].map(|_| control.clone());
    let ask_for_memory = move || wanted.report_memory_short();
    let ask_to_stop = move |stop| match stop {
        Stop::Memory => asked.report_out_of_memory(),
        // The engines see the deadline by themselves.
        Stop::Deadline | Stop::Signal => asked.cancel(),
    };
    let (path, options, control) = (file.to_path_buf(), options.clone(), control.clone());
    let work = move || -> Result<Vec<Finding>, c::Failure> {
        if !each {
            let report = c::run(&path, &options, &control)?;
            return Ok(vec![Finding {
                place: None,
                report,
                seconds: start.elapsed().as_secs_f64(),
                native: None,
            }]);
        }
        let found = c::run_each(&path, &options, &control)?;
        let finding = |found: c::PropertyReport| Finding {
            place: Some((found.file, found.line, found.text)),
            report: found.report,
            seconds: found.seconds,
            native: None,
        };
        Ok(found.into_iter().map(finding).collect())
    };
    match watch_with(limits, ask_for_memory, ask_to_stop, work)? {
        End::Finished(Ok(findings)) => Ok((findings, false)),
        End::Finished(Err(failure)) => Err(match failure {
            c::Failure::Input(message) => Failure::Input(message),
            c::Failure::Internal(message) => Failure::Internal(message),
        }),
        End::Abandoned(stop) => {
            let finding = Finding {
                place: None,
                report: Report::unknown(stop.reason().to_owned()),
                seconds: start.elapsed().as_secs_f64(),
                native: None,
            };
            Ok((vec![finding], true))
        }
    }
}

/// What decides the single-loop program: the usual line-up for so many threads, or the engine that was asked for, by
/// itself unless `with_invariants`.
fn search(engines: &EngineArguments, with_invariants: bool) -> Search {
    if engines.engine == EngineName::Portfolio {
        return Search::portfolio(engines.n_threads());
    }
    let engines = engines.clone();
    let search = Search::new(move |model, control| {
        engines
            .check(model, 0, control)
            .map_err(|failure| match failure {
                Failure::Input(message) | Failure::Internal(message) => message,
            })
    });
    if with_invariants {
        search.with_invariants()
    } else {
        search
    }
}
