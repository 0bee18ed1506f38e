//! The proof that there is no skeleton: walls as a ranking, and between them the await index.
//!
//! On which side of each wall a state is, in their order, is a rank that never falls: a step crosses the first of the walls that it crosses
//! into the wall. Where it crosses none, it is between sides with which some literal never holds, and hits move the await index on until it
//! points to that literal. So Q(s, t) is "s has more than the rank of t; or the same, and the index in s has come at least as far
//! after that literal as in t". The first sides in the order of what was found that s is between end the comparison; where there are none,
//! the first literal never holds.

use craig_aig::{Aig, Edge};
use craig_model::Model;

use super::arena::{Arena, Entry};
use super::proof::Proof;
use super::runs::{clause_edge, in_second_state};
use crate::control::StateClause;

/// The proof from the clauses, which hold in all reachable states and exclude hits of the first literal that are in no barren arena and cross
/// no wall.
pub(super) fn proof(
    original: &Model,
    arena: &Arena,
    awaits: &[usize],
    clauses: &[StateClause],
) -> Proof {
    let mut model = arena.model.clone();
    let clauses: Vec<Edge> = (clauses.iter())
        .map(|clause| clause_edge(&mut model, clause))
        .collect();
    let mut holds = model.aig.and_all(clauses);
    let later: Vec<Edge> = awaits.iter().map(|&it| model.latches[it].state).collect();
    let aig = &mut model.aig;
    // Exactly one literal is awaited.
    let mut awaited = vec![!aig.or_all(later.iter().copied())];
    let mut any = Edge::FALSE;
    for &later in &later {
        let two = aig.and(any, later);
        holds = aig.and(holds, !two);
        any = aig.or(any, later);
    }
    awaited.extend(later);
    let walls: Vec<Edge> = arena.walls.iter().map(|wall| wall[0]).collect();
    let mut formulas = walls.clone();
    formulas.extend(&awaited);
    let mut shared_inputs: Vec<Option<usize>> = (0..original.inputs.len()).map(Some).collect();
    let images = in_second_state(&mut model, &mut shared_inputs, &formulas);
    let (walls_later, awaited_later) = images.split_at(walls.len());
    let aig = &mut model.aig;
    let mut may_repeat = has_come_as_far(aig, &awaited, awaited_later, 0);
    for entry in arena.entries.iter().rev() {
        match entry {
            Entry::Wall(wall) => {
                let (in_s, in_t) = (walls[*wall], walls_later[*wall]);
                let more = aig.and(in_s, !in_t);
                let equal = aig.iff(in_s, in_t);
                let equal = aig.and(equal, may_repeat);
                may_repeat = aig.or(more, equal);
            }
            Entry::Barren { sides, literal } => {
                let sides = sides
                    .iter()
                    .map(|&(wall, side)| walls[wall].negate_if(!side));
                let is_between = aig.and_all(sides.collect::<Vec<_>>());
                let as_far = has_come_as_far(aig, &awaited, awaited_later, *literal);
                may_repeat = aig.ite(is_between, as_far, may_repeat);
            }
        }
    }
    model.bads = vec![!holds, may_repeat];
    Proof::over_latches(original, model, shared_inputs)
}

/// "Of the literals, beginning after the last one, the index has come at least as far in s as in t."
fn has_come_as_far(aig: &mut Aig, in_s: &[Edge], in_t: &[Edge], last: usize) -> Edge {
    let n = in_s.len();
    let mut at_least = Edge::FALSE;
    let mut all = Edge::TRUE;
    for place in (0..n).rev() {
        let literal = (last + 1 + place) % n;
        at_least = aig.or(at_least, in_s[literal]);
        let implied = aig.implies(in_t[literal], at_least);
        all = aig.and(all, implied);
    }
    all
}
