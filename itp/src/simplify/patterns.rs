//! Bit-parallel simulation of a formula under kept counterexamples.

use craig_aig::{Aig, Edge, Node, NodeId};

/// The number of words of 64 patterns each.
pub(super) const N_WORDS: usize = 4;
/// The values of a formula under all patterns.
pub(super) type Words = [u64; N_WORDS];

/// Assignments under which the formula has to be true, or has to be false.
pub(super) struct Patterns {
    /// By input: its value in each pattern.
    inputs: Vec<Words>,
    /// The patterns that are in use.
    used: Words,
    /// The number of patterns that were ever added; the oldest ones are overwritten.
    n_added: usize,
}

impl Patterns {
    pub(super) fn new(n_inputs: usize) -> Self {
        Self {
            inputs: vec![[0; N_WORDS]; n_inputs],
            used: [0; N_WORDS],
            n_added: 0,
        }
    }

    /// How many patterns were added so far, overwritten ones included.
    pub(super) fn n_added(&self) -> usize {
        self.n_added
    }

    /// Adds one pattern.
    pub(super) fn add(&mut self, values: impl Iterator<Item = bool>) {
        let (word, bit) = (self.n_added / 64 % N_WORDS, 1_u64 << (self.n_added % 64));
        self.n_added += 1;
        self.used[word] |= bit;
        for (words, value) in self.inputs.iter_mut().zip(values) {
            words[word] = words[word] & !bit | if value { bit } else { 0 };
        }
    }
}

/// The values of the nodes of a cone under the patterns.
pub(super) struct Values {
    /// By node.
    words: Vec<Words>,
    used: Words,
    /// Scratch: the values after one gate is negated.
    flipped: Vec<Words>,
    /// By node: the gate for which `flipped` was computed last.
    stamps: Vec<NodeId>,
}

impl Values {
    pub(super) fn new(graph: &Aig, cone: &[NodeId], patterns: &Patterns) -> Self {
        let n_nodes = cone.last().map_or(1, |&node| node as usize + 1);
        let mut values = Self {
            words: vec![[0; N_WORDS]; n_nodes],
            used: patterns.used,
            flipped: vec![[0; N_WORDS]; n_nodes],
            stamps: vec![0; n_nodes],
        };
        for &node in cone {
            values.words[node as usize] = match graph.node(node) {
                Node::Constant => [0; N_WORDS],
                Node::Input(position) => patterns.inputs[position as usize],
                Node::And(left, right) => conjunction(values.of(left), values.of(right)),
            };
        }
        values
    }

    /// The values of an edge whose node is in the cone.
    pub(super) fn of(&self, edge: Edge) -> Words {
        negate_if(self.words[edge.node() as usize], edge.is_negated())
    }

    /// The patterns under which the root changes when the gate at `cone[at]` is negated.
    pub(super) fn observability(
        &mut self,
        graph: &Aig,
        cone: &[NodeId],
        at: usize,
        root: Edge,
    ) -> Words {
        let gate = cone[at];
        self.stamps[gate as usize] = gate;
        self.flipped[gate as usize] = negate_if(self.words[gate as usize], true);
        for &node in &cone[at + 1..] {
            let Node::And(left, right) = graph.node(node) else {
                continue;
            };
            let is_affected = |edge: Edge| self.stamps[edge.node() as usize] == gate;
            if is_affected(left) || is_affected(right) {
                let value = |edge: Edge| {
                    let words = if is_affected(edge) {
                        &self.flipped
                    } else {
                        &self.words
                    };
                    negate_if(words[edge.node() as usize], edge.is_negated())
                };
                let both = conjunction(value(left), value(right));
                if both != self.words[node as usize] {
                    self.flipped[node as usize] = both;
                    self.stamps[node as usize] = gate;
                }
            }
        }
        if self.stamps[root.node() as usize] != gate {
            return [0; N_WORDS];
        }
        let (old, new) = (
            self.words[root.node() as usize],
            self.flipped[root.node() as usize],
        );
        std::array::from_fn(|word| (old[word] ^ new[word]) & self.used[word])
    }
}

fn conjunction(left: Words, right: Words) -> Words {
    std::array::from_fn(|word| left[word] & right[word])
}

fn negate_if(words: Words, negate: bool) -> Words {
    words.map(|word| word ^ 0_u64.wrapping_sub(u64::from(negate)))
}
