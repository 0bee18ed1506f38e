//! The options of `craig check` for C programs.

use std::path::PathBuf;
use std::time::Instant;

use super::cbmc::CbmcArguments;
use craig_c::{
    AutomatonSearch, CbmcOptions, Checks, DataModel, Engine, Goals, Limit, Options, Preprocessing,
    ProgramSearch, PropertyFile, UnknownCalls, Unwinding,
};
use craig_program::line_up::{StageName, StageOf};

use crate::cli::check::report::{Answer, ExitCodes};
use crate::cli::check::table::Ways;
use crate::cli::engines::{EngineArguments, EngineName};
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::programs::{Machine, UnknownEffect};

/// The options for C programs.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "C programs (FILE.c, FILE.i)")]
pub(in crate::cli::check) struct CArguments {
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
    /// Show text of all files in error messages, also of those that the program includes. By default, such a message has
    /// the place and what was expected there.
    #[arg(long)]
    trust: bool,
    /// Unroll each loop and each recursion at most this number of times. By default, the limit grows. This applies
    /// to unrolling (`--c-engine unwind` or `paths` for that alone), not to the engines on the transition system.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// Other limits for single loops (`main.0:12`: at most 12 iterations of the first loop of `main`) and
    /// functions (`f:5`: at most 5 nested calls of `f`), separated by commas.
    #[arg(long, value_name = "LIMITS", value_delimiter = ',')]
    unwindset: Vec<Limit>,
    /// The label or function that marks the error, instead of the default ones.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,
    /// The function in which the program starts.
    #[arg(
        long,
        value_name = "FUNCTION",
        default_value = "main",
        visible_alias = "function"
    )]
    entry: String,
    /// Additional checks, separated by commas.
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    check: Vec<Check>,
    /// Check only whether a statement that starts on this line is reachable; may be repeated. Or cover all
    /// lines with statements (`location`), all outcomes of branches (`branch`) or all values of conditions
    /// (`condition`): each goal is decided separately, and the share of reachable ones is reported. Of a design, without
    /// a value: what its `cover` statements name; the files come before the option then.
    #[arg(
        long,
        value_name = "FILE:LINE|GOALS",
        num_args = 0..=1,
        default_missing_value = "",
        value_parser = parse_cover,
        conflicts_with = "error_label"
    )]
    cover: Vec<Cover>,
    /// `malloc` and similar functions may return null at any time.
    #[arg(long)]
    malloc_may_fail: bool,
    /// Every read of a volatile object may return any value.
    #[arg(long)]
    nondet_volatile: bool,
    /// Assume that signed arithmetic does not overflow (undefined behaviour), where `--check overflow` does not
    /// ask for it. By default it wraps. The verdict has a note.
    #[arg(long)]
    assume_no_overflow: bool,
    /// The effect of a function that has neither body nor model, in addition to returning any value: by default
    /// `havoc`, but `refuse` if a property file asks for the safety of memory.
    #[arg(long, value_name = "EFFECT")]
    unknown_calls: Option<UnknownEffect>,
    /// The method for C programs: unrolling, the transition system, or both at once. By default both; with a
    /// single `--engine`, that engine on the transition system.
    #[arg(long, value_name = "WAY")]
    c_engine: Option<Way>,
    /// With a single `--engine`: search for word-level invariants of the loops first. They may prove the
    /// program by themselves; otherwise they strengthen the transition system of the engine, or an engine for
    /// programs (`impact` and others) assumes them. The portfolio always does this; a single engine otherwise
    /// runs without them.
    #[arg(long)]
    with_invariants: bool,
    /// With a single `--engine`: comparisons of the program's words are latches of the transition system (signals). The
    /// interpolants of `imc`, `isb`, `tra`, `avy` and `kavy` mention the words themselves only where that is needed.
    #[arg(long)]
    with_signals: bool,
    /// For studies: leave these parts of the portfolio out, separated by commas.
    #[arg(
        long,
        value_name = "PARTS",
        value_delimiter = ',',
        value_parser = parse_part,
        hide = true
    )]
    without: Vec<StageName>,
    /// Decide nothing, but list the properties (for `--property NAME`) and the loops (for `--unwindset`) of the program.
    #[arg(long)]
    list: bool,
    /// Decide each property separately: every error mark and every check at its position in the source.
    #[arg(long)]
    each: bool,
    /// Compile an unsafe program with `cc`, run it with the inputs of the error path, and report whether it
    /// fails.
    #[arg(long)]
    pub(super) replay_native: bool,
    /// Write a C file that reproduces the error when it is compiled and run.
    #[arg(long, value_name = "FILE.c")]
    pub(super) test_driver: Option<PathBuf>,
    /// Write the inputs that lead to the error as a test suite in the format of Test-Comp.
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) test_suite: Option<PathBuf>,
    /// Write the transition system of the certificate of a safe program (binary if the name ends in `.aig`,
    /// else text); `--witness FILE.aag` writes the certificate.
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
    /// Write the formula, in DIMACS, whose refutation proves that an unrolled program is safe.
    #[arg(long, value_name = "FILE")]
    pub(super) cnf: Option<PathBuf>,
    /// Write the refutation of this formula, in LRAT.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// With `--engine impact`, `predabs`, `rse` or `annotate`: draw the final unwinding as one HTML file: its vertices,
    /// their labels, and the covers among them; for `annotate`, the locations with theirs, for `predabs`, those that
    /// are reached in the abstraction, with their states. Written for every verdict.
    #[arg(long, value_name = "FILE.html")]
    pub(in crate::cli::check) unwinding: Option<PathBuf>,
    /// With `--engine impact`, `predabs`, `predabs-whole`, `rse` or `annotate`: write each refutation that is interpolated to a folder of its
    /// own: the clauses with their parts, the proof, the names, the interpolants, and `refinement.json`.
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) record: Option<PathBuf>,
    /// Exit codes: `hwmcc` is 20, 10, 30 for safe, unsafe, unknown; `shell` is 0, 1, 2.
    #[arg(long, value_name = "CODES", default_value = "hwmcc")]
    exit_code: Codes,
    #[command(flatten)]
    cbmc: CbmcArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Check {
    /// All but `unsigned-overflow` and `pointer-arithmetic`.
    All,
    /// Overflow of signed arithmetic.
    Overflow,
    /// Results of unsigned arithmetic that wrap around.
    UnsignedOverflow,
    /// Division by zero.
    Div,
    /// Shift amounts out of range, and negative numbers that are shifted to the left.
    Shift,
    /// `__builtin_unreachable` is reached.
    Unreachable,
    /// Indices outside of their arrays, and accesses outside of every object.
    Bounds,
    /// Accesses to null pointers, to objects whose lifetime has ended, and outside of every object; invalid calls of `free`; differences of
    /// pointers to different objects.
    Pointer,
    /// Sums and differences of pointers and indices that leave the pointer's object, beyond the place behind its end.
    PointerArithmetic,
    /// Copies of the library between objects that overlap (`memcpy`, `strcpy`).
    Overlap,
    /// Allocated memory that is not freed at the end of the program.
    Leak,
    /// Implicit conversions that change the value.
    Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Way {
    /// All at once.
    Portfolio,
    /// Unrolled symbolic execution.
    Unwind,
    /// Symbolic execution path by path.
    Paths,
    /// The circuit engines on the single-loop program.
    Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Codes {
    /// 20, 10, 30.
    Hwmcc,
    /// 0, 1, 2.
    Shell,
}

/// The value of `--cover`.
#[derive(Clone, Debug)]
enum Cover {
    Line(String, u32),
    Goals(Goals),
    /// Of a design.
    Statements,
}

fn parse_cover(text: &str) -> Result<Cover, String> {
    Ok(match text {
        "location" => Cover::Goals(Goals::Locations),
        "branch" => Cover::Goals(Goals::Branches),
        "condition" => Cover::Goals(Goals::Conditions),
        "" => Cover::Statements,
        _ => {
            let (file, line) = parse_line(text)?;
            Cover::Line(file, line)
        }
    })
}

fn parse_part(text: &str) -> Result<StageName, String> {
    let stages = || {
        let all = StageName::ALL.into_iter();
        all.filter(|stage| stage.of() == StageOf::Program)
    };
    let found = stages().find(|stage| stage.name() == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = stages().map(StageName::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn parse_line(text: &str) -> Result<(String, u32), String> {
    let wanted = "expected location, branch, condition or FILE:LINE, a line counted from 1";
    let (file, line) = text.rsplit_once(':').ok_or(wanted)?;
    let line = line.parse().ok().filter(|&line| line > 0).ok_or(wanted)?;
    Ok((file.to_owned(), line))
}

impl CArguments {
    /// The options of the preprocessor.
    pub(in crate::cli::check) fn preprocessing(&self) -> Preprocessing {
        Preprocessing {
            include: self.include.clone(),
            define: self.define.clone(),
            standard: self.std.clone(),
            trust: self.trust,
            ..Preprocessing::default()
        }
    }

    /// The goals of `--cover`.
    pub(in crate::cli::check) fn goals(&self) -> Option<Goals> {
        self.cover.iter().find_map(|cover| match cover {
            Cover::Goals(goals) => Some(*goals),
            Cover::Line(..) | Cover::Statements => None,
        })
    }

    /// Whether `--cover` is given.
    pub(in crate::cli::check) fn covers(&self) -> bool {
        !self.cover.is_empty()
    }

    /// Whether `--cover` has no value, which is for designs.
    pub(super) fn has_statements(&self) -> bool {
        self.cover.iter().any(|it| matches!(it, Cover::Statements))
    }

    /// Whether `--cover` asks for the statements of a design.
    pub(in crate::cli::check) fn covers_design(&self) -> bool {
        matches!(self.cover.as_slice(), [Cover::Statements])
    }

    /// Whether other checks are requested together with goals of `--cover`.
    pub(super) fn is_mixed(&self) -> bool {
        let is_checking = !self.check.is_empty() || self.cbmc.checks() != Checks::default();
        self.goals().is_some() && (self.cover.len() > 1 || is_checking)
    }

    fn lines(&self) -> Vec<(String, u32)> {
        let line = |cover: &Cover| match cover {
            Cover::Line(file, line) => Some((file.clone(), *line)),
            Cover::Goals(_) | Cover::Statements => None,
        };
        self.cover.iter().filter_map(line).collect()
    }

    /// Whether the properties and loops are listed, not decided.
    pub(in crate::cli::check) fn lists(&self) -> bool {
        self.list
    }

    /// Whether each property gets a separate verdict.
    pub(super) fn is_each(&self) -> bool {
        self.each || self.goals().is_some()
    }

    /// The machine.
    pub(in crate::cli::check) fn data_model(&self) -> DataModel {
        self.data_model.data_model()
    }

    /// What the options by CBMC's names say about the program.
    ///
    /// # Errors
    /// If one of them needs the dialect, or a file cannot be read.
    pub(super) fn cbmc_options(&self) -> Result<CbmcOptions, Failure> {
        let has_bounds = self.unwind.is_some() || !self.unwindset.is_empty();
        self.cbmc.options(has_bounds)
    }

    /// The options of the C checker.
    pub(super) fn options(
        &self,
        engines: &EngineArguments,
        deadline: Option<Instant>,
        property_file: Option<PropertyFile>,
    ) -> Options {
        let is_about_memory = (property_file.as_ref()).is_some_and(PropertyFile::is_about_memory);
        let named = self.cbmc.checks();
        let has = |check: Check| self.check.contains(&check) || self.check.contains(&Check::All);
        Options {
            model: self.data_model.data_model(),
            preprocessing: self.preprocessing(),
            linked: Vec::new(),
            error_name: self.error_label.clone(),
            entry: self.entry.clone(),
            checks: Checks {
                overflow: named.overflow || has(Check::Overflow),
                unsigned_overflow: named.unsigned_overflow
                    || self.check.contains(&Check::UnsignedOverflow),
                division: named.division || has(Check::Div),
                shift: named.shift || has(Check::Shift),
                unreachable: has(Check::Unreachable),
                difference: named.pointer || has(Check::Pointer),
                arithmetic: named.arithmetic || self.check.contains(&Check::PointerArithmetic),
                bounds: named.bounds || has(Check::Bounds),
                pointer: named.pointer || has(Check::Pointer),
                overlap: has(Check::Overlap),
                leak: named.leak || has(Check::Leak),
                conversion: named.conversion || has(Check::Conversion),
            },
            property_file,
            property_name: None,
            cover: self.lines(),
            goals: self.goals(),
            malloc_may_fail: self.malloc_may_fail,
            nondet_volatile: self.nondet_volatile,
            assume_no_overflow: self.assume_no_overflow,
            unknown_calls: match self.unknown_calls {
                Some(effect) => effect.of_calls(),
                None if is_about_memory => UnknownCalls::Refuse,
                None => UnknownCalls::Havoc,
            },
            // In CBMC's dialect, bounds are hints.
            unwinding: match self.cbmc.is_dialect() {
                true => Unwinding {
                    hints: self.unwindset.clone(),
                    ..Unwinding::default()
                },
                false => Unwinding {
                    most: self.unwind,
                    single: self.unwindset.clone(),
                    ..Unwinding::default()
                },
            },
            cbmc: CbmcOptions::default(),
            engine: match (self.c_engine, engines.engine()) {
                (Some(Way::Portfolio), _) | (None, EngineName::Portfolio) => Engine::Portfolio,
                (Some(Way::Unwind), _) => Engine::Unwind,
                (Some(Way::Paths), _) => Engine::Paths,
                (Some(Way::Model) | None, _) => Engine::Model,
            },
            search: self.search(engines),
            only: engines.only,
            program_search: self.program_search(engines),
            deadline,
        }
    }

    /// The named engine for automata, with what was asked for beside it.
    fn program_search(&self, engines: &EngineArguments) -> Option<ProgramSearch> {
        let mut search = engines.program_search()?;
        if self.unwinding.is_some() {
            search = search.with_drawing();
        }
        if self.with_invariants {
            search = search.with_invariants(&engines.line_up());
        }
        Some(search)
    }

    /// The engines for the single-loop program, with what was asked for beside them.
    fn search(&self, engines: &EngineArguments) -> AutomatonSearch {
        let mut search = search(engines, self.with_invariants);
        if self.with_signals {
            search = search.with_signal_latches();
        }
        let left_out = self.without.iter().copied();
        left_out.fold(search, AutomatonSearch::without)
    }

    /// This task with exit codes that distinguish all outcomes.
    pub(in crate::cli::check) fn with_distinct_codes(mut self) -> Self {
        self.exit_code = Codes::Hwmcc;
        self
    }

    /// The option that names a file to write about one input, if there is one.
    pub(in crate::cli::check) fn file_option(&self) -> Option<&'static str> {
        let given = self.outputs().into_iter();
        given
            .filter(|output| output.path.is_some())
            .map(|output| output.option)
            .next()
    }

    /// The files that are written about one input.
    pub(in crate::cli::check) fn outputs(&self) -> [Output<'_>; 7] {
        [
            Output::file("--test-driver", self.test_driver.as_deref()),
            Output::folder("--test-suite", self.test_suite.as_deref()),
            Output::file("--model", self.model.as_deref()),
            Output::file("--cnf", self.cnf.as_deref()),
            Output::file("--proof", self.proof.as_deref()),
            Output::file("--unwinding", self.unwinding.as_deref()),
            Output::folder("--record", self.record.as_deref()),
        ]
    }

    /// The option that requests other properties than a property file, if there is one.
    pub(super) fn property_option(&self, file: &PropertyFile) -> Option<&'static str> {
        let checks = self.cbmc.checks();
        let is_checking = !self.check.is_empty() || checks != Checks::default();
        [
            (is_checking, "--check"),
            (self.error_label.is_some(), "--error-label"),
            (!self.cover.is_empty(), "--cover"),
            (
                self.entry != "main" && self.entry != file.entry(),
                "--entry",
            ),
        ]
        .into_iter()
        .find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// The exit code for the answer to the whole task.
    pub(in crate::cli::check) fn exit_code(&self, answer: Answer) -> u8 {
        self.exit_codes().of(answer)
    }

    /// The exit codes.
    pub(in crate::cli::check) fn exit_codes(&self) -> ExitCodes {
        match self.exit_code {
            Codes::Hwmcc => ExitCodes::HWMCC,
            Codes::Shell => ExitCodes::SHELL,
        }
    }

    /// The ways to decide the program.
    pub(in crate::cli::check) fn ways(&self) -> Ways {
        match self.c_engine {
            None => Ways::Default,
            Some(Way::Portfolio) => Ways::All,
            Some(Way::Unwind) => Ways::Unwind,
            Some(Way::Paths) => Ways::Paths,
            Some(Way::Model) => Ways::Model,
        }
    }
}

/// The engines for the single-loop program: the default line-up for the requested number of threads, or the requested
/// engine, without word-level invariants unless `with_invariants`.
fn search(engines: &EngineArguments, with_invariants: bool) -> AutomatonSearch {
    if engines.engine() == EngineName::Portfolio {
        return AutomatonSearch::line_up(&engines.line_up(), engines.n_threads(), engines.seed());
    }
    let line_up = engines.line_up();
    let search = match engines.schedule() {
        Ok(schedule) => {
            let search = craig_verify::Search::new(schedule);
            AutomatonSearch::new(&line_up, move |model, signals, control| {
                let found = search.check_with_signals(model, 0, signals, control);
                found
                    .map(|found| found.outcome)
                    .map_err(|error| error.to_string())
            })
        }
        // An engine for programs decides by itself.
        Err(Failure::Input(message) | Failure::Internal(message)) => {
            AutomatonSearch::new(&line_up, move |_, _, _| Err(message.clone()))
        }
    };
    if with_invariants {
        search.with_invariants(&line_up)
    } else {
        search
    }
}
