//! One step of a model from any state, and which latches keep a value in it.

use craig_aig::Edge;
use craig_model::{Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::lifting::Lifting;
use super::seen::Seen;

/// Conflicts of a query, at most.
const MAX_CONFLICTS: u64 = 200;
/// Queries for a ranking, at most: those about a level are as many as there are latches left, and so can be the levels.
const MAX_QUERIES: usize = 1 << 15;

/// A latch of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    /// The number of the latch.
    pub(super) latch: usize,
    /// The latch, or its negation if it keeps the value 0: a step makes it false only if a latch of higher priority changes, or has a
    /// value that ends the comparison.
    pub(super) reached: Edge,
    /// `reached`, one step later.
    pub(super) reached_next: Edge,
    /// The number of its level.
    pub(super) level: usize,
    /// The values of `reached` with which some literal of the property does not hold in steps in which all latches of its level and of
    /// those before stay as they are.
    pub(super) is_last: [bool; 2],
}

/// One step of a model from any state, and the latches that keep their values in it.
pub(super) struct Steps<'a> {
    pub(super) model: &'a Model,
    pub(super) solver: Solver,
    pub(super) encoder: Encoder,
    /// For each literal of the property, that there is a hit while it is awaited.
    hits: Vec<Vec<Lit>>,
    queries_left: usize,
    /// Made for the first exception.
    pub(super) lifting: Option<Lifting<'a>>,
    /// Made for the first exception.
    pub(super) seen: Option<Seen>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(model: &'a Model, awaits: &[usize]) -> Self {
        let mut solver = Solver::new();
        let mut encoder = Encoder::new();
        for &constraint in &model.constraints {
            let constraint = encoder.encode(&model.aig, constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        let hit = encoder.encode(&model.aig, model.bads[0], &mut solver);
        let states = awaits.iter().map(|&latch| model.latches[latch].state);
        let awaits: Vec<Lit> = states
            .map(|state| encoder.encode(&model.aig, state, &mut solver))
            .collect();
        let first = std::iter::once(hit).chain(awaits.iter().map(|&later| !later));
        let mut hits = vec![first.collect()];
        hits.extend(awaits.iter().map(|&later| vec![hit, later]));
        Self {
            model,
            solver,
            encoder,
            hits,
            queries_left: MAX_QUERIES,
            lifting: None,
            seen: None,
        }
    }

    pub(super) fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.model.aig, edge, &mut self.solver)
    }

    /// The literals of a latch before and after the step.
    fn literals(&mut self, number: usize) -> [Lit; 2] {
        let latch = &self.model.latches[number];
        [latch.state, latch.next].map(|edge| self.literal(edge))
    }

    /// Whether a step has these literals, unless that is too hard to say.
    pub(super) fn answer(&mut self, literals: &[Lit]) -> Answer {
        let Some(left) = self.queries_left.checked_sub(1) else {
            return Answer::Unknown;
        };
        self.queries_left = left;
        self.solver.set_limits(Limits {
            conflicts: Some(MAX_CONFLICTS),
            propagations: None,
        });
        self.solver.solve(literals)
    }

    /// From now on, the latch has the same value before and after the step.
    pub(super) fn keep(&mut self, number: usize) {
        let [state, next] = self.literals(number);
        self.solver.add_clause(&[!state, next]);
        self.solver.add_clause(&[state, !next]);
    }

    /// Appends those of the open latches that keep one of their values to the ranking. Returns the others.
    pub(super) fn level(
        &mut self,
        level: usize,
        open: Vec<usize>,
        ranking: &mut Vec<Ranked>,
        stop: &Stop,
    ) -> Vec<usize> {
        let literals: Vec<[Lit; 2]> = open.iter().map(|&latch| self.literals(latch)).collect();
        // Whether a step was found in which the latch falls, and one in which it rises.
        let mut leaves = vec![[false; 2]; open.len()];
        let mut rest = Vec::new();
        for (place, number) in open.into_iter().enumerate() {
            let kept = [false, true].into_iter().find(|&keeps_zero| {
                let is_open = !leaves[place][usize::from(keeps_zero)];
                is_open
                    && stop.reason().is_none()
                    && self.keeps(keeps_zero, place, &literals, &mut leaves)
            });
            let Some(keeps_zero) = kept else {
                rest.push(number);
                continue;
            };
            let latch = &self.model.latches[number];
            ranking.push(Ranked {
                latch: number,
                reached: latch.state.negate_if(keeps_zero),
                reached_next: latch.next.negate_if(keeps_zero),
                level,
                is_last: [false; 2],
            });
        }
        rest
    }

    /// Whether no step leaves the value 1 of a latch, or its value 0. If there is one, notes which values of latches it leaves.
    fn keeps(
        &mut self,
        keeps_zero: bool,
        place: usize,
        literals: &[[Lit; 2]],
        leaves: &mut [[bool; 2]],
    ) -> bool {
        let [state, next] = literals[place];
        match self.answer(&[state.negate_if(keeps_zero), next.negate_if(!keeps_zero)]) {
            Answer::Unsatisfiable => return true,
            Answer::Unknown => return false,
            Answer::Satisfiable => {}
        }
        for (leaves, &[state, next]) in leaves.iter_mut().zip(literals) {
            let [before, after] = [state, next].map(|literal| self.solver.value(literal));
            leaves[0] |= before == Some(true) && after == Some(false);
            leaves[1] |= before == Some(false) && after == Some(true);
        }
        false
    }

    /// As [`Ranked::is_last`]. Steps with such a value do not matter from now on.
    pub(super) fn is_last(&mut self, ranked: &Ranked, stop: &Stop) -> [bool; 2] {
        let reached = self.literal(ranked.reached);
        [false, true].map(|value| {
            let has_value = reached.negate_if(!value);
            let excluded = (0..self.hits.len()).any(|literal| {
                let mut assumptions = self.hits[literal].clone();
                assumptions.push(has_value);
                stop.reason().is_none() && self.answer(&assumptions) == Answer::Unsatisfiable
            });
            if excluded {
                self.solver.add_clause(&[!has_value]);
            }
            excluded
        })
    }
}
