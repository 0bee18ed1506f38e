//! Edges and nodes of a graph.

use std::fmt;
use std::ops::Not;

/// The number of a node of an [`Aig`](super::Aig). Node 0 is the constant; operands have smaller numbers than
/// the ANDs that use them.
pub type NodeId = u32;

/// A formula: a node of an [`Aig`](super::Aig) or its negation, coded as `2 * node + sign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Edge(u32);

impl Edge {
    /// The formula that is never true.
    pub const FALSE: Self = Self(0);
    /// The formula that is always true.
    pub const TRUE: Self = Self(1);

    /// The edge to `node`, negated or not.
    ///
    /// # Panics
    /// If `node` is 2^31 or more, in all builds: its code would be that of another edge.
    #[inline]
    #[must_use]
    pub fn new(node: NodeId, negated: bool) -> Self {
        assert!(node <= u32::MAX >> 1, "an Aig holds at most 2^31 nodes");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_beyond_the_range_has_no_edge() {
        assert_eq!(Edge::new((1 << 31) - 1, true).node(), (1 << 31) - 1);
        assert!(std::panic::catch_unwind(|| Edge::new(1 << 31, false)).is_err());
    }
}
