//! Backward reachability from the bad, by substitution of the next-state functions for the latches.

use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, BooleanFunctionQuant, FunctionSubst, Subst, VarNo};

use super::end::{End, Stop};
use super::search::Search;
use super::system::System;

impl Search<'_, '_> {
    /// The states that reach the bad, or a run.
    pub(super) fn backward(&mut self, system: &System<'_>) -> Result<End, Stop> {
        let step: Subst<BCDDFunction, Vec<VarNo>, Vec<BCDDFunction>> =
            Subst::new(system.order.latches().to_vec(), system.next.clone());
        let inputs = system
            .diagrams
            .compute(|| system.diagrams.set(system.order.inputs()))?;
        // By a number i of steps: the states and inputs that lead to the bad in exactly i steps; and the
        // states alone.
        let mut ways = vec![system.bad.clone()];
        let mut frontier = system.diagrams.compute(|| system.bad.exists(&inputs))?;
        let mut reaching = frontier.clone();
        loop {
            let depth = ways.len();
            let start = system.diagrams.compute(|| system.initial.and(&frontier))?;
            if start.satisfiable() {
                return Ok(End::Run(self.run_from(system, &ways)?));
            }
            let way = system
                .diagrams
                .compute(|| frontier.substitute(&step)?.and(&system.constraint))?;
            let new = system
                .diagrams
                .compute(|| way.exists(&inputs)?.and(&reaching.not()?))?;
            if !new.satisfiable() {
                return Ok(End::Invariant(system.diagrams.compute(|| reaching.not())?));
            }
            self.advance(depth)?;
            reaching = system.diagrams.compute(|| reaching.or(&new))?;
            ways.push(way);
            frontier = new;
        }
    }

    /// A run from a reset state along `ways`, in reverse order.
    fn run_from(
        &self,
        system: &System<'_>,
        ways: &[BCDDFunction],
    ) -> Result<craig_model::Trace, Stop> {
        let mut here = system.initial.clone();
        let mut steps: Vec<Vec<bool>> = Vec::new();
        for way in ways.iter().rev() {
            let both = system.diagrams.compute(|| here.and(way))?;
            let step = system
                .diagrams
                .pick(&both)
                .expect("the way leads on from here");
            let state = system.successor(self.question.any, &step);
            here = system.diagrams.compute(|| system.state(&state))?;
            steps.push(step);
        }
        Ok(self.trace(system, &steps))
    }
}
