//! Runs from the resets to a bad, stride by stride: the search of `bmc`, and the base case of `kind`.

use craig_aig::Edge;
use craig_model::{Model, Stop, Trace, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::proof::NoProof;
use craig_solver::{Answer, Lit, Solver};

use super::options::{EngineOption, Range, Settings};
use super::{model_value, up_to_bad, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, listen_in};

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

/// The number of steps in one query.
pub(super) const STRIDE: EngineOption = EngineOption {
    name: "bmc-stride",
    placeholder: "STEPS",
    range: Range::NumberOr(1, "doubling"),
    default: None,
    text: "For `bmc` and `kind`: the number of steps in one query, or `doubling`. Runs may then not be the shortest",
    is_flag: true,
};

/// Whether each query has a solver of its own.
pub(super) const FRESH: EngineOption = EngineOption {
    name: "bmc-fresh",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `bmc` and `kind`: a new solver for each query, which eliminates variables, instead of an incremental one",
    is_flag: true,
};

/// The value of [`STRIDE`].
pub(super) fn stride(settings: &Settings) -> Stride {
    match (settings.count(&STRIDE), settings.word(&STRIDE).as_str()) {
        (Some(steps), _) => Stride::Fixed(steps),
        (None, "doubling") => Stride::Doubling,
        (None, _) => Stride::One,
    }
}

/// How runs are searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// The name of the engine, for reports.
    pub(super) engine: &'static str,
    /// The last step to check, counted from 0; `None` for no limit.
    pub(super) max_depth: Option<usize>,
    /// The number of steps in one query.
    pub(super) stride: Stride,
    /// Whether each query has a solver of its own, which can eliminate variables.
    pub(super) fresh: bool,
    /// Limits of the search.
    pub(super) limits: Limits,
}

/// The search, stride by stride.
pub(super) struct Search<'a> {
    model: &'a Model,
    bounds: Bounds,
    control: Control<'a>,
    unrolling: Unrolling<'a>,
    solver: Solver,
    encoder: Encoder,
    /// The conflicts and propagations of earlier solvers.
    spent: (u64, u64),
    /// The bad is unreachable in all steps before this one; of a search that has found it, its step.
    depth: usize,
    /// The constraints allow no run of more than this number of steps.
    end: Option<usize>,
}

impl<'a> Search<'a> {
    /// Nothing is searched yet. The model has no reset functions.
    pub(super) fn new(
        model: &'a Model,
        property: usize,
        bounds: Bounds,
        control: Control<'a>,
    ) -> Self {
        Self {
            model,
            bounds,
            control,
            unrolling: Unrolling::new(model, property, Start::Reset),
            solver: new_solver(bounds.fresh, control.stop),
            encoder: Encoder::new(),
            spent: (0, 0),
            depth: 0,
            end: None,
        }
    }

    /// The bad is unreachable in all steps before this one; of a search that has found it, its step.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The conflicts and the propagations of all queries.
    pub(super) fn spent(&self) -> (u64, u64) {
        with_spent(self.spent, &self.solver)
    }

    /// If the constraints are known to allow no run of more than some number of steps, that number. Nothing is searched from then on.
    pub(super) fn end(&self) -> Option<usize> {
        self.end
    }

    /// Searches the next steps: a run to the bad in one of them, if there is one.
    ///
    /// # Errors
    /// Why the search has ended without one.
    pub(super) fn advance(&mut self) -> Result<Option<Trace>, UnknownReason> {
        let end = self.next_end()?;
        if self.end.is_none() {
            self.unroll(end)?;
        }
        if self.end.is_none() {
            if let Some(trace) = self.query(end)? {
                self.depth = trace.depth();
                return Ok(Some(trace));
            }
            if !self.bounds.fresh {
                for step in self.depth + 1..end {
                    self.constrain(step);
                }
                if self.end.is_none() && self.solver.is_inconsistent() {
                    self.end = Some(end);
                }
            }
        }
        self.depth = end;
        self.control.report_depth(self.bounds.engine, self.depth);
        Ok(None)
    }

    /// The step behind the next ones that are searched.
    fn next_end(&self) -> Result<usize, UnknownReason> {
        let (bounds, depth) = (self.bounds, self.depth);
        if bounds.max_depth.is_some_and(|last| depth > last) {
            return Err(UnknownReason::Bound(format!(
                "no bad in the first {depth} steps"
            )));
        }
        if let Some(reason) = self.control.stop.reason() {
            return Err(reason);
        }
        let stride = match bounds.stride {
            _ if self.end.is_some() => 1,
            Stride::One => 1,
            Stride::Doubling => depth.max(1),
            Stride::Fixed(stride) => stride.max(1),
        };
        let room = bounds.max_depth.map_or(stride, |last| last + 1 - depth);
        Ok(depth + stride.min(room))
    }

    /// Adds the steps before `end`, and the clauses that hold whichever of the new ones has the bad.
    fn unroll(&mut self, end: usize) -> Result<(), UnknownReason> {
        while self.unrolling.frames().len() < end {
            self.unrolling.push_frame();
        }
        let n_nodes = self.unrolling.aig().n_nodes();
        if (self.bounds.limits.nodes).is_some_and(|most| n_nodes > most) {
            return Err(exhausted(self.depth));
        }
        if self.bounds.fresh && self.depth > 0 {
            self.spent = with_spent(self.spent, &self.solver);
            self.solver = new_solver(self.bounds.fresh, self.control.stop);
            self.encoder = Encoder::new();
            for step in 0..self.depth {
                self.constrain(step);
            }
        }
        self.constrain(self.depth);
        Ok(())
    }

    /// The constraints of a step. A fresh solver tells a contradiction among them only from one with the bad where a constraint is
    /// constant.
    fn constrain(&mut self, step: usize) {
        if self.unrolling.frames()[step]
            .constraints
            .contains(&Edge::FALSE)
        {
            self.end.get_or_insert(step);
        }
        state_constraints(&self.unrolling, step, &mut self.encoder, &mut self.solver);
    }

    /// A run to the bad in one of the new steps before `end`, if there is one.
    fn query(&mut self, end: usize) -> Result<Option<Trace>, UnknownReason> {
        let (bounds, depth) = (self.bounds, self.depth);
        let bad = bad_among(&mut self.unrolling, depth, end);
        if bad == Edge::FALSE {
            return Ok(None);
        }
        let aig = self.unrolling.aig();
        // Measured (bench/records/circuits.md): one direction of each definition is better on a fresh solver.
        let bad = match bounds.fresh {
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
                if !bounds.fresh {
                    self.solver.add_clause(&[!bad]);
                }
                Ok(None)
            }
            Answer::Unknown if bounds.limits == Limits::default() => {
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
        self.solver.set_limits(self.bounds.limits.left(spent));
        match self.bounds.fresh {
            true => {
                self.solver.add_clause(&[bad]);
                self.solver.solve(&[])
            }
            false => self.solver.solve(&[bad]),
        }
    }
}

/// A solver without clauses.
fn new_solver(fresh: bool, stop: &Stop) -> Solver {
    let settings = craig_solver::Options {
        eliminate: fresh,
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

/// The reason when no run has more than `end` steps.
pub(super) fn contradictory(end: usize) -> UnknownReason {
    UnknownReason::Bound(format!(
        "the constraints allow no run of more than {end} steps, and none of them is bad; bounded model \
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
