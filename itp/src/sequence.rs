//! Interpolants for many cuts of one proof.

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::construct::construct;
use crate::partition::Spans;
use crate::stop::{Poll, Stop, Stopped};
use crate::system::{Labelling, Side};

/// [`sequence`](fn@crate::sequence) in any labelled system, used at every cut. The path property holds for [`Labelling::Uniform`]
/// and [`Labelling::Variables`].
///
/// # Errors
/// If `stop` requests the end. It is polled as [`Stop`] describes.
///
/// # Panics
/// If `dag` is no refutation.
pub fn labelled_sequence(
    dag: &ProofDag,
    cuts: &[Label],
    labelling: &Labelling<'_>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, Stopped> {
    at_cuts(dag, cuts, &mut |_, run| run(labelling), aig, leaf, stop)
}

/// [`sequence`](fn@crate::sequence) with a labelling for each cut: `side(i, var)` is the label of a variable that is shared at
/// cut `i`. Each result is an interpolant of its cut. The path property holds if no shared variable's label
/// gets stronger from one cut to the next, and may fail otherwise.
///
/// # Errors
/// If `stop` requests the end. It is polled as [`Stop`] describes.
///
/// # Panics
/// If `dag` is no refutation.
pub fn sequence_by_cut(
    dag: &ProofDag,
    cuts: &[Label],
    side: &dyn Fn(usize, Var) -> Side,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, Stopped> {
    let mut labelled =
        |index, run: &mut Run<'_>| run(&Labelling::Variables(&|var| side(index, var)));
    at_cuts(dag, cuts, &mut labelled, aig, leaf, stop)
}

/// One pass over the proof in a given labelling.
type Run<'a> = dyn FnMut(&Labelling<'_>) -> Result<Edge, Stopped> + 'a;
/// Calls its second argument with the labelling of a cut.
type WithLabelling<'a> = dyn FnMut(usize, &mut Run<'_>) -> Result<Edge, Stopped> + 'a;

fn at_cuts(
    dag: &ProofDag,
    cuts: &[Label],
    with_labelling: &mut WithLabelling<'_>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, Stopped> {
    let mut poll = Poll::new(stop)?;
    let spans = Spans::new(dag, &mut poll)?;
    // One pass per cut: the edges of one pass fit into a cache, those of all cuts at once would not.
    let mut edges = Vec::with_capacity(cuts.len());
    for (index, &cut) in cuts.iter().enumerate() {
        let partition = spans.partition(cut);
        edges.push(with_labelling(index, &mut |labelling| {
            let leaf = &mut |var| leaf(index, var);
            let in_a = |label| label <= cut;
            construct(dag, &in_a, &partition, labelling, aig, leaf, &mut poll)
        })?);
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, refute, table};
    use crate::labelled_interpolant;
    use crate::system::System;
    use craig_solver::Cnf;
    use proptest::prelude::*;

    const SIDES: [Side; 3] = [Side::B, Side::Both, Side::A];

    /// The truth tables of a sequence, and whether each step from one to the next holds.
    fn steps_hold(cnf: &Cnf, cuts: &[Label], tables: &[u64]) -> bool {
        let mut before = (u64::MAX, 0);
        for (&here, &cut) in tables.iter().zip(cuts) {
            let step = clauses_table(cnf, |label| (before.1..=cut).contains(&label));
            if before.0 & step & !here != 0 {
                return false;
            }
            before = (here, cut + 1);
        }
        before.0 & clauses_table(cnf, |label| label >= before.1) == 0
    }

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
            let by_variable = |var: Var| SIDES[sides[var.index()]];
            for labelling in System::ALL
                .map(Labelling::Uniform)
                .into_iter()
                .chain([Labelling::Variables(&by_variable)])
            {
                let (mut aig, inputs) = graph();
                let never = Stop::never();
                let leaf = &mut |_: usize, var: Var| inputs[var.index()];
                let edges = labelled_sequence(&dag, &cuts, &labelling, &mut aig, leaf, &never)?;
                let tables: Vec<_> = edges.iter().map(|&edge| table(&aig, edge)).collect();
                prop_assert!(steps_hold(&cnf, &cuts, &tables));
                for (&edge, &cut) in edges.iter().zip(&cuts) {
                    let leaf = &mut |var: Var| inputs[var.index()];
                    let in_a = |label| label <= cut;
                    let alone = labelled_interpolant(&dag, &in_a, &labelling, &mut aig, leaf, &never);
                    prop_assert_eq!(alone, Ok(edge));
                }
            }
        }

        #[test]
        fn labels_that_weaken_from_cut_to_cut_keep_the_path_property(
            cnf in formulas(),
            sides in prop::collection::vec(prop::collection::vec(0..3usize, 4), 6),
        ) {
            let dag = refute(&cnf, &[0, 2, 4, 1, 3, 5]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let cuts = [0, 1, 2, 3];
            let side = |cut: usize, var: Var| {
                SIDES[sides[var.index()][..=cut].iter().copied().max().unwrap()]
            };
            let (mut aig, inputs) = graph();
            let leaf = &mut |_: usize, var: Var| inputs[var.index()];
            let edges = sequence_by_cut(&dag, &cuts, &side, &mut aig, leaf, &Stop::never())?;
            let tables: Vec<_> = edges.iter().map(|&edge| table(&aig, edge)).collect();
            prop_assert!(steps_hold(&cnf, &cuts, &tables));
        }
    }
}
