//! Random graphs for the tests of this folder.

use proptest::prelude::*;

use super::graph::{Aig, Edge};

/// A graph with `n_inputs` inputs, made by at most `n_ands` conjunctions of random earlier edges, and
/// `n_roots` edges of it.
pub(crate) fn random_aig(
    n_inputs: usize,
    n_ands: usize,
    n_roots: usize,
) -> impl Strategy<Value = (Aig, Vec<Edge>)> {
    (
        prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..=n_ands),
        prop::collection::vec(any::<prop::sample::Index>(), n_roots),
    )
        .prop_map(move |(ands, roots)| {
            let mut aig = Aig::new();
            let mut edges = vec![Edge::FALSE, Edge::TRUE];
            for _ in 0..n_inputs {
                let input = aig.add_input();
                edges.extend([input, !input]);
            }
            for [left, right] in ands {
                // Constants as operands would make most of the graph collapse.
                let and = aig.and(*left.get(&edges[2..]), *right.get(&edges[2..]));
                edges.extend([and, !and]);
            }
            let roots = roots.iter().map(|root| *root.get(&edges)).collect();
            (aig, roots)
        })
}
