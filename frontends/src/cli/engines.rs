//! The engines and their options on the command line.

mod choice;
mod options;
mod presets;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use craig_c::ProgramSearch;
use craig_mc::circuit::reduce::{self, Passes, When};
use craig_mc::engine::entry::Engine;
use craig_mc::engine::options::{MAX_DEPTH, SEED};
use craig_mc::engine::registry;
use craig_mc::liveness::{self, METHODS};
use craig_mc::portfolio;
use craig_program::engine::ProgramEngine;
use craig_program::line_up::LineUp;
use craig_program::registry as program_registry;
use craig_verify::{Engines, Exchange, Schedule, StageName, Stages, VerifyError};

use choice::ChoiceParser;
pub(super) use options::{EngineOptions, check_together, given};
use presets::Preset;
pub(super) use presets::of_paper;

use super::failure::Failure;
use super::output::remember_inputs;
use super::terminal::complain;
use super::watch::{parse_megabytes, parse_seconds, parse_threads};

/// The options shared by `check` and `hwmcc`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct EngineArguments {
    // Before `engine`, in whose value it looks for options: each field takes its values away from the parsed command line.
    #[command(flatten)]
    options: EngineOptions,
    /// The engine, and its own options: `pdr:max-depth=20,seed=3`. `craig engines` lists all.
    #[arg(
        id = "engine",
        long = "engine",
        value_name = "ENGINE[:OPTIONS]",
        default_value = "portfolio",
        value_parser = ChoiceParser,
        hide_possible_values = true
    )]
    named: EngineName,
    /// The engine of a paper, with the options that are the paper's; others that are given change them.
    #[arg(long, value_name = "PAPER", conflicts_with = "engine")]
    as_in: Option<Preset>,
    /// How many threads may search; by default, as many as there are cores.
    ///
    /// The portfolio selects its engines for that number, and methods for justice properties run side by side. An engine that
    /// is named has one.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// A file with the stages and engines of the portfolio, in the format that `craig line-up` prints. For an engine that is named,
    /// and for `--c-engine unwind` and `paths`, it is the stages that count.
    #[arg(long, value_name = "FILE", value_parser = read_line_up, conflicts_with = "only")]
    line_up: Option<LineUp>,
    /// For justice properties: the method. By default, all take turns, or run side by side with more threads.
    ///
    /// The engine, if one is named, is the one for safety that `to-safety` and `k-liveness` use.
    #[arg(long, value_name = "METHOD", value_parser = method_names())]
    pub(super) liveness: Option<String>,
    /// Stop after this time. Several properties share it.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Stop when this amount of memory is resident.
    ///
    /// From seven eighths of it on, the portfolio stops its engines one
    /// by one, the last of its line-up first, as long as more than one is running.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    pub(super) memory: Option<u64>,
    /// Do not check evidence before verdicts are printed.
    #[arg(long)]
    pub(super) no_certify: bool,
    /// Do not reduce the circuit before the search.
    #[arg(long, conflicts_with_all = ["skip_pass", "extra_pass"])]
    pub(super) no_preprocess: bool,
    /// Omit a pass of the reduction; may be repeated.
    #[arg(long, value_name = "PASS", value_parser = pass_names(When::Usually))]
    skip_pass: Vec<String>,
    /// Add a pass to the reduction that is off by default; may be repeated.
    #[arg(long, value_name = "PASS", value_parser = pass_names(When::OnRequest))]
    extra_pass: Vec<String>,
    /// Do not check the first steps before the reduction.
    ///
    /// This check is bounded model checking and, unless
    /// the engine promises the shortest run, a short simulation.
    #[arg(long)]
    no_first_steps: bool,
    /// The named engine decides alone, after the reduction: no bounded search or simulation, no abstraction and no run to another bad
    /// comes before it, and for a C program no summary, no sample and no program without its recursion.
    #[arg(long)]
    pub(super) only: bool,
    /// A folder through which searches of one circuit exchange clauses, each a process of its own.
    ///
    /// Each writes short clauses that it believes in, and tries those of the others: it uses what it has proved itself. Evidence is as
    /// without.
    #[arg(long, value_name = "DIR")]
    exchange: Option<PathBuf>,
    /// Do not first decide an abstraction of a circuit in which arithmetic operations occur twice.
    #[arg(long)]
    no_isomorphic: bool,
}

/// The value of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineName {
    /// Several engines in parallel; the first definite answer is the result.
    Portfolio,
    /// This engine alone.
    Single(&'static Engine),
    /// This one alone, which decides programs only.
    Program(&'static ProgramEngine),
}

impl EngineArguments {
    /// These arguments with a number of threads, if they have none.
    pub(super) fn with_threads(self, threads: usize) -> Self {
        Self {
            threads: self.threads.or(Some(threads)),
            ..self
        }
    }
}

impl clap::ValueEnum for EngineName {
    fn value_variants<'a>() -> &'a [Self] {
        static NAMES: LazyLock<Vec<EngineName>> = LazyLock::new(|| {
            std::iter::once(EngineName::Portfolio)
                .chain(registry::ENGINES.iter().map(EngineName::Single))
                .chain(program_registry::ENGINES.iter().map(EngineName::Program))
                .collect()
        });
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.text()))
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::NoProperty { .. } => Self::input(error),
            _ => Self::internal(error),
        }
    }
}

/// Reports an engine that panicked.
pub(super) fn report_failure(failure: &portfolio::Failure) {
    complain(&format!(
        "internal failure: engine {}: {}",
        failure.entry, failure.message
    ));
}

/// Reads a line-up file. Errors name the file, the line, and what was expected.
pub(super) fn read_line_up(path: &str) -> Result<LineUp, String> {
    remember_inputs([Path::new(path)]);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    LineUp::parse(&text).map_err(|error| format!("{path}: {error}"))
}

/// The names of the passes with such rows, for the command line.
fn pass_names(when: When) -> PossibleValuesParser {
    let rows = reduce::ROWS.iter().filter(|row| row.when == when);
    let mut names: Vec<_> = rows
        .map(|row| PossibleValue::new(row.pass.name()).help(row.pass.text()))
        .collect();
    if when == When::OnRequest {
        names.sort_by(|left, right| left.get_name().cmp(right.get_name()));
    }
    PossibleValuesParser::new(names)
}

/// The methods for justice properties, for the command line.
fn method_names() -> PossibleValuesParser {
    let methods = METHODS.iter();
    PossibleValuesParser::new(
        methods.map(|method| PossibleValue::new(method.name).help(method.text)),
    )
}

impl EngineName {
    /// A description in one line, without a full stop at the end.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Portfolio => {
                "Several engines in parallel; the first definite answer is the result"
            }
            Self::Single(engine) => engine.text,
            Self::Program(engine) => engine.text,
        }
    }

    /// The name of the engine.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portfolio => portfolio::NAME,
            Self::Single(engine) => engine.name,
            Self::Program(engine) => engine.name,
        }
    }
}

impl EngineArguments {
    /// The engine.
    pub(super) fn engine(&self) -> EngineName {
        self.as_in.map_or(self.named, Preset::engine)
    }

    /// The number of threads for which engines are selected.
    pub(super) fn n_threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        self.threads.unwrap_or_else(cores)
    }

    /// The seed of the portfolio's engines.
    pub(super) fn seed(&self) -> u64 {
        self.options.0.number(&SEED).unwrap_or_default()
    }

    /// The engine for programs that was asked for, with its options.
    pub(super) fn program_search(&self) -> Option<ProgramSearch> {
        match self.engine() {
            EngineName::Program(engine) => {
                let settings = self.options.settings(engine.options);
                Some(ProgramSearch::new(engine, &settings))
            }
            EngineName::Portfolio | EngineName::Single(_) => None,
        }
    }

    /// The engines of the portfolio.
    pub(super) fn line_up(&self) -> LineUp {
        self.line_up.clone().unwrap_or_default()
    }

    /// How circuits are decided.
    ///
    /// # Errors
    /// If the engine is for C programs only.
    pub(super) fn schedule(&self) -> Result<Schedule, Failure> {
        self.check_only()?;
        let engines = match self.engine() {
            EngineName::Portfolio => Engines::LineUp(self.line_up()),
            EngineName::Single(engine) => {
                Engines::One(engine, self.options.settings(engine.options))
            }
            EngineName::Program(engine) => {
                return Err(Failure::input(format!(
                    "the engine {} decides C programs only",
                    engine.name
                )));
            }
        };
        let liveness = self.liveness.as_deref().map(|name| {
            let method = liveness::find(name);
            method.expect("the command line allows only names of methods")
        });
        Ok(Schedule {
            engines,
            threads: self.n_threads(),
            seed: self.seed(),
            max_depth: self.options.0.count(&MAX_DEPTH),
            passes: (!self.no_preprocess).then(|| self.passes()),
            stages: self.stages(),
            liveness,
            certify: !self.no_certify,
            exchange: self.exchange()?,
        })
    }

    /// Refuses `--only` without an engine.
    ///
    /// # Errors
    /// If no engine is named that is to decide alone.
    pub(super) fn check_only(&self) -> Result<(), Failure> {
        match (self.only, self.engine()) {
            (true, EngineName::Portfolio) => {
                Err(Failure::input("`--only` needs one engine (`--engine`)"))
            }
            _ => Ok(()),
        }
    }

    /// The folder for clauses, made if it is not there.
    fn exchange(&self) -> Result<Option<Exchange>, Failure> {
        let Some(folder) = &self.exchange else {
            return Ok(None);
        };
        let opened = Exchange::open(folder);
        opened
            .map(Some)
            .map_err(|error| Failure::input(format!("--exchange {}: {error}", folder.display())))
    }

    fn stages(&self) -> Stages {
        if self.only {
            return Stages::NONE;
        }
        let own = self.line_up().circuit_stages().clone();
        let left_out = [
            (self.no_first_steps, StageName::FirstSteps),
            (self.no_isomorphic, StageName::Isomorphic),
        ];
        let left_out = left_out.into_iter().filter(|&(is_out, _)| is_out);
        left_out.fold(own, |stages, (_, name)| stages.without(name))
    }

    fn passes(&self) -> Passes {
        let skipped = self.skip_pass.iter();
        let passes = skipped.fold(Passes::ALL, |passes, name| passes.without(name));
        let extra = self.extra_pass.iter();
        extra.fold(passes, |passes, name| passes.with(name))
    }
}
