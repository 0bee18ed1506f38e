//! Cuts of at most four leaves, with the functions of their roots.
//!
//! A cut of a node is a set of nodes, its leaves, such that every path from the inputs to the node contains a
//! leaf: the node is a function of the leaves. The cuts of an AND are the unions of one cut of each operand
//! (P. Pan and C. Lin, "A new retiming-based technology mapping algorithm for LUT-based FPGAs", 1998); only
//! the first few are kept.

use super::edge::{Node, NodeId};
use super::graph::Aig;
use crate::Poll;

/// Leaves of a cut, at most.
pub(super) const MAX_LEAVES: usize = 4;
/// The steps of a [`Poll`] for which the cuts of a node count.
const STEPS_PER_NODE: usize = 16;
/// Cuts that are kept for a node, the trivial cut not counted.
const MAX_CUTS: usize = 8;
/// The functions that are the leaves 0 to 3, as columns of a truth table.
pub(super) const COLUMNS: [u16; MAX_LEAVES] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// A cut of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    leaves: [NodeId; MAX_LEAVES],
    n_leaves: u8,
    /// The value of the node for each assignment to the leaves; bit `i` of the number of a row is leaf `i`.
    pub(super) table: u16,
}

impl Cut {
    /// The node itself as the only leaf.
    fn trivial(node: NodeId) -> Self {
        Self {
            leaves: [node, 0, 0, 0],
            n_leaves: 1,
            table: COLUMNS[0],
        }
    }

    /// The leaves, in increasing order.
    pub(super) fn leaves(&self) -> &[NodeId] {
        &self.leaves[..usize::from(self.n_leaves)]
    }

    /// The union of two cuts, still without a function; `None` if it has too many leaves.
    fn union(&self, other: &Self) -> Option<Self> {
        let (left, right) = (self.leaves(), other.leaves());
        let mut union = Self {
            leaves: [0; MAX_LEAVES],
            n_leaves: 0,
            table: 0,
        };
        let (mut at_left, mut at_right) = (0, 0);
        while at_left < left.len() || at_right < right.len() {
            let leaf = match (left.get(at_left), right.get(at_right)) {
                (Some(&left), Some(&right)) => left.min(right),
                (Some(&leaf), None) | (None, Some(&leaf)) => leaf,
                (None, None) => unreachable!("one of them has a leaf left"),
            };
            at_left += usize::from(left.get(at_left) == Some(&leaf));
            at_right += usize::from(right.get(at_right) == Some(&leaf));
            *union.leaves.get_mut(usize::from(union.n_leaves))? = leaf;
            union.n_leaves += 1;
        }
        Some(union)
    }

    /// Whether the leaves are among those of another cut.
    fn dominates(&self, other: &Self) -> bool {
        let is_leaf = |leaf| other.leaves().contains(leaf);
        self.leaves().iter().all(is_leaf)
    }

    /// The table over the leaves of `larger`, which include this cut's.
    fn table_over(&self, larger: &Self) -> u16 {
        if self.leaves() == larger.leaves() {
            return self.table;
        }
        let mut places = [0; MAX_LEAVES];
        for (place, leaf) in places.iter_mut().zip(self.leaves()) {
            let position = larger.leaves().iter().position(|other| other == leaf);
            *place = position.expect("a union has all leaves");
        }
        let row_of = |row: usize| {
            (0..self.leaves().len()).fold(0, |own, leaf| own | (row >> places[leaf] & 1) << leaf)
        };
        (0..16).fold(0, |table, row| {
            table | (self.table >> row_of(row) & 1) << row
        })
    }
}

/// The cuts of all nodes of a cone.
pub(super) struct Cuts {
    cuts: Vec<Cut>,
    /// By node: where its cuts begin and end in `cuts`.
    ranges: Vec<(u32, u32)>,
}

impl Cuts {
    /// Finds cuts for the nodes of a cone, operands first. `None` if `poll` ends it.
    pub(super) fn of(aig: &Aig, cone: &[NodeId], poll: &mut Poll<'_>) -> Option<Self> {
        let n_nodes = cone.last().map_or(0, |&node| node as usize + 1);
        let mut all = Self {
            cuts: Vec::with_capacity(cone.len() * (MAX_CUTS + 1) / 2),
            ranges: vec![(0, 0); n_nodes],
        };
        let mut found: Vec<Cut> = Vec::new();
        for &node in cone {
            poll.steps(STEPS_PER_NODE)?;
            found.clear();
            if let Node::And(left, right) = aig.node(node) {
                'pairs: for of_left in all.with_trivial(left.node()) {
                    for of_right in all.with_trivial(right.node()) {
                        let Some(mut cut) = of_left.union(of_right) else {
                            continue;
                        };
                        if found.iter().any(|other| other.dominates(&cut)) {
                            continue;
                        }
                        found.retain(|other| !cut.dominates(other));
                        let negate = |table: u16, negated: bool| {
                            table ^ 0_u16.wrapping_sub(u16::from(negated))
                        };
                        cut.table = negate(of_left.table_over(&cut), left.is_negated())
                            & negate(of_right.table_over(&cut), right.is_negated());
                        found.push(cut);
                        if found.len() == MAX_CUTS {
                            break 'pairs;
                        }
                    }
                }
            }
            let start = all.cuts.len() as u32;
            all.cuts.extend_from_slice(&found);
            all.cuts.push(Cut::trivial(node));
            all.ranges[node as usize] = (start, all.cuts.len() as u32);
        }
        Some(all)
    }

    fn with_trivial(&self, node: NodeId) -> &[Cut] {
        let (start, end) = self.ranges[node as usize];
        &self.cuts[start as usize..end as usize]
    }

    /// The cuts of a node but for itself.
    pub(super) fn of_node(&self, node: NodeId) -> &[Cut] {
        let cuts = self.with_trivial(node);
        &cuts[..cuts.len().saturating_sub(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edge;
    use crate::testing::{random_aig, truth_table};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_node_is_the_function_of_its_leaves((aig, roots) in random_aig(6, 40, 2)) {
            let cone = aig.cone(&roots);
            let cuts = Cuts::of(&aig, &cone, &mut Poll::never()).unwrap();
            for &node in &cone {
                let expected = truth_table(&aig, Edge::new(node, false));
                for cut in cuts.of_node(node) {
                    prop_assert!(cut.leaves().is_sorted() && !cut.leaves().contains(&node));
                    let leaves: Vec<u64> = cut
                        .leaves()
                        .iter()
                        .map(|&leaf| truth_table(&aig, Edge::new(leaf, false)))
                        .collect();
                    let value = |row: u32| {
                        let of_leaf = |at: usize| (leaves[at] >> row & 1) << at;
                        let index = (0..leaves.len()).map(of_leaf).sum::<u64>();
                        u64::from(cut.table >> index & 1) << row
                    };
                    prop_assert_eq!((0..64).map(value).sum::<u64>(), expected);
                }
            }
        }
    }
}
