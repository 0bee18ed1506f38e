//! Latches that change at most once on every run.
//!
//! Claessen and Sörensson ("A liveness checking algorithm that counts", FMCAD 2012) treat signals that become
//! stable as further fairness constraints: a hit counts only in a step in which none of them changes. There are
//! finitely many other hits.

use craig_aig::Edge;
use craig_model::{Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Solver};

/// Conflicts of a query, at most.
const MAX_CONFLICTS: u64 = 200;

/// A latch that keeps a value once it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stabilising {
    /// The number of the latch.
    pub(super) latch: usize,
    /// The latch, or its negation if it keeps the value 0.
    pub(super) reached: Edge,
    /// `reached`, one step later.
    pub(super) reached_next: Edge,
}

/// The latches of a model that keep one of their values, by one step under the constraints from any state.
/// Latches that never change are not among them.
pub(super) fn stabilising(model: &Model, stop: &Stop) -> Vec<Stabilising> {
    let mut solver = Solver::new();
    let mut encoder = Encoder::new();
    for &constraint in &model.constraints {
        let constraint = encoder.encode(&model.aig, constraint, &mut solver);
        solver.add_clause(&[constraint]);
    }
    let mut found = Vec::new();
    for (number, latch) in model.latches.iter().enumerate() {
        if stop.reason().is_some() {
            break;
        }
        if latch.next == latch.state {
            continue;
        }
        let state = encoder.encode(&model.aig, latch.state, &mut solver);
        let next = encoder.encode(&model.aig, latch.next, &mut solver);
        for keeps_zero in [false, true] {
            solver.set_limits(Limits {
                conflicts: Some(MAX_CONFLICTS),
                propagations: None,
            });
            let leaves = [state.negate_if(keeps_zero), next.negate_if(!keeps_zero)];
            if solver.solve(&leaves) == Answer::Unsatisfiable {
                found.push(Stabilising {
                    latch: number,
                    reached: latch.state.negate_if(keeps_zero),
                    reached_next: latch.next.negate_if(keeps_zero),
                });
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use craig_aig::Aig;

    use super::*;
    use craig_model::{Latch, Reset};

    #[test]
    fn latches_that_can_change_back_are_not_among_them() {
        let mut aig = Aig::new();
        let input = aig.add_input();
        let states: Vec<Edge> = (0..5).map(|_| aig.add_input()).collect();
        let sets = aig.or(states[0], input);
        let clears = aig.and(states[1], input);
        let toggles = aig.xor(states[2], input);
        // The constraint forbids that the fourth is cleared.
        let follows = input;
        let constraint = aig.implies(states[3], input);
        let nexts = [sets, clears, toggles, follows, states[4]];
        let latches = states.iter().zip(nexts).map(|(&state, next)| Latch {
            state,
            next,
            reset: Reset::Zero,
        });
        let model = Model {
            latches: latches.collect(),
            aig,
            inputs: vec![input],
            constraints: vec![constraint],
            ..Model::default()
        };
        let found = stabilising(&model, &Stop::new());
        let found: Vec<(usize, Edge)> = found.iter().map(|one| (one.latch, one.reached)).collect();
        assert_eq!(found, [(0, states[0]), (1, !states[1]), (3, states[3])]);
    }
}
