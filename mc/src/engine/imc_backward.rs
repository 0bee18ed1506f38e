//! Interpolation-based model checking from the bad backwards: the search of [`super::imc`] (K. McMillan, "Interpolation and
//! SAT-based model checking", 2003) with the direction of steps reversed.
//!
//! A bounded instance is cut before its last step: A is the bad, or one step into a set of states R, and B are all runs of at
//! most k steps from the reset states to the state at the cut. If A and B are inconsistent, the interpolant is a set of states
//! that contains all predecessors of R and that no run of up to k steps reaches. It replaces R, until the union of the sets has
//! all its predecessors. The invariant is its complement: it contains the reset states, which are the runs of no steps, no step
//! leads from it into the union, and every bad state lies in the union.
//!
//! Invariants that other engines have shared before a bound is tried are stated of the state at the cut, in A: the union needs
//! only the predecessors that satisfy them, and the invariant is their conjunction with its complement.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{Model, Outcome, Trace, UnknownReason, Verdict};
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::{Answer, Lit};

use super::closure::{Closure, Direction};
use super::entry::Engine;
use super::imc::Options;
use super::one_cut::{self, A, B, BOUND_GROWTH, REDUCTION_ROUNDS};
use super::options::{INTERPOLANTS, LABELLING, MAX_DEPTH, SYSTEM};
use super::question::Question;
use super::states::{Cut, States};
use super::{model_value, up_to_bad, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, Event};

/// The engine's name.
pub const NAME: &str = "imc-backward";

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation-based model checking from the bad states backwards",
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
    Question::decide(NAME, model, property, control, |question| {
        let runs = Unrolling::new(question.model, property, Start::Reset);
        let mut search = Search {
            options,
            entries: vec![runs.initial().to_vec()],
            runs,
            states: States::new(question.model, question.any.cone()),
            known: Edge::TRUE,
            question,
        };
        search.run()
    })
}

struct Search<'s, 'q> {
    question: &'s mut Question<'q>,
    options: &'s Options,
    /// The runs before the cut, and the latches of the cone before each of their steps and after the last one.
    runs: Unrolling<'q>,
    entries: Vec<Vec<Edge>>,
    states: States,
    /// What other engines know to be invariant, as of the beginning of this bound.
    known: Edge,
}

/// The result of the query whether a run of bounded length ends in a predecessor of a set of states.
enum Step {
    /// No; the predecessors lie in this set.
    Interpolant(Edge),
    /// Yes: the run that the solver found, if the query was about the bad.
    Reached(Option<Trace>),
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        let mut bound = 0;
        loop {
            if self.options.max_bound.is_some_and(|last| bound > last) {
                return Err(UnknownReason::Bound(format!(
                    "no fixed point with up to {bound} steps before the cut"
                )));
            }
            while self.runs.frames().len() < bound {
                self.runs.push_frame();
                self.entries.push(self.runs.state().to_vec());
            }
            match self.fixed_point(bound)? {
                Progress::Done(verdict) => return Ok(verdict),
                // The first set, the bad, was exact, and `rounds` sets were unreachable in `bound` steps, so that the bad is
                // unreachable in that many steps more.
                Progress::Rounds(rounds) => bound += self.options.growth.steps(rounds),
            }
        }
    }

    /// Computes interpolants from the bad until their union has all its predecessors, or until a run reaches an approximate
    /// set.
    fn fixed_point(&mut self, bound: usize) -> Result<Progress, UnknownReason> {
        self.known =
            (self.states).shared_invariant(self.question.any.cone(), self.question.control);
        let (direction, any) = (Direction::Backward, self.question.any);
        let control = self.question.control;
        let mut closure = Closure::new(direction, any, &self.states, self.known, control.stop);
        let mut union = Edge::FALSE;
        let mut current = None;
        let mut rounds = 0;
        loop {
            let interpolant = match self.step(current, bound)? {
                Step::Interpolant(interpolant) => interpolant,
                Step::Reached(Some(trace)) => return Ok(Progress::Done(Verdict::Unsafe(trace))),
                Step::Reached(None) => return Ok(Progress::Rounds(rounds)),
            };
            rounds += 1;
            self.question.control.listener.tell(Event::Interpolant {
                engine: NAME,
                bound,
                round: rounds,
                ands: self.states.aig.n_ands_in_cone(&[interpolant]),
            });
            self.question.safe_before(bound + rounds);
            union = self.states.aig.or(union, interpolant);
            // The predecessors of all earlier sets lie in the union by construction: only those of the last one are checked.
            if closure.is_closed(any, &self.states, interpolant)? {
                let question = &self.question;
                let cone = question.any.cone();
                let (model, property) = (question.model, question.property);
                let invariant = self.states.aig.and(!union, self.known);
                let certificate = self.states.certificate(model, property, cone, invariant);
                return Ok(Progress::Done(Verdict::Safe(Box::new(certificate))));
            }
            current = Some(interpolant);
        }
    }

    /// Whether a run of at most `bound` steps ends in a predecessor of `current` (in a bad state, if `None`).
    fn step(&mut self, current: Option<Edge>, bound: usize) -> Result<Step, UnknownReason> {
        let control = self.question.control;
        let mut solver = (self.options.interpolation).solver(true, control.stop);

        let mut behind = Encoder::new();
        let mut sink = Labelled {
            sink: &mut solver,
            label: A,
        };
        self.encode_last_step(current, &mut behind, &mut sink);
        let initial = self.question.any.initial().iter().enumerate();
        let cut: Vec<(Lit, usize)> = initial
            .filter_map(|(position, &entry)| Some((behind.literal(entry)?, position)))
            .collect();

        let mut before = Encoder::new();
        let mut sink = Labelled {
            sink: &mut solver,
            label: B,
        };
        let ends = self.encode_runs(bound, &cut, &mut before, &mut sink);

        match solver.solve(&[]) {
            Answer::Unknown => Err(why_stopped(control.stop)),
            Answer::Satisfiable if current.is_some() => Ok(Step::Reached(None)),
            Answer::Satisfiable => {
                let end = ends.iter().position(|&end| solver.value(end) == Some(true));
                let end = end.expect("a run has ended at the cut");
                let early = |edge| model_value(&solver, &before, edge);
                let late = |edge| model_value(&solver, &behind, edge);
                Ok(Step::Reached(Some(self.trace(end, &early, &late))))
            }
            Answer::Unsatisfiable => {
                let options = &self.options.interpolation;
                let cut = Cut::new(cut);
                one_cut::set_of(NAME, solver, &cut, options, &mut self.states, control)
                    .map(Step::Interpolant)
            }
        }
    }

    /// The clauses of A: the constraints of the last step, what is known of the state before it, and that it is bad or leads into
    /// `current`.
    fn encode_last_step<S: ClauseSink>(
        &self,
        current: Option<Edge>,
        encoder: &mut Encoder,
        sink: &mut S,
    ) {
        let any = self.question.any;
        let frame = &any.frames()[0];
        for &constraint in &frame.constraints {
            let constraint = encoder.encode_polarity(any.aig(), constraint, sink);
            sink.add_clause(&[constraint]);
        }
        let end = match current {
            None => encoder.encode_polarity(any.aig(), frame.bad, sink),
            Some(set) => self
                .states
                .encode_polarity(set, sink, &mut |position, sink| {
                    encoder.encode(any.aig(), any.state()[position], sink)
                }),
        };
        sink.add_clause(&[end]);
        self.states.state(self.known, sink, &mut |position, sink| {
            encoder.encode(any.aig(), any.initial()[position], sink)
        });
    }

    /// The clauses of B: a run of at most `bound` steps ends in the state at the cut. Returns, for each number i of steps, the
    /// literal that the run has exactly i.
    fn encode_runs<S: ClauseSink>(
        &self,
        bound: usize,
        cut: &[(Lit, usize)],
        encoder: &mut Encoder,
        sink: &mut S,
    ) -> Vec<Lit> {
        let mut ends = Vec::with_capacity(bound + 1);
        // The literal that the run has at least as many steps.
        let mut lasts: Option<Lit> = None;
        for steps in 0..=bound {
            if steps > 0 {
                let longer = sink.new_var().positive();
                if let Some(lasts) = lasts {
                    sink.add_clause(&[!longer, lasts]);
                }
                for &constraint in &self.runs.frames()[steps - 1].constraints {
                    let constraint = encoder.encode_polarity(self.runs.aig(), constraint, sink);
                    sink.add_clause(&[!longer, constraint]);
                }
                lasts = Some(longer);
            }
            let end = sink.new_var().positive();
            if let Some(lasts) = lasts {
                sink.add_clause(&[!end, lasts]);
            }
            for &(entry, position) in cut {
                let exit = encoder.encode(self.runs.aig(), self.entries[steps][position], sink);
                sink.add_clause(&[!end, !entry, exit]);
                sink.add_clause(&[!end, entry, !exit]);
            }
            ends.push(end);
        }
        sink.add_clause(&ends);
        ends
    }

    /// The run of `end` steps to the cut and the bad there, up to its first bad.
    fn trace(
        &self,
        end: usize,
        early: &dyn Fn(Edge) -> bool,
        late: &dyn Fn(Edge) -> bool,
    ) -> Trace {
        let any = self.question.any;
        let mut inputs: Vec<_> = (0..end)
            .map(|step| self.runs.input_values(step, early))
            .collect();
        inputs.push(any.input_values(0, late));
        let trace = Trace {
            property: self.question.property,
            initial: self.runs.initial_values(early),
            inputs,
        };
        up_to_bad(self.question.model, trace)
    }
}

/// The number of rounds of one bound.
enum Progress {
    Done(Verdict),
    /// This many sets were unreachable before a run reached the next one.
    Rounds(usize),
}
