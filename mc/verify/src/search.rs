//! The search for an answer about one bad of a model: first steps, abstractions, the reduction, the engines, and the way
//! back of their evidence.

use std::sync::{Arc, Mutex, PoisonError};

use craig_aig::Edge;
use craig_mc::circuit::isomorphic;
use craig_mc::circuit::reduce::{self, Passes, Reduced, Shared, Signals, Together};
use craig_mc::circuit::slices;
use craig_mc::engine::first_steps::{self, Effort};
use craig_mc::exchange::Reached;
use craig_mc::liveness::{self, LivenessOutcome, LivenessVerdict, Plan};
use craig_mc::portfolio::{self, Failure};
use craig_mc::{Alone, Board, Control};
use craig_model::{Model, Outcome, Stop, Verdict};
use craig_program::line_up::{Amount, StageName};

use crate::error::VerifyError;
use crate::exchange::Place;
use crate::lemmas::Lemmas;
use crate::property::PropertyId;
use crate::schedule::{Engines, Schedule};

/// The phase of what the engines have decided.
pub const ENGINES: &str = "engines";

/// An outcome, which is not certified yet, and what has found it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// About the model of the question.
    pub outcome: Outcome,
    /// The stage of the schedule, or [`ENGINES`].
    pub phase: &'static str,
}

impl Decided {
    /// Of a stage.
    #[must_use]
    pub fn by(stage: StageName, outcome: Outcome) -> Self {
        let phase = stage.name();
        Self { outcome, phase }
    }

    /// Of the engines.
    #[must_use]
    pub fn by_engines(outcome: Outcome) -> Self {
        let phase = ENGINES;
        Self { outcome, phase }
    }

    /// Whether it is an answer.
    #[must_use]
    pub fn is_definite(&self) -> bool {
        !matches!(self.outcome.verdict, Verdict::Unknown(_))
    }
}

/// The searches of a schedule. Their outcomes are about the model that was given, and not certified: for front ends that have
/// more to lift. Clones share the engines' failures.
#[derive(Clone, Debug)]
pub struct Search {
    schedule: Arc<Schedule>,
    failures: Arc<Mutex<Vec<Failure>>>,
}

impl Search {
    /// By this schedule.
    #[must_use]
    pub fn new(schedule: Schedule) -> Self {
        Self {
            schedule: Arc::new(schedule),
            failures: Arc::default(),
        }
    }

    /// The schedule.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The engines that have panicked since the last call.
    #[must_use]
    pub fn take_failures(&self) -> Vec<Failure> {
        let failures = self.failures.lock();
        std::mem::take(&mut failures.unwrap_or_else(PoisonError::into_inner))
    }

    /// Decides a bad. Those candidates of the control that are inductive are known to the engines.
    ///
    /// # Errors
    /// If the model is none ([`Model::validate`]) or has no such bad, or an engine panics and no other has an answer.
    pub fn check(
        &self,
        model: &Model,
        property: usize,
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        model.validate()?;
        PropertyId::bad(property).check(model)?;
        self.check_with(model, property, &mut Lemmas::suggested(control), control)
    }

    /// As [`Search::check`], where formulas over the latches are latches of their own after the reduction.
    ///
    /// # Errors
    /// If the model is none ([`Model::validate`]) or has no such bad, or an engine panics and no other has an answer.
    pub fn check_with_signals(
        &self,
        model: &Model,
        property: usize,
        formulas: &[Edge],
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        model.validate()?;
        PropertyId::bad(property).check(model)?;
        let passes = self.schedule.passes.unwrap_or(Passes::NONE);
        let signals = match formulas {
            [] => None,
            _ => Signals::add(model, formulas, &passes, control),
        };
        let Some(signals) = signals else {
            return self.check(model, property, control);
        };
        let reduced = &signals.reduced;
        control.listener.note("signals", || {
            let n_late = signals.late.len();
            format!(
                "{} latches, {n_late} of them read by signals",
                reduced.model.latches.len()
            )
        });
        let lemmas = Lemmas::suggested(control);
        let candidates = reduced.about(lemmas.clauses());
        let board = signals.board(property);
        let board = lemmas.known_to(&reduced.model, property, candidates, board, control);
        let own = Control {
            board: &board,
            ..control
        };
        let outcome = self.race(&reduced.model, property, own)?;
        Ok(Decided::by_engines(reduced.lift_outcome(outcome)))
    }

    /// As [`Search::check`], with what is left of the search for other properties; adds the invariants found here.
    ///
    /// # Errors
    /// If the model has no such bad, or an engine panics and no other has an answer. The model is validated once for all its
    /// bads, by the caller.
    pub fn check_with(
        &self,
        model: &Model,
        property: usize,
        lemmas: &mut Lemmas,
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        PropertyId::bad(property).check(model)?;
        let Some(passes) = self.schedule.passes else {
            let candidates = lemmas.clauses().to_vec();
            let board = control.board.hints();
            let board = lemmas.known_to(model, property, candidates, board, control);
            let place = Place::of_model(model, property);
            let (outcome, board) = self.among_others(&place, board, control, |own| {
                self.race(model, property, own)
            })?;
            lemmas.extend(board.invariants(0));
            return Ok(Decided::by_engines(outcome));
        };
        let reduced = match &lemmas.shared {
            Some(shared) => shared.begin(property, &passes),
            None => reduce::begin(model, property, &passes, control),
        };
        if let Some(outcome) = self.first_steps(&reduced.model, self.shortly(), control) {
            let outcome = reduced.lift_outcome(outcome);
            return Ok(Decided::by(StageName::FirstSteps, outcome));
        }
        if let Some(outcome) = self.by_slices(&reduced, &passes, control)? {
            return Ok(Decided::by(StageName::Slices, outcome));
        }
        if let Some(outcome) = self.abstracted(&reduced, &passes, control)? {
            return Ok(Decided::by(StageName::Isomorphic, outcome));
        }
        let reduced = match &lemmas.shared {
            Some(shared) => shared.go_on(reduced, &passes, control),
            None => reduce::go_on(reduced, &passes, control),
        };
        let numbers = reduced.lift.latches();
        let candidates = reduced.about(lemmas.clauses());
        let board = Board::about(&reduced.model, 0);
        let board = lemmas.known_to(&reduced.model, 0, candidates, board, control);
        let original = Some((model, property));
        let place = Place::of_reduced(model, &reduced);
        let (raced, board) = self.among_others(&place, board, control, |own| {
            self.race_beside(&reduced.model, 0, original, own)
        })?;
        lemmas.add_reduced(board.invariants(0), &numbers);
        Ok(Decided::by_engines(lift_raced(&reduced, raced)))
    }

    /// Runs a search with a board, which is returned. Clauses travel between it and searches of other processes meanwhile, if the schedule
    /// has a folder for them.
    fn among_others<R>(
        &self,
        place: &Place<'_>,
        board: Board,
        control: Control<'_>,
        search: impl FnOnce(Control<'_>) -> Result<R, VerifyError>,
    ) -> Result<(R, Board), VerifyError> {
        let Some(exchange) = &self.schedule.exchange else {
            let found = search(Control {
                board: &board,
                ..control
            })?;
            return Ok((found, board));
        };
        let board = board.open();
        let own = Control {
            board: &board,
            ..control
        };
        let found = exchange.during(place, own, || search(own))?;
        Ok((found, board))
    }

    /// Decides a justice property.
    ///
    /// # Errors
    /// If a method panics and no other has an answer.
    pub fn check_live(
        &self,
        model: &Model,
        property: usize,
        control: Control<'_>,
    ) -> Result<LivenessOutcome, VerifyError> {
        PropertyId::justice(property).check(model)?;
        let schedule = &self.schedule;
        let plan = Plan {
            method: schedule.liveness,
            engine: schedule.run(),
            passes: schedule.passes_for_justice(),
            threads: schedule.threads,
            seed: schedule.seed,
        };
        let outcome = liveness::decide(model, property, &plan, control);
        let is_unknown = matches!(outcome.verdict, LivenessVerdict::Unknown(_));
        self.note_failures(&outcome.failures, is_unknown)?;
        Ok(outcome)
    }

    /// The reduction of the model for all its bads together; `None` if it is not to be reduced.
    pub(crate) fn reduce_together(&self, model: &Model, control: Control<'_>) -> Option<Shared> {
        let passes = self.schedule.passes?;
        Some(Shared::new(model, &passes, control))
    }

    /// What this model reduced for all its bads becomes for a search for these together.
    pub(crate) fn together(
        &self,
        shared: &Shared,
        bads: &[usize],
        control: Control<'_>,
    ) -> Together {
        let passes = self.schedule.passes.unwrap_or(Passes::NONE);
        shared.together(bads, &passes, control)
    }

    /// Searches for the open bads of a model together, from `frames` on, which become those of this search. The outcome is about
    /// the original model. With `is_first`, the first steps are checked before; whether the next search is to do that, too, is
    /// set.
    pub(crate) fn check_together(
        &self,
        together: &Together,
        frames: &mut Arc<Reached>,
        is_first: &mut bool,
        control: Control<'_>,
    ) -> Result<Outcome, VerifyError> {
        let model = together.model();
        let lift = |outcome| {
            together
                .lift_outcome(outcome)
                .map_err(VerifyError::Internal)
        };
        if *is_first && let Some(outcome) = self.first_steps(&model, self.shortly(), control) {
            return lift(outcome);
        }
        *is_first = false;
        let board = Board::about(&model, 0).with_known_frames(Arc::clone(frames));
        let own = Control {
            board: &board,
            ..control
        };
        let outcome = self.race(&model, 0, own)?;
        if let Some(next) = board.exchange().best_frames() {
            *frames = next;
        }
        control.board.share_invariants(board.invariants(0));
        lift(outcome)
    }

    /// How far a model is searched before its reduction, as its row says.
    fn shortly(&self) -> Effort {
        let row = self.schedule.stages.row(StageName::FirstSteps);
        Effort {
            least_ands: row.amount(Amount::AndsFrom) as usize,
            max_depth: row.amount(Amount::StepsTo) as usize,
            evaluations: Some(row.amount(Amount::Evaluations).into()),
            max_simulated: row.amount(Amount::SimulatedTo) as usize,
            ..Effort::default()
        }
    }

    /// Searches for a shallow bad of a model, which has no other.
    fn first_steps(
        &self,
        model: &Model,
        mut effort: Effort,
        control: Control<'_>,
    ) -> Option<Outcome> {
        let stage = self.schedule.stages.get(StageName::FirstSteps)?;
        if let Some(depth) = self.schedule.max_depth {
            effort = effort.up_to(depth);
        }
        if self.schedule.is_shortest() {
            effort.evaluations = None;
        }
        let stop = stage.limit(control.stop);
        let control = Control {
            stop: &stop,
            ..control
        };
        first_steps::search(model, &effort, control)
    }

    /// Decides one slice of each kind of a model whose bad is a disjunction of such. `None` if it is not, or if they give no
    /// answer.
    fn by_slices(
        &self,
        reduced: &Reduced,
        passes: &Passes,
        control: Control<'_>,
    ) -> Result<Option<Outcome>, VerifyError> {
        let Some(stage) = self.schedule.stages.get(StageName::Slices) else {
            return Ok(None);
        };
        let stop = stage.limit(control.stop);
        let mut search = |model: &Model| -> Result<Outcome, VerifyError> {
            control.listener.note(StageName::Slices.name(), || {
                format!("a slice with {} latches", model.latches.len())
            });
            // Their runs are deep; a proof that takes long waits for the simulation.
            let outcome = self.reduced_race(model, passes, &stage.first(&stop))?;
            if !matches!(outcome.verdict, Verdict::Unknown(_)) {
                return Ok(outcome);
            }
            let (share, cap) = (
                stage.amount(Amount::SimulationShare),
                stage.time(Amount::SimulationCap),
            );
            let own = Alone::until(stop.clone().within(share, cap));
            let effort = Effort {
                evaluations: Some(stage.amount(Amount::Evaluations).into()),
                max_simulated: stage.amount(Amount::SimulatedTo) as usize,
                ..Effort::OF_SLICES
            };
            if let Some(outcome) = self.first_steps(model, effort, own.control()) {
                return Ok(outcome);
            }
            self.reduced_race(model, passes, &stop)
        };
        let is_shortest = self.schedule.is_shortest();
        let decided = slices::decide(&reduced.model, 0, is_shortest, &stop, &mut search)?;
        Ok(decided.map(|decided| {
            control.listener.note(StageName::Slices.name(), || {
                let (n_slices, n_searched) = (decided.n_slices, decided.n_searched);
                format!("{n_searched} of {n_slices} slices searched")
            });
            reduced.lift_outcome(decided.outcome)
        }))
    }

    /// Reduces a model with one bad, and runs the engines on it. Nothing is shared with other searches.
    fn reduced_race(
        &self,
        model: &Model,
        passes: &Passes,
        stop: &Stop,
    ) -> Result<Outcome, VerifyError> {
        let own = Alone::until(stop.clone());
        let small = reduce::begin(model, 0, passes, own.control());
        let small = reduce::go_on(small, passes, own.control());
        let outcome = self.race(&small.model, 0, own.control())?;
        Ok(small.lift_outcome(outcome))
    }

    /// Decides abstractions of a model that has arithmetic operations twice. `None` if it has not, or if they
    /// give no answer.
    fn abstracted(
        &self,
        reduced: &Reduced,
        passes: &Passes,
        control: Control<'_>,
    ) -> Result<Option<Outcome>, VerifyError> {
        let Some(stage) = self.schedule.stages.get(StageName::Isomorphic) else {
            return Ok(None);
        };
        let stop = stage.limit(control.stop);
        let mut search = |model: &Model| -> Result<Outcome, VerifyError> {
            self.reduced_race(model, passes, &stop)
        };
        let limits = isomorphic::Limits::default();
        let decided = isomorphic::decide(&reduced.model, 0, &limits, &stop, &mut search)?;
        Ok(decided.and_then(|decided| {
            control.listener.note(StageName::Isomorphic.name(), || {
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

    /// Runs the engines.
    fn race(
        &self,
        model: &Model,
        property: usize,
        control: Control<'_>,
    ) -> Result<Outcome, VerifyError> {
        let found = self.race_beside(model, property, None, control)?;
        Ok(found.0)
    }

    /// Runs the engines on a model that may be the reduction of `original`, which some engines of a line-up search. Also
    /// tells whether the outcome is about that one. A panic of an engine of a line-up is a failure unless another one has an
    /// answer.
    fn race_beside(
        &self,
        model: &Model,
        property: usize,
        original: Option<(&Model, usize)>,
        control: Control<'_>,
    ) -> Result<(Outcome, bool), VerifyError> {
        let schedule = &self.schedule;
        let entries = match &schedule.engines {
            Engines::LineUp(line_up) => line_up.for_circuit(schedule.threads, schedule.seed),
            Engines::One(engine, settings) => {
                let run = (engine.build)(settings);
                return Ok((run(model, property, control), false));
            }
        };
        let report = portfolio::check_beside((model, property), original, &entries, control)?;
        let is_unknown = matches!(report.outcome.verdict, Verdict::Unknown(_));
        self.note_failures(&report.failures, is_unknown)?;
        // The engines have written on an open board themselves.
        if control.board.is_open() {
            return Ok((report.outcome, report.original));
        }
        control.board.share_invariants(report.invariants);
        if let Some(frames) = report.frames {
            control
                .board
                .exchange()
                .share_frames(portfolio::NAME, frames);
        }
        Ok((report.outcome, report.original))
    }

    /// Keeps the failures of engines. Without an answer of another engine, they are the result.
    fn note_failures(&self, failures: &[Failure], is_unknown: bool) -> Result<(), VerifyError> {
        let known = self.failures.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.extend(failures.iter().cloned());
        match failures.is_empty() || !is_unknown {
            true => Ok(()),
            false => Err(VerifyError::Panicked),
        }
    }
}

/// The outcome of a race on a reduced model, as one about the model before its reduction: it may be about that already.
pub(crate) fn lift_raced(reduced: &Reduced, (outcome, is_of_original): (Outcome, bool)) -> Outcome {
    match is_of_original {
        true => outcome,
        false => reduced.lift_outcome(outcome),
    }
}
