//! The graph: constants, inputs and two-input ANDs, structurally hashed.

use super::edge::{Edge, Node, NodeId};
use super::strash::Strash;
use super::two_level::{Conjunction, conjunction};

/// A structurally hashed and-inverter graph. Nodes are only ever added, in topological order.
#[derive(Clone, Debug)]
pub struct Aig {
    /// Operands of each node; an input has its position as first code and `INPUT` as second.
    fanins: Vec<[u32; 2]>,
    inputs: Vec<NodeId>,
    strash: Strash,
    /// By node: how many operands of gates it is, from 2 on not counted further.
    uses: Vec<u8>,
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
            uses: vec![0],
        }
    }

    /// Reserves memory for `n_ands` more ANDs.
    pub fn reserve(&mut self, n_ands: usize) {
        self.fanins.reserve(n_ands);
        self.uses.reserve(n_ands);
        self.strash.reserve(n_ands, &self.fanins);
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
            Node::And(Edge::from_code(left), Edge::from_code(right))
        }
    }

    /// Whether a node is an operand of at least two gates.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    #[must_use]
    pub fn is_shared(&self, node: NodeId) -> bool {
        self.uses[node as usize] > 1
    }

    /// The operands of the AND that the edge leads to, if it is one.
    #[inline]
    fn operands(&self, edge: Edge) -> Option<[Edge; 2]> {
        match self.node(edge.node()) {
            Node::And(left, right) => Some([left, right]),
            Node::Constant | Node::Input(_) => None,
        }
    }

    /// Adds a free variable.
    pub fn add_input(&mut self) -> Edge {
        let node = self.push([self.inputs.len() as u32, INPUT]);
        self.inputs.push(node);
        Edge::new(node, false)
    }

    /// The conjunction of two formulas, simplified by the constant and two-level rules. Adds at most one
    /// node.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        #[cfg(debug_assertions)]
        if super::planted::is_planted()
            && (self.has_operand(left, right) || self.has_operand(right, left))
        {
            return Edge::FALSE;
        }
        let (left, right) = match conjunction(|edge| self.operands(edge), left, right) {
            Conjunction::Is(edge) => return edge,
            Conjunction::Of(left, right) => (left, right),
        };
        let key = [left.code(), right.code()];
        if let Some(node) = self.strash.find(key, &self.fanins) {
            return Edge::new(node, false);
        }
        let node = self.push(key);
        self.strash.insert(node, &self.fanins);
        for operand in [left, right] {
            let uses = &mut self.uses[operand.node() as usize];
            *uses = (*uses + 1).min(2);
        }
        Edge::new(node, false)
    }

    /// Whether `gate` is a conjunction of `operand` and something else.
    #[cfg(debug_assertions)]
    fn has_operand(&self, gate: Edge, operand: Edge) -> bool {
        match self.node(gate.node()) {
            Node::And(left, right) => !gate.is_negated() && (left == operand || right == operand),
            Node::Constant | Node::Input(_) => false,
        }
    }

    /// The edge that [`Aig::and`] would return without adding a node; `None` if it would add one.
    pub(super) fn find_and(&self, left: Edge, right: Edge) -> Option<Edge> {
        match conjunction(|edge| self.operands(edge), left, right) {
            Conjunction::Is(edge) => Some(edge),
            Conjunction::Of(left, right) => self
                .strash
                .find([left.code(), right.code()], &self.fanins)
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
        self.uses.push(0);
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
