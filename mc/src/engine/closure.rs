//! Whether a growing union of sets of states is closed under steps, in either direction.

use craig_aig::Edge;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Solver};

use super::states::States;
use super::why_stopped;
use crate::circuit::unroll::Unrolling;
use crate::control::listen_in;

/// The states that a closed union has with each of its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// All successors.
    Forward,
    /// All predecessors.
    Backward,
}

/// A union of sets of states, and one step from any state.
pub(super) struct Closure {
    direction: Direction,
    stop: Stop,
    solver: Solver,
    /// The step, the sets on the side where the union is left, and those on the side where it is entered.
    step: Encoder,
    outside: Encoder,
    inside: Encoder,
}

impl Closure {
    /// The empty union. Only steps from states in `known` count. `any` is one step from any state, in this and all other
    /// calls.
    pub(super) fn new(
        direction: Direction,
        any: &Unrolling<'_>,
        states: &States,
        known: Edge,
        stop: &Stop,
    ) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut step = Encoder::new();
        for &constraint in &any.frames()[0].constraints {
            let constraint = step.encode(any.aig(), constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        states.state(known, &mut solver, &mut |position, solver| {
            step.encode(any.aig(), any.initial()[position], solver)
        });
        Self {
            direction,
            stop: stop.clone(),
            solver,
            step,
            outside: Encoder::new(),
            inside: Encoder::new(),
        }
    }

    /// Adds `set` to the union: a counterexample to closedness has a state outside of it.
    pub(super) fn add(&mut self, any: &Unrolling<'_>, states: &States, set: Edge) {
        let latches = match self.direction {
            Direction::Forward => any.state(),
            Direction::Backward => any.initial(),
        };
        for (position, node) in states.support(set) {
            let state = (self.step).encode(any.aig(), latches[position], &mut self.solver);
            self.outside.set(node, state);
        }
        let set = self.outside.encode(&states.aig, set, &mut self.solver);
        self.solver.add_clause(&[!set]);
    }

    /// Adds `set` to the union, and returns whether the union has all successors (all predecessors) of `set`.
    pub(super) fn is_closed(
        &mut self,
        any: &Unrolling<'_>,
        states: &States,
        set: Edge,
    ) -> Result<bool, UnknownReason> {
        self.add(any, states, set);
        let latches = match self.direction {
            Direction::Forward => any.initial(),
            Direction::Backward => any.state(),
        };
        for (position, node) in states.support(set) {
            let state = (self.step).encode(any.aig(), latches[position], &mut self.solver);
            self.inside.set(node, state);
        }
        let set = self.inside.encode(&states.aig, set, &mut self.solver);
        match self.solver.solve(&[set]) {
            Answer::Unsatisfiable => Ok(true),
            Answer::Satisfiable => Ok(false),
            Answer::Unknown => Err(why_stopped(&self.stop)),
        }
    }
}
