//! The door: a file in, a report out.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use craig_mc::{Control, UnknownReason};

use super::bounded::{self, Verdict};
use super::concrete;
use super::cover::has_statement;
use super::evidence::Safety;
use super::interpret::Line;
use super::ir::{Choice, Convention, Location, Program};
use super::library::Library;
use super::loop_engines::{self, Search};
use super::lower::{Checks, LoweringOptions, lower};
use super::parse::parse;
use super::property::{Property, properties, restricted};
use super::replay::Counterexample;
use super::source::{Preprocessing, Source, is_refused, read};
use super::types::DataModel;
use super::unwinding::{Caps, Unwinding};
use super::written::{literal, number, type_name};

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
    /// Lines that are errors to reach, by file and number, instead of the customary marks.
    pub cover: Vec<(String, u32)>,
    /// Whether `malloc` and its relatives may fail at any time.
    pub malloc_may_fail: bool,
    /// How far loops are unrolled. It binds the engine that unrolls, not the one that sees a transition system.
    pub unwinding: Unwinding,
    /// Which engines run.
    pub engine: Engine,
    /// What decides the single-loop program.
    pub search: Search,
    /// When to be done; a question about several properties shares out the time that is left.
    pub deadline: Option<Instant>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: DataModel::Lp64,
            preprocessing: Preprocessing::default(),
            error_name: None,
            entry: "main".into(),
            checks: Checks::default(),
            cover: Vec::new(),
            malloc_may_fail: false,
            unwinding: Unwinding::default(),
            engine: Engine::default(),
            search: Search::portfolio(2),
            deadline: None,
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
    /// The column, from 1; 0 where there is none.
    pub column: u32,
    /// The function.
    pub function: String,
    /// What happens there.
    pub text: String,
    /// The line of the source, without the blanks around it.
    pub source: Option<String>,
    /// The value that was chosen for the program there.
    pub chosen: Option<Chosen>,
}

/// A value that was chosen for the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The function that returned it; a variable without a value has none.
    pub function: Option<String>,
    /// As a C expression.
    pub literal: String,
    /// As a plain number.
    pub number: String,
    /// The C type.
    pub ty: &'static str,
    /// The line and column of the closing parenthesis of the call.
    pub end: Option<(u32, u32)>,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No error can be reached.
    Safe(Safety),
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
    /// The functions that stand for something in the program.
    pub(crate) conventions: BTreeMap<String, Convention>,
}

impl Report {
    /// A report that no engine made.
    #[must_use]
    pub fn unknown(reason: String) -> Self {
        Self {
            answer: Answer::Unknown { reason },
            engine: "frontend",
            notes: Vec::new(),
            conventions: BTreeMap::new(),
        }
    }
}

/// The report on one property of several.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The file of its place.
    pub file: String,
    /// The line of its place, from 1.
    pub line: u32,
    /// What its failure means.
    pub text: String,
    /// The report.
    pub report: Report,
    /// How long its verdict took, in seconds; properties that are decided together share that time.
    pub seconds: f64,
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
    on_large_stack(path, options, control, check)
}

/// Checks each property of a C file: every error mark and every check is one, at its place in the source. In the
/// order of the source; empty if there is nothing to check.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// As [`run`].
pub fn run_each(
    path: &Path,
    options: &Options,
    control: &Control,
) -> Result<Vec<PropertyReport>, Failure> {
    on_large_stack(path, options, control, check_each)
}

pub(super) fn on_large_stack<T: Send + 'static>(
    path: &Path,
    options: &Options,
    control: &Control,
    work: fn(&Path, &Options, &Control) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path: PathBuf = path.to_path_buf();
    let (options, control) = (options.clone(), control.clone());
    std::thread::Builder::new()
        .name("c".into())
        .stack_size(STACK_BYTES)
        .spawn(move || work(&path, &options, &control))
        .expect("a thread can be started")
        .join()
        .unwrap_or_else(|_| Err(Failure::Internal("the C frontend panicked".into())))
}

/// Reads and lowers a file. The inner error is one of the program: it is not understood.
pub(super) fn load(path: &Path, options: &Options) -> Result<Result<Program, String>, Failure> {
    let source = read(path, &options.preprocessing, options.model).map_err(Failure::Input)?;
    let library = Library::new(options.model).map_err(Failure::Internal)?;
    let unit = match parse(&source) {
        Ok(unit) => unit,
        Err(message) if is_refused(path, &options.preprocessing, options.model) => {
            return Err(Failure::Input(message));
        }
        Err(message) => return Ok(Err(message)),
    };
    for (file, line) in &options.cover {
        if !has_statement(&source, &unit, file, *line) {
            return Err(Failure::Input(format!(
                "{file}:{line}: no statement starts there"
            )));
        }
    }
    let lowered = lower(&source, &unit, &library, &lowering_options(options));
    match &lowered {
        Ok(program) => drop(Caps::new(program, &options.unwinding).map_err(Failure::Input)?),
        Err(message) if is_refused(path, &options.preprocessing, options.model) => {
            return Err(Failure::Input(message.clone()));
        }
        Err(_) => {}
    }
    Ok(lowered)
}

/// Reads preprocessed text and counts the properties of the program in it. Nothing is checked.
///
/// # Errors
/// If the text is no program that is understood; the message says why.
pub fn count_properties(text: &str, options: &Options) -> Result<usize, String> {
    let source = Source::new(text, "text");
    let library = Library::new(options.model)?;
    let unit = parse(&source)?;
    let lowered = lower(&source, &unit, &library, &lowering_options(options))?;
    Ok(properties(&lowered).len())
}

fn lowering_options(options: &Options) -> LoweringOptions {
    LoweringOptions {
        model: options.model,
        error_name: options.error_name.clone(),
        entry: options.entry.clone(),
        checks: options.checks,
        cover: options.cover.clone(),
        malloc_may_fail: options.malloc_may_fail,
    }
}

fn check(path: &Path, options: &Options, control: &Control) -> Result<Report, Failure> {
    match load(path, options)? {
        Ok(program) => {
            let (verdict, engine) = decide(&program, options, control);
            report(&program, verdict, engine)
        }
        Err(reason) => Ok(Report::unknown(reason)),
    }
}

fn decide(program: &Program, options: &Options, control: &Control) -> (Verdict, &'static str) {
    match options.engine {
        Engine::Unwind => (
            bounded::check(program, &options.unwinding, control),
            bounded::NAME,
        ),
        Engine::Model => (
            loop_engines::check(program, &options.search, control),
            loop_engines::NAME,
        ),
        Engine::Portfolio => side_by_side(program, options, control),
    }
}

/// The properties that have no verdict yet, and those that have one.
struct Open<'p> {
    program: &'p Program,
    left: Vec<Property>,
    done: Vec<(Property, Report, f64)>,
}

impl Open<'_> {
    /// Decides some of the properties left at once. `false`: nobody knows, and nothing has changed.
    fn decide(
        &mut self,
        chosen: &[Property],
        options: &Options,
        control: &Control,
        is_final: bool,
    ) -> Result<bool, Failure> {
        let start = Instant::now();
        let program = restricted(self.program, &|property| chosen.contains(property));
        let (verdict, engine) = decide(&program, options, control);
        let decided = match &verdict {
            Verdict::Safe(_) => chosen.to_vec(),
            Verdict::Unsafe(found) => vec![Property {
                at: found.at,
                text: found.text.clone(),
            }],
            Verdict::Unknown(_) if !is_final => return Ok(false),
            Verdict::Unknown(_) | Verdict::Internal(_) => chosen.to_vec(),
        };
        let report = report(&program, verdict, engine)?;
        let seconds = start.elapsed().as_secs_f64();
        for property in decided {
            let Some(index) = self.left.iter().position(|other| *other == property) else {
                return Err(Failure::Internal(format!(
                    "an error that nobody asked about: {}",
                    property.text
                )));
            };
            self.left.remove(index);
            self.done.push((property, report.clone(), seconds));
        }
        Ok(true)
    }
}

fn check_each(
    path: &Path,
    options: &Options,
    control: &Control,
) -> Result<Vec<PropertyReport>, Failure> {
    let program = match load(path, options)? {
        Ok(program) => program,
        Err(reason) => {
            return Ok(vec![PropertyReport {
                file: path.display().to_string(),
                line: 1,
                text: "every property".into(),
                report: Report::unknown(reason),
                seconds: 0.0,
            }]);
        }
    };
    let mut open = Open {
        program: &program,
        left: properties(&program),
        done: Vec::new(),
    };
    // All that are left at once: an error decides one of them, a proof all.
    while open.left.len() > 1 {
        let all = open.left.clone();
        if !open.decide(&all, options, &share(options, control, 2), false)? {
            break;
        }
    }
    // What stands in the way of one property need not stand in the way of the others.
    while let Some(property) = open.left.first().cloned() {
        let control = share(options, control, open.left.len() as u32);
        open.decide(&[property], options, &control, true)?;
    }
    open.done.sort_by(|a, b| a.0.cmp(&b.0));
    let describe = |(property, report, seconds): (Property, Report, f64)| PropertyReport {
        file: file_name(&program, property.at),
        line: property.at.line,
        text: property.text,
        report,
        seconds,
    };
    Ok(open.done.into_iter().map(describe).collect())
}

/// A control with one of so many shares of the time that is left.
fn share(options: &Options, control: &Control, n_shares: u32) -> Control {
    match options.deadline {
        Some(deadline) => {
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            control.clone().with_deadline(now + left / n_shares)
        }
        None => control.clone(),
    }
}

fn file_name(program: &Program, at: Location) -> String {
    let name = program.files.get(at.file as usize);
    name.cloned().unwrap_or_default()
}

/// One of the two worlds, ready to run.
type Run<'a> = Box<dyn FnOnce(&Control) -> Verdict + Send + 'a>;

/// How long the two worlds have for a program, with proofs for what they say, before it is also simply run; and how
/// long it goes on running when they have given up.
const HEAD_START: Duration = Duration::from_secs(1);
const AFTERWARDS: Duration = Duration::from_secs(5);

/// Runs both worlds at once, and the program itself a little later; the first definite answer wins.
fn side_by_side(
    program: &Program,
    options: &Options,
    control: &Control,
) -> (Verdict, &'static str) {
    let inner = control.fork();
    let (sender, receiver) = mpsc::channel();
    let n_given_up = &AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let worlds: [(&'static str, Run<'_>); 3] = [
            (
                bounded::NAME,
                Box::new(|control| bounded::check(program, &options.unwinding, control)),
            ),
            (
                loop_engines::NAME,
                Box::new(|control| loop_engines::check(program, &options.search, control)),
            ),
            (
                concrete::NAME,
                Box::new(|control| {
                    let start = Instant::now();
                    while start.elapsed() < HEAD_START
                        && n_given_up.load(Ordering::Relaxed) < 2
                        && control.stop_reason().is_none()
                    {
                        std::thread::sleep(POLL);
                    }
                    concrete::check(program, control)
                }),
            ),
        ];
        let mut worlds_end: Option<Instant> = None;
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
                    // The receiver lives until all have answered.
                    let _ = sender.send((name, verdict));
                })
                .expect("a thread can be started");
        }
        let mut best: Option<(Verdict, &'static str)> = None;
        let mut running = 3;
        while running > 0 {
            match receiver.recv_timeout(POLL) {
                Ok((name, verdict)) => {
                    running -= 1;
                    let definite = |verdict: &Verdict| {
                        matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
                    };
                    if definite(&verdict) {
                        inner.cancel();
                    } else if name != concrete::NAME
                        && n_given_up.fetch_add(1, Ordering::Relaxed) == 1
                    {
                        worlds_end = Some(Instant::now());
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
                    let is_late = worlds_end.is_some_and(|end| end.elapsed() > AFTERWARDS);
                    if is_late || control.stop_reason().is_some() {
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
        Verdict::Safe(safety) => Answer::Safe(safety),
        Verdict::Unsafe(found) => Answer::Unsafe {
            error: found.text.clone(),
            path: path_of(program, &found),
        },
        Verdict::Unknown(reason) => Answer::Unknown {
            reason: reason_text(&reason),
        },
        Verdict::Internal(message) => return Err(Failure::Internal(message)),
    };
    Ok(Report {
        answer,
        engine,
        notes: program.notes.clone(),
        conventions: program.conventions.clone(),
    })
}

/// The path to an error, for readers.
fn path_of(program: &Program, found: &Counterexample) -> Vec<PathStep> {
    let mut sources: HashMap<u32, Vec<String>> = HashMap::new();
    let mut source_line = |at: Location| {
        let lines = sources.entry(at.file).or_insert_with(|| {
            let text = std::fs::read(file_name(program, at)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = (at.line as usize).checked_sub(1);
        index.and_then(|index| lines.get(index).cloned())
    };
    let mut path: Vec<PathStep> = Vec::new();
    for line in &found.lines {
        // The call of the entry function says nothing.
        if line.function == program.start && line.text.starts_with("call of ") {
            continue;
        }
        path.push(PathStep {
            file: file_name(program, line.at),
            line: line.at.line,
            column: line.at.column,
            function: program.functions[line.function as usize].name.clone(),
            text: line.text.clone(),
            source: source_line(line.at),
            chosen: chosen(program, line),
        });
    }
    // An error in a library model is an error where the program calls the function.
    let own = |at: &Location| !file_name(program, *at).starts_with('<');
    let mut places = found.lines.iter().rev().map(|line| line.at);
    let at = if own(&found.at) {
        found.at
    } else {
        places.find(own).unwrap_or(found.at)
    };
    path.push(PathStep {
        file: file_name(program, at),
        line: at.line,
        column: at.column,
        function: String::new(),
        text: found.text.clone(),
        source: source_line(at),
        chosen: None,
    });
    path
}

fn chosen(program: &Program, line: &Line) -> Option<Chosen> {
    let input = line.input.as_ref()?;
    let (value, width, ty) = (input.value, input.width, input.ty.as_ref());
    let function = match &input.choice {
        Choice::Input(name) | Choice::Unknown(name) => Some(name.clone()),
        Choice::Uninitialised | Choice::Open(_) => None,
    };
    let end = program.call_ends.get(&line.at);
    Some(Chosen {
        function,
        literal: literal(value, width, ty),
        number: number(value, width, ty),
        ty: type_name(ty),
        end: end.map(|end| (end.line, end.column)),
    })
}

fn reason_text(reason: &UnknownReason) -> String {
    reason.to_string()
}
