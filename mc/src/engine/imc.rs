//! Interpolation-based model checking (K. McMillan, "Interpolation and SAT-based model checking", 2003; as
//! restated in D. Beyer, N.-Z. Lee, P. Wendler, "Interpolation and SAT-based model checking revisited",
//! section 3).
//!
//! A bounded instance is cut after its first step: A is a set of states R with one step, B the k steps after
//! it with a bad in one of them. If A and B are inconsistent, the interpolant is a set of states that
//! contains all successors of R and from which no bad is reachable within the k steps. It replaces R, until
//! the union of the sets is closed.

use std::sync::Arc;

use craig_itp::transform::{Raising, Reduction, raise_local, reduce};
use craig_itp::{System, interpolant};
use craig_solver::aig::{Aig, Budget, ClauseSink, Edge, Encoder, Labelled};
use craig_solver::proof::ProofLog;
use craig_solver::{Answer, Label, Lit, Solver};

use super::entry::Engine;
use super::imported::with_invariants;
use super::options::{INTERPOLANTS, MAX_DEPTH, SYSTEM, system};
use super::states::{COMPACTION, Cut, States};
use super::{listen, model_value, refutation, stop_of, up_to_bad, why_stopped};
use crate::circuit::model::Model;
use crate::circuit::reduce::Resets;
use crate::circuit::unroll::{Start, Unrolling};
use crate::circuit::verdict::{Outcome, Trace, UnknownReason, Verdict};
use crate::control::{Control, Event};

/// The engine's name.
pub const NAME: &str = "imc";

/// The side of the proof on which an interpolant is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolants {
    /// Itp(A, B): implied by the first step.
    #[default]
    Forward,
    /// Not Itp(B, A): the negation of a consequence of the steps to the bad.
    Backward,
}

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: System,
    /// The direction of interpolants.
    pub interpolants: Interpolants,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The reductions of such a round, in this order.
    pub reductions: Vec<Reduction>,
    /// The options of raising resolutions on variables local to A after the reductions; `None` to omit it.
    pub raising: Option<Raising>,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// The largest k to try; `None` for no limit.
    pub max_bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            interpolants: Interpolants::Forward,
            reduction_rounds: 1,
            reductions: Reduction::ALL.to_vec(),
            raising: None,
            compaction: Some(COMPACTION),
            max_bound: None,
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation-based model checking (McMillan 2003)",
    is_shortest: false,
    options: &[&SYSTEM, &INTERPOLANTS, &MAX_DEPTH],
    build: |settings| {
        let options = Options {
            system: system(settings),
            interpolants: match settings.word(&INTERPOLANTS).as_str() {
                "backward" => Interpolants::Backward,
                _ => Interpolants::Forward,
            },
            max_bound: settings.count(&MAX_DEPTH),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    with_invariants(model, control, |model| {
        Resets::decide(model, |model| decide(model, property, options, control))
    })
}

/// The same for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let mut search = Search::new(model, property, options, control);
    let verdict = search.run().unwrap_or_else(Verdict::Unknown);
    Outcome {
        verdict,
        engine: NAME,
        depth: search.depth,
    }
}

/// The labels of the two sides of the cut.
const A: Label = 0;
const B: Label = 1;

struct Search<'a> {
    model: &'a Model,
    property: usize,
    options: &'a Options,
    control: &'a Control,
    /// One step from a reset state, and one from any state.
    first: Unrolling<'a>,
    any: Unrolling<'a>,
    /// The steps after the cut.
    suffix: Unrolling<'a>,
    states: States,
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
    fn new(model: &'a Model, property: usize, options: &'a Options, control: &'a Control) -> Self {
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
                Progress::Rounds(rounds) => bound += rounds,
            }
        }
    }

    fn reached_depth(&mut self, depth: usize) {
        if depth > self.depth {
            self.control.count("bounds", depth - self.depth);
            self.depth = depth;
            self.control.report_depth(NAME, depth);
        }
    }

    /// A run of no steps.
    fn bad_at_reset(&mut self) -> Result<Option<Trace>, UnknownReason> {
        let bad = self.first.bad_within(0, 1);
        let mut solver = Solver::new();
        listen(&mut solver, self.control);
        let mut encoder = Encoder::new();
        let bad = encoder.encode(self.first.aig(), bad, &mut solver);
        match solver.solve(&[bad]) {
            Answer::Satisfiable => {
                let value = |edge| model_value(&solver, &encoder, edge);
                Ok(Some(self.first.trace(0, &value)))
            }
            Answer::Unsatisfiable => Ok(None),
            Answer::Unknown => Err(why_stopped(self.control)),
        }
    }

    /// Computes interpolants from the reset states until their union is closed, or until an approximate run
    /// reaches the bad.
    fn fixed_point(&mut self, bound: usize) -> Result<Progress, UnknownReason> {
        let bad = self.suffix.bad_within(0, bound);
        let mut closure = Closure::new(self);
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
            self.control.tell(Event::Interpolant {
                engine: NAME,
                bound,
                round: rounds,
                ands: self.states.aig.n_ands_in_cone(&[interpolant]),
            });
            self.reached_depth(bound + rounds);
            union = self.states.aig.or(union, interpolant);
            // The successors of all earlier sets lie in the union by construction: only those of the last one
            // are checked.
            if closure.is_closed(self, interpolant)? {
                return {
                    let cone = self.any.cone();
                    let certificate =
                        self.states
                            .certificate(self.model, self.property, cone, union);
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
        let mut solver = Solver::with_proof(craig_solver::Options::default(), ProofLog::new());
        listen(&mut solver, self.control);

        let mut behind = Encoder::new();
        let mut sink = Labelled {
            sink: &mut solver,
            label: B,
        };
        let bad = behind.encode_polarity(self.suffix.aig(), bad, &mut sink);
        sink.add_clause(&[bad]);

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
                sink.add_clause(&[!variable, exit]);
                sink.add_clause(&[variable, !exit]);
            }
        }
        if let Some(current) = current {
            let current = self
                .states
                .encode_polarity(current, &mut sink, &mut |position, sink| {
                    before.encode(prefix.aig(), prefix.initial()[position], sink)
                });
            sink.add_clause(&[current]);
        }

        match solver.solve(&[]) {
            Answer::Unknown => Err(why_stopped(self.control)),
            Answer::Satisfiable if current.is_some() => Ok(Step::Reached(None)),
            Answer::Satisfiable => {
                let early = |edge| model_value(&solver, &before, edge);
                let late = |edge| model_value(&solver, &behind, edge);
                Ok(Step::Reached(Some(self.trace(bound, &early, &late))))
            }
            Answer::Unsatisfiable => self
                .interpolate(solver, &Cut::new(cut))
                .map(Step::Interpolant),
        }
    }

    /// The interpolant of the solver's refutation, as a set of states.
    fn interpolate(&mut self, solver: Solver<ProofLog>, cut: &Cut) -> Result<Edge, UnknownReason> {
        let stop = stop_of(self.control);
        let stopped = |_| why_stopped(self.control);
        let conflicts = solver.statistics().conflicts;
        let mut dag = refutation(&solver, self.control)?;
        drop(solver);
        if self.options.reduction_rounds > 0 {
            dag = reduce(
                &dag,
                &self.options.reductions,
                self.options.reduction_rounds,
                &stop,
            )
            .map_err(stopped)?;
        }
        if let Some(raising) = self.options.raising {
            let side = match self.options.interpolants {
                Interpolants::Forward => A,
                Interpolants::Backward => B,
            };
            dag = raise_local(&dag, &|label| label == side, raising, &stop).map_err(stopped)?;
        }
        let mut scratch = Aig::new();
        let latches: Vec<Edge> = self
            .any
            .initial()
            .iter()
            .map(|_| scratch.add_input())
            .collect();
        let mut leaf = |var| {
            cut.leaf(var, &latches)
                .expect("only the variables of the cut are shared")
        };
        let system = self.options.system;
        let mut derive = |side| {
            let in_a = |label| label == side;
            interpolant(&dag, &in_a, system, &mut scratch, &mut leaf, &stop).map_err(stopped)
        };
        let edge = match self.options.interpolants {
            Interpolants::Forward => derive(A)?,
            Interpolants::Backward => !derive(B)?,
        };
        let set = self
            .states
            .adopt(&scratch, edge, self.options.compaction, self.control);
        self.control.note(NAME, || {
            format!(
                "interpolant of {} gates, {} before compaction, from a proof of {} resolutions \
                 and {conflicts} conflicts",
                self.states.aig.n_ands_in_cone(&[set]),
                scratch.n_ands_in_cone(&[edge]),
                dag.n_steps()
            )
        });
        Ok(set)
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

/// Checks whether a growing union of sets of states is closed under steps.
struct Closure {
    solver: Solver,
    /// The step, the sets before it and the sets after it.
    step: Encoder,
    before: Encoder,
    behind: Encoder,
}

impl Closure {
    /// The union of just the reset states.
    fn new(search: &Search<'_>) -> Self {
        let mut solver = Solver::new();
        listen(&mut solver, search.control);
        let mut step = Encoder::new();
        for &constraint in &search.any.frames()[0].constraints {
            let constraint = step.encode(search.any.aig(), constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        let mut closure = Self {
            solver,
            step,
            before: Encoder::new(),
            behind: Encoder::new(),
        };
        closure.leave(search, search.states.initial);
        closure
    }

    /// Adds `set` to the union: a counterexample to closedness ends outside of it.
    fn leave(&mut self, search: &Search<'_>, set: Edge) {
        for (position, node) in search.states.support(set) {
            let state = search.any.state()[position];
            let state = self.step.encode(search.any.aig(), state, &mut self.solver);
            self.behind.set(node, state);
        }
        let set = self
            .behind
            .encode(&search.states.aig, set, &mut self.solver);
        self.solver.add_clause(&[!set]);
    }

    /// Adds `set` to the union, and returns whether all successors of `set` lie in the union.
    fn is_closed(&mut self, search: &Search<'_>, set: Edge) -> Result<bool, UnknownReason> {
        self.leave(search, set);
        for (position, node) in search.states.support(set) {
            let state = search.any.initial()[position];
            let state = self.step.encode(search.any.aig(), state, &mut self.solver);
            self.before.set(node, state);
        }
        let set = self
            .before
            .encode(&search.states.aig, set, &mut self.solver);
        match self.solver.solve(&[set]) {
            Answer::Unsatisfiable => Ok(true),
            Answer::Satisfiable => Ok(false),
            Answer::Unknown => Err(why_stopped(search.control)),
        }
    }
}
