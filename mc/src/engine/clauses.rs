//! Clauses that a set of states implies, for engines that work with clauses.

use craig_aig::Edge;
use craig_model::Stop;
use craig_model::cone::SequentialCone;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver, Var};

use super::states::States;
use crate::control::{Control, listen_in};
use crate::exchange::{StateClause, Suggestion};

/// The most clauses of one set.
const MOST_CLAUSES: usize = 100;
/// Sets with more gates have no short clauses, as a rule.
const MOST_GATES: usize = 2_000;
/// Longer clauses are left out.
const MOST_LITERALS: usize = 60;
/// The most queries to shorten one clause.
const MOST_DROPS: usize = 20;

/// Suggests clauses that `set` implies for frame number `steps`, if another engine wants suggestions.
pub(super) fn suggest(
    states: &States,
    cone: &SequentialCone,
    set: Edge,
    steps: usize,
    control: Control<'_>,
) {
    if steps == 0 || !control.board.exchange().wants_suggestions() {
        return;
    }
    let clauses = of_set(states, cone, set, control.stop);
    control.listener.count("clauses suggested", clauses.len());
    let suggestions = clauses.into_iter();
    (control.board.exchange()).suggest(suggestions.map(|clause| Suggestion { steps, clause }));
}

/// Clauses over the latches of the model that `set` implies. Together they are equivalent to it, unless the set is large, or
/// the control ends the search for them.
fn of_set(states: &States, cone: &SequentialCone, set: Edge, stop: &Stop) -> Vec<StateClause> {
    if set == Edge::TRUE || states.aig.n_ands_in_cone(&[set]) > MOST_GATES {
        return Vec::new();
    }
    let support = states.support(set);
    let variable = |place: usize| Var::new(place).positive();
    // The states outside of the set, and those in it.
    let [mut outside, mut inside] = [!set, set].map(|set| {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        solver.reserve_vars(support.len());
        let mut encoder = Encoder::new();
        for (place, &(_, node)) in support.iter().enumerate() {
            encoder.set(node, variable(place));
        }
        let set = encoder.encode_polarity(&states.aig, set, &mut solver);
        solver.add_clause(&[set]);
        solver
    });
    let mut clauses = Vec::new();
    while clauses.len() < MOST_CLAUSES && outside.solve(&[]) == Answer::Satisfiable {
        let state: Vec<Lit> = (0..support.len())
            .map(|place| {
                let value = outside.value(variable(place)).unwrap_or(false);
                variable(place).negate_if(!value)
            })
            .collect();
        let Some(cube) = outside_cube(&mut inside, state) else {
            break;
        };
        let clause: Vec<Lit> = cube.iter().map(|&lit| !lit).collect();
        outside.add_clause(&clause);
        if clause.len() <= MOST_LITERALS {
            let lits = clause.iter();
            let latch = |lit: &Lit| cone.latches[support[lit.var().index()].0];
            clauses.push(lits.map(|lit| (latch(lit), !lit.is_negated())).collect());
        }
        if stop.reason().is_some() {
            break;
        }
    }
    clauses
}

/// Some literals of a state outside of the set whose states all are outside of it; `None` if the solver was stopped.
fn outside_cube(inside: &mut Solver, state: Vec<Lit>) -> Option<Vec<Lit>> {
    let mut cube = state;
    if inside.solve(&cube) != Answer::Unsatisfiable {
        return None;
    }
    cube = inside.failed_assumptions().to_vec();
    let (mut place, mut n_drops) = (0, 0);
    while place < cube.len() && n_drops < MOST_DROPS {
        let mut fewer = cube.clone();
        fewer.swap_remove(place);
        n_drops += 1;
        match inside.solve(&fewer) {
            // The core may be in another order: literals that were needed before are asked about again.
            Answer::Unsatisfiable => cube = inside.failed_assumptions().to_vec(),
            Answer::Satisfiable => place += 1,
            Answer::Unknown => return None,
        }
    }
    Some(cube)
}
