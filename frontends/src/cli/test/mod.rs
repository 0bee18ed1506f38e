//! `craig test`: a suite of tests that covers what can be covered in a C program.

mod native;
mod page;
mod report;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use craig_c::{
    self as c, AutomatonSearch, Goals, Options, Preprocessing, Task, TestOptions, TestProgress,
    TestReport,
};
use craig_mc::Alone;
use craig_program::Blocks;
use craig_program::line_up::LineUp;

use super::engines::read_line_up;
use super::failure::Failure;
use super::json::print_object;
use super::output::{Output, claim, write_file};
use super::programs::{Machine, UnknownEffect, c_source};
use super::terminal::{complain, leave, print};
use super::watch::{self, End, watch};

/// Find tests for all locations, branches or conditions of a C program that can be reached, and prove that the
/// others can't.
///
/// Lazy annotation searches for a run to each goal; every test is run by an interpreter, which says what it
/// covers. Goals that are left are given to the engines of `craig check`. Exit codes: 0 if every goal is covered
/// or proved unreachable, 30 if some are open, 2 if the program cannot be read. The suite is valid whenever the
/// search ends, also by a limit or a signal.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The program (FILE.c, FILE.i; compressed, too). `-` is standard input.
    file: PathBuf,
    /// The goals.
    #[arg(long, value_name = "GOALS", default_value = "branches")]
    goals: GoalKind,
    /// Write the tests in this directory: in the format of Test-Comp, and a C driver for each.
    #[arg(long, value_name = "DIRECTORY")]
    suite: Option<PathBuf>,
    /// Write the source with what is covered.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Compile each test with `gcc`, run it, and compare with what `gcov` counts. Exit code 1 if they differ.
    #[arg(long)]
    native: bool,
    /// Learn no labels, but enumerate the paths (directed automated random testing).
    #[arg(long)]
    no_learn: bool,
    /// Where the search cuts the program into edges: at the heads of loops, or at every block.
    #[arg(long, value_name = "BLOCKS", default_value = "large")]
    blocks: BlockSize,
    /// Do not try to prove that goals are unreachable.
    #[arg(long)]
    no_proofs: bool,
    /// The machine of the program: sizes of `long` and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    data_model: Machine,
    /// Also search included files in this directory.
    #[arg(short = 'I', value_name = "DIRECTORY")]
    include: Vec<String>,
    /// Define a macro for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// The language standard for the preprocessor, such as `gnu11`.
    #[arg(long, value_name = "STANDARD")]
    std: Option<String>,
    /// Show text of all files in error messages, also of those that the program includes.
    #[arg(long)]
    trust: bool,
    /// The effect of a function that has neither body nor model, in addition to returning any value.
    #[arg(long, value_name = "EFFECT", default_value = "havoc")]
    unknown_calls: UnknownEffect,
    /// The function in which the program starts.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    entry: String,
    /// A file with the stages and engines for goals that the search leaves, in the format that `craig line-up` prints; `tests` is
    /// the search.
    #[arg(long, value_name = "FILE", value_parser = read_line_up)]
    line_up: Option<LineUp>,
    /// Stop after this time. Half of it is for the search for tests.
    #[arg(long, value_name = "SECONDS", value_parser = watch::parse_seconds)]
    timeout: Option<Duration>,
    /// Stop when this amount of memory is resident.
    #[arg(long, value_name = "MB", value_parser = watch::parse_megabytes)]
    memory: Option<u64>,
    /// Only the line with the numbers.
    #[arg(short, long)]
    quiet: bool,
    /// Print the result as one JSON object.
    #[arg(long, conflicts_with = "native")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum GoalKind {
    /// All lines that statements start on.
    Locations,
    /// All outcomes of branches, and all labels of `switch`.
    Branches,
    /// All values of the conditions of branches.
    Conditions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum BlockSize {
    /// At the heads of loops.
    Large,
    /// At every block.
    Basic,
}

impl GoalKind {
    fn goals(self) -> Goals {
        match self {
            Self::Locations => Goals::Locations,
            Self::Branches => Goals::Branches,
            Self::Conditions => Goals::Conditions,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Branches => "branches",
            Self::Conditions => "conditions",
        }
    }
}

/// The exit code if some goals are open.
const OPEN: u8 = 30;

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let suite = Output::folder("--suite", arguments.suite.as_deref());
    let page = Output::file("--html", arguments.html.as_deref());
    claim([arguments.file.as_path()], &[suite, page])?;
    if arguments.native && arguments.file.as_os_str() == "-" {
        return Err(Failure::input(
            "`--native` compiles a file, and the program is on standard input",
        ));
    }
    let arguments = &Arguments {
        file: c_source(&arguments.file, None)?,
        ..arguments.clone()
    };
    let limits = watch::Limits::new(start, arguments.timeout, arguments.memory);
    let options = options(arguments, limits.deadline);
    let own = Alone::until(limits.stop());
    let asked = own.stop.clone();
    let progress = TestProgress::default();
    let work = {
        let (file, options) = (arguments.file.clone(), options.clone());
        let (progress, choice) = (Arc::clone(&progress), choice(arguments));
        move || c::generate_tests(&file, &options, &choice, &progress, own.control())
    };
    let mut is_abandoned = false;
    let mut stopped = None;
    let ask_to_stop = |stop: watch::Stop| {
        stopped = Some(stop);
        stop.tell(&asked);
    };
    let report = match watch(limits, ask_to_stop, work)? {
        End::Finished(found) => found.map_err(|failure| match failure {
            c::Failure::Input(message) => Failure::Input(message),
            failure => Failure::Internal(failure.to_string()),
        })?,
        End::Abandoned(_) => {
            is_abandoned = true;
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.take().unwrap_or_default()
        }
    };
    if let Some(stop) = stopped {
        complain(&format!("stopped: {}", stop.reason()));
    }
    let code = conclude(arguments, &options, &report, start)?;
    if is_abandoned {
        // The working thread did not end in time: it ends with the process.
        leave(code);
    }
    Ok(code)
}

fn choice(arguments: &Arguments) -> TestOptions {
    TestOptions {
        learn: !arguments.no_learn,
        blocks: match arguments.blocks {
            BlockSize::Large => Blocks::Large,
            BlockSize::Basic => Blocks::Basic,
        },
        prove: !arguments.no_proofs,
    }
}

fn options(arguments: &Arguments, deadline: Option<Instant>) -> Options {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        model: arguments.data_model.data_model(),
        preprocessing: Preprocessing {
            include: arguments.include.clone(),
            define: arguments.define.clone(),
            standard: arguments.std.clone(),
            trust: arguments.trust,
            ..Preprocessing::default()
        },
        entry: arguments.entry.clone(),
        unknown_calls: arguments.unknown_calls.of_calls(),
        goals: Some(arguments.goals.goals()),
        search: AutomatonSearch::line_up(
            &arguments.line_up.clone().unwrap_or_default(),
            threads,
            0,
        ),
        deadline,
        ..Options::default()
    }
}

/// Writes and prints what was found; returns the exit code.
fn conclude(
    arguments: &Arguments,
    options: &Options,
    report: &TestReport,
    start: Instant,
) -> Result<u8, Failure> {
    let seconds = start.elapsed().as_secs_f64();
    let kind = arguments.goals.name();
    if !arguments.json {
        print(&report::text(report, kind, seconds, arguments.quiet));
    }
    let mut written = Ok(());
    if let Some(directory) = &arguments.suite {
        written = write_suite(directory, arguments, options, report);
    }
    if let Some(path) = &arguments.html {
        let page = page::page(&arguments.file, arguments.goals.name(), report);
        let page = write_file(path, |output| output.write_all(page.as_bytes()));
        written = written.and(page);
    }
    let [_, _, _, n_open] = report.counts();
    let mut code = if n_open == 0 { 0 } else { OPEN };
    if arguments.native {
        let compared = native::compare(&arguments.file, options, report, arguments.goals);
        print(&compared.text);
        if !compared.agrees {
            code = 1;
        }
    }
    if arguments.json {
        let word = if n_open == 0 { "decided" } else { "unknown" };
        let code = written.as_ref().map_or_else(Failure::exit_code, |()| code);
        let body = report::json(&arguments.file, report, kind);
        print_object((word, code), seconds, &body)?;
    }
    written.map(|()| code)
}

/// Writes `metadata.xml`, and `testcase-N.xml` and `driver-N.c` for each test.
fn write_suite(
    directory: &Path,
    arguments: &Arguments,
    options: &Options,
    report: &TestReport,
) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| {
        Failure::input(format!("{}: can't be made: {error}", directory.display()))
    })?;
    let specification = arguments.goals.goals().specification(&options.entry);
    let task = Task::new(
        &arguments.file,
        &specification,
        options.model,
        &options.entry,
    )
    .map_err(Failure::Input)?;
    let write = |name: String, text: &str| {
        write_file(&directory.join(name), |output| {
            output.write_all(text.as_bytes())
        })
    };
    write("metadata.xml".into(), &c::test_metadata(&task))?;
    for (number, test) in (1..).zip(&report.tests) {
        let c::Answer::Unsafe(found) = &test.report.answer else {
            continue;
        };
        write(
            format!("testcase-{number}.xml"),
            &c::test_case(&found.path, false),
        )?;
        match c::test_driver(&arguments.file, options, &test.report) {
            Ok(driver) => write(format!("driver-{number}.c"), &driver.text)?,
            Err(why) => complain(&format!("driver-{number}.c: not written: {why}")),
        }
    }
    Ok(())
}
