//! The door: a file in, a report out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use craig_mc::{Control, UnknownReason};

use super::bounded::{self, Verdict};
use super::interpret::Line;
use super::ir::Program;
use super::library::Library;
use super::loop_engines::{self, Search};
use super::lower::{Checks, LoweringOptions, lower};
use super::parse::parse;
use super::source::{Preprocessing, read};
use super::types::DataModel;

/// Which engines run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// All of them, side by side.
    #[default]
    Portfolio,
    /// Symbolic execution with loops unrolled.
    Unwind,
    /// The single-loop program in the engines for circuits.
    Model,
}

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine.
    pub model: DataModel,
    /// For the preprocessor.
    pub preprocessing: Preprocessing,
    /// A label or function that marks the error, instead of the customary ones.
    pub error_name: Option<String>,
    /// The function that the program starts with.
    pub entry: String,
    /// Checks beside the error marks.
    pub checks: Checks,
    /// The largest number of times that loops are unrolled; no limit where missing.
    pub unwind: Option<u32>,
    /// Which engines run.
    pub engine: Engine,
    /// What decides the single-loop program.
    pub search: Search,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: DataModel::Lp64,
            preprocessing: Preprocessing::default(),
            error_name: None,
            entry: "main".into(),
            checks: Checks::default(),
            unwind: None,
            engine: Engine::default(),
            search: Search::portfolio(2),
        }
    }
}

/// A line of a path through the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The function.
    pub function: String,
    /// What happens there.
    pub text: String,
    /// Whether a value was chosen for the program there.
    pub is_input: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No error can be reached.
    Safe {
        /// What shows it, checked.
        evidence: String,
    },
    /// An error is reached; the path was replayed.
    Unsafe {
        /// What happens at its end.
        error: String,
        /// The path, in order; the last step is the error.
        path: Vec<PathStep>,
    },
    /// Nobody knows.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// An answer with what belongs beside it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub answer: Answer,
    /// The engine that found it.
    pub engine: &'static str,
    /// What the answer takes for granted.
    pub notes: Vec<String>,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The file cannot be read.
    Input(String),
    /// Evidence did not hold.
    Internal(String),
}

/// How long cancellation from outside may take to be passed on.
const POLL: Duration = Duration::from_millis(20);

/// Stack for the passes that follow the nesting of the source.
const STACK_BYTES: usize = 1 << 29;

/// Checks a C file.
///
/// # Errors
/// If the file cannot be read or preprocessed, or if an engine's evidence does not hold.
///
/// # Panics
/// If a thread cannot be started.
pub fn run(path: &Path, options: &Options, control: &Control) -> Result<Report, Failure> {
    let path: PathBuf = path.to_path_buf();
    let (options, control) = (options.clone(), control.clone());
    std::thread::Builder::new()
        .name("c".into())
        .stack_size(STACK_BYTES)
        .spawn(move || check(&path, &options, &control))
        .expect("a thread can be started")
        .join()
        .unwrap_or_else(|_| Err(Failure::Internal("the C frontend panicked".into())))
}

/// Reads and lowers a file. The inner error is one of the program: it is not understood.
fn load(path: &Path, options: &Options) -> Result<Result<Program, String>, Failure> {
    let source = read(path, &options.preprocessing, options.model).map_err(Failure::Input)?;
    let library = Library::new(options.model).map_err(Failure::Internal)?;
    let unit = match parse(&source) {
        Ok(unit) => unit,
        Err(message) => return Ok(Err(message)),
    };
    let lowering = LoweringOptions {
        model: options.model,
        error_name: options.error_name.clone(),
        entry: options.entry.clone(),
        checks: options.checks,
    };
    Ok(lower(&source, &unit, &library, &lowering))
}

fn check(path: &Path, options: &Options, control: &Control) -> Result<Report, Failure> {
    let program = match load(path, options)? {
        Ok(program) => program,
        Err(reason) => {
            return Ok(Report {
                answer: Answer::Unknown { reason },
                engine: "frontend",
                notes: Vec::new(),
            });
        }
    };
    let (verdict, engine) = match options.engine {
        Engine::Unwind => (
            bounded::check(&program, options.unwind, control),
            bounded::NAME,
        ),
        Engine::Model => (
            loop_engines::check(&program, &options.search, control),
            loop_engines::NAME,
        ),
        Engine::Portfolio => side_by_side(&program, options, control),
    };
    report(&program, verdict, engine)
}

/// One of the two worlds, ready to run.
type Run<'a> = Box<dyn FnOnce(&Control) -> Verdict + Send + 'a>;

/// Runs both worlds at once; the first definite answer wins.
fn side_by_side(
    program: &Program,
    options: &Options,
    control: &Control,
) -> (Verdict, &'static str) {
    let inner = control.fork();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let worlds: [(&'static str, Run<'_>); 2] = [
            (
                bounded::NAME,
                Box::new(|control| bounded::check(program, options.unwind, control)),
            ),
            (
                loop_engines::NAME,
                Box::new(|control| loop_engines::check(program, &options.search, control)),
            ),
        ];
        for (name, run) in worlds {
            let (sender, inner) = (sender.clone(), inner.clone());
            std::thread::Builder::new()
                .name(name.into())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    let verdict = catch_unwind(AssertUnwindSafe(|| run(&inner)));
                    let verdict = verdict.unwrap_or_else(|_| {
                        Verdict::Internal(format!("the engine `{name}` panicked"))
                    });
                    // The receiver lives until both have answered.
                    let _ = sender.send((name, verdict));
                })
                .expect("a thread can be started");
        }
        let mut best: Option<(Verdict, &'static str)> = None;
        let mut running = 2;
        while running > 0 {
            match receiver.recv_timeout(POLL) {
                Ok((name, verdict)) => {
                    running -= 1;
                    let definite = |verdict: &Verdict| {
                        matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
                    };
                    if definite(&verdict) {
                        inner.cancel();
                    }
                    // An answer beats a failure, a failure beats a reason, and the unwinding's reason comes first.
                    let keep = match &best {
                        None => true,
                        Some((old, _)) if definite(old) => false,
                        Some((Verdict::Internal(_), _)) => definite(&verdict),
                        Some(_) => {
                            definite(&verdict)
                                || matches!(verdict, Verdict::Internal(_))
                                || name == bounded::NAME
                        }
                    };
                    if keep {
                        best = Some((verdict, name));
                    }
                }
                Err(_) => {
                    if control.stop_reason().is_some() {
                        inner.cancel();
                    }
                }
            }
        }
        best.unwrap_or((Verdict::Unknown(UnknownReason::Cancelled), bounded::NAME))
    })
}

fn report(program: &Program, verdict: Verdict, engine: &'static str) -> Result<Report, Failure> {
    let answer = match verdict {
        Verdict::Safe(evidence) => Answer::Safe { evidence },
        Verdict::Unsafe(found) => {
            let step = |line: &Line| PathStep {
                file: program
                    .files
                    .get(line.at.file as usize)
                    .cloned()
                    .unwrap_or_default(),
                line: line.at.line,
                function: program.functions[line.function as usize].name.clone(),
                text: line.text.clone(),
                is_input: line.is_input,
            };
            let mut path: Vec<PathStep> = found
                .lines
                .iter()
                .filter(|line| line.function != program.start)
                .map(step)
                .collect();
            path.push(PathStep {
                file: program
                    .files
                    .get(found.at.file as usize)
                    .cloned()
                    .unwrap_or_default(),
                line: found.at.line,
                function: String::new(),
                text: found.text.clone(),
                is_input: false,
            });
            Answer::Unsafe {
                error: found.text,
                path,
            }
        }
        Verdict::Unknown(reason) => Answer::Unknown {
            reason: reason_text(&reason),
        },
        Verdict::Internal(message) => return Err(Failure::Internal(message)),
    };
    Ok(Report {
        answer,
        engine,
        notes: program.notes.clone(),
    })
}

fn reason_text(reason: &UnknownReason) -> String {
    reason.to_string()
}
