//! Formulas of a graph as terms.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_word::{Term, Terms};

/// The formula as a term; `place` is the bit of a word that an input stands for, by its position. `None` if an input
/// stands for none.
pub(super) fn term(
    terms: &mut Terms,
    graph: &Aig,
    root: Edge,
    place: &dyn Fn(usize) -> Option<(Term, u32)>,
) -> Option<Term> {
    if root.is_constant() {
        return Some(terms.boolean(root == Edge::TRUE));
    }
    let mut images: HashMap<NodeId, Term> = HashMap::new();
    let literal = |terms: &mut Terms, images: &HashMap<NodeId, Term>, edge: Edge| {
        let term = images[&edge.node()];
        match edge.is_negated() {
            true => terms.not(term),
            false => term,
        }
    };
    for node in graph.cone(&[root]) {
        let term = match graph.node(node) {
            Node::Constant => terms.boolean(false),
            Node::Input(position) => {
                let (word, bit) = place(position as usize)?;
                terms.extract(word, bit, 1)
            }
            Node::And(left, right) => {
                let left = literal(terms, &images, left);
                let right = literal(terms, &images, right);
                terms.and(left, right)
            }
        };
        images.insert(node, term);
    }
    Some(literal(terms, &images, root))
}
