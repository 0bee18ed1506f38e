//! Lemmas as clauses over the states of the automaton's circuit.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node};
use craig_mc::control::StateClause;

use super::frames::Lemma;
use crate::actions::{Actions, position};
use crate::cfa::Cfa;
use crate::to_model::CfaModel;

/// A lemma of more clauses is left out.
const MOST_CLAUSES: usize = 64;
/// The most clauses that are exported, those of the lemmas that hold within most steps first.
const MOST_EXPORTED: usize = 2000;

/// A clause over bits of the state: the bits, and the value of each that satisfies it. In increasing order.
type BitClause = Vec<(u32, bool)>;

/// The lemmas, by location, as clauses over the latches of the automaton's circuit: where the program counter is at the
/// location of a lemma, no state is in its cube. They need not be invariants. Lemmas that have too many clauses, or that
/// read a word without latches, are left out.
pub(super) fn clauses(
    actions: &Actions,
    aig: &Aig,
    lemmas: &[Vec<Lemma>],
    encoded: &CfaModel,
) -> Vec<StateClause> {
    let mut found: Vec<(usize, StateClause)> = Vec::new();
    for location in actions.locations() {
        let Some(code) = encoded.code(location) else {
            continue;
        };
        if location == Cfa::START {
            continue;
        }
        let elsewhere = encoded.counter().iter().enumerate();
        let elsewhere: StateClause = elsewhere
            .map(|(bit, &latch)| (latch, code >> bit & 1 == 0))
            .collect();
        for lemma in &lemmas[location.index()] {
            let latch = |bit: u32| {
                let (word, place) = actions.bits()[bit as usize];
                Some(encoded.latches(word)?[place as usize])
            };
            for clause in excluding(aig, &lemma.cube).into_iter().flatten() {
                let literals = clause.into_iter();
                let literals: Option<StateClause> = literals
                    .map(|(bit, value)| Some((latch(bit)?, value)))
                    .collect();
                let whole = literals.map(|literals| [elsewhere.clone(), literals].concat());
                found.extend(whole.map(|clause| (lemma.level, clause)));
            }
        }
    }
    found.sort_by_key(|&(level, _)| std::cmp::Reverse(level));
    found.truncate(MOST_EXPORTED);
    found.into_iter().map(|(_, clause)| clause).collect()
}

/// That a state is not in a cube of formulas, as clauses, unless these are too many.
fn excluding(aig: &Aig, cube: &[Edge]) -> Option<Vec<BitClause>> {
    let mut known: HashMap<Edge, Option<Vec<BitClause>>> = HashMap::new();
    let of = |known: &HashMap<Edge, Option<Vec<BitClause>>>, edge: Edge| match edge {
        Edge::TRUE => Some(Vec::new()),
        Edge::FALSE => Some(vec![Vec::new()]),
        _ => known[&edge].clone(),
    };
    for node in aig.cone(cube) {
        let edge = Edge::new(node, false);
        let (holds, fails) = match aig.node(node) {
            Node::Constant => continue,
            Node::Input(_) => {
                let bit = position(aig, node);
                (
                    Some(vec![vec![(bit, true)]]),
                    Some(vec![vec![(bit, false)]]),
                )
            }
            Node::And(left, right) => (
                both(of(&known, left), of(&known, right)),
                either(of(&known, !left), of(&known, !right)),
            ),
        };
        known.insert(edge, holds);
        known.insert(!edge, fails);
    }
    (cube.iter()).try_fold(vec![Vec::new()], |all, &edge| {
        either(Some(all), of(&known, !edge))
    })
}

/// The conjunction of clauses.
fn both(left: Option<Vec<BitClause>>, right: Option<Vec<BitClause>>) -> Option<Vec<BitClause>> {
    let mut all = left?;
    all.extend(right?);
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST_CLAUSES).then_some(all)
}

/// The disjunction of two conjunctions of clauses.
fn either(left: Option<Vec<BitClause>>, right: Option<Vec<BitClause>>) -> Option<Vec<BitClause>> {
    let (left, right) = (left?, right?);
    if left.len() * right.len() > MOST_CLAUSES {
        return None;
    }
    let mut all = Vec::new();
    for one in &left {
        for other in &right {
            let mut clause = [one.as_slice(), other].concat();
            clause.sort_unstable();
            clause.dedup();
            if clause.windows(2).all(|pair| pair[0].0 != pair[1].0) {
                all.push(clause);
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On all states of four bits, the clauses of a cube of a bit and a bound say that a state is not in it.
    #[test]
    fn the_clauses_of_a_cube_exclude_it() {
        for (seed, bound) in (0..16u32).flat_map(|seed| (0..8u32).map(move |bound| (seed, bound))) {
            let mut aig = Aig::new();
            let bits: Vec<Edge> = (0..4).map(|_| aig.add_input()).collect();
            // Bits 0 to 2, as a number, are at most the bound.
            let mut at_most = Edge::TRUE;
            for (place, &bit) in bits[..3].iter().enumerate() {
                at_most = match bound >> place & 1 == 1 {
                    true => aig.or(!bit, at_most),
                    false => aig.and(!bit, at_most),
                };
            }
            let mixed = aig.xor(bits[seed as usize % 4], bits[(seed as usize / 4) % 4]);
            let cube = [bits[3], at_most, mixed];
            let clauses = excluding(&aig, &cube).expect("they are few");
            for state in 0..16u32 {
                let values: Vec<bool> = (0..4).map(|bit| state >> bit & 1 == 1).collect();
                let is_in = (aig.evaluate(&values, &cube).into_iter()).all(|holds| holds);
                let is_excluded = clauses.iter().any(|clause| {
                    let mut literals = clause.iter();
                    literals.all(|&(bit, value)| values[bit as usize] != value)
                });
                assert_eq!(is_in, is_excluded, "{seed} {bound} {state}");
            }
        }
    }
}
