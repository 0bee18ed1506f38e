//! Whether a sequence of sets of states is closed.

use craig_aig::Edge;
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Solver};

use super::actions::Actions;
use super::answer::Invariant;
use super::cfa::LocationId;
use super::labels::{LabelId, Labels};
use super::unrolled::Set;

/// The first sets of a sequence, up to one that lies in their union, if there is one: how many they are. Labels of
/// different locations are about different states.
pub(super) fn closed(
    actions: &Actions,
    labels: &Labels,
    sets: &[Set],
    stop: &Stop,
) -> Result<Option<usize>, UnknownReason> {
    let mut unions: Vec<Option<Union>> = (0..actions.n_locations()).map(|_| None).collect();
    for (number, set) in sets.iter().enumerate().skip(1) {
        let mut is_closed = true;
        for (location, &label) in set.iter().enumerate() {
            let is_known = sets[..number].iter().any(|set| set[location] == label);
            if label == LabelId::FALSE || is_known {
                continue;
            }
            let before = sets[..number].iter().map(|set| set[location]);
            if before.clone().any(|label| label == LabelId::TRUE) {
                continue;
            }
            let union = unions[location].get_or_insert_with(|| Union::new(stop));
            if !union.contains(labels, before, label, stop)? {
                is_closed = false;
                break;
            }
        }
        if is_closed {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// The union of labels at a location: its complement, in a solver.
struct Union {
    solver: Solver,
    encoder: Encoder,
    n_added: usize,
}

impl Union {
    fn new(stop: &Stop) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        Self {
            solver,
            encoder: Encoder::new(),
            n_added: 0,
        }
    }

    fn contains(
        &mut self,
        labels: &Labels,
        all: impl Iterator<Item = LabelId>,
        label: LabelId,
        stop: &Stop,
    ) -> Result<bool, UnknownReason> {
        for label in all.skip(self.n_added) {
            self.n_added += 1;
            let conjuncts = labels.conjuncts(label).iter();
            let mut clause = Vec::new();
            for &conjunct in conjuncts {
                clause.push(!self.encoder.encode(&labels.aig, conjunct, &mut self.solver));
            }
            self.solver.add_clause(&clause);
        }
        let mut assumptions = Vec::new();
        for &conjunct in labels.conjuncts(label) {
            assumptions.push(self.encoder.encode(&labels.aig, conjunct, &mut self.solver));
        }
        match self.solver.solve(&assumptions) {
            Answer::Satisfiable => Ok(false),
            Answer::Unsatisfiable => Ok(true),
            Answer::Unknown => Err(why_stopped(stop)),
        }
    }
}

/// The invariant that a state is in the union of some sets, or in none of them if it `is_complement`.
pub(super) fn invariant(
    actions: &Actions,
    labels: &mut Labels,
    sets: &[Set],
    is_complement: bool,
) -> Invariant {
    let unions: Vec<Edge> = (0..actions.n_locations())
        .map(|location| union_at(labels, sets, location).negate_if(is_complement))
        .collect();
    let label = |_: &mut _, location: LocationId| unions[location.index()];
    Invariant::new(actions, &mut labels.aig, label)
}

/// The union of the labels of a location in some sets.
fn union_at(labels: &mut Labels, sets: &[Set], location: usize) -> Edge {
    let mut parts: Vec<LabelId> = sets.iter().map(|set| set[location]).collect();
    parts.sort_unstable();
    parts.dedup();
    let parts: Vec<Edge> = (parts.into_iter())
        .map(|label| {
            let conjuncts = labels.conjuncts(label).to_vec();
            labels.aig.and_all(conjuncts)
        })
        .collect();
    labels.aig.or_all(parts)
}
