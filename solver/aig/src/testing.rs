//! Random graphs for tests, of this crate and of the solver.

use proptest::prelude::*;

use super::{Aig, Edge};

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

/// The values of `edge` for all assignments to at most six inputs.
pub(crate) fn truth_table(aig: &Aig, edge: Edge) -> u64 {
    const VARS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    assert!(aig.n_inputs() <= VARS.len());
    edge.word(&aig.simulate(&VARS[..aig.n_inputs()]))
}
