//! Labels that the proof determines: for small interpolants.
//!
//! A literal of a leaf appears in a partial interpolant if its label is that of the other side. So a shared
//! variable that occurs in more clauses of A than of B is labelled a, and any other b: fewer literals get into
//! the interpolant (L. Alt, G. Fedyukovich, A. E. J. Hyvärinen and N. Sharygina, "A proof-sensitive approach for
//! small propositional interpolants", VSTTE 2015). Two variants have ab in place of one of the two.

use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Label, Var};

use crate::stop::{Poll, Stop, Stopped};
use crate::system::Side;

/// The labellings that count the occurrences of a variable in the leaves of a proof. Those that are called
/// stronger give interpolants that imply the others', since their labels are at least as strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProofSensitive {
    /// PSs: ab where the variable is in A at least as often as in B, else b.
    Strong,
    /// PS: a there, else b.
    Balanced,
    /// PSw: a there, else ab.
    Weak,
}

impl ProofSensitive {
    /// All of them, from the strongest to the weakest.
    pub const ALL: [Self; 3] = [Self::Strong, Self::Balanced, Self::Weak];

    /// The name on the command line: `pss`, `ps` or `psw`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "pss",
            Self::Balanced => "ps",
            Self::Weak => "psw",
        }
    }

    /// The label of a variable with `in_a` occurrences in clauses of A and `in_b` in clauses of B.
    fn side(self, [in_a, in_b]: [usize; 2]) -> Side {
        match (self, in_a >= in_b) {
            (Self::Strong, true) | (Self::Weak, false) => Side::Both,
            (Self::Balanced | Self::Weak, true) => Side::A,
            (Self::Strong | Self::Balanced, false) => Side::B,
        }
    }
}

/// By variable, for each label: the number of leaves of a proof that contain it. One count serves all cuts.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    counts: Vec<Vec<(Label, usize)>>,
}

impl Occurrences {
    /// Counts the leaves.
    ///
    /// # Errors
    /// If `stop` requests the end.
    pub fn count(dag: &ProofDag, stop: &Stop) -> Result<Self, Stopped> {
        let mut poll = Poll::new(stop)?;
        let mut counts: Vec<Vec<(Label, usize)>> = vec![Vec::new(); dag.n_vars()];
        for vertex in dag.vertices() {
            let Origin::Leaf { label } = dag.origin(vertex) else {
                poll.spend(1)?;
                continue;
            };
            poll.spend(1 + dag.clause(vertex).len())?;
            for lit in dag.clause(vertex) {
                let counts = &mut counts[lit.var().index()];
                match counts.binary_search_by_key(&label, |&(label, _)| label) {
                    Ok(at) => counts[at].1 += 1,
                    Err(at) => counts.insert(at, (label, 1)),
                }
            }
        }
        Ok(Self { counts })
    }

    /// The label of a shared variable at the cut that `in_a` describes.
    ///
    /// With growing A labels never get stronger, so that sequences keep the path property.
    #[must_use]
    pub fn side(&self, kind: ProofSensitive, in_a: &dyn Fn(Label) -> bool, var: Var) -> Side {
        let mut sums = [0, 0];
        for &(label, count) in self.counts.get(var.index()).into_iter().flatten() {
            sums[usize::from(!in_a(label))] += count;
        }
        kind.side(sums)
    }
}

#[cfg(test)]
mod tests {
    use craig_solver::Cnf;
    use proptest::prelude::*;

    use super::*;
    use crate::choice::{Choice, Cut};
    use crate::fixtures::{clauses_table, formulas, graph, refute, table};
    use crate::{System, labelled_interpolant, sequence_by_cut};

    /// The truth table of the interpolant of a labelling, checked on those of both sides.
    fn checked(cnf: &Cnf, dag: &ProofDag, cut: Label, choice: &Choice) -> u64 {
        let in_a = |label: Label| label <= cut;
        let (mut aig, inputs) = graph();
        let stop = Stop::never();
        let at = Cut {
            cnf,
            dag,
            in_a: &in_a,
            number: cut as usize,
            stop: &stop,
        };
        let leaf = &mut |var: Var| inputs[var.index()];
        let edge: Result<_, Stopped> = choice.with(&at, |labelling| {
            labelled_interpolant(dag, &in_a, labelling, &mut aig, leaf, &stop)
        });
        let edge = edge.unwrap();
        let result = table(&aig, edge);
        assert_eq!(clauses_table(cnf, in_a) & !result, 0);
        assert_eq!(clauses_table(cnf, |label| !in_a(label)) & result, 0);
        result
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn all_are_interpolants_ordered_by_strength(cnf in formulas(), cut in 0..4 as Label) {
            if let Some(dag) = refute(&cnf, &[0, 1, 2, 3, 4, 5]) {
                let order = [
                    Choice::from(System::McMillan),
                    Choice::from(ProofSensitive::Strong),
                    Choice::from(ProofSensitive::Balanced),
                    Choice::from(ProofSensitive::Weak),
                    Choice::from(System::InverseMcMillan),
                ];
                let tables = order.map(|choice| checked(&cnf, &dag, cut, &choice));
                for pair in tables.windows(2) {
                    prop_assert_eq!(pair[0] & !pair[1], 0);
                }
                // PSs and PSw lie on both sides of the symmetric system.
                let symmetric = checked(&cnf, &dag, cut, &Choice::from(System::Symmetric));
                prop_assert_eq!(tables[1] & !symmetric, 0);
                prop_assert_eq!(symmetric & !tables[3], 0);
            }
        }

        #[test]
        fn sequences_keep_the_path_property(cnf in formulas(), kind in 0..3_usize) {
            if let Some(dag) = refute(&cnf, &[0, 1, 2, 3, 4, 5]) {
                let kind = ProofSensitive::ALL[kind];
                let cuts = [0, 1, 2];
                let counts = Occurrences::count(&dag, &Stop::never()).unwrap();
                let side = |index: usize, var| counts.side(kind, &|label| label <= cuts[index], var);
                let (mut aig, inputs) = graph();
                let leaf = &mut |_: usize, var: Var| inputs[var.index()];
                let edges = sequence_by_cut(&dag, &cuts, &side, &mut aig, leaf, &Stop::never());
                let mut before = u64::MAX;
                for (&cut, edge) in cuts.iter().zip(edges.unwrap()) {
                    let here = table(&aig, edge);
                    let step = clauses_table(&cnf, |label| label == cut);
                    prop_assert_eq!(before & step & !here, 0);
                    before = here;
                }
                prop_assert_eq!(before & clauses_table(&cnf, |label| label > 2), 0);
            }
        }
    }

    /// Variable 1 is in two clauses of A and one of B, variable 2 the other way round.
    #[test]
    fn the_side_with_more_occurrences_is_not_written() {
        let lits = |numbers: &[i64]| -> Vec<craig_solver::Lit> {
            let lit = |&number: &i64| craig_solver::Lit::from_dimacs(number).unwrap();
            numbers.iter().map(lit).collect()
        };
        let mut cnf = Cnf::new();
        let clauses = [
            (&[1, 2][..], 0),
            (&[1, -2], 0),
            (&[-1, 2], 1),
            (&[-2, -1], 1),
            (&[2], 1),
        ];
        for (clause, label) in clauses {
            cnf.add_labelled_clause(&lits(clause), label);
        }
        let dag = refute(&cnf, &[1, 0]).unwrap();
        let counts = Occurrences::count(&dag, &Stop::never()).unwrap();
        let side = |kind, index| counts.side(kind, &|label| label == 0, Var::new(index));
        let rows = ProofSensitive::ALL.map(|kind| side(kind, 0));
        assert_eq!(rows, [Side::Both, Side::A, Side::A]);
    }
}
