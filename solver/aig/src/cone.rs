//! The part of a graph that a formula depends on: listing it, counting it, copying it.
//!
//! Operands have smaller numbers than the nodes that use them, so a cone is found by one sweep
//! from the largest root downwards over a bit set: no stack, whatever the depth.

use super::edge::{Edge, Node, NodeId};
use super::graph::Aig;
use crate::Poll;

/// The nodes below some roots, as a bit set over node numbers.
struct Marks(Vec<u64>);

impl Marks {
    fn new(n_nodes: usize) -> Self {
        Self(vec![0; n_nodes.div_ceil(64)])
    }

    fn mark(&mut self, node: NodeId) {
        self.0[node as usize / 64] |= 1 << (node % 64);
    }
}

/// One past the largest node among `roots`.
fn n_nodes_below(roots: &[Edge]) -> usize {
    roots
        .iter()
        .map(|root| root.node() as usize + 1)
        .max()
        .unwrap_or(0)
}

impl Aig {
    /// The inputs and ANDs that `roots` depend on, the roots themselves included, operands first. The
    /// constant is never listed.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    #[must_use]
    pub fn cone(&self, roots: &[Edge]) -> Vec<NodeId> {
        let mut marks = Marks::new(n_nodes_below(roots));
        for root in roots {
            marks.mark(root.node());
        }
        let mut cone = Vec::new();
        for word in (0..marks.0.len()).rev() {
            // Marks made while a word is visited belong to smaller nodes: lower bits of this word, or words
            // visited later.
            let mut above = u64::MAX;
            loop {
                let left = marks.0[word] & above;
                if left == 0 {
                    break;
                }
                let bit = 63 - left.leading_zeros();
                above = (1 << bit) - 1;
                let node = (word * 64) as NodeId + bit;
                match self.node(node) {
                    Node::Constant => {}
                    Node::Input(_) => cone.push(node),
                    Node::And(left, right) => {
                        cone.push(node);
                        marks.mark(left.node());
                        marks.mark(right.node());
                    }
                }
            }
        }
        cone.reverse();
        cone
    }

    /// The input nodes that `roots` depend on, in increasing order.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    #[must_use]
    pub fn support(&self, roots: &[Edge]) -> Vec<NodeId> {
        let mut cone = self.cone(roots);
        cone.retain(|&node| matches!(self.node(node), Node::Input(_)));
        cone
    }

    /// How many ANDs `roots` need together, shared ones counted once.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    #[must_use]
    pub fn n_ands_in_cone(&self, roots: &[Edge]) -> usize {
        self.cone(roots)
            .into_iter()
            .filter(|&node| matches!(self.node(node), Node::And(..)))
            .count()
    }

    /// The number of ANDs on the longest path from `roots` down.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    #[must_use]
    pub fn depth(&self, roots: &[Edge]) -> u32 {
        let mut levels = Vec::new();
        self.extend_levels(&mut levels);
        let level = |root: &Edge| levels[root.node() as usize];
        roots.iter().map(level).max().unwrap_or(0)
    }

    /// Extends `levels`, the number of ANDs on the longest path from each node down, to the nodes added
    /// since.
    pub(super) fn extend_levels(&self, levels: &mut Vec<u32>) {
        for node in levels.len()..self.n_nodes() {
            let level = match self.node(node as NodeId) {
                Node::Constant | Node::Input(_) => 0,
                Node::And(left, right) => {
                    1 + levels[left.node() as usize].max(levels[right.node() as usize])
                }
            };
            levels.push(level);
        }
    }

    /// Builds the formulas `roots` of the graph `from` in this one. `leaf` is called once for each input node
    /// of `from` that they depend on, in increasing order, and returns the edge of this graph that replaces
    /// it.
    ///
    /// # Panics
    /// If a root is no edge of `from`.
    pub fn copy_cone(
        &mut self,
        from: &Self,
        roots: &[Edge],
        leaf: &mut dyn FnMut(NodeId) -> Edge,
    ) -> Vec<Edge> {
        self.copy_cone_until(from, roots, leaf, &mut Poll::never())
            .expect("nothing stops it")
    }

    /// As [`Self::copy_cone`]; `None` if `poll` ends it, when this graph may have some nodes more.
    ///
    /// # Panics
    /// If a root is no edge of `from`.
    pub fn copy_cone_until(
        &mut self,
        from: &Self,
        roots: &[Edge],
        leaf: &mut dyn FnMut(NodeId) -> Edge,
        poll: &mut Poll<'_>,
    ) -> Option<Vec<Edge>> {
        let mut images = vec![Edge::FALSE; n_nodes_below(roots)];
        for node in from.cone(roots) {
            poll.step()?;
            images[node as usize] = match from.node(node) {
                Node::Constant => Edge::FALSE,
                Node::Input(_) => leaf(node),
                Node::And(left, right) => {
                    let left = left.image(&images);
                    let right = right.image(&images);
                    self.and(left, right)
                }
            };
        }
        Some(roots.iter().map(|&root| root.image(&images)).collect())
    }

    /// The formulas `roots` with inputs replaced by other formulas of this graph: [`Aig::copy_cone`] within
    /// one graph. Cones without a replaced input are shared, not copied.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    pub fn substitute(
        &mut self,
        roots: &[Edge],
        leaf: &mut dyn FnMut(NodeId) -> Edge,
    ) -> Vec<Edge> {
        let mut images = vec![Edge::FALSE; n_nodes_below(roots)];
        for node in self.cone(roots) {
            images[node as usize] = match self.node(node) {
                Node::Constant => Edge::FALSE,
                Node::Input(_) => leaf(node),
                Node::And(left, right) => {
                    let new_left = left.image(&images);
                    let new_right = right.image(&images);
                    if new_left == left && new_right == right {
                        Edge::new(node, false)
                    } else {
                        self.and(new_left, new_right)
                    }
                }
            };
        }
        roots.iter().map(|&root| root.image(&images)).collect()
    }
}

/// The formulas `roots` in a graph with the same inputs and no other nodes. `None` if `poll` ends it.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn extract(aig: &Aig, roots: &[Edge], poll: &mut Poll<'_>) -> Option<(Aig, Vec<Edge>)> {
    let mut out = Aig::new();
    let inputs: Vec<Edge> = (0..aig.n_inputs()).map(|_| out.add_input()).collect();
    let leaf = &mut |node| {
        let Node::Input(position) = aig.node(node) else {
            unreachable!("leaves are inputs");
        };
        inputs[position as usize]
    };
    let images = out.copy_cone_until(aig, roots, leaf, poll)?;
    Some((out, images))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_lists_operands_first_and_nothing_else() {
        let mut aig = Aig::new();
        let inputs: Vec<Edge> = (0..5).map(|_| aig.add_input()).collect();
        let ab = aig.and(inputs[0], !inputs[1]);
        let cd = aig.and(inputs[2], inputs[3]);
        let abcd = aig.and(!ab, cd);
        assert_eq!(aig.cone(&[ab]), [1, 2, ab.node()]);
        assert_eq!(
            aig.cone(&[!abcd, cd]),
            [1, 2, 3, 4, ab.node(), cd.node(), abcd.node()]
        );
        assert_eq!(aig.cone(&[Edge::TRUE]), []);
        assert_eq!(aig.cone(&[]), []);
        assert_eq!(aig.support(&[cd, inputs[4]]), [3, 4, 5]);
        assert_eq!(aig.n_ands_in_cone(&[ab, abcd]), 3);
    }

    #[test]
    fn a_deep_cone_needs_no_stack() {
        let mut aig = Aig::new();
        let x = aig.add_input();
        let mut edge = x;
        for _ in 0..300_000 {
            let input = aig.add_input();
            edge = !aig.and(edge, input);
        }
        assert_eq!(aig.n_ands_in_cone(&[edge]), 300_000);
        let mut other = Aig::new();
        let images = other.copy_cone(&aig, &[edge], &mut |_| Edge::TRUE);
        assert!(images[0].is_constant());
    }

    #[test]
    fn substitution_composes_and_shares_what_does_not_change() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        let ab = aig.and(a, b);
        let root = aig.xor(ab, c);
        let n_nodes = aig.n_nodes();
        let same = aig.substitute(&[root], &mut |node| Edge::new(node, false));
        assert_eq!(same, [root]);
        assert_eq!(aig.n_nodes(), n_nodes);
        let swapped = aig.substitute(&[root, !ab], &mut |node| {
            if node == c.node() {
                !ab
            } else {
                Edge::new(node, false)
            }
        });
        assert_eq!(swapped[1], !ab);
        for row in 0..8_u32 {
            let values = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
            assert!(aig.evaluate(&values, &swapped)[0], "ab xor not ab is true");
        }
    }
}
