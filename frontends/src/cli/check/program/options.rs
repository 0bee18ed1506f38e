//! The options of `craig check` that only concern C programs.

use std::path::PathBuf;
use std::time::Instant;

use crate::cli::check::report::Answer;
use crate::cli::engines::{EngineArguments, EngineName};
use crate::cli::failure::Failure;
use crate::cli::programs::Machine;
use craig_c::{
    Checks, DataModel, Engine, Goals, Limit, Options, Preprocessing, PropertyFile, Search,
    UnknownCalls, Unwinding,
};

/// What only concerns C programs.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "C programs (FILE.c, FILE.i)")]
pub(in crate::cli::check) struct CArguments {
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
    /// Unroll each loop and each recursion at most so many times. By default, further and further. This
    /// binds what unrolls (`--c-engine unwind` for that alone), not the engines that work on the
    /// transition system.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// Other limits for single loops (`main.0:12`: the first loop of `main` goes round at most 12 times)
    /// and functions (`f:5`: at most 5 calls of `f` within each other), separated by commas.
    #[arg(long, value_name = "LIMITS", value_delimiter = ',')]
    unwindset: Vec<Limit>,
    /// The label or function that marks the error, instead of the customary ones.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,
    /// The function that the program starts with.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    entry: String,
    /// Further checks, separated by commas.
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    check: Vec<Check>,
    /// Ask whether a statement that starts on this line can be reached, and for nothing else; may be repeated. Or
    /// cover all lines with statements (`location`), all ways of branches (`branch`) or all values of conditions
    /// (`condition`): each of them is asked about by itself, and the share that can be reached is told.
    #[arg(
        long,
        value_name = "FILE:LINE|GOALS",
        value_parser = parse_cover,
        conflicts_with = "error_label"
    )]
    cover: Vec<Cover>,
    /// `malloc` and its relatives may return null at any time.
    #[arg(long)]
    malloc_may_fail: bool,
    /// Every read of a volatile object may give any value.
    #[arg(long)]
    nondet_volatile: bool,
    /// The effect of a function that has neither body nor model, beside returning any value.
    #[arg(long, value_name = "EFFECT", default_value = "havoc")]
    unknown_calls: Unknown,
    /// How C programs are treated: by unrolling, as a transition system, or both at once. By default both;
    /// with a single `--engine`, as a transition system for that engine.
    #[arg(long, value_name = "WAY")]
    c_engine: Option<Way>,
    /// With a single `--engine`: look for word-level invariants of the loops first. They may prove the
    /// program by themselves; otherwise they strengthen the transition system that the engine gets. The
    /// portfolio always does this; an engine that is asked for by name otherwise answers alone.
    #[arg(long)]
    with_invariants: bool,
    /// Decide each property by itself: every error mark and every check at its place in the source.
    #[arg(long)]
    each: bool,
    /// Compile an unsafe program with `cc`, run it with the inputs that were chosen, and say whether it
    /// fails.
    #[arg(long)]
    pub(super) replay_native: bool,
    /// Write a C file that reproduces the error when it is compiled and run.
    #[arg(long, value_name = "FILE.c")]
    pub(super) test_driver: Option<PathBuf>,
    /// Write the inputs that lead to the error as a test suite in the format of Test-Comp.
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) test_suite: Option<PathBuf>,
    /// Write the transition system that the certificate of a safe program is about (binary if the name ends
    /// in `.aig`, else text); `--witness FILE.aag` writes the certificate.
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
    /// Write the formula, in DIMACS, that shows by its refutation that an unrolled program is safe.
    #[arg(long, value_name = "FILE")]
    pub(super) cnf: Option<PathBuf>,
    /// Write its refutation, in LRAT.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Exit codes: `hwmcc` is 20, 10, 30 for safe, unsafe, unknown; `shell` is 0, 1, 2.
    #[arg(long, value_name = "CODES", default_value = "hwmcc")]
    exit_code: Codes,
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
enum Unknown {
    /// It changes whatever its arguments lead to, but through pointers to `const`.
    Havoc,
    /// It changes nothing (the convention of SV-COMP).
    Pure,
    /// A path that calls it is not supported.
    Refuse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Codes {
    /// 20, 10, 30.
    Hwmcc,
    /// 0, 1, 2.
    Shell,
}

/// What `--cover` asks for.
#[derive(Clone, Debug)]
enum Cover {
    Line(String, u32),
    Goals(Goals),
}

fn parse_cover(text: &str) -> Result<Cover, String> {
    Ok(match text {
        "location" => Cover::Goals(Goals::Locations),
        "branch" => Cover::Goals(Goals::Branches),
        "condition" => Cover::Goals(Goals::Conditions),
        _ => {
            let (file, line) = parse_line(text)?;
            Cover::Line(file, line)
        }
    })
}

fn parse_line(text: &str) -> Result<(String, u32), String> {
    let wanted = "expected location, branch, condition or FILE:LINE, a line counted from 1";
    let (file, line) = text.rsplit_once(':').ok_or(wanted)?;
    let line = line.parse().ok().filter(|&line| line > 0).ok_or(wanted)?;
    Ok((file.to_owned(), line))
}

impl CArguments {
    /// For the preprocessor.
    pub(in crate::cli::check) fn preprocessing(&self) -> Preprocessing {
        Preprocessing {
            include: self.include.clone(),
            define: self.define.clone(),
            standard: self.std.clone(),
            ..Preprocessing::default()
        }
    }

    /// What is to be covered.
    pub(in crate::cli::check) fn goals(&self) -> Option<Goals> {
        self.cover.iter().find_map(|cover| match cover {
            Cover::Goals(goals) => Some(*goals),
            Cover::Line(..) => None,
        })
    }

    /// Whether there are goals of `--cover` and something else is asked for, too.
    pub(super) fn is_mixed(&self) -> bool {
        self.goals().is_some() && (self.cover.len() > 1 || !self.check.is_empty())
    }

    fn lines(&self) -> Vec<(String, u32)> {
        let line = |cover: &Cover| match cover {
            Cover::Line(file, line) => Some((file.clone(), *line)),
            Cover::Goals(_) => None,
        };
        self.cover.iter().filter_map(line).collect()
    }

    /// Whether each property gets a verdict of its own.
    pub(super) fn is_each(&self) -> bool {
        self.each || self.goals().is_some()
    }

    /// The machine.
    pub(in crate::cli::check) fn data_model(&self) -> DataModel {
        self.data_model.data_model()
    }

    /// The options of the C checker.
    pub(super) fn options(
        &self,
        engines: &EngineArguments,
        deadline: Option<Instant>,
        property_file: Option<PropertyFile>,
    ) -> Options {
        let has = |check: Check| self.check.contains(&check) || self.check.contains(&Check::All);
        Options {
            model: self.data_model.data_model(),
            preprocessing: self.preprocessing(),
            linked: Vec::new(),
            error_name: self.error_label.clone(),
            entry: self.entry.clone(),
            checks: Checks {
                overflow: has(Check::Overflow),
                division: has(Check::Div),
                shift: has(Check::Shift),
                bounds: has(Check::Bounds),
                pointer: has(Check::Pointer),
                leak: has(Check::Leak),
                conversion: has(Check::Conversion),
            },
            property_file,
            cover: self.lines(),
            goals: self.goals(),
            malloc_may_fail: self.malloc_may_fail,
            nondet_volatile: self.nondet_volatile,
            unknown_calls: match self.unknown_calls {
                Unknown::Havoc => UnknownCalls::Havoc,
                Unknown::Pure => UnknownCalls::Pure,
                Unknown::Refuse => UnknownCalls::Refuse,
            },
            unwinding: Unwinding {
                most: self.unwind,
                single: self.unwindset.clone(),
            },
            engine: match (self.c_engine, engines.engine) {
                (Some(Way::Portfolio), _) | (None, EngineName::Portfolio) => Engine::Portfolio,
                (Some(Way::Unwind), _) => Engine::Unwind,
                (Some(Way::Model) | None, _) => Engine::Model,
            },
            search: search(engines, self.with_invariants),
            program_search: engines.program_search(),
            deadline,
        }
    }

    /// The same with exit codes that tell all outcomes apart.
    pub(in crate::cli::check) fn with_distinct_codes(mut self) -> Self {
        self.exit_code = Codes::Hwmcc;
        self
    }

    /// The option that names a file to write about one input, if there is one.
    pub(in crate::cli::check) fn file_option(&self) -> Option<&'static str> {
        [
            (&self.test_driver, "--test-driver"),
            (&self.test_suite, "--test-suite"),
            (&self.model, "--model"),
            (&self.cnf, "--cnf"),
            (&self.proof, "--proof"),
        ]
        .into_iter()
        .find_map(|(path, option)| path.is_some().then_some(option))
    }

    /// The option that asks for other properties than a property file, if there is one.
    pub(super) fn property_option(&self, file: &PropertyFile) -> Option<&'static str> {
        [
            (!self.check.is_empty(), "--check"),
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

    /// The exit code for an answer to the whole question.
    pub(in crate::cli::check) fn exit_code(&self, answer: Answer) -> u8 {
        let [safe, unsafe_, unknown] = match self.exit_code {
            Codes::Hwmcc => [20, 10, 30],
            Codes::Shell => [0, 1, 2],
        };
        match answer {
            Answer::Safe => safe,
            Answer::Unsafe => unsafe_,
            Answer::Unknown => unknown,
            Answer::Failed => 1,
        }
    }
}

/// What decides the single-loop program: the usual line-up for so many threads, or the engine that was
/// asked for, by itself unless `with_invariants`.
fn search(engines: &EngineArguments, with_invariants: bool) -> Search {
    if engines.engine == EngineName::Portfolio {
        return Search::line_up(&engines.line_up(), engines.n_threads(), engines.seed());
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
