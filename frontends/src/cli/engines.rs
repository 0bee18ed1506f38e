//! The engines and their options on the command line, and the check of their evidence.

mod choice;
mod options;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser};
use craig_aig::Edge;
use craig_c::ProgramSearch;
use craig_certify::{
    Circuit, certify_all, certify_any, certify_certificate, certify_lasso, certify_live,
    certify_some, certify_trace,
};
use craig_mc::circuit::isomorphic;
use craig_mc::circuit::reduce::{self, Passes, Reduced, Shared, Signals, Together, When};
use craig_mc::engine::entry::Engine;
use craig_mc::engine::first_steps::{self, Effort};
use craig_mc::engine::options::{MAX_DEPTH, SEED};
use craig_mc::engine::pdr::choose_inductive;
use craig_mc::engine::registry;
use craig_mc::exchange::Reached;
use craig_mc::liveness::{self, LivenessOutcome, LivenessVerdict, METHODS, Plan};
use craig_mc::portfolio;
use craig_mc::{Control, StateClause};
use craig_model::{Model, Outcome, Verdict};
use craig_program::engine::ProgramEngine;
use craig_program::line_up::LineUp;
use craig_program::registry as program_registry;

use choice::ChoiceParser;
pub(super) use options::EngineOptions;

use super::failure::Failure;
use super::output::remember_inputs;
use super::terminal::complain;
use super::watch::{parse_megabytes, parse_seconds, parse_threads};

/// The options shared by `check` and `hwmcc`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct EngineArguments {
    /// The engine, and its own options: `pdr:max-depth=20,seed=3`. `craig engines` lists all.
    #[arg(
        long,
        value_name = "ENGINE[:OPTIONS]",
        default_value = "portfolio",
        value_parser = ChoiceParser,
        hide_possible_values = true
    )]
    pub(super) engine: EngineName,
    /// How many threads may search; by default, as many as there are cores.
    ///
    /// The portfolio selects its engines for so many, and methods for justice properties run side by side. An engine that
    /// is named has one.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// A file with the engines of the portfolio, in the format that `craig line-up` prints.
    #[arg(long, value_name = "FILE", value_parser = read_line_up)]
    line_up: Option<LineUp>,
    /// For justice properties: the method. By default, all take turns, or run side by side with more threads.
    ///
    /// The engine, if one is named, is the one for safety that `to-safety` and `k-liveness` use.
    #[arg(long, value_name = "METHOD", value_parser = method_names())]
    pub(super) liveness: Option<String>,
    #[command(flatten)]
    options: EngineOptions,
    /// Stop after so many seconds. Several properties share this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Stop when so much memory is resident.
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

/// Reports the members of a portfolio that panicked. Without an answer of another member, that is an internal
/// failure.
fn report_failures(failures: &[portfolio::Failure], is_unknown: bool) -> Result<(), Failure> {
    for failure in failures {
        complain(&format!(
            "internal failure: engine {}: {}",
            failure.entry, failure.message
        ));
    }
    if !failures.is_empty() && is_unknown {
        return Err(Failure::internal(
            "an engine panicked and no other has an answer",
        ));
    }
    Ok(())
}

/// Reads a line-up file. Errors name the file, the line, and what was expected.
fn read_line_up(path: &str) -> Result<LineUp, String> {
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
    /// Whether the engine promises the shortest run to a bad.
    pub(super) fn is_shortest(self) -> bool {
        matches!(self, Self::Single(engine) if engine.is_shortest)
    }

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

/// The result of the check of evidence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judgement {
    /// No check was requested, or there is no evidence.
    None,
    /// Valid; the check took so many seconds.
    Valid(f64),
    /// Invalid, for this reason.
    Invalid(String),
}

/// The bads of a circuit that evidence is about. A proof is about each of them, a run about one.
#[derive(Clone, Copy, Debug)]
pub(super) enum About<'a> {
    /// This one.
    One(usize),
    /// These.
    Some(&'a [usize]),
    /// Every bad.
    All,
}

/// The abstraction of isomorphic blocks has so much of the time, in percent, and so much at most.
const ABSTRACTION_SHARE: u32 = 10;
const ABSTRACTION_AT_MOST: Duration = Duration::from_secs(120);

/// With more lemmas from other properties than this, trying them is not worth its cost.
const MOST_LEMMAS: usize = 1000;

/// Clauses about a model's latches that were invariants of some reduction of it. For another property they
/// are candidates, which its engine has to prove again.
#[derive(Debug, Default)]
pub(super) struct Lemmas {
    /// The reduction of the model for all its bads together, if there is one.
    pub(super) shared: Option<Shared>,
    clauses: Vec<StateClause>,
    known: HashSet<StateClause>,
    /// Whether those that are inductive are found and shared before the search: most engines try no candidates.
    are_selected: bool,
}

impl Lemmas {
    /// The candidates of a control.
    fn suggested(control: &Control) -> Self {
        let mut lemmas = Self::default();
        lemmas.extend(control.candidates().iter().cloned());
        lemmas.are_selected = true;
        lemmas
    }

    /// The control for the search of a model, of which `candidates` are the clauses.
    fn known_to(
        &self,
        model: &Model,
        property: usize,
        candidates: Vec<StateClause>,
        control: &Control,
    ) -> Control {
        if self.are_selected && !candidates.is_empty() {
            control.share_invariants(choose_inductive(model, property, &candidates, control));
            return control.clone().with_candidates(Vec::new());
        }
        control.clone().with_candidates(candidates)
    }

    /// Adds invariants of a reduced model, whose latches have these numbers in the original. Clauses over a latch that only the
    /// reduced model has are dropped.
    pub(super) fn add_reduced(&mut self, clauses: Vec<StateClause>, numbers: &[Option<usize>]) {
        let spread = |clause: StateClause| {
            (clause.into_iter())
                .map(|(latch, value)| Some((numbers[latch]?, value)))
                .collect()
        };
        self.extend(clauses.into_iter().filter_map(spread));
    }

    fn extend(&mut self, clauses: impl IntoIterator<Item = StateClause>) {
        for mut clause in clauses {
            clause.sort_unstable();
            if self.clauses.len() < MOST_LEMMAS && self.known.insert(clause.clone()) {
                self.clauses.push(clause);
            }
        }
    }
}

impl EngineArguments {
    /// The number of threads for which engines are selected.
    pub(super) fn n_threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        self.threads.unwrap_or_else(cores)
    }

    /// The seed of the portfolio's engines.
    pub(super) fn seed(&self) -> u64 {
        self.options.0.number(&SEED).unwrap_or_default()
    }

    /// The last step of bounded engines.
    pub(super) fn max_depth(&self) -> Option<usize> {
        self.options.0.count(&MAX_DEPTH)
    }

    /// The engine for programs that was asked for, with its options.
    pub(super) fn program_search(&self) -> Option<ProgramSearch> {
        match self.engine {
            EngineName::Program(engine) => {
                let settings = self.options.settings(engine.options);
                Some(ProgramSearch::new(engine, &settings))
            }
            EngineName::Portfolio | EngineName::Single(_) => None,
        }
    }

    /// Whether the engines of the portfolio are the user's choice.
    pub(super) fn has_own_line_up(&self) -> bool {
        self.line_up.is_some()
    }

    /// The engines of the portfolio.
    pub(super) fn line_up(&self) -> LineUp {
        self.line_up.clone().unwrap_or_default()
    }

    /// Reduces the model, runs the engine, and lifts its result to the model. Those candidates of the control that are
    /// inductive are known to the engine.
    pub(super) fn check(
        &self,
        model: &Model,
        property: usize,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        self.check_with(model, property, &mut Lemmas::suggested(control), control)
    }

    /// The same with formulas over the latches as latches of their own, after the reduction.
    pub(super) fn check_with_signals(
        &self,
        model: &Model,
        property: usize,
        formulas: &[Edge],
        control: &Control,
    ) -> Result<Outcome, Failure> {
        let passes = match self.no_preprocess {
            true => Passes::NONE,
            false => self.passes(),
        };
        let signals = match formulas {
            [] => None,
            _ => Signals::add(model, formulas, &passes, control),
        };
        let Some(signals) = signals else {
            return self.check(model, property, control);
        };
        let reduced = &signals.reduced;
        control.note("signals", || {
            let n_late = signals.late.len();
            format!(
                "{} latches, {n_late} of them read by signals",
                reduced.model.latches.len()
            )
        });
        let lemmas = Lemmas::suggested(control);
        let candidates = reduced.about(&lemmas.clauses);
        let own = signals.control(control);
        let control = lemmas.known_to(&reduced.model, property, candidates, &own);
        let outcome = self.search(&reduced.model, property, &control)?;
        Ok(reduced.lift_outcome(outcome))
    }

    /// The reduction of the model for all its bads together; `None` if it is not to be reduced.
    pub(super) fn reduce_together(&self, model: &Model, control: &Control) -> Option<Shared> {
        (!self.no_preprocess).then(|| Shared::new(model, &self.passes(), control))
    }

    /// What this model reduced for all its bads becomes for a search for these together.
    pub(super) fn together(&self, shared: &Shared, bads: &[usize], control: &Control) -> Together {
        shared.together(bads, &self.passes(), control)
    }

    /// Searches for the open bads of a model together, from `frames` on, which become those of this search. The outcome is about
    /// the original model. With `is_first`, the first steps are checked before; whether the next search is to do that, too, is
    /// set.
    pub(super) fn check_together(
        &self,
        together: &Together,
        frames: &mut Arc<Reached>,
        is_first: &mut bool,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        let model = together.model();
        let lift = |outcome| together.lift_outcome(outcome).map_err(Failure::internal);
        if *is_first && let Some(outcome) = self.look_at(&model, control) {
            return lift(outcome);
        }
        *is_first = false;
        let own = control
            .for_other_model()
            .with_known_frames(Arc::clone(frames));
        let outcome = self.search(&model, 0, &own)?;
        if let Some(next) = own.exchange().best_frames() {
            *frames = next;
        }
        control.share_invariants(own.invariants(0));
        lift(outcome)
    }

    /// The same, with what is left of the search for other properties; adds the invariants found here.
    pub(super) fn check_with(
        &self,
        model: &Model,
        property: usize,
        lemmas: &mut Lemmas,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        if let EngineName::Program(engine) = self.engine {
            return Err(Failure::input(format!(
                "the engine {} decides C programs only",
                engine.name
            )));
        }
        if self.no_preprocess {
            let control = lemmas.known_to(model, property, lemmas.clauses.clone(), control);
            let outcome = self.search(model, property, &control)?;
            lemmas.extend(control.invariants(0));
            return Ok(outcome);
        }
        let passes = self.passes();
        let reduced = match &lemmas.shared {
            Some(shared) => shared.begin(property, &passes),
            None => reduce::begin(model, property, &passes, control),
        };
        if let Some(outcome) = self.look(&reduced, control) {
            return Ok(outcome);
        }
        if let Some(outcome) = self.abstracted(&reduced, control)? {
            return Ok(outcome);
        }
        let reduced = match &lemmas.shared {
            Some(shared) => shared.go_on(reduced, &passes, control),
            None => reduce::go_on(reduced, &passes, control),
        };
        let numbers = reduced.lift.latches();
        let candidates = reduced.about(&lemmas.clauses);
        let control = lemmas.known_to(&reduced.model, 0, candidates, control);
        let original = Some((model, property));
        let (outcome, is_of_original) =
            self.search_beside(&reduced.model, 0, original, &control)?;
        lemmas.add_reduced(control.invariants(0), &numbers);
        Ok(match is_of_original {
            true => outcome,
            false => reduced.lift_outcome(outcome),
        })
    }

    /// Decides a justice property.
    pub(super) fn check_live(
        &self,
        model: &Model,
        property: usize,
        control: &Control,
    ) -> Result<LivenessOutcome, Failure> {
        let engine = match self.engine {
            EngineName::Portfolio => None,
            EngineName::Single(engine) => {
                Some((engine.build)(&self.options.settings(engine.options)))
            }
            EngineName::Program(engine) => {
                return Err(Failure::input(format!(
                    "the engine {} decides C programs only",
                    engine.name
                )));
            }
        };
        let method = self.liveness.as_deref().map(|name| {
            let method = liveness::find(name);
            method.expect("the command line allows only names of methods")
        });
        let skipped = self.skip_pass.iter();
        let plan = Plan {
            method,
            engine,
            passes: match self.no_preprocess {
                true => Passes::NONE,
                false => skipped.fold(Passes::ALL, |passes, name| passes.without(name)),
            },
            threads: self.n_threads(),
            seed: self.seed(),
        };
        let outcome = liveness::decide(model, property, &plan, control);
        let is_unknown = matches!(outcome.verdict, LivenessVerdict::Unknown(_));
        report_failures(&outcome.failures, is_unknown)?;
        Ok(outcome)
    }

    /// Checks the evidence about a justice property, as [`EngineArguments::judge`].
    pub(super) fn judge_live(
        &self,
        circuit: &(impl Circuit + ?Sized),
        property: usize,
        verdict: &LivenessVerdict,
    ) -> Judgement {
        let start = Instant::now();
        let result = match verdict {
            LivenessVerdict::Unknown(_) => return Judgement::None,
            _ if self.no_certify => return Judgement::None,
            LivenessVerdict::Holds(certificate) => certify_live(circuit, property, certificate),
            LivenessVerdict::Fails(lasso) => certify_lasso(circuit, lasso),
        };
        match result {
            Ok(()) => Judgement::Valid(start.elapsed().as_secs_f64()),
            Err(error) => Judgement::Invalid(error.to_string()),
        }
    }

    /// Searches for a shallow bad before the model is reduced.
    fn look(&self, reduced: &Reduced, control: &Control) -> Option<Outcome> {
        let outcome = self.look_at(&reduced.model, control)?;
        Some(reduced.lift_outcome(outcome))
    }

    /// Searches for a shallow bad of a model, which has no other.
    fn look_at(&self, model: &Model, control: &Control) -> Option<Outcome> {
        if self.no_first_steps {
            return None;
        }
        let mut effort = Effort::default();
        if let Some(depth) = self.max_depth() {
            effort = effort.up_to(depth);
        }
        if self.engine.is_shortest() {
            effort.evaluations = None;
        }
        first_steps::look_at(model, &effort, control)
    }

    /// Decides abstractions of a model that has arithmetic operations twice. `None` if it has not, or if they
    /// give no answer.
    fn abstracted(&self, reduced: &Reduced, control: &Control) -> Result<Option<Outcome>, Failure> {
        if self.no_isomorphic {
            return Ok(None);
        }
        let own = control.apart_for(ABSTRACTION_SHARE, ABSTRACTION_AT_MOST);
        let passes = self.passes();
        let mut search = |model: &Model| {
            let small = reduce::begin(model, 0, &passes, &own);
            let small = reduce::go_on(small, &passes, &own);
            let outcome = self.search(&small.model, 0, &own.apart())?;
            Ok(small.lift_outcome(outcome))
        };
        let limits = isomorphic::Limits::default();
        let decided = isomorphic::decide(&reduced.model, 0, &limits, &own, &mut search)?;
        Ok(decided.and_then(|decided| {
            control.note("isomorphic", || {
                format!(
                    "{} gates of isomorphic blocks with {} bits, {} abstractions: {}",
                    decided.n_gates,
                    decided.n_bits,
                    decided.n_rounds,
                    match decided.outcome {
                        Some(_) => "decided",
                        None => "not decided",
                    }
                )
            });
            decided.outcome.map(|outcome| reduced.lift_outcome(outcome))
        }))
    }

    fn passes(&self) -> Passes {
        let skipped = self.skip_pass.iter();
        let passes = skipped.fold(Passes::ALL, |passes, name| passes.without(name));
        let extra = self.extra_pass.iter();
        extra.fold(passes, |passes, name| passes.with(name))
    }

    /// Runs the engine.
    fn search(
        &self,
        model: &Model,
        property: usize,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        let found = self.search_beside(model, property, None, control)?;
        Ok(found.0)
    }

    /// Runs the engine on a model that may be the reduction of `original`, which some engines of a portfolio search. Also
    /// tells whether the outcome is about that one. A panic of a portfolio engine is an internal failure unless another one
    /// has an answer.
    fn search_beside(
        &self,
        model: &Model,
        property: usize,
        original: Option<(&Model, usize)>,
        control: &Control,
    ) -> Result<(Outcome, bool), Failure> {
        Ok(match self.engine {
            EngineName::Portfolio => {
                let entries = self.line_up().for_circuit(self.n_threads(), self.seed());
                let report =
                    portfolio::check_beside((model, property), original, &entries, control);
                let is_unknown = matches!(report.outcome.verdict, Verdict::Unknown(_));
                report_failures(&report.failures, is_unknown)?;
                control.share_invariants(report.invariants);
                if let Some(frames) = report.frames {
                    control.exchange().share_frames(portfolio::NAME, frames);
                }
                (report.outcome, report.original)
            }
            EngineName::Single(engine) => {
                let run = (engine.build)(&self.options.settings(engine.options));
                (run(model, property, control), false)
            }
            EngineName::Program(_) => unreachable!("it was rejected before"),
        })
    }

    /// Checks the evidence for properties on the circuit of the file, with another solver than the engines'.
    pub(super) fn judge(
        &self,
        circuit: &(impl Circuit + ?Sized),
        about: About<'_>,
        verdict: &Verdict,
    ) -> Judgement {
        let start = Instant::now();
        let result = match (verdict, about) {
            (Verdict::Unknown(_), _) => return Judgement::None,
            _ if self.no_certify => return Judgement::None,
            (Verdict::Safe(certificate), About::One(property)) => {
                certify_certificate(circuit, property, certificate)
            }
            (Verdict::Safe(certificate), About::Some(properties)) => {
                certify_some(circuit, properties, certificate)
            }
            (Verdict::Safe(certificate), About::All) => certify_all(circuit, certificate),
            (Verdict::Unsafe(trace), About::One(property)) => {
                certify_trace(circuit, property, trace).map(|_| ())
            }
            (Verdict::Unsafe(trace), About::Some(_)) => {
                certify_trace(circuit, trace.property, trace).map(|_| ())
            }
            (Verdict::Unsafe(trace), About::All) => certify_any(circuit, trace).map(|_| ()),
        };
        match result {
            Ok(()) => Judgement::Valid(start.elapsed().as_secs_f64()),
            Err(error) => Judgement::Invalid(error.to_string()),
        }
    }
}
