//! Formulas copied into a graph of their own.

use craig_aig::{Aig, Edge, NodeId};

/// A graph that contains only the given formulas: the graph, the formulas in it, and for each of its inputs
/// the input node of `aig` that it is a copy of.
pub(crate) fn extract(aig: &Aig, edges: &[Edge]) -> (Aig, Vec<Edge>, Vec<NodeId>) {
    let support = aig.support(edges);
    let mut alone = Aig::new();
    let mut inputs = support
        .iter()
        .map(|_| alone.add_input())
        .collect::<Vec<_>>()
        .into_iter();
    // `copy_cone` requests the leaves in increasing order, which is the order of the support.
    let roots = alone.copy_cone(aig, edges, &mut |_| {
        inputs.next().expect("one edge per input")
    });
    (alone, roots, support)
}
