//! A ranking: latches in an order of priority, such that no step that matters makes the tuple of their values smaller.
//!
//! Claessen and Sörensson ("A liveness checking algorithm that counts", FMCAD 2012) treat latches that change at most once as
//! further fairness constraints. Those are the first level here. In steps in which the latches of all levels so far stay as they are,
//! further latches keep one of their values: they are the next level, and so on to a fixpoint. The bits of a counter that counts up to a
//! bound are found from the highest to the lowest. The tuple of all of them, compared lexicographically, changes finitely often on every
//! run: a lexicographic ranking function in the sense of Bradley, Manna, Sipma ("Linear ranking with reachability", CAV 2005), over bits.
//!
//! A value of a latch with which one of the literals of the property can't hold as long as the ranking stays as it is ends the comparison: a run
//! that stays there has few further hits, whatever the latches of lower priority do.

use std::ops::Range;

use craig_aig::{Aig, Edge};
use craig_model::{Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

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

/// The ranking of a model, highest priority first, by one step under the constraints from any state. The only bad of the model is the
/// hit, and `awaits` are its latches that are set while a literal other than the first is awaited. Latches that never change are not
/// among those ranked.
pub(super) fn ranking(model: &Model, awaits: &[usize], stop: &Stop) -> Vec<Ranked> {
    let mut search = Steps::new(model, awaits);
    let changing = |&number: &usize| {
        let latch = &model.latches[number];
        latch.next != latch.state
    };
    let mut open: Vec<usize> = (0..model.latches.len()).filter(changing).collect();
    let mut ranking: Vec<Ranked> = Vec::new();
    for level in 0.. {
        let before = ranking.len();
        open = search.level(level, open, &mut ranking, stop);
        if ranking.len() == before {
            break;
        }
        for ranked in &ranking[before..] {
            search.keep(ranked.latch);
        }
        for ranked in &mut ranking[before..] {
            ranked.is_last = search.is_last(ranked, stop);
            if ranked.is_last == [true; 2] {
                return ranking;
            }
        }
    }
    ranking
}

/// One step of a model from any state, and the latches that keep their values in it.
struct Steps<'a> {
    model: &'a Model,
    solver: Solver,
    encoder: Encoder,
    /// For each literal of the property, that there is a hit while it is awaited.
    hits: Vec<Vec<Lit>>,
    queries_left: usize,
}

impl<'a> Steps<'a> {
    fn new(model: &'a Model, awaits: &[usize]) -> Self {
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
        }
    }

    fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.model.aig, edge, &mut self.solver)
    }

    /// The literals of a latch before and after the step.
    fn literals(&mut self, number: usize) -> [Lit; 2] {
        let latch = &self.model.latches[number];
        [latch.state, latch.next].map(|edge| self.literal(edge))
    }

    /// Whether a step has these literals, unless that is too hard to say.
    fn answer(&mut self, literals: &[Lit]) -> Answer {
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
    fn keep(&mut self, number: usize) {
        let [state, next] = self.literals(number);
        self.solver.add_clause(&[!state, next]);
        self.solver.add_clause(&[state, !next]);
    }

    /// Appends those of the open latches that keep one of their values to the ranking. Returns the others.
    fn level(
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
    fn is_last(&mut self, ranked: &Ranked, stop: &Stop) -> [bool; 2] {
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

/// Whether a level ends the comparison, by the values of its latches.
fn ends(aig: &mut Aig, level: &[Ranked], reached: &[Edge]) -> Edge {
    let ends: Vec<Edge> = (level.iter().zip(reached))
        .map(|(ranked, &reached)| {
            let [zero, one] = ranked.is_last.map(|is_last| Edge::FALSE.negate_if(is_last));
            aig.ite(reached, one, zero)
        })
        .collect();
    aig.or_all(ends)
}

/// The levels of a ranking with the places of their latches, lowest first.
fn levels(ranking: &[Ranked]) -> impl Iterator<Item = Range<usize>> {
    let mut end = ranking.len();
    let levels = ranking.chunk_by(|one, next| one.level == next.level).rev();
    levels.map(move |level| {
        let places = end - level.len()..end;
        end = places.start;
        places
    })
}

/// "State t has at least the rank of state s", lexicographically, and `tie` if the ranks are equal: for each latch of the ranking whether it
/// has reached its value in s, and in t.
pub(super) fn at_least(aig: &mut Aig, ranking: &[Ranked], values: &[[Edge; 2]], tie: Edge) -> Edge {
    let in_s: Vec<Edge> = values.iter().map(|&[in_s, _]| in_s).collect();
    let mut below = tie;
    for level in levels(ranking) {
        let ends = ends(aig, &ranking[level.clone()], &in_s[level.clone()]);
        below = aig.ite(ends, tie, below);
        for &[in_s, in_t] in values[level].iter().rev() {
            let more = aig.and(!in_s, in_t);
            let equal = !aig.xor(in_s, in_t);
            let equal = aig.and(equal, below);
            below = aig.or(more, equal);
        }
    }
    below
}

/// "The rank changes in this step."
pub(super) fn changes(aig: &mut Aig, ranking: &[Ranked]) -> Edge {
    let reached: Vec<Edge> = ranking.iter().map(|ranked| ranked.reached).collect();
    let mut below = Edge::FALSE;
    for level in levels(ranking) {
        let ends = ends(aig, &ranking[level.clone()], &reached[level.clone()]);
        below = aig.and(!ends, below);
        for ranked in &ranking[level] {
            let change = aig.xor(ranked.reached, ranked.reached_next);
            below = aig.or(below, change);
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

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
            bads: vec![Edge::TRUE],
            ..Model::default()
        };
        let found = ranking(&model, &[], &Stop::new());
        let found: Vec<(usize, Edge)> = found.iter().map(|one| (one.latch, one.reached)).collect();
        assert_eq!(found, [(0, states[0]), (1, !states[1]), (3, states[3])]);
    }

    /// A counter that counts while an input is set, and what it is about: the hit is the input, as long as not all bits are set.
    fn counter(n_bits: usize) -> Model {
        let mut aig = Aig::new();
        let counts = aig.add_input();
        let bits: Vec<Edge> = (0..n_bits).map(|_| aig.add_input()).collect();
        let is_full = aig.and_all(bits.iter().copied());
        let mut carry = aig.and(counts, !is_full);
        let hit = carry;
        let mut latches = Vec::new();
        for &state in &bits {
            let next = aig.xor(state, carry);
            carry = aig.and(state, carry);
            let reset = Reset::Zero;
            latches.push(Latch { state, next, reset });
        }
        Model {
            latches,
            aig,
            inputs: vec![counts],
            bads: vec![hit],
            ..Model::default()
        }
    }

    #[test]
    fn bits_of_a_counter_are_ranked_from_the_highest() {
        let model = counter(6);
        let ranking = ranking(&model, &[], &Stop::new());
        let found: Vec<usize> = ranking.iter().map(|ranked| ranked.latch).collect();
        assert_eq!(found, [5, 4, 3, 2, 1, 0]);
        assert!((ranking.iter().zip(0..)).all(|(ranked, level)| ranked.level == level));
        assert!(ranking.iter().all(|ranked| !ranked.reached.is_negated()));
        // With all bits as they are, nothing is counted.
        assert_eq!(ranking[5].is_last, [true; 2]);
    }

    /// By the definition, on all pairs of ranks: tuples are compared in their order, and equal ones by `tie`.
    #[test]
    fn ranks_are_compared_lexicographically() {
        let mut aig = Aig::new();
        let edges: Vec<Edge> = (0..7).map(|_| aig.add_input()).collect();
        let tie = edges[6];
        let values: Vec<[Edge; 2]> = (0..3)
            .map(|place| [edges[place], edges[3 + place]])
            .collect();
        // Two latches in the first level, of which the second ends the comparison with the value 1.
        let ranked = |level: usize, is_last: [bool; 2]| Ranked {
            latch: 0,
            reached: Edge::TRUE,
            reached_next: Edge::TRUE,
            level,
            is_last,
        };
        let ranking = [
            ranked(0, [false; 2]),
            ranked(0, [false, true]),
            ranked(1, [false; 2]),
        ];
        let formula = at_least(&mut aig, &ranking, &values, tie);
        for bits in 0..1_u32 << 7 {
            let bit = |place: usize| bits >> place & 1 == 1;
            let (s, t) = ([bit(0), bit(1), bit(2)], [bit(3), bit(4), bit(5)]);
            let compared = if s[..2] == t[..2] && s[1] { 2 } else { 3 };
            let expected = match t[..compared].cmp(&s[..compared]) {
                Ordering::Greater => true,
                Ordering::Less => false,
                Ordering::Equal => bit(6),
            };
            let inputs: Vec<bool> = (0..7).map(bit).collect();
            assert_eq!(aig.evaluate(&inputs, &[formula]), [expected], "{bits:07b}");
        }
    }
}
