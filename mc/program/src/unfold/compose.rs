//! Large blocks of an unfolded automaton: locations that a run passes through without a choice are left out.
//!
//! Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, *Software model checking via large-block encoding* (FMCAD 2009): the
//! edges into a location and those out of it become one edge for each pair. Here that is done only where the edges out of
//! the location choose no inputs, so that what happens there is a function of the state: an edge into the location then
//! leads to where the run will be, with the same inputs, and evidence can be lifted step by step.

use std::collections::HashMap;

use craig_word::{Term, Terms};

use crate::cfa::{Assignment, Cfa, EdgeId, LocationId};

/// A location with more edges, or from which more ways would lead on, is not left out.
const MOST_WAYS: usize = 3;
/// The limit on the terms of what happens at a location that is left out.
const MOST_TERMS: usize = 200;

/// What happens at a location that is left out, and at those left out after it, under a condition.
pub(super) struct Way {
    /// Over the words of the location.
    pub(super) guard: Term,
    /// The next location of the given automaton that is not left out.
    pub(super) target: LocationId,
    /// Over the words of the location; other words keep their values.
    pub(super) assignments: Vec<Assignment>,
}

/// An automaton with larger blocks.
pub(super) struct Composed {
    pub(super) cfa: Cfa,
    /// By location of the given automaton: the location in the other one; `None` if it is left out.
    pub(super) places: Vec<Option<LocationId>>,
    /// By location of the given automaton: what happens there, if it is left out. The conditions exclude each other;
    /// where none holds, runs end.
    pub(super) ways: Vec<Vec<Way>>,
}

/// The automaton without the locations at which a run has no choice. Runs to bad locations are the same but for the
/// locations that are left out.
pub(super) fn composed(given: &mut Cfa) -> Composed {
    let ways = ways(given);
    let is_kept = |id: LocationId| ways[id.index()].is_empty();
    let mut cfa = Cfa::new(given.terms.clone());
    for word in given.words() {
        cfa.add_word(word.term, word.name.clone());
    }
    let mut places = vec![None; given.locations().len()];
    for id in given.location_ids() {
        let location = given.location(id);
        places[id.index()] = match id {
            Cfa::START | Cfa::ERROR | Cfa::UNSUPPORTED => Some(id),
            _ if is_kept(id) => {
                let (words, numbers) = (location.words.clone(), location.numbers.clone());
                Some(cfa.add_location(location.name.clone(), words, numbers))
            }
            _ => None,
        };
    }
    for source in given.sources().filter(|&id| is_kept(id)) {
        let mut edges: Vec<Way> = (given.outgoing(source).iter())
            .flat_map(|&edge| onward(given, &mut cfa.terms, edge, &ways))
            .collect();
        // To the error, to the unsupported location, to others; within that, as they were.
        edges.sort_by_key(|edge| match edge.target {
            Cfa::ERROR => 0,
            Cfa::UNSUPPORTED => 1,
            _ => 2,
        });
        for edge in edges {
            let of = |id: LocationId| places[id.index()].expect("it is kept");
            cfa.add_edge(of(source), of(edge.target), edge.guard, edge.assignments);
        }
    }
    cfa.location_mut(Cfa::START).words = given.location(Cfa::START).words.clone();
    debug_assert_eq!(cfa.check(), Ok(()));
    Composed { cfa, places, ways }
}

/// What happens along an edge, and after it at locations that are left out.
fn onward(given: &Cfa, terms: &mut Terms, edge: EdgeId, ways: &[Vec<Way>]) -> Vec<Way> {
    let edge = given.edge(edge);
    let first = Way {
        guard: edge.guard,
        target: edge.target,
        assignments: edge.assignments.clone(),
    };
    match ways[edge.target.index()].as_slice() {
        [] => vec![first],
        rest => (rest.iter())
            .map(|way| followed_by(given, terms, &first, way))
            .collect(),
    }
}

/// One way after another one.
fn followed_by(given: &Cfa, terms: &mut Terms, first: &Way, second: &Way) -> Way {
    let mut images: HashMap<Term, Term> = (first.assignments.iter())
        .map(|assignment| (assignment.word, assignment.value))
        .collect();
    let after = terms.substitute(second.guard, &mut images);
    let guard = terms.and(first.guard, after);
    let mut assignments = Vec::new();
    for &word in &given.location(second.target).words {
        let last = second.assignments.iter().find(|own| own.word == word);
        let before = first.assignments.iter().find(|own| own.word == word);
        let value = match (last, before) {
            (Some(own), _) => Some(terms.substitute(own.value, &mut images)),
            (None, Some(own)) => Some(own.value),
            (None, None) => None,
        };
        assignments.extend(value.map(|value| Assignment { word, value }));
    }
    Way {
        guard,
        target: second.target,
        assignments,
    }
}

/// By location: what happens there if it is left out; nothing for those that are kept.
fn ways(given: &mut Cfa) -> Vec<Vec<Way>> {
    let n = given.locations().len();
    // What may be left out: the edges from there choose nothing.
    let mut may_go: Vec<bool> = (given.location_ids())
        .map(|id| {
            let outgoing = given.outgoing(id);
            !matches!(id, Cfa::START | Cfa::ERROR | Cfa::UNSUPPORTED)
                && (1..=MOST_WAYS).contains(&outgoing.len())
                && outgoing.iter().all(|&edge| given.inputs(edge).is_empty())
        })
        .collect();
    let mut ways: Vec<Vec<Way>> = (0..n).map(|_| Vec::new()).collect();
    // A depth-first search: of each cycle, a location is kept, and what happens at a location is known before those
    // that lead there are done.
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; n];
    let mut stack: Vec<(LocationId, usize)> = Vec::new();
    for root in given.location_ids() {
        if marks[root.index()] == Mark::New && may_go[root.index()] {
            marks[root.index()] = Mark::Open;
            stack.push((root, 0));
        }
        while let Some(top) = stack.last_mut() {
            let location = top.0;
            if let Some(&edge) = given.outgoing(location).get(top.1) {
                top.1 += 1;
                let target = given.edge(edge).target;
                match marks[target.index()] {
                    Mark::Open => may_go[target.index()] = false,
                    Mark::New if may_go[target.index()] => {
                        marks[target.index()] = Mark::Open;
                        stack.push((target, 0));
                    }
                    Mark::New | Mark::Done => {}
                }
                continue;
            }
            stack.pop();
            marks[location.index()] = Mark::Done;
            if may_go[location.index()] {
                ways[location.index()] = ways_from(given, location, &ways);
            }
        }
    }
    ways
}

/// What happens at a location from which nothing is chosen, given what happens after it; nothing if it is better kept.
fn ways_from(given: &mut Cfa, location: LocationId, ways: &[Vec<Way>]) -> Vec<Way> {
    let mut found = Vec::new();
    // Terms are added while edges and words are read.
    let mut terms = std::mem::take(&mut given.terms);
    for &edge in given.outgoing(location) {
        found.extend(onward(given, &mut terms, edge, ways));
    }
    given.terms = terms;
    found.retain(|way| !given.terms.is_zero(way.guard));
    let roots: Vec<Term> = (found.iter())
        .flat_map(|way| {
            let values = way.assignments.iter().map(|assignment| assignment.value);
            values.chain([way.guard])
        })
        .collect();
    let n_in = given.incoming(location).len();
    let is_less = found.len() * n_in <= found.len() + n_in;
    let is_small = given.terms.cone(&roots, |_| false).len() <= MOST_TERMS;
    match is_less && found.len() <= MOST_WAYS && is_small {
        true => found,
        false => Vec::new(),
    }
}
