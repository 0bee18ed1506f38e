//! Interpolants for many cuts of one proof.

use craig_solver::aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::construct::construct;
use crate::partition::Spans;
use crate::system::{Labelling, System};

/// The interpolants of one refutation for several cuts: interpolant `i` has the leaves with labels up to
/// and including `cuts[i]` in A.
///
/// With increasing cuts the result has the path property: interpolant `i - 1`, together with the clauses
/// whose labels lie above `cuts[i - 1]` and not above `cuts[i]`, implies interpolant `i`. That holds
/// because all are drawn from one proof in one system.
///
/// `leaf(i, var)` says which edge of `aig` stands for a variable at cut `i`; it is asked at most once
/// per cut and variable, and only about variables that occur on both sides of that cut.
///
/// # Panics
/// If `dag` is no refutation.
pub fn sequence(
    dag: &ProofDag,
    cuts: &[Label],
    system: System,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
) -> Vec<Edge> {
    labelled_sequence(dag, cuts, &Labelling::Uniform(system), aig, leaf)
}

/// The same in any labelled system, used at every cut. The path property holds as in [`sequence`].
///
/// # Panics
/// If `dag` is no refutation.
pub fn labelled_sequence(
    dag: &ProofDag,
    cuts: &[Label],
    labelling: &Labelling<'_>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
) -> Vec<Edge> {
    // One pass per cut: the edges of a pass stay in cache, where those of all cuts at once would not.
    let spans = Spans::new(dag);
    let mut at_cut = |(index, &cut): (usize, &Label)| {
        let partition = spans.partition(cut);
        construct(
            dag,
            &|label| label <= cut,
            &partition,
            labelling,
            aig,
            &mut |var| leaf(index, var),
        )
    };
    cuts.iter().enumerate().map(&mut at_cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, refute, table};
    use crate::{Side, interpolant};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn sequences_have_the_path_property(
            cnf in formulas(),
            cuts in prop::sample::subsequence(vec![0, 1, 2, 3], 1..=4),
            sides in prop::collection::vec(0..3usize, 6),
        ) {
            let dag = refute(&cnf, &[3, 1, 4, 0, 5, 2]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let by_variable = |var: Var| [Side::A, Side::B, Side::Both][sides[var.index()]];
            for labelling in System::ALL
                .map(Labelling::Uniform)
                .into_iter()
                .chain([Labelling::Variables(&by_variable)])
            {
                let (mut aig, inputs) = graph();
                let edges = labelled_sequence(&dag, &cuts, &labelling, &mut aig, &mut |_, var| {
                    inputs[var.index()]
                });
                prop_assert_eq!(edges.len(), cuts.len());
                let mut before = (u64::MAX, 0);
                for (&edge, &cut) in edges.iter().zip(&cuts) {
                    let here = table(&aig, edge);
                    let segment = before.1..=cut;
                    let step = clauses_table(&cnf, |label| segment.contains(&label));
                    prop_assert_eq!(before.0 & step & !here, 0);
                    before = (here, cut + 1);
                    if let Labelling::Uniform(system) = labelling {
                        let leaf = &mut |var: Var| inputs[var.index()];
                        let alone =
                            interpolant(&dag, &|label| label <= cut, system, &mut aig, leaf);
                        prop_assert_eq!(alone, edge);
                    }
                }
                prop_assert_eq!(before.0 & clauses_table(&cnf, |label| label >= before.1), 0);
            }
        }
    }
}
