//! The cost of the queries.

use std::fmt;

use craig_model::Stop;
use craig_solver::query::Statistics;
use craig_solver::{Answer, Lit};

use super::logic::ConeSolver;
use crate::listener::Listener;

/// The number and the work of the queries of one kind.
#[derive(Debug, Default)]
struct Tally {
    queries: u64,
    satisfiable: u64,
    decisions: u64,
    propagations: u64,
    conflicts: u64,
}

impl Tally {
    fn add(&mut self, answer: Answer, before: &Statistics, after: &Statistics) {
        self.queries += 1;
        self.satisfiable += u64::from(answer == Answer::Satisfiable);
        self.decisions += after.decisions - before.decisions;
        self.propagations += after.propagations - before.propagations;
        self.conflicts += after.conflicts - before.conflicts;
    }
}

/// The work of all queries so far: queries about frames, and lifting queries.
#[derive(Debug, Default)]
pub(super) struct Effort {
    frames: Tally,
    lifting: Tally,
    /// The queries and conflicts that are in the statistics.
    counted: [u64; 2],
}

impl Effort {
    /// The number of propagated literals: a measure of work that does not depend on the machine.
    pub(super) fn propagations(&self) -> u64 {
        self.frames.propagations + self.lifting.propagations
    }

    /// Adds what is new to the statistics.
    pub(super) fn count(&mut self, listener: &Listener) {
        let queries = self.frames.queries + self.lifting.queries;
        let conflicts = self.frames.conflicts + self.lifting.conflicts;
        let [queries_before, conflicts_before] =
            std::mem::replace(&mut self.counted, [queries, conflicts]);
        listener.count("queries", (queries - queries_before) as usize);
        listener.count("conflicts", (conflicts - conflicts_before) as usize);
    }

    /// A query to the solver of a frame.
    pub(super) fn ask_frame(
        &mut self,
        solver: &mut ConeSolver,
        assumptions: &[Lit],
        stop: &Stop,
    ) -> Answer {
        ask(&mut self.frames, solver, assumptions, stop)
    }

    /// A query to the lifting solver.
    pub(super) fn ask_lifting(
        &mut self,
        solver: &mut ConeSolver,
        assumptions: &[Lit],
        stop: &Stop,
    ) -> Answer {
        ask(&mut self.lifting, solver, assumptions, stop)
    }
}

fn ask(tally: &mut Tally, solver: &mut ConeSolver, assumptions: &[Lit], stop: &Stop) -> Answer {
    let before = *solver.statistics();
    let answer = solver.solve(assumptions, &mut || stop.reason().is_some());
    tally.add(answer, &before, solver.statistics());
    answer
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            frames, lifting, ..
        } = self;
        let mean = |total: u64, tally: &Tally| total / tally.queries.max(1);
        write!(
            f,
            "{} % satisfiable, on average {} decisions, {} propagations, {:.2} conflicts; {} to lift, {} \
             propagations",
            100 * frames.satisfiable / frames.queries.max(1),
            mean(frames.decisions, frames),
            mean(frames.propagations, frames),
            frames.conflicts as f64 / frames.queries.max(1) as f64,
            lifting.queries,
            mean(lifting.propagations, lifting),
        )
    }
}
