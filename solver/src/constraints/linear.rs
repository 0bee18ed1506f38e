//! Bounds on weighted sums (pseudo-Boolean constraints), by a decision diagram of what is left of the bound (Eén and
//! Sörensson, "Translating pseudo-Boolean constraints into SAT", JSAT 2006), or by adders where that is large.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::adder;
use crate::encode::ClauseSink;
use crate::lit::Lit;

/// The most sums of a diagram.
pub(super) const MOST_SUMS: usize = 50_000;

/// What stands for the terms from some place on being at most what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    True,
    False,
    Lit(Lit),
}

/// The sum of the weights of the true literals is at most `bound`. There are at most two clauses and a variable for each term and
/// each sum of the weights before it: few if weights repeat or the bound is small. Where they are more than 50,000, there are
/// at most 16 clauses and two variables for each term and each digit of the weights.
pub fn linear_at_most(sink: &mut impl ClauseSink, terms: &[(u64, Lit)], bound: u64) {
    sum_at_most(sink, terms, bound.into(), MOST_SUMS);
}

/// As [`linear_at_most`], with at most `most_sums` sums in a diagram.
pub(super) fn sum_at_most(
    sink: &mut impl ClauseSink,
    terms: &[(u64, Lit)],
    bound: u128,
    most_sums: usize,
) {
    let mut terms: Vec<(u64, Lit)> = (terms.iter().copied())
        .filter(|&(weight, _)| weight > 0)
        .collect();
    // Terms with large weights first: fewer sums.
    terms.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
    // By place: the sum of the weights from there on.
    let mut rest = vec![0_u128; terms.len() + 1];
    for (place, &(weight, _)) in terms.iter().enumerate().rev() {
        rest[place] = rest[place + 1] + u128::from(weight);
    }
    let Some(levels) = levels(&terms, bound, &rest, most_sums) else {
        return adder::at_most(sink, &terms, bound);
    };
    let mut below: BTreeMap<u128, Node> = BTreeMap::new();
    for (place, &(weight, lit)) in terms.iter().enumerate().rev() {
        let mut known: HashMap<(Node, Node), Node> = HashMap::new();
        let mut nodes = BTreeMap::new();
        for &left in &levels[place] {
            let at = |left: u128| match left >= rest[place + 1] {
                true => Node::True,
                false => below[&left],
            };
            let children = (
                left.checked_sub(weight.into()).map_or(Node::False, at),
                at(left),
            );
            let node = *known
                .entry(children)
                .or_insert_with(|| branch(sink, lit, children));
            nodes.insert(left, node);
        }
        below = nodes;
    }
    match below.get(&bound) {
        Some(&Node::Lit(root)) => sink.add_clause(&[root]),
        Some(Node::False) => sink.add_clause(&[]),
        Some(Node::True) | None => {}
    }
}

/// The sum of the weights of the true literals is at least `bound`.
pub fn linear_at_least(sink: &mut impl ClauseSink, terms: &[(u64, Lit)], bound: u64) {
    let sum: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
    let Some(left) = sum.checked_sub(u128::from(bound)) else {
        return sink.add_clause(&[]);
    };
    let negated: Vec<(u64, Lit)> = terms.iter().map(|&(weight, lit)| (weight, !lit)).collect();
    sum_at_most(sink, &negated, left, MOST_SUMS);
}

/// By place: what may be left of the bound there, if neither all nor none of what follows fits. `None` if there are too many.
fn levels(
    terms: &[(u64, Lit)],
    bound: u128,
    rest: &[u128],
    most_sums: usize,
) -> Option<Vec<BTreeSet<u128>>> {
    let mut n_sums = 0;
    let mut levels = Vec::with_capacity(terms.len());
    let mut now = BTreeSet::from([bound]);
    for (place, &(weight, _)) in terms.iter().enumerate() {
        now.retain(|&left| left < rest[place]);
        let taken = now
            .iter()
            .filter_map(|left| left.checked_sub(weight.into()));
        let next = taken.chain(now.iter().copied()).collect();
        n_sums += now.len();
        if n_sums > most_sums {
            return None;
        }
        levels.push(std::mem::replace(&mut now, next));
    }
    Some(levels)
}

/// A node that implies its first child if the literal is true, and its second one in any case: what fits beside the literal
/// fits without it.
fn branch(sink: &mut impl ClauseSink, lit: Lit, children: (Node, Node)) -> Node {
    let (with, without) = children;
    if with == without {
        return with;
    }
    let node = sink.new_var().positive();
    match with {
        Node::True => {}
        Node::False => sink.add_clause(&[!node, !lit]),
        Node::Lit(child) => sink.add_clause(&[!node, !lit, child]),
    }
    match without {
        Node::True => {}
        Node::False => sink.add_clause(&[!node]),
        Node::Lit(child) => sink.add_clause(&[!node, child]),
    }
    Node::Lit(node)
}
