//! Interpolation-based model checking (K. McMillan, "Interpolation and SAT-based model checking", 2003; as
//! restated in D. Beyer, N.-Z. Lee, P. Wendler, "Interpolation and SAT-based model checking revisited",
//! section 3).
//!
//! A bounded instance is cut after its first step: A is a set of states R with one step, B the k steps after
//! it with a bad in one of them. If A and B are inconsistent, the interpolant is a set of states that
//! contains all successors of R and from which no bad is reachable within the k steps. It replaces R, until
//! the union of the sets is closed.
//!
//! Invariants that other engines have shared before a bound is tried are stated of the states before the first step, in A, and
//! of those at the cut, in B. They are part of the invariant then: the union is closed under steps from states that satisfy
//! them.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{Model, Outcome, Trace, UnknownReason, Verdict};
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::{Answer, Lit, Solver};

use super::closure::{Closure, Direction};
use super::entry::Engine;
use super::links::Links;
use super::one_cut::{self, A, B, BOUND_GROWTH, Growth, REDUCTION_ROUNDS};
use super::options::{INTERPOLANTS, LABELLING, MAX_DEPTH, SYSTEM, Settings};
use super::states::{Cut, States};
use super::{model_value, up_to_bad, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, Event, listen_in};
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "imc";

/// The options of the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How interpolants are computed.
    pub interpolation: one_cut::Options,
    /// The largest k to try; `None` for no limit.
    pub max_bound: Option<usize>,
    /// How k grows.
    pub growth: Growth,
}

impl Options {
    /// Those that a user can set.
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            interpolation: one_cut::Options::from_settings(settings),
            max_bound: settings.count(&MAX_DEPTH),
            growth: Growth::chosen(settings),
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation-based model checking (McMillan 2003)",
    is_shortest: false,
    options: &[
        &SYSTEM,
        &LABELLING,
        &INTERPOLANTS,
        &MAX_DEPTH,
        &BOUND_GROWTH,
        &REDUCTION_ROUNDS,
    ],
    build: |settings| {
        let options = Options::from_settings(settings);
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    posed((model, property), control, |model, control| {
        decide(model, property, options, control)
    })
}

/// As `check`, for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    let mut search = Search::new(model, property, options, control);
    let verdict = search.run().unwrap_or_else(Verdict::Unknown);
    Outcome {
        verdict,
        engine: NAME,
        depth: search.depth,
    }
}

struct Search<'a> {
    model: &'a Model,
    property: usize,
    options: &'a Options,
    control: Control<'a>,
    /// One step from a reset state, and one from any state.
    first: Unrolling<'a>,
    any: Unrolling<'a>,
    /// The steps after the cut.
    suffix: Unrolling<'a>,
    states: States,
    /// What other engines know to be invariant, as of the beginning of this bound.
    known: Edge,
    /// The bad is unreachable in all steps before this one.
    depth: usize,
}

/// The result of the query whether a bad is reachable from the successors of a set of states.
enum Step {
    /// No; the successors lie in this set.
    Interpolant(Edge),
    /// Yes: the run that the solver found, if the query was about the reset states.
    Reached(Option<Trace>),
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, property: usize, options: &'a Options, control: Control<'a>) -> Self {
        let mut first = Unrolling::new(model, property, Start::Reset);
        first.push_frame();
        let mut any = Unrolling::new(model, property, Start::Free);
        any.push_frame();
        let states = States::new(model, any.cone());
        Self {
            model,
            property,
            options,
            control,
            first,
            any,
            suffix: Unrolling::new(model, property, Start::Free),
            states,
            known: Edge::TRUE,
            depth: 0,
        }
    }

    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        if let Some(trace) = self.bad_at_reset()? {
            return Ok(Verdict::Unsafe(trace));
        }
        self.reached_depth(1);
        let mut bound = 1;
        loop {
            if self.options.max_bound.is_some_and(|last| bound > last) {
                return Err(UnknownReason::Bound(format!(
                    "no fixed point with up to {} steps after the cut",
                    bound - 1
                )));
            }
            while self.suffix.frames().len() < bound {
                self.suffix.push_frame();
            }
            match self.fixed_point(bound)? {
                Progress::Done(verdict) => return Ok(verdict),
                // The rounds have covered exact reachability in up to `rounds` steps, so the first depth that
                // is not covered lies that many steps beyond this bound.
                Progress::Rounds(rounds) => bound += self.options.growth.steps(rounds),
            }
        }
    }

    fn reached_depth(&mut self, depth: usize) {
        if depth > self.depth {
            self.control.listener.count("bounds", depth - self.depth);
            self.depth = depth;
            self.control.report_depth(NAME, depth);
        }
    }

    /// A run of no steps.
    fn bad_at_reset(&mut self) -> Result<Option<Trace>, UnknownReason> {
        let bad = self.first.bad_within(0, 1);
        let mut solver = Solver::new();
        listen_in(self.control.stop, &mut solver);
        let mut encoder = Encoder::new();
        let bad = encoder.encode(self.first.aig(), bad, &mut solver);
        match solver.solve(&[bad]) {
            Answer::Satisfiable => {
                let value = |edge| model_value(&solver, &encoder, edge);
                Ok(Some(self.first.trace(0, &value)))
            }
            Answer::Unsatisfiable => Ok(None),
            Answer::Unknown => Err(why_stopped(self.control.stop)),
        }
    }

    /// Computes interpolants from the reset states until their union is closed, or until an approximate run
    /// reaches the bad.
    fn fixed_point(&mut self, bound: usize) -> Result<Progress, UnknownReason> {
        let bad = self.suffix.bad_within(0, bound);
        self.known = self.states.shared_invariant(self.any.cone(), self.control);
        let (direction, known) = (Direction::Forward, self.known);
        let mut closure =
            Closure::new(direction, &self.any, &self.states, known, self.control.stop);
        closure.add(&self.any, &self.states, self.states.initial);
        let mut union = self.states.initial;
        let mut current = None;
        let mut rounds = 0;
        loop {
            let interpolant = match self.step(current, bad, bound)? {
                Step::Interpolant(interpolant) => interpolant,
                Step::Reached(Some(trace)) => {
                    self.depth = trace.depth();
                    return Ok(Progress::Done(Verdict::Unsafe(trace)));
                }
                Step::Reached(None) => return Ok(Progress::Rounds(rounds)),
            };
            rounds += 1;
            self.control.listener.tell(Event::Interpolant {
                engine: NAME,
                bound,
                round: rounds,
                ands: self.states.aig.n_ands_in_cone(&[interpolant]),
            });
            self.reached_depth(bound + rounds);
            union = self.states.aig.or(union, interpolant);
            // The successors of all earlier sets lie in the union by construction: only those of the last one
            // are checked.
            if closure.is_closed(&self.any, &self.states, interpolant)? {
                return {
                    let cone = self.any.cone();
                    let invariant = self.states.aig.and(union, self.known);
                    let certificate =
                        self.states
                            .certificate(self.model, self.property, cone, invariant);
                    Ok(Progress::Done(Verdict::Safe(Box::new(certificate))))
                };
            }
            current = Some(interpolant);
        }
    }

    /// Whether `bad` can be reached after one step from `current` (from the reset states, if `None`).
    fn step(
        &mut self,
        current: Option<Edge>,
        bad: Edge,
        bound: usize,
    ) -> Result<Step, UnknownReason> {
        let prefix = match current {
            None => &self.first,
            Some(_) => &self.any,
        };
        let mut links = Links::new(self.any.cone(), self.control);
        let mut solver = (self.options.interpolation).solver(!links.are_late(), self.control.stop);

        let mut behind = Encoder::new();
        let mut sink = Labelled {
            sink: &mut solver,
            label: B,
        };
        let bad = behind.encode_polarity(self.suffix.aig(), bad, &mut sink);
        sink.add_clause(&[bad]);
        self.states
            .state(self.known, &mut sink, &mut |position, sink| {
                behind.encode(self.suffix.aig(), self.suffix.initial()[position], sink)
            });

        let mut before = Encoder::new();
        let mut sink = Labelled {
            sink: &mut solver,
            label: A,
        };
        for &constraint in &prefix.frames()[0].constraints {
            let constraint = before.encode_polarity(prefix.aig(), constraint, &mut sink);
            sink.add_clause(&[constraint]);
        }
        // The latches at the cut that occur in B, and their positions in the cone.
        let mut cut: Vec<(Lit, usize)> = Vec::new();
        for (position, (&entry, &exit)) in
            self.suffix.initial().iter().zip(prefix.state()).enumerate()
        {
            if let Some(variable) = behind.literal(entry) {
                cut.push((variable, position));
                let exit = before.encode(prefix.aig(), exit, &mut sink);
                links.add(A, position, [variable, exit], &mut *sink.sink);
            }
        }
        if let Some(current) = current {
            let current = self.states.aig.and(current, self.known);
            self.states
                .state(current, &mut sink, &mut |position, sink| {
                    before.encode(prefix.aig(), prefix.initial()[position], sink)
                });
        }

        match links.solve(&mut solver) {
            Answer::Unknown => Err(why_stopped(self.control.stop)),
            Answer::Satisfiable if current.is_some() => Ok(Step::Reached(None)),
            Answer::Satisfiable => {
                let early = |edge| model_value(&solver, &before, edge);
                let late = |edge| model_value(&solver, &behind, edge);
                Ok(Step::Reached(Some(self.trace(bound, &early, &late))))
            }
            Answer::Unsatisfiable => {
                let options = &self.options.interpolation;
                let cut = Cut::new(cut);
                one_cut::set_of(NAME, solver, &cut, options, &mut self.states, self.control)
                    .map(Step::Interpolant)
            }
        }
    }

    /// The run of one step before and up to `bound` steps after the cut, up to its first bad.
    fn trace(
        &self,
        bound: usize,
        early: &dyn Fn(Edge) -> bool,
        late: &dyn Fn(Edge) -> bool,
    ) -> Trace {
        let mut inputs = vec![self.first.input_values(0, early)];
        inputs.extend((0..bound).map(|step| self.suffix.input_values(step, late)));
        let trace = Trace {
            property: self.property,
            initial: self.first.initial_values(early),
            inputs,
        };
        up_to_bad(self.model, trace)
    }
}

/// The number of rounds of one bound.
enum Progress {
    Done(Verdict),
    /// This many steps were taken before an approximate run reached the bad.
    Rounds(usize),
}
