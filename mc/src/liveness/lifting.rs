//! From a state to a cube of states: latches on whose values it does not depend that a step does something.

use craig_aig::{Aig, Edge};
use craig_model::Model;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::bounds::Cube;

/// Conflicts of a query, at most.
const MAX_CONFLICTS: u64 = 200;
/// Latches whose values are left out one by one, at most.
const MOST_DROPS: usize = 256;

/// One step of a model from any state, without its constraints.
pub(super) struct Lifting<'a> {
    model: &'a Model,
    /// The model's graph, and what steps do.
    aig: Aig,
    solver: Solver,
    encoder: Encoder,
}

impl<'a> Lifting<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            aig: model.aig.clone(),
            solver: Solver::new(),
            encoder: Encoder::new(),
        }
    }

    /// Leaves out values of a cube on which it does not depend that a step with these inputs does `what`, as one query finds them. The
    /// step from the state that the cube is does it.
    pub(super) fn lift(&mut self, what: [Edge; 2], inputs: &[bool], cube: &mut Cube) {
        let given = self.given(what, inputs);
        self.keep_failed(&given, cube);
    }

    /// As [`Self::lift`], and then value by value. The step from each state of the cube does `what`.
    pub(super) fn shrink(&mut self, what: [Edge; 2], inputs: &[bool], cube: &mut Cube) {
        let given = self.given(what, inputs);
        for place in (0..cube.len().min(MOST_DROPS)).rev() {
            // A query that fails may have left out others behind this place.
            if place < cube.len() {
                let mut smaller = cube.clone();
                smaller.remove(place);
                if self.keep_failed(&given, &mut smaller) {
                    *cube = smaller;
                }
            }
        }
    }

    /// A step with these inputs does not do `what`.
    fn given(&mut self, what: [Edge; 2], inputs: &[bool]) -> Vec<Lit> {
        let what = self.aig.and(what[0], what[1]);
        let mut given = vec![!self.literal(what)];
        for (place, &value) in inputs.iter().enumerate() {
            let input = self.literal(self.model.inputs[place]);
            given.push(input.negate_if(!value));
        }
        given
    }

    /// Whether these literals exclude the states of a cube; then keeps the values that are needed for that.
    fn keep_failed(&mut self, given: &[Lit], cube: &mut Cube) -> bool {
        let mut assumptions = given.to_vec();
        for &(latch, value) in cube.iter() {
            let state = self.literal(self.model.latches[latch].state);
            assumptions.push(state.negate_if(!value));
        }
        self.solver.set_limits(Limits {
            conflicts: Some(MAX_CONFLICTS),
            propagations: None,
        });
        if self.solver.solve(&assumptions) != Answer::Unsatisfiable {
            return false;
        }
        let failed = self.solver.failed_assumptions();
        let mut place = given.len();
        cube.retain(|_| {
            place += 1;
            failed.contains(&assumptions[place - 1])
        });
        true
    }

    fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.aig, edge, &mut self.solver)
    }
}
