//! Symmetric interpolants: each of several formulas against all the others, from one proof.
//!
//! For formulas with an inconsistent conjunction, a symmetric interpolant gives each of them a consequence
//! over the variables that it shares with the others, such that these consequences alone are inconsistent (R.
//! Jhala and K. L. McMillan, "Interpolant-based transition relation approximation", LMCS 2007, section 3.2).
//! The consequences are inconsistent because all of them come from one proof, and only for labels at least as
//! strong as ab.

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::construct::construct;
use crate::partition::Partition;
use crate::stop::{Poll, Stop, Stopped};
use crate::system::{Labelling, Side, System};

/// The labelling error of symmetric and tree interpolants: a shared variable has label a instead of b or ab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "shared variable {} is labelled a: symmetric and tree interpolants need labels b or ab \
     (McMillan's system, the symmetric one, or one between them)",
    var.index() + 1
)]
pub struct TooWeak {
    /// A shared variable with label a.
    pub var: Var,
}

/// Why there are no symmetric or tree interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// The labelling is too weak.
    #[error(transparent)]
    TooWeak(#[from] TooWeak),
    /// The computation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// For each label in `parts` the interpolant of the leaves with that label against all others.
///
/// Each is implied by its own clauses. All of them, together with the clauses whose labels are not in
/// `parts`, are inconsistent.
///
/// `leaf(i, var)` maps a variable in interpolant `i` to its edge in `aig`. It is called at most once each,
/// and only for variables that part `i` shares with the rest.
///
/// # Errors
/// For [`System::InverseMcMillan`], if it would label a shared variable; or If `stop` requests the end.
///
/// # Panics
/// If `dag` is no refutation.
pub fn symmetric(
    dag: &ProofDag,
    parts: &[Label],
    system: System,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, JointError> {
    symmetric_by_part(dag, parts, &|_, _| system.side(), aig, leaf, stop)
}

/// [`symmetric`](fn@symmetric) in a given labelling: `side(i, var)` is the label of a variable that part `i`
/// shares with the rest. Parts may differ, since a stronger interpolant for one of them keeps all of them
/// inconsistent.
///
/// # Errors
/// If a shared variable is labelled a, or If `stop` requests the end.
///
/// # Panics
/// If `dag` is no refutation.
pub fn symmetric_by_part(
    dag: &ProofDag,
    parts: &[Label],
    side: &dyn Fn(usize, Var) -> Side,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, JointError> {
    let mut edges = Vec::with_capacity(parts.len());
    for (index, &part) in parts.iter().enumerate() {
        edges.push(strong_interpolant(
            dag,
            &|label| label == part,
            &|var| side(index, var),
            aig,
            &mut |var| leaf(index, var),
            stop,
        )?);
    }
    Ok(edges)
}

/// An interpolant in a system that labels no shared variable a.
pub(crate) fn strong_interpolant(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    side: &dyn Fn(Var) -> Side,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(Var) -> Edge,
    stop: &Stop,
) -> Result<Edge, JointError> {
    let mut poll = Poll::new(stop)?;
    let partition = Partition::polled(dag, in_a, &mut poll)?;
    if let Some(var) = partition.shared().find(|&var| side(var) == Side::A) {
        return Err(TooWeak { var }.into());
    }
    let labelling = Labelling::Variables(side);
    let edge = construct(dag, in_a, &partition, &labelling, aig, leaf, &mut poll)?;
    Ok(edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, occurs, refute, table};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn parts_imply_their_interpolants_which_are_inconsistent(
            cnf in formulas(),
            parts in prop::sample::subsequence(vec![0, 1, 2, 3, 4], 1..=5),
            labels in prop::collection::vec(prop::collection::vec(any::<bool>(), 6), 5),
        ) {
            let dag = refute(&cnf, &[5, 4, 3, 2, 1, 0]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let mixed = |part: usize, var: Var| {
                if labels[part][var.index()] { Side::B } else { Side::Both }
            };
            let strong = |_, _| Side::B;
            let symmetric = |_, _| Side::Both;
            for side in [&mixed as &dyn Fn(usize, Var) -> Side, &strong, &symmetric] {
                let (mut aig, inputs) = graph();
                let leaf = &mut |index: usize, var| {
                    assert!(occurs(&cnf, var, |label| label == parts[index]));
                    assert!(occurs(&cnf, var, |label| label != parts[index]));
                    inputs[var.index()]
                };
                let never = Stop::never();
                let edges = symmetric_by_part(&dag, &parts, side, &mut aig, leaf, &never)?;
                let mut joint = clauses_table(&cnf, |label| !parts.contains(&label));
                for (&edge, &part) in edges.iter().zip(&parts) {
                    let table = table(&aig, edge);
                    prop_assert_eq!(clauses_table(&cnf, |label| label == part) & !table, 0);
                    joint &= table;
                }
                prop_assert_eq!(joint, 0);
            }
        }
    }

    #[test]
    fn labels_that_are_too_weak_are_refused() {
        use craig_solver::Cnf;
        let x = Var::new(0).positive();
        let mut cnf = Cnf::new();
        cnf.add_labelled_clause(&[x], 0);
        cnf.add_labelled_clause(&[!x], 1);
        let dag = refute(&cnf, &[0]).unwrap();
        let of = |system| {
            let leaf = &mut |_, _| Edge::TRUE;
            symmetric(&dag, &[0, 1], system, &mut Aig::new(), leaf, &Stop::never())
        };
        let too_weak = TooWeak { var: x.var() };
        assert_eq!(of(System::InverseMcMillan), Err(too_weak.into()));
        assert!(of(System::Symmetric).is_ok());
    }
}
