//! Each derivation and each transform of a proof on a thousand random problems, by truth tables, which share no code with the
//! proofs: `cargo test -p craig-itp --lib thousand -- --ignored --nocapture` prints the counts.

use craig_solver::proof::ProofDag;
use craig_solver::proof::check::{check_dag, check_leaves};
use craig_solver::{Cnf, Label, Limits};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::choice::{Choice, Cut};
use crate::fixtures::{clauses_table, formulas, graph, occurs, refute, table, variable_table};
use crate::proof_sensitive::ProofSensitive;
use crate::prove::prove;
use crate::rule::Rule;
use crate::stop::Stop;
use crate::system::System;
use crate::transform::{
    Raising, Reduction, lower_units, lower_univalents, merge_equal, prune, raise_local,
    recycle_pivots, recycle_units, reduce, rewrite_local,
};

const N_PROBLEMS: usize = 1_000;

/// The derivations: in each line from strong to weak, for one proof.
fn chains() -> Vec<Vec<Choice>> {
    use ProofSensitive::{Balanced, Strong, Weak};
    vec![
        [System::McMillan, System::Symmetric, System::InverseMcMillan]
            .map(Choice::from)
            .to_vec(),
        [Strong, Balanced, Weak].map(Choice::from).to_vec(),
        vec![Choice::Clausewise],
        vec![Choice::Rule(Rule::RandomVariables(7))],
        vec![Choice::Rule(Rule::RandomStrong(7))],
        vec![Choice::RandomOccurrences(7)],
    ]
}

/// The transforms, and whether they keep or strengthen the interpolant of McMillan's system.
fn transforms() -> Vec<(&'static str, Transform, bool)> {
    vec![
        ("none", |dag, _| dag.clone(), true),
        (
            "raise-local",
            |dag, cut| raised(dag, |label| label <= cut, Raising::default()),
            true,
        ),
        (
            "raise-local-b",
            |dag, cut| raised(dag, |label| label > cut, Raising::default()),
            false,
        ),
        (
            "raise-local-shrink",
            |dag, cut| raised(dag, |label| label <= cut, Raising::PAPER),
            false,
        ),
        (
            "lower-units",
            |dag, _| lower_units(dag, &Stop::never()).unwrap(),
            false,
        ),
        (
            "lower-univalents",
            |dag, _| lower_univalents(dag, &Stop::never()).unwrap(),
            false,
        ),
        (
            "recycle-pivots",
            |dag, _| recycle_pivots(dag, &Stop::never()).unwrap(),
            false,
        ),
        (
            "recycle-units",
            |dag, _| recycle_units(dag, u64::MAX, &Stop::never()).unwrap(),
            false,
        ),
        (
            "merge-equal",
            |dag, _| merge_equal(dag, &Stop::never()).unwrap(),
            false,
        ),
        (
            "rewrite-local",
            |dag, _| rewrite_local(dag, &Stop::never()).unwrap(),
            false,
        ),
        (
            "reduce",
            |dag, _| reduce(dag, &Reduction::ALL, 3, &Stop::never()).unwrap(),
            false,
        ),
    ]
}

type Transform = fn(&ProofDag, Label) -> ProofDag;

fn raised(dag: &ProofDag, in_a: impl Fn(Label) -> bool, raising: Raising) -> ProofDag {
    raise_local(dag, &in_a, raising, &Stop::never()).unwrap()
}

/// The truth table of an interpolant, after its conditions.
fn judged(cnf: &Cnf, dag: &ProofDag, cut: Label, choice: &Choice) -> u64 {
    let (mut aig, inputs) = graph();
    let in_a = |label| label <= cut;
    let at = Cut {
        cnf,
        dag,
        in_a: &in_a,
        number: cut as usize,
        stop: &Stop::never(),
    };
    let edge = choice
        .interpolant(&at, &mut aig, &mut |var| inputs[var.index()])
        .unwrap();
    let found = table(&aig, edge);
    assert_eq!(clauses_table(cnf, in_a) & !found, 0, "A implies it");
    assert_eq!(
        clauses_table(cnf, |label| label > cut) & found,
        0,
        "it contradicts B"
    );
    for (index, &input) in inputs.iter().enumerate() {
        let var = craig_solver::Var::new(index);
        let is_shared = occurs(cnf, var, in_a) && occurs(cnf, var, |label| label > cut);
        let ones = variable_table(var);
        let shifted = (found & ones) >> (1 << index);
        let depends = shifted != found & !ones;
        assert!(is_shared || !depends, "only shared variables matter");
        assert!(
            is_shared || !aig.support(&[edge]).contains(&input.node()),
            "others do not occur"
        );
    }
    found
}

#[test]
#[ignore = "a thousand problems for each derivation and transform"]
fn thousand_problems_for_each() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[46; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = formulas();
    let (mut n_problems, mut n_judged, mut n_ordered, mut n_changed) =
        (0, 0, 0, vec![0; transforms().len()]);
    while n_problems < N_PROBLEMS {
        let cnf = strategy
            .new_tree(&mut runner)
            .expect("there are formulas")
            .current();
        let by_splits = refute(&cnf, &[3, 1, 4, 0, 5, 2]);
        let by_search = prove(&cnf, 0, Limits::default(), &Stop::never()).ok();
        let is_satisfiable = clauses_table(&cnf, |_| true) != 0;
        assert_eq!(
            (by_splits.is_none(), by_search.is_none()),
            (is_satisfiable, is_satisfiable)
        );
        let (Some(by_splits), Some(by_search)) = (by_splits, by_search) else {
            continue;
        };
        n_problems += 1;
        let cut = n_problems as Label % 4;
        for dag in [by_splits, by_search] {
            // The classes of variables are those of the leaves that the root needs.
            let dag = prune(&dag, &Stop::never()).unwrap();
            let plain = judged(&cnf, &dag, cut, &Choice::from(System::McMillan));
            for (index, (name, transform, strengthens)) in transforms().into_iter().enumerate() {
                let own = transform(&dag, cut);
                assert!(own.is_refutation(), "{name}");
                check_dag(&own).unwrap();
                check_leaves(&own, &cnf).unwrap();
                n_changed[index] += usize::from(own.n_steps() != dag.n_steps());
                for chain in chains() {
                    let tables = chain.iter().map(|choice| judged(&cnf, &own, cut, choice));
                    let tables: Vec<u64> = tables.collect();
                    n_judged += tables.len();
                    for pair in tables.windows(2) {
                        assert_eq!(pair[0] & !pair[1], 0, "{name}: {chain:?}");
                        n_ordered += 1;
                    }
                    if strengthens && chain[0] == Choice::from(System::McMillan) {
                        assert_eq!(tables[0] & !plain, 0, "{name}");
                    }
                }
            }
        }
    }
    println!(
        "{n_problems} problems, {n_judged} interpolants, {n_ordered} pairs ordered; proofs of another size by transform: {n_changed:?}"
    );
}
