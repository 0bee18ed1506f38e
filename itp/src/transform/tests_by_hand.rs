//! Transforms of proofs that are written by hand.

use craig_solver::Label;
use craig_solver::proof::check::check_dag;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

use super::tests::{SHRINKING, apply, lower_units, raise_local, recycle_pivots, recycle_units};
use super::{ProofStatistics, Raising, Reduction, Shape, shape};
use crate::fixtures::lits;

/// A proof of leaves, each with its label, and resolutions: first, pivot in it, second.
fn proof(leaves: &[(&[i64], Label)], resolutions: &[(VertexId, i64, VertexId)]) -> ProofDag {
    let mut dag = ProofDag::new();
    for (clause, label) in leaves {
        dag.add_leaf(&lits(clause), *label);
    }
    for &(first, pivot, antecedent) in resolutions {
        let pivot = lits(&[pivot])[0];
        dag.add_chain(first, &[Step { pivot, antecedent }])
            .expect("a resolution");
    }
    dag
}

/// The pivots of all chains, first step first.
pub(super) fn pivots(dag: &ProofDag) -> Vec<usize> {
    let mut all = Vec::new();
    for vertex in dag.vertices() {
        if let Origin::Chain { steps, .. } = dag.origin(vertex) {
            all.extend(steps.iter().map(|step| step.pivot.var().index() + 1));
        }
    }
    all
}

/// One parent of the passable antecedent contains the local variable 1; variable 2 is shared.
#[test]
fn a_local_resolution_passes_a_global_one() {
    let dag = proof(
        &[(&[1, 2], 0), (&[-2], 1), (&[-1], 0)],
        &[(0, 2, 1), (3, 1, 2)],
    );
    let in_a = |label| label == 0;
    assert_eq!(pivots(&dag), [2, 1]);
    let raised = raise_local(&dag, &in_a, Raising::default());
    assert_eq!(check_dag(&raised), Ok(()));
    assert_eq!(pivots(&raised), [1, 2]);
    assert!(raised.is_refutation());
}

/// Both parents contain the local variable, so it is resolved upon twice.
#[test]
fn a_local_resolution_is_doubled_if_both_parents_need_it() {
    let dag = proof(
        &[
            (&[1, 2], 0),
            (&[1, -2, 3], 0),
            (&[-1, 4], 0),
            (&[-3, 2], 1),
            (&[-2, 4], 1),
            (&[-4], 1),
        ],
        &[(0, 2, 1), (6, 1, 2), (7, 3, 3), (8, 2, 4), (9, 4, 5)],
    );
    let in_a = |label| label == 0;
    assert_eq!(shape(&dag, &in_a), Shape::Nested);
    let raised = raise_local(&dag, &in_a, Raising::default());
    assert_eq!(check_dag(&raised), Ok(()));
    assert_eq!(raised.n_steps(), 6);
    assert!(raised.is_refutation());
    assert_eq!(shape(&raised, &in_a), Shape::Cnf);
}

/// A vertex that is used twice is not exchanged.
#[test]
fn shared_antecedents_are_not_passable() {
    let dag = proof(
        &[
            (&[1, 2], 0),
            (&[-2, 3], 1),
            (&[-1, 3], 0),
            (&[-3, 1], 0),
            (&[-1, -3], 0),
        ],
        // 5: 1 3; 6: 3; 7: 1 from 5 and -3 1; 8: -3 ..; the end needs 5 twice.
        &[(0, 2, 1), (5, 1, 2), (5, 3, 3), (7, 1, 4), (6, 3, 8)],
    );
    let raised = raise_local(&dag, &|label| label == 0, Raising::default());
    assert_eq!(check_dag(&raised), Ok(()));
    assert_eq!(raised.n_steps(), dag.n_steps());
    assert_eq!(pivots(&raised)[0], 2);
}

/// The other antecedent contains the upper pivot: no exchange without `shrink`, and with it one of five
/// cases.
#[test]
fn an_upper_pivot_in_the_other_antecedent_loses_literals() {
    let in_a = |label| label == 0;
    let cases: [[&[i64]; 4]; 5] = [
        // 1 only in the parent with 2; the other antecedent has 2: the resolvent loses 2.
        [&[1, 2, 4], &[-2, 5], &[-1, 2, 6], &[4, 5, 6]],
        // As before, but the other antecedent has -2: the parent without 1 is enough.
        [&[1, 2, 4], &[-2, 5], &[-1, -2, 6], &[-2, 5]],
        // 1 only in the parent with -2; the other antecedent has 2.
        [&[2, 4], &[1, -2, 5], &[-1, 2, 6], &[2, 4]],
        // 1 in both; the other antecedent has 2 or -2: a shortcut through one parent.
        [&[1, 2, 4], &[1, -2, 5], &[-1, 2, 6], &[2, 4, 6]],
        [&[1, 2, 4], &[1, -2, 5], &[-1, -2, 6], &[-2, 5, 6]],
    ];
    for [left, right, other, expected] in cases {
        // Variable 1 is local to A; all others that are left occur in B, too.
        let dag = proof(
            &[(left, 0), (right, 0), (other, 0)],
            &[(0, 2, 1), (3, 1, 2)],
        );
        let mut with_b = dag.clone();
        let rest: Vec<_> = dag.clause(4).to_vec();
        let mut steps = Vec::new();
        for &pivot in &rest {
            let antecedent = with_b.add_leaf(&[!pivot], 1);
            steps.push(Step { pivot, antecedent });
        }
        // The steps that close the proof are not changed.
        let part = |dag: &ProofDag, raising| {
            let mut dag = dag.clone();
            dag.add_chain(4, &steps).unwrap();
            let raised = raise_local(&dag, &in_a, raising);
            assert_eq!(check_dag(&raised), Ok(()));
            assert!(raised.is_refutation());
            raised
        };
        let kept = part(&with_b, Raising::default());
        assert_eq!(kept.n_steps(), 2 + rest.len());
        let raised = part(&with_b, SHRINKING);
        assert_eq!(
            raised.n_steps(),
            expected.len() + n_resolutions_for(expected, &[left, right, other]),
            "{expected:?}"
        );
    }
}

/// The number of resolutions that derive the clause from the three, in the cases above.
fn n_resolutions_for(clause: &[i64], given: &[&[i64]]) -> usize {
    if given.contains(&clause) {
        0
    } else if clause == [4, 5, 6] {
        2
    } else {
        1
    }
}

/// Variable 1 is resolved upon twice on the path from the first leaf to the root.
#[test]
fn pivots_are_recycled() {
    let dag = proof(
        &[
            (&[1, 2], 0),
            (&[-1, 3], 0),
            (&[-3, 1], 0),
            (&[-2], 0),
            (&[-1], 0),
        ],
        // 5: 2 3; 6: 2 1; 7: 1; 8: empty.
        &[(0, 1, 1), (5, 3, 2), (6, 2, 3), (7, 1, 4)],
    );
    let recycled = recycle_pivots(&dag);
    assert_eq!(check_dag(&recycled), Ok(()));
    assert!(recycled.is_refutation());
    assert_eq!(pivots(&recycled), [2, 1]);
}

/// The unit 2 replaces a longer clause with 2, whose other literals then need no resolution.
#[test]
fn units_are_recycled() {
    let dag = proof(
        &[
            (&[1, 2], 0),
            (&[-1, 2], 0),
            (&[-2, 3], 0),
            (&[2, 5], 0),
            (&[-5, 3], 0),
            (&[-3, -2], 0),
        ],
        // 6: 2; 7: 5 3; 8: 3; 9: -2; 10: empty.
        &[(0, 1, 1), (3, 2, 2), (7, 5, 4), (8, 3, 5), (9, -2, 6)],
    );
    let recycled = recycle_units(&dag, 1000);
    assert_eq!(check_dag(&recycled), Ok(()));
    assert!(recycled.is_refutation());
    assert_eq!((recycled.n_steps(), dag.n_steps()), (4, 5));
    assert_eq!(ProofStatistics::of(&recycled).core, 4);
}

/// The unit 1 is derived twice.
#[test]
fn equal_clauses_are_derived_once() {
    let dag = proof(
        &[
            (&[1, 2], 0),
            (&[-2, 1], 0),
            (&[1, 3], 0),
            (&[-3, 1], 0),
            (&[-1, 4], 1),
            (&[-4, -1], 1),
        ],
        &[(0, 2, 1), (2, 3, 3), (6, 1, 4), (7, 1, 5), (8, 4, 9)],
    );
    let merged = apply(Reduction::MergeEqual, &dag);
    assert_eq!(check_dag(&merged), Ok(()));
    assert!(merged.is_refutation());
    assert_eq!((merged.n_steps(), dag.n_steps()), (4, 5));
}

/// Vertex 1, the clause -1 2, is used twice on 2, and its -1 is what the lowered unit 1 resolves away.
#[test]
fn clauses_that_are_units_but_for_lowered_ones_are_lowered() {
    let dag = proof(
        &[
            (&[1], 0),
            (&[-1, 2], 0),
            (&[-2, -1, 3], 0),
            (&[-2, -3], 0),
            (&[-1, -3, 4], 0),
            (&[-4, -1], 0),
        ],
        &[(2, -2, 1), (3, -2, 1), (6, -1, 0), (7, -1, 0), (8, 3, 9)],
    );
    let lowered = apply(Reduction::LowerUnivalents, &dag);
    assert_eq!(check_dag(&lowered), Ok(()));
    assert!(lowered.is_refutation());
    assert!(lowered.n_steps() < apply(Reduction::LowerUnits, &dag).n_steps());
}

/// Two uses of a unit become one at the end.
#[test]
fn units_are_lowered() {
    let dag = proof(
        &[(&[1], 0), (&[-1, 2, 3], 0), (&[-1, 2, -3], 0), (&[-2], 0)],
        // 4: 2 3; 5: 2 -3; 6: 2; 7: empty.
        &[(1, -1, 0), (2, -1, 0), (4, 3, 5), (6, 2, 3)],
    );
    let lowered = lower_units(&dag);
    assert_eq!(check_dag(&lowered), Ok(()));
    assert!(lowered.is_refutation());
    assert_eq!(lowered.n_steps(), 3);
    assert_eq!(pivots(&lowered).last(), Some(&1));
}

/// Without the resolution on a unit, a vertex derives a tautology.
#[test]
fn intermediate_tautologies_are_removed() {
    let dag = proof(
        &[
            (&[1], 0),
            (&[-1, 2], 0),
            (&[-2, 1, 3], 0),
            (&[-1, 3], 0),
            (&[-3, -1], 0),
        ],
        // 5: 2; 6: 1 3; 7: 3; 8: -1; 9: empty.
        &[(1, -1, 0), (5, 2, 2), (6, 1, 3), (7, 3, 4), (8, -1, 0)],
    );
    let lowered = lower_units(&dag);
    assert_eq!(check_dag(&lowered), Ok(()));
    assert!(lowered.is_refutation());
    assert_eq!(lowered.n_steps(), 2);
}

#[test]
fn statistics_count() {
    let dag = proof(
        &[(&[1], 0), (&[-1, 2, 3], 0), (&[-1, 2, -3], 0), (&[-2], 0)],
        &[(1, -1, 0), (2, -1, 0), (4, 3, 5), (6, 2, 3)],
    );
    assert_eq!(
        ProofStatistics::of(&dag),
        ProofStatistics {
            vertices: 8,
            resolutions: 4,
            literals: 1 + 3 + 3 + 1 + 2 + 2 + 1,
            core: 4,
            depth: 3,
        }
    );
}
