//! A ranking: latches in an order of priority, such that no step that matters makes the tuple of their values smaller.
//!
//! Claessen and Sörensson ("A liveness checking algorithm that counts", FMCAD 2012) treat latches that change at most once as
//! further fairness constraints. Those are the first level here. In steps in which the latches of all levels so far stay as they are,
//! further latches keep one of their values: they are the next level, and so on to a fixpoint. The bits of a counter that counts up to a
//! bound are found from the highest to the lowest. The tuple of all of them, compared lexicographically, changes finitely often on every
//! run: a lexicographic ranking function in the sense of Bradley, Manna, Sipma ("Linear ranking with reachability", CAV 2005), over bits.
//!
//! Where nothing more is found so, a latch may leave its value from a few states. They are *exceptions*, which an invariant has to exclude
//! (`bounds`): a counter whose end is no power of two goes from its largest number to 0, but does not come there.
//!
//! A value of a latch with which one of the literals of the property can't hold as long as the ranking stays as it is ends the comparison: a run
//! that stays there has few further hits, whatever the latches of lower priority do.

use std::ops::Range;

use craig_aig::{Aig, Edge};
use craig_model::{Model, Stop};

use super::bounds::Cube;
use super::exceptions::without_exceptions;
use super::steps::{Ranked, Steps};
use crate::control::StateClause;

/// Rankings that are made anew without an exception that is not excluded, at most.
const MOST_RETRIES: usize = 2;
/// Levels with exceptions, at most.
const MOST_EXCEPTIONAL: usize = 8;

/// A ranking, and what it rests on.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// Highest priority first.
    pub(super) latches: Vec<Ranked>,
    /// Clauses that hold in all reset states and that every step preserves, all together. The ranking is about steps from states in which
    /// they hold.
    pub(super) invariants: Vec<StateClause>,
}

/// The ranking of a model by one step under the constraints. The only bad of the model is the
/// hit, and `awaits` are its latches that are set while a literal other than the first is awaited. Latches that never change are not
/// among those ranked.
pub(super) fn ranking(model: &Model, awaits: &[usize], stop: &Stop) -> Ranking {
    // Latches whose exceptions are reachable, as far as anybody knows.
    let mut refused = Vec::new();
    loop {
        let may_retry = refused.len() < MOST_RETRIES;
        let (mut latches, exceptions) = ranked_latches(model, awaits, &refused, stop);
        let (invariants, unproved) = without_exceptions(model, &mut latches, &exceptions, stop);
        match unproved {
            Some(latch) if may_retry && stop.reason().is_none() => refused.push(latch),
            _ => {
                return Ranking {
                    latches,
                    invariants,
                };
            }
        }
    }
}

/// The latches of a ranking, and the exceptions from it, each with its level. No exception is made for those that are refused.
fn ranked_latches(
    model: &Model,
    awaits: &[usize],
    refused: &[usize],
    stop: &Stop,
) -> (Vec<Ranked>, Vec<(usize, Cube)>) {
    let mut search = Steps::new(model, awaits);
    let changing = |&number: &usize| {
        let latch = &model.latches[number];
        latch.next != latch.state
    };
    let mut open: Vec<usize> = (0..model.latches.len()).filter(changing).collect();
    let mut ranking: Vec<Ranked> = Vec::new();
    let mut exceptions: Vec<(usize, Cube)> = Vec::new();
    for level in 0.. {
        let before = ranking.len();
        open = search.level(level, open, &mut ranking, stop);
        let n_exceptional = exceptions.chunk_by(|one, next| one.0 == next.0).count();
        if ranking.len() == before
            && n_exceptional < MOST_EXCEPTIONAL
            && let Some((ranked, cubes)) = search.with_exceptions(level, &open, refused, stop)
        {
            open.retain(|&latch| latch != ranked.latch);
            ranking.push(ranked);
            exceptions.extend(cubes.into_iter().map(|cube| (level, cube)));
        }
        if ranking.len() == before {
            break;
        }
        for ranked in &ranking[before..] {
            search.keep(ranked.latch);
        }
        for ranked in &mut ranking[before..] {
            ranked.is_last = search.is_last(ranked, stop);
            if ranked.is_last == [true; 2] {
                return (ranking, exceptions);
            }
        }
    }
    (ranking, exceptions)
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
        let found = ranking(&model, &[], &Stop::new()).latches;
        let found: Vec<(usize, Edge)> = found.iter().map(|one| (one.latch, one.reached)).collect();
        assert_eq!(found, [(0, states[0]), (1, !states[1]), (3, states[3])]);
    }

    /// A model with one input, whose hits are its bad.
    fn counting(aig: Aig, counts: Edge, latches: Vec<Latch>, hit: Edge) -> Model {
        Model {
            latches,
            aig,
            inputs: vec![counts],
            bads: vec![hit],
            ..Model::default()
        }
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
        counting(aig, counts, latches, hit)
    }

    #[test]
    fn bits_of_a_counter_are_ranked_from_the_highest() {
        let model = counter(6);
        let ranking = ranking(&model, &[], &Stop::new()).latches;
        let found: Vec<usize> = ranking.iter().map(|ranked| ranked.latch).collect();
        assert_eq!(found, [5, 4, 3, 2, 1, 0]);
        assert!((ranking.iter().zip(0..)).all(|(ranked, level)| ranked.level == level));
        assert!(ranking.iter().all(|ranked| !ranked.reached.is_negated()));
        // With all bits as they are, nothing is counted.
        assert_eq!(ranking[5].is_last, [true; 2]);
    }

    /// A counter with an end below its largest number, after which it is 0, and a latch that is set at the end.
    fn counter_to(n_bits: usize, end: usize) -> Model {
        let mut aig = Aig::new();
        let counts = aig.add_input();
        let bits: Vec<Edge> = (0..n_bits).map(|_| aig.add_input()).collect();
        let was_full = aig.add_input();
        let equal: Vec<Edge> = (bits.iter().enumerate())
            .map(|(bit, &state)| state.negate_if(end >> bit & 1 == 0))
            .collect();
        let is_full = aig.and_all(equal);
        let mut carry = counts;
        let mut latches = Vec::new();
        let reset = Reset::Zero;
        for &state in &bits {
            let sum = aig.xor(state, carry);
            carry = aig.and(state, carry);
            let next = aig.and(sum, !is_full);
            latches.push(Latch { state, next, reset });
        }
        let next = aig.or(was_full, is_full);
        latches.push(Latch {
            state: was_full,
            next,
            reset,
        });
        let hit = aig.and(counts, !was_full);
        counting(aig, counts, latches, hit)
    }

    #[test]
    fn bits_of_a_counter_to_any_end_are_ranked_with_an_invariant() {
        let model = counter_to(12, 0b1010_1101_0010);
        let ranking = ranking(&model, &[], &Stop::new());
        let found: Vec<usize> = ranking.latches.iter().map(|one| one.latch).collect();
        assert_eq!(found, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        // One clause for each bit of the end that is 0.
        assert_eq!(ranking.invariants.len(), 6);
        // Without an end, there is no bound, and no ranking.
        let mut endless = model;
        for latch in &mut endless.latches[..12] {
            let mut carry = endless.inputs[0];
            for &bit in &endless.aig.inputs().to_vec()[1..] {
                let bit = Edge::new(bit, false);
                if bit == latch.state {
                    break;
                }
                carry = endless.aig.and(carry, bit);
            }
            latch.next = endless.aig.xor(latch.state, carry);
        }
        let ranking = super::ranking(&endless, &[], &Stop::new());
        assert!(ranking.invariants.is_empty());
        assert_eq!(ranking.latches.len(), 1);
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
