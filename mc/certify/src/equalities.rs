//! Variables that constraints state to be equal or constant.
//!
//! Where the constraints of a witness circuit are assumed, such a variable needs no value of its own: every assignment
//! that satisfies the constraints is one in which it has the value of the other. So two circuits over equal latches
//! become one by sharing, and nothing is left to prove where a SAT solver would have to find out that they are equal.

use craig_aig::{Aig, Edge, Node, NodeId};

/// The variables that the constraints state to be equal to a variable with a smaller number, or constant, each with that
/// edge, which is not itself in the list; in ascending order.
///
/// Equalities are found where a constraint, as a conjunction of conjunctions, contains a literal or an equivalence.
pub(super) fn equal_variables(aig: &Aig, constraints: &[Edge]) -> Vec<(NodeId, Edge)> {
    let mut classes = Classes {
        parents: (0..aig.n_nodes())
            .map(|node| Edge::new(node as NodeId, false))
            .collect(),
    };
    let mut is_seen = vec![false; aig.n_nodes()];
    let mut open = constraints.to_vec();
    while let Some(edge) = open.pop() {
        // The two edges that it states to be equal.
        let stated = match aig.node(edge.node()) {
            Node::Constant => continue,
            Node::Input(_) => Some((edge, Edge::TRUE)),
            Node::And(left, right) if !edge.is_negated() => {
                if !std::mem::replace(&mut is_seen[edge.node() as usize], true) {
                    open.extend([left, right]);
                }
                difference(aig, left, right).map(|(one, other)| (one, !other))
            }
            Node::And(left, right) => difference(aig, left, right),
        };
        let is_variable = |edge: Edge| !matches!(aig.node(edge.node()), Node::And(..));
        if let Some((one, other)) = stated.filter(|pair| is_variable(pair.0) && is_variable(pair.1))
        {
            classes.join(one, other);
        }
    }
    let variables = (0..aig.n_nodes() as NodeId).filter_map(|node| {
        let root = classes.root(Edge::new(node, false));
        (root.node() != node).then_some((node, root))
    });
    variables.collect()
}

/// The edges `a` and `b` of which the conjunction of `left` and `right` is the exclusive disjunction: one operand is
/// `!(a & b)` and the other `!(!a & !b)`.
fn difference(aig: &Aig, left: Edge, right: Edge) -> Option<(Edge, Edge)> {
    match (aig.node(left.node()), aig.node(right.node())) {
        (Node::And(a, b), Node::And(c, d))
            // Operands are ordered by their nodes.
            if left.is_negated() && right.is_negated() && [c, d] == [!a, !b] =>
        {
            Some((a, b))
        }
        _ => None,
    }
}

/// Classes of equal edges. Each node has an edge to one with a smaller number in its class, or to itself.
struct Classes {
    parents: Vec<Edge>,
}

impl Classes {
    fn root(&mut self, mut edge: Edge) -> Edge {
        loop {
            let parent = self.parents[edge.node() as usize];
            if parent.node() == edge.node() {
                return edge;
            }
            // Half of the path is left out at the next visit.
            let grandparent = self.parents[parent.node() as usize];
            let grandparent = grandparent.negate_if(parent.is_negated());
            self.parents[edge.node() as usize] = grandparent;
            edge = parent.negate_if(edge.is_negated());
        }
    }

    /// Contradictions are left as they are: the constraints state them as well.
    fn join(&mut self, one: Edge, other: Edge) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        if low.node() != high.node() {
            self.parents[high.node() as usize] = low.negate_if(high.is_negated());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    fn value(aig: &Aig, inputs: u32, edge: Edge) -> bool {
        let is = match aig.node(edge.node()) {
            Node::Constant => false,
            Node::Input(number) => inputs >> number & 1 == 1,
            Node::And(left, right) => value(aig, inputs, left) && value(aig, inputs, right),
        };
        is != edge.is_negated()
    }

    /// All assignments that satisfy random constraints satisfy what is found in them.
    #[test]
    fn what_is_found_follows_from_the_constraints() {
        let mut random = Random::new(7);
        let (mut n_found, mut n_satisfied) = (0, 0);
        for _ in 0..2000 {
            let mut aig = Aig::new();
            let mut edges: Vec<Edge> = (0..6).map(|_| aig.add_input()).collect();
            for _ in 0..6 {
                let [one, other] =
                    [0; 2].map(|_| edges[random.below(edges.len())].negate_if(random.flip()));
                edges.push(match random.below(3) {
                    0 => aig.and(one, other),
                    _ => aig.xor(one, other),
                });
            }
            let constraints =
                [0; 2].map(|_| edges[edges.len() - 1 - random.below(4)].negate_if(random.flip()));
            let found = equal_variables(&aig, &constraints);
            n_found += found.len();
            for inputs in 0..64 {
                if constraints.iter().all(|&edge| value(&aig, inputs, edge)) {
                    n_satisfied += 1;
                    for &(node, other) in &found {
                        let own = value(&aig, inputs, Edge::new(node, false));
                        assert_eq!(own, value(&aig, inputs, other));
                    }
                }
            }
        }
        assert!(
            n_found > 1000 && n_satisfied > 1000,
            "{n_found} {n_satisfied}"
        );
    }

    #[test]
    fn conjunctions_chains_and_constants_are_found() {
        let mut aig = Aig::new();
        let [a, b, c, d, e] = [0; 5].map(|_| aig.add_input());
        let equal = [aig.xor(c, b), !aig.xor(a, c), e, aig.or(a, d)];
        let all = aig.and_all(equal);
        let found = equal_variables(&aig, &[all]);
        let expected = [(b.node(), !a), (c.node(), a), (e.node(), Edge::TRUE)];
        assert_eq!(found, expected);
        assert_eq!(equal_variables(&aig, &[!all]), []);
    }

    /// A gate is not what a variable is replaced by, nor is it replaced.
    #[test]
    fn gates_that_are_stated_to_be_equal_are_left_alone() {
        let mut aig = Aig::new();
        let [a, b] = [0; 2].map(|_| aig.add_input());
        let gate = aig.and(a, b);
        let late = aig.add_input();
        for variable in [a, late] {
            let equal = aig.iff(gate, variable);
            assert_eq!(equal_variables(&aig, &[equal]), []);
        }
    }
}
