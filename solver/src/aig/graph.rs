//! The graph: constants, inputs and two-input ANDs, structurally hashed.

use std::fmt;
use std::ops::Not;

use super::strash::Strash;
use super::two_level::{Conjunction, conjunction};

/// The number of a node of an [`Aig`]. Node 0 is the constant; operands have smaller numbers than the
/// ANDs that use them.
pub type NodeId = u32;

/// A formula: a node of an [`Aig`] or its negation, coded as `2 * node + sign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Edge(u32);

impl Edge {
    /// The formula that is never true.
    pub const FALSE: Self = Self(0);
    /// The formula that is always true.
    pub const TRUE: Self = Self(1);

    /// The edge to `node`, negated or not.
    #[inline]
    #[must_use]
    pub fn new(node: NodeId, negated: bool) -> Self {
        Self(node << 1 | u32::from(negated))
    }

    /// The edge with the given code, `2 * node + sign`.
    #[inline]
    #[must_use]
    pub fn from_code(code: u32) -> Self {
        Self(code)
    }

    /// The code, `2 * node + sign`.
    #[inline]
    #[must_use]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The node that the edge leads to.
    #[inline]
    #[must_use]
    pub fn node(self) -> NodeId {
        self.0 >> 1
    }

    /// Whether the edge negates its node.
    #[inline]
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether the edge is [`Edge::TRUE`] or [`Edge::FALSE`].
    #[inline]
    #[must_use]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The edge itself, or its negation where `negate` holds.
    #[inline]
    #[must_use]
    pub fn negate_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }

    /// The edge under a map of nodes: what `images` has for its node, negated if the edge is.
    ///
    /// # Panics
    /// If `images` has no entry for the node.
    #[inline]
    #[must_use]
    pub fn image(self, images: &[Self]) -> Self {
        images[self.node() as usize].negate_if(self.is_negated())
    }
}

impl Not for Edge {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl From<bool> for Edge {
    fn from(value: bool) -> Self {
        Self(u32::from(value))
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}n{}",
            if self.is_negated() { "!" } else { "" },
            self.node()
        )
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant false; only node 0.
    Constant,
    /// A free variable, with its position among the inputs of the graph.
    Input(u32),
    /// The conjunction of two formulas.
    And(Edge, Edge),
}

/// A structurally hashed and-inverter graph. Nodes are only ever added, in topological order.
#[derive(Clone, Debug)]
pub struct Aig {
    /// Operands of each node; an input has its position as first code and `INPUT` as second.
    fanins: Vec<[u32; 2]>,
    inputs: Vec<NodeId>,
    strash: Strash,
}

/// The second "operand" that marks a node as an input: no edge has this code.
const INPUT: u32 = u32::MAX;

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    /// The graph that holds just the constant.
    #[must_use]
    pub fn new() -> Self {
        Self {
            fanins: vec![[0, 0]],
            inputs: Vec::new(),
            strash: Strash::default(),
        }
    }

    /// How many nodes there are, the constant and the inputs included.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.fanins.len()
    }

    /// How many inputs there are.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The nodes of the inputs, in the order in which they were added.
    #[must_use]
    pub fn inputs(&self) -> &[NodeId] {
        &self.inputs
    }

    /// What a node is.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    #[must_use]
    pub fn node(&self, node: NodeId) -> Node {
        let [left, right] = self.fanins[node as usize];
        if right == INPUT {
            Node::Input(left)
        } else if node == 0 {
            Node::Constant
        } else {
            Node::And(Edge(left), Edge(right))
        }
    }

    /// Adds a free variable.
    pub fn add_input(&mut self) -> Edge {
        let node = self.push([self.inputs.len() as u32, INPUT]);
        self.inputs.push(node);
        Edge::new(node, false)
    }

    /// The conjunction of two formulas, simplified by what can be seen two levels deep. At most one node is
    /// added.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (left, right) = match conjunction(self, left, right) {
            Conjunction::Is(edge) => return edge,
            Conjunction::Of(left, right) => (left, right),
        };
        let key = [left.0, right.0];
        if let Some(node) = self.strash.find(key, &self.fanins) {
            return Edge::new(node, false);
        }
        let node = self.push(key);
        self.strash.insert(node, &self.fanins);
        Edge::new(node, false)
    }

    /// What [`Aig::and`] would return, if it would add no node.
    pub(super) fn find_and(&self, left: Edge, right: Edge) -> Option<Edge> {
        match conjunction(self, left, right) {
            Conjunction::Is(edge) => Some(edge),
            Conjunction::Of(left, right) => self
                .strash
                .find([left.0, right.0], &self.fanins)
                .map(|node| Edge::new(node, false)),
        }
    }

    /// The disjunction of two formulas.
    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    /// `left` implies `right`.
    pub fn implies(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(left, !right)
    }

    /// Exactly one of the two formulas.
    pub fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        let neither = self.and(!left, !right);
        let both = self.and(left, right);
        self.and(!neither, !both)
    }

    /// Both formulas or neither.
    pub fn iff(&mut self, left: Edge, right: Edge) -> Edge {
        !self.xor(left, right)
    }

    /// `then` where `condition` holds, `otherwise` where it does not.
    pub fn ite(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// The conjunction of any number of formulas, as a balanced tree; true of none.
    pub fn and_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        let mut level: Vec<Edge> = edges.into_iter().collect();
        while level.len() > 1 {
            for index in 0..level.len().div_ceil(2) {
                level[index] = match level.get(2 * index + 1) {
                    Some(&right) => self.and(level[2 * index], right),
                    None => level[2 * index],
                };
            }
            level.truncate(level.len().div_ceil(2));
        }
        level.pop().unwrap_or(Edge::TRUE)
    }

    /// The disjunction of any number of formulas, as a balanced tree; false of none.
    pub fn or_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        !self.and_all(edges.into_iter().map(|edge| !edge))
    }

    fn push(&mut self, fanins: [u32; 2]) -> NodeId {
        // Codes have to stay below `INPUT`.
        assert!(
            self.fanins.len() < (u32::MAX >> 1) as usize,
            "an Aig holds at most 2^31 nodes"
        );
        self.fanins.push(fanins);
        self.fanins.len() as NodeId - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_share_a_node() {
        let mut aig = Aig::new();
        let (a, b) = (aig.add_input(), aig.add_input());
        let ab = aig.and(a, b);
        assert_eq!(ab, aig.and(b, a));
        assert_eq!(aig.and(a, !a), Edge::FALSE);
        assert_eq!(aig.and(a, a), a);
        assert_eq!(aig.and(a, Edge::TRUE), a);
        assert_eq!(aig.and(Edge::FALSE, a), Edge::FALSE);
        assert_eq!(aig.node(ab.node()), Node::And(a, b));
        assert_eq!(aig.node(b.node()), Node::Input(1));
        assert_eq!(aig.node(0), Node::Constant);
        assert_eq!(aig.and_all([a, b, Edge::TRUE]), ab);
        assert_eq!(aig.or_all([]), Edge::FALSE);
    }
}
