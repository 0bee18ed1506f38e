//! Values of formulas: under one assignment, or under 64 at once.

use super::edge::{Edge, Node};
use super::graph::Aig;

impl Aig {
    /// The values of `roots` where the inputs, by position, have the values `inputs`.
    ///
    /// # Panics
    /// If `inputs` misses an input that a root's number allows it to depend on, or a root is no edge of this
    /// graph.
    #[must_use]
    pub fn evaluate(&self, inputs: &[bool], roots: &[Edge]) -> Vec<bool> {
        let n_nodes = roots.iter().map(|root| root.node() + 1).max().unwrap_or(0);
        let mut values = vec![false; n_nodes as usize];
        let value = |values: &[bool], edge: Edge| values[edge.node() as usize] != edge.is_negated();
        for node in 0..n_nodes {
            values[node as usize] = match self.node(node) {
                Node::Constant => false,
                Node::Input(position) => inputs[position as usize],
                Node::And(left, right) => value(&values, left) && value(&values, right),
            };
        }
        roots.iter().map(|&root| value(&values, root)).collect()
    }

    /// The value of every node under 64 assignments at once: bit `i` of a word belongs to assignment `i`.
    /// `inputs` has one word per input, by position; the answer one per node.
    ///
    /// # Panics
    /// If `inputs` has fewer words than the graph has inputs.
    #[must_use]
    pub fn simulate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(self.n_nodes());
        for node in 0..self.n_nodes() as u32 {
            let word = match self.node(node) {
                Node::Constant => 0,
                Node::Input(position) => inputs[position as usize],
                Node::And(left, right) => left.word(&words) & right.word(&words),
            };
            words.push(word);
        }
        words
    }
}

impl Edge {
    /// The value of the edge under 64 assignments at once, given those of the nodes as [`Aig::simulate`]
    /// returns them.
    ///
    /// # Panics
    /// If the node of the edge has no word.
    #[inline]
    #[must_use]
    pub fn word(self, words: &[u64]) -> u64 {
        words[self.node() as usize] ^ 0_u64.wrapping_sub(u64::from(self.is_negated()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_assignment_and_sixty_four_agree() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        let xor = aig.xor(a, !b);
        let ite = aig.ite(c, xor, a);
        let roots = [xor, !ite, Edge::TRUE, Edge::FALSE, !c];
        let words = aig.simulate(&[0b1010_1010, 0b1100_1100, 0b1111_0000]);
        for row in 0..8_u32 {
            let inputs = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
            let [a, b, c] = inputs;
            let values = aig.evaluate(&inputs, &roots);
            assert_eq!(
                values,
                [a == b, !(if c { a == b } else { a }), true, false, !c]
            );
            for (&root, value) in roots.iter().zip(values) {
                assert_eq!(root.word(&words) >> row & 1 == 1, value);
            }
        }
    }
}
