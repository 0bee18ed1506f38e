//! Disjunctions on which a formula depends monotonically.

use std::collections::{HashMap, HashSet};

use craig_aig::{Aig, Edge, Node, Poll};

/// Edges that are visited in the search for a disjunction, at most.
const MOST_EDGES: usize = 50_000;
/// Disjunctions with fewer members are not considered.
const LEAST_MEMBERS: usize = 4;

/// A disjunction that occurs in a formula below conjunctions and disjunctions only. So the formula is the
/// disjunction of those in which one member stands for all: a monotonic function of one variable x is `a or (b and x)`.
pub(super) struct Disjunction {
    edge: Edge,
    /// Its members in the order of the graph; no two are equal.
    pub(super) members: Vec<Edge>,
    root: Edge,
    /// The conjunctions and disjunctions between it and the root, operands first.
    above: Vec<Edge>,
}

/// The two operands of an edge, and whether it is their disjunction, if it is no input or constant.
fn operands(aig: &Aig, edge: Edge) -> Option<([Edge; 2], bool)> {
    match aig.node(edge.node()) {
        Node::And(left, right) if edge.is_negated() => Some(([!left, !right], true)),
        Node::And(left, right) => Some(([left, right], false)),
        Node::Constant | Node::Input(_) => None,
    }
}

/// The members of a disjunction, those of its members that are disjunctions included.
fn members(aig: &Aig, edge: Edge) -> Vec<Edge> {
    let mut open = vec![edge];
    let mut seen = HashSet::new();
    let mut members = Vec::new();
    while let Some(edge) = open.pop() {
        if !seen.insert(edge) {
            continue;
        }
        match operands(aig, edge) {
            Some((operands, true)) => open.extend(operands),
            _ => members.push(edge),
        }
    }
    members.sort_unstable_by_key(|edge| edge.code());
    members
}

impl Disjunction {
    /// The one with most members in the upper part of a formula; `None` if there is none, or if `poll` ends it.
    pub(super) fn widest(aig: &Aig, root: Edge, poll: &mut Poll<'_>) -> Option<Self> {
        let mut seen = HashSet::from([root]);
        let mut open = vec![root];
        let mut next = 0;
        let mut widest: Option<(Edge, Vec<Edge>)> = None;
        while next < open.len() && open.len() < MOST_EDGES {
            poll.step()?;
            let edge = open[next];
            next += 1;
            let parts = match operands(aig, edge) {
                None => continue,
                Some((operands, false)) => operands.to_vec(),
                Some((_, true)) => {
                    let parts = members(aig, edge);
                    let n_known = widest.as_ref().map_or(LEAST_MEMBERS - 1, |it| it.1.len());
                    if parts.len() > n_known {
                        widest = Some((edge, parts.clone()));
                    }
                    parts
                }
            };
            open.extend(parts.into_iter().filter(|&part| seen.insert(part)));
        }
        let (edge, members) = widest?;
        Some(Self {
            above: above(aig, root, edge),
            edge,
            members,
            root,
        })
    }

    /// The formula with one member instead of all.
    pub(super) fn with(&self, aig: &mut Aig, member: Edge) -> Edge {
        let mut images = HashMap::from([(self.edge, member)]);
        for &edge in &self.above {
            if let Some((operands, is_or)) = operands(aig, edge) {
                let [left, right] = operands.map(|edge| *images.get(&edge).unwrap_or(&edge));
                let image = match is_or {
                    true => aig.or(left, right),
                    false => aig.and(left, right),
                };
                images.insert(edge, image);
            }
        }
        *images.get(&self.root).unwrap_or(&self.root)
    }
}

/// The edges above `below` on which `root` depends monotonically, operands first.
fn above(aig: &Aig, root: Edge, below: Edge) -> Vec<Edge> {
    let mut seen = HashSet::from([root]);
    let mut open = vec![root];
    while let Some(edge) = open.pop() {
        let operands = operands(aig, edge).into_iter().flat_map(|it| it.0);
        // Operands have smaller numbers.
        let is_above = |edge: &Edge| edge.node() > below.node();
        open.extend(operands.filter(|edge| is_above(edge) && seen.insert(*edge)));
    }
    let mut order: Vec<Edge> = seen.into_iter().filter(|&edge| edge != below).collect();
    order.sort_unstable_by_key(|edge| edge.code());
    let mut leads = HashSet::from([below]);
    order.retain(|&edge| {
        let operands = operands(aig, edge);
        let is_path = operands.is_some_and(|it| it.0.iter().any(|edge| leads.contains(edge)));
        if is_path {
            leads.insert(edge);
        }
        is_path
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    /// For all values of the inputs.
    fn is_equal(aig: &Aig, one: Edge, two: Edge) -> bool {
        let n_inputs = aig.n_inputs();
        (0..1_u32 << n_inputs).all(|bits| {
            let inputs: Vec<bool> = (0..n_inputs).map(|bit| bits >> bit & 1 == 1).collect();
            let values = aig.evaluate(&inputs, &[one, two]);
            values[0] == values[1]
        })
    }

    #[test]
    fn a_formula_is_the_disjunction_over_the_members() {
        let mut random = Random::new(5);
        let mut n_found = 0;
        for _ in 0..400 {
            let mut aig = Aig::new();
            let mut edges: Vec<Edge> = (0..8).map(|_| aig.add_input()).collect();
            for _ in 0..12 + random.below(20) {
                let mut pick = || edges[random.below(edges.len())].negate_if(random.flip());
                let (left, right) = (pick(), pick());
                let wide: Vec<Edge> = (0..4).map(|_| pick()).collect();
                let edge = match random.below(3) {
                    0 => aig.or_all(wide),
                    1 => aig.or(left, right),
                    _ => aig.and(left, right),
                };
                edges.push(edge);
            }
            let root = edges[edges.len() - 1];
            let Some(found) = Disjunction::widest(&aig, root, &mut Poll::never()) else {
                continue;
            };
            n_found += 1;
            let all: Vec<Edge> = (found.members.iter())
                .map(|&member| found.with(&mut aig, member))
                .collect();
            let any = aig.or_all(all);
            assert!(is_equal(&aig, root, any));
        }
        assert!(n_found > 50, "{n_found}");
    }

    #[test]
    fn the_words_that_differ_are_found_below_a_condition() {
        let mut aig = Aig::new();
        let [condition, other] = [(); 2].map(|()| aig.add_input());
        let pairs: Vec<[Edge; 2]> = (0..6).map(|_| [(); 2].map(|()| aig.add_input())).collect();
        let unequal: Vec<Edge> = pairs.iter().map(|&[a, b]| aig.xor(a, b)).collect();
        let differ = aig.or_all(unequal.iter().copied());
        let bad = aig.ite(condition, differ, other);
        let found = Disjunction::widest(&aig, bad, &mut Poll::never()).unwrap();
        assert_eq!(found.members, unequal);
        let expected = aig.ite(condition, unequal[2], other);
        let part = found.with(&mut aig, unequal[2]);
        assert!(is_equal(&aig, part, expected));
    }
}
