//! Queries about one step of the program, in terms of predicates before and behind it.

use craig_aig::{Aig, Edge};
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::{Answer, Lit, Solver};

use super::predicates::{Predicate, PredicateId};
use crate::actions::{Action, Actions, StateBit};
use crate::step::StepEncoding;

/// An action in a solver of its own.
pub(super) struct ActionQueries {
    solver: Solver,
    encoding: StepEncoding,
}

/// A conjunction of predicates or their negations: with `true`, the predicate holds.
pub(super) type Cube = Vec<(PredicateId, bool)>;

impl ActionQueries {
    pub(super) fn new(actions: &Actions, action: &Action, stop: &Stop) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let encoding = StepEncoding::new(actions, action, &mut solver);
        Self { solver, encoding }
    }

    pub(super) fn before(
        &mut self,
        actions: &Actions,
        aig: &Aig,
        formula: (Edge, &[StateBit]),
    ) -> Lit {
        let solver = &mut self.solver;
        self.encoding.before(actions, aig, formula, solver)
    }

    pub(super) fn behind(
        &mut self,
        actions: &Actions,
        action: &Action,
        aig: &Aig,
        predicate: &Predicate,
    ) -> Lit {
        let solver = &mut self.solver;
        self.encoding.behind(
            actions,
            action,
            aig,
            (predicate.formula, &predicate.support),
            solver,
        )
    }

    fn is_possible(&mut self, lits: &[Lit], stop: &Stop) -> Result<bool, UnknownReason> {
        match self.solver.solve(lits) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown => Err(why_stopped(stop)),
        }
    }

    /// The strongest cube over the predicates with the literals `behind` that a step from `states` ends in;
    /// nothing if there is no step.
    pub(super) fn cartesian(
        &mut self,
        states: Lit,
        behind: &[Lit],
        stop: &Stop,
    ) -> Result<Option<Cube>, UnknownReason> {
        if !self.is_possible(&[states], stop)? {
            return Ok(None);
        }
        let value = |solver: &Solver, lit: Lit| solver.value(lit).unwrap_or(false);
        let first = behind.iter().map(|&lit| value(&self.solver, lit));
        let first: Vec<bool> = first.collect();
        // What two steps disagree about is in no cube.
        let mut is_open = vec![true; behind.len()];
        let mut cube = Cube::new();
        for (index, &lit) in behind.iter().enumerate() {
            if !is_open[index] {
                continue;
            }
            if self.is_possible(&[states, lit.negate_if(first[index])], stop)? {
                for (open, (&lit, &first)) in is_open.iter_mut().zip(behind.iter().zip(&first)) {
                    *open &= value(&self.solver, lit) == first;
                }
            } else {
                cube.push((index, first[index]));
            }
        }
        Ok(Some(cube))
    }

    /// All combinations of values of the literals `behind` that a step from `states` ends in.
    pub(super) fn exact(
        &mut self,
        states: Lit,
        behind: &[Lit],
        stop: &Stop,
    ) -> Result<Vec<Cube>, UnknownReason> {
        let mut found = Vec::new();
        // The clauses that exclude what was found count for this question only.
        let selector = self.solver.new_var().positive();
        while self.is_possible(&[selector, states], stop)? {
            let value = |&lit: &Lit| self.solver.value(lit).unwrap_or(false);
            let values: Vec<bool> = behind.iter().map(value).collect();
            let mut clause = vec![!selector];
            clause.extend(
                behind
                    .iter()
                    .zip(&values)
                    .map(|(lit, &value)| lit.negate_if(value)),
            );
            self.solver.add_clause(&clause);
            found.push(values.into_iter().enumerate().collect());
        }
        self.solver.add_clause(&[!selector]);
        Ok(found)
    }

    /// Some combination of values of the literals `before` from which a step leads to where `behind` holds.
    pub(super) fn predecessor(
        &mut self,
        states: Lit,
        before: &[Lit],
        behind: &[Lit],
        stop: &Stop,
    ) -> Result<Option<Vec<bool>>, UnknownReason> {
        let mut assumptions = behind.to_vec();
        assumptions.push(states);
        if !self.is_possible(&assumptions, stop)? {
            return Ok(None);
        }
        let value = |&lit: &Lit| self.solver.value(lit).unwrap_or(false);
        Ok(Some(before.iter().map(value).collect()))
    }

    /// A part of the literals that no step satisfies, from which no literal can be left out; nothing if a
    /// step satisfies all of them.
    pub(super) fn conflict(
        &mut self,
        lits: &[Lit],
        stop: &Stop,
    ) -> Result<Option<Vec<Lit>>, UnknownReason> {
        if self.is_possible(lits, stop)? {
            return Ok(None);
        }
        let mut core = self.solver.failed_assumptions().to_vec();
        let mut index = 0;
        while index < core.len() {
            let mut fewer = core.clone();
            fewer.remove(index);
            if self.is_possible(&fewer, stop)? {
                index += 1;
            } else {
                let failed = self.solver.failed_assumptions();
                // Literals before `index` are needed, so all of them have failed again.
                core.retain(|lit| failed.contains(lit));
            }
        }
        Ok(Some(core))
    }
}
