//! Bounded model checking (A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without
//! BDDs", 1999): every bound in turn, on one incremental solver, or each query on a solver of its own.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{Model, Outcome, Stop, Trace, UnknownReason, Verdict};
use craig_solver::encode::Encoder;
use craig_solver::proof::NoProof;
use craig_solver::{Answer, Lit, Solver};

use super::entry::Engine;
use super::options::{EngineOption, MAX_DEPTH, Range};
use super::{model_value, sim, up_to_bad, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, listen_in};
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "bmc";

/// The number of steps in one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stride {
    /// One: the run that is found is a shortest one.
    #[default]
    One,
    /// As many as were covered before, so that their number doubles.
    Doubling,
    /// This many; 0 counts as 1.
    Fixed(usize),
}

/// Limits of a search. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The nodes of all unrolled steps together.
    pub nodes: Option<usize>,
    /// The conflicts of all queries together.
    pub conflicts: Option<u64>,
    /// The propagated literals of all queries together.
    pub propagations: Option<u64>,
}

impl Limits {
    /// The remaining limits for the next query, in the solver's form, after `conflicts` conflicts and
    /// `propagations` propagations.
    fn left(&self, (conflicts, propagations): (u64, u64)) -> craig_solver::Limits {
        craig_solver::Limits {
            conflicts: self.conflicts.map(|most| most.saturating_sub(conflicts)),
            propagations: (self.propagations).map(|most| most.saturating_sub(propagations)),
        }
    }
}

/// The options of the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The last step to check, counted from 0; `None` for no limit.
    pub max_depth: Option<usize>,
    /// The number of steps in one query.
    pub stride: Stride,
    /// Whether each query has a solver of its own, which can eliminate variables. An incremental solver keeps
    /// what it has learned instead.
    pub fresh: bool,
    /// Whether and how to search for runs by simulation first. Such a run need not be a shortest one.
    pub simulation: Option<sim::Options>,
    /// Limits of the search.
    pub limits: Limits,
}

const STRIDE: EngineOption = EngineOption {
    name: "bmc-stride",
    placeholder: "STEPS",
    range: Range::NumberOr(1, "doubling"),
    default: None,
    text: "For `bmc`: the number of steps in one query, or `doubling`. Runs may then not be the shortest",
    is_flag: true,
};

const FRESH: EngineOption = EngineOption {
    name: "bmc-fresh",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `bmc`: a new solver for each query, which eliminates variables, instead of an incremental one",
    is_flag: true,
};

const SIMULATE: EngineOption = EngineOption {
    name: "simulate",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `bmc`: random simulation first. Its runs may not be the shortest",
    is_flag: true,
};

/// The number of gates that [`SIMULATE`] evaluates, each for 64 runs at once: some seconds.
const SIMULATION_AHEAD: u64 = 2_000_000_000;

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Bounded model checking: finds the shortest run to a bad, and never answers \"safe\"",
    is_shortest: true,
    options: &[&MAX_DEPTH, &STRIDE, &FRESH, &SIMULATE],
    build: |settings| {
        let options = Options {
            max_depth: settings.count(&MAX_DEPTH),
            stride: match (settings.count(&STRIDE), settings.word(&STRIDE).as_str()) {
                (Some(steps), _) => Stride::Fixed(steps),
                (None, "doubling") => Stride::Doubling,
                (None, _) => Stride::One,
            },
            fresh: settings.switch(&FRESH),
            simulation: settings.switch(&SIMULATE).then(|| sim::Options {
                evaluations: Some(SIMULATION_AHEAD),
                ..sim::Options::default()
            }),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Searches for a run to bad number `property`: with the default options a shortest one. Never answers
/// "safe".
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
    if let Some(simulation) = &options.simulation
        && let Some(outcome) = simulated(model, property, simulation, control)
    {
        return outcome;
    }
    let mut search = Search {
        model,
        options,
        control,
        unrolling: Unrolling::new(model, property, Start::Reset),
        solver: new_solver(options, control.stop),
        encoder: Encoder::new(),
        spent: (0, 0),
        depth: 0,
    };
    let verdict = match search.run() {
        Ok(trace) => Verdict::Unsafe(trace),
        Err(reason) => Verdict::Unknown(reason),
    };
    let (conflicts, propagations) = with_spent(search.spent, &search.solver);
    (control.listener).count("conflicts", conflicts as usize);
    (control.listener).count("propagations", propagations as usize);
    Outcome {
        verdict,
        engine: NAME,
        depth: search.depth,
    }
}

/// What simulation comes to, if it ends the search.
fn simulated(
    model: &Model,
    property: usize,
    simulation: &sim::Options,
    control: Control<'_>,
) -> Option<Outcome> {
    let (verdict, depth) = match sim::search(model, property, simulation, control) {
        Ok(None) => return None,
        Ok(Some(trace)) => {
            let depth = trace.depth();
            (Verdict::Unsafe(trace), depth)
        }
        Err(reason) => (Verdict::Unknown(reason), 0),
    };
    Some(Outcome {
        verdict,
        engine: NAME,
        depth,
    })
}

/// The search, stride by stride.
struct Search<'a> {
    model: &'a Model,
    options: &'a Options,
    control: Control<'a>,
    unrolling: Unrolling<'a>,
    solver: Solver,
    encoder: Encoder,
    /// The conflicts and propagations of earlier solvers.
    spent: (u64, u64),
    /// The bad is unreachable in all steps before this one.
    depth: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Trace, UnknownReason> {
        loop {
            let end = self.next_end()?;
            self.unroll(end)?;
            if let Some(trace) = self.query(end)? {
                self.depth = trace.depth();
                return Ok(trace);
            }
            if !self.options.fresh {
                for step in self.depth + 1..end {
                    self.constrain(step);
                }
            }
            self.depth = end;
            self.control.report_depth(NAME, self.depth);
            if !self.options.fresh && self.solver.is_inconsistent() {
                return Err(contradictory(self.depth));
            }
        }
    }

    /// The step behind the next ones that are searched.
    fn next_end(&self) -> Result<usize, UnknownReason> {
        let (options, depth) = (self.options, self.depth);
        if options.max_depth.is_some_and(|last| depth > last) {
            return Err(UnknownReason::Bound(format!(
                "no bad in the first {depth} steps"
            )));
        }
        if let Some(reason) = self.control.stop.reason() {
            return Err(reason);
        }
        let stride = match options.stride {
            Stride::One => 1,
            Stride::Doubling => depth.max(1),
            Stride::Fixed(stride) => stride.max(1),
        };
        let room = options.max_depth.map_or(stride, |last| last + 1 - depth);
        Ok(depth + stride.min(room))
    }

    /// Adds the steps before `end`, and the clauses that hold whichever of the new ones has the bad.
    fn unroll(&mut self, end: usize) -> Result<(), UnknownReason> {
        while self.unrolling.frames().len() < end {
            self.unrolling.push_frame();
        }
        let n_nodes = self.unrolling.aig().n_nodes();
        if (self.options.limits.nodes).is_some_and(|most| n_nodes > most) {
            return Err(exhausted(self.depth));
        }
        if self.options.fresh && self.depth > 0 {
            self.spent = with_spent(self.spent, &self.solver);
            self.solver = new_solver(self.options, self.control.stop);
            self.encoder = Encoder::new();
            for step in 0..self.depth {
                self.constrain(step);
            }
        }
        self.constrain(self.depth);
        match self.options.fresh && self.solver.is_inconsistent() {
            true => Err(contradictory(self.depth)),
            false => Ok(()),
        }
    }

    /// The constraints of a step.
    fn constrain(&mut self, step: usize) {
        state_constraints(&self.unrolling, step, &mut self.encoder, &mut self.solver);
    }

    /// A run to the bad in one of the new steps before `end`, if there is one.
    fn query(&mut self, end: usize) -> Result<Option<Trace>, UnknownReason> {
        let (options, depth) = (self.options, self.depth);
        let bad = bad_among(&mut self.unrolling, depth, end);
        if bad == Edge::FALSE {
            return Ok(None);
        }
        let aig = self.unrolling.aig();
        // Measured (bench/records/circuits.md): one direction of each definition is better on a fresh solver.
        let bad = match options.fresh {
            true => (self.encoder).encode_polarity(aig, bad, &mut self.solver),
            false => self.encoder.encode(aig, bad, &mut self.solver),
        };
        match self.answer(bad, end) {
            Answer::Satisfiable => {
                let value = |edge| model_value(&self.solver, &self.encoder, edge);
                let trace = self.unrolling.trace(end - 1, &value);
                Ok(Some(up_to_bad(self.model, trace)))
            }
            Answer::Unsatisfiable => {
                // Implied by the unsatisfiable query; a clause that strengthens the later ones.
                if !options.fresh {
                    self.solver.add_clause(&[!bad]);
                }
                Ok(None)
            }
            Answer::Unknown if options.limits == Limits::default() => {
                Err(why_stopped(self.control.stop))
            }
            Answer::Unknown => {
                let reason = self.control.stop.reason();
                Err(reason.unwrap_or_else(|| exhausted(depth)))
            }
        }
    }

    /// Whether the bad can hold before `end`. There is no query if another engine has shown that it can not.
    fn answer(&mut self, bad: Lit, end: usize) -> Answer {
        if end <= self.control.board.known_depth() {
            return Answer::Unsatisfiable;
        }
        let spent = with_spent(self.spent, &self.solver);
        self.solver.set_limits(self.options.limits.left(spent));
        match self.options.fresh {
            true => {
                self.solver.add_clause(&[bad]);
                self.solver.solve(&[])
            }
            false => self.solver.solve(&[bad]),
        }
    }
}

/// A solver without clauses.
fn new_solver(options: &Options, stop: &Stop) -> Solver {
    let settings = craig_solver::Options {
        eliminate: options.fresh,
        ..craig_solver::Options::default()
    };
    let mut solver = Solver::with_proof(settings, NoProof);
    listen_in(stop, &mut solver);
    solver
}

/// The conflicts and propagations of earlier solvers and of this one.
fn with_spent((conflicts, propagations): (u64, u64), solver: &Solver) -> (u64, u64) {
    let statistics = solver.statistics();
    (
        conflicts + statistics.conflicts,
        propagations + statistics.propagations,
    )
}

/// The reason when no run is that long.
fn contradictory(depth: usize) -> UnknownReason {
    UnknownReason::Bound(format!(
        "the constraints allow no run of more than {depth} steps, and none of them is bad; bounded model \
         checking has no certificate for that"
    ))
}

/// The reason when a search has reached its limits.
fn exhausted(depth: usize) -> UnknownReason {
    UnknownReason::Bound(format!(
        "the limits were reached after {depth} steps without a bad"
    ))
}

/// Adds the constraints of a step.
fn state_constraints(
    unrolling: &Unrolling<'_>,
    step: usize,
    encoder: &mut Encoder,
    solver: &mut Solver,
) {
    for &constraint in &unrolling.frames()[step].constraints {
        let constraint = encoder.encode(unrolling.aig(), constraint, solver);
        solver.add_clause(&[constraint]);
    }
}

/// The formula that the bad holds in one of the steps `from..to`, with the constraints of steps from `from +
/// 1` up to that one: constraints of later steps are not required.
fn bad_among(unrolling: &mut Unrolling<'_>, from: usize, to: usize) -> Edge {
    let mut reached = Edge::FALSE;
    for step in (from..to).rev() {
        let frame = unrolling.frames()[step].clone();
        let aig = unrolling.aig_mut();
        reached = aig.or(frame.bad, reached);
        if step > from {
            for constraint in frame.constraints {
                reached = aig.and(constraint, reached);
            }
        }
    }
    reached
}
