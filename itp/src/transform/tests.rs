use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use craig_solver::proof::check::{check_dag, check_leaves};
use craig_solver::proof::{ProofDag, ProofLog};
use craig_solver::{Answer, Cnf, Label, Lit, Options, Solver, Var};
use proptest::prelude::*;

use super::binary::Binary;
use super::recycle_pivots::recycle_pivots_within;
use super::tests_by_hand::pivots;
use super::{Raiser, Raising, Reduction};
use crate::fixtures::{clauses_table, deep_proof, formulas, graph, merge_chains, refute, table};
use crate::stop::Poll;
use crate::{Stop, Stopped, System, interpolant};

// The transforms, never stopped.

fn prune(dag: &ProofDag) -> ProofDag {
    super::prune(dag, &Stop::never()).unwrap()
}

pub(super) fn raise_local(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    raising: Raising,
) -> ProofDag {
    super::raise_local(dag, in_a, raising, &Stop::never()).unwrap()
}

pub(super) fn recycle_pivots(dag: &ProofDag) -> ProofDag {
    super::recycle_pivots(dag, &Stop::never()).unwrap()
}

pub(super) fn recycle_units(dag: &ProofDag, max_visits: u64) -> ProofDag {
    super::recycle_units(dag, max_visits, &Stop::never()).unwrap()
}

pub(super) fn lower_units(dag: &ProofDag) -> ProofDag {
    super::lower_units(dag, &Stop::never()).unwrap()
}

pub(super) fn apply(reduction: Reduction, dag: &ProofDag) -> ProofDag {
    reduction.apply(dag, &Stop::never()).unwrap()
}

fn reduce(dag: &ProofDag, reductions: &[Reduction], max_rounds: usize) -> ProofDag {
    super::reduce(dag, reductions, max_rounds, &Stop::never()).unwrap()
}

fn assert_refutes(dag: &ProofDag, cnf: &Cnf) {
    assert!(dag.is_refutation());
    assert_eq!(check_dag(dag), Ok(()));
    assert_eq!(check_leaves(dag, cnf), Ok(()));
    assert_eq!(
        dag.n_vertices(),
        prune(dag).n_vertices(),
        "the root does not depend on a part of the result"
    );
}

/// The truth table of an interpolant, after a comparison with those of A and B.
fn interpolant_table(dag: &ProofDag, cnf: &Cnf, cut: Label, system: System) -> u64 {
    let in_a = |label| label <= cut;
    let (mut aig, edges) = graph();
    let leaf = &mut |var: Var| edges[var.index()];
    let edge = interpolant(dag, &in_a, system, &mut aig, leaf, &Stop::never()).unwrap();
    let result = table(&aig, edge);
    assert_eq!(clauses_table(cnf, in_a) & !result, 0, "A implies it");
    assert_eq!(
        clauses_table(cnf, |l| !in_a(l)) & result,
        0,
        "B contradicts it"
    );
    result
}

pub(super) const SHRINKING: Raising = Raising {
    shrink: true,
    max_literals: 1 << 28,
    max_growth: usize::MAX,
};

fn orders() -> impl Strategy<Value = Vec<usize>> {
    Just((0..6).collect::<Vec<_>>()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn reductions_never_enlarge_a_proof(cnf in formulas(), order in orders(), merge in any::<bool>()) {
        if let Some(dag) = refute(&cnf, &order) {
            let dag = if merge { merge_chains(&prune(&dag)) } else { prune(&dag) };
            for reduction in Reduction::EVERY {
                let reduced = apply(reduction, &dag);
                assert_refutes(&reduced, &cnf);
                prop_assert!(reduced.n_steps() <= dag.n_steps(), "{reduction:?}");
                for system in System::ALL {
                    interpolant_table(&reduced, &cnf, 2, system);
                }
            }
            let reduced = reduce(&dag, &Reduction::ALL, 10);
            assert_refutes(&reduced, &cnf);
            for reduction in Reduction::ALL {
                prop_assert!(apply(reduction, &reduced).n_steps() >= reduced.n_steps());
            }
        }
    }

    #[test]
    fn raising_strengthens(cnf in formulas(), order in orders(), cut in 0..4 as Label) {
        if let Some(dag) = refute(&cnf, &order) {
            let dag = merge_chains(&prune(&dag));
            let in_a = |label| label <= cut;
            let raised = raise_local(&dag, &in_a, Raising::default());
            assert_refutes(&raised, &cnf);
            let before = interpolant_table(&dag, &cnf, cut, System::McMillan);
            let after = interpolant_table(&raised, &cnf, cut, System::McMillan);
            prop_assert_eq!(after & !before, 0, "weaker");
            // The dual, for the variables of B, weakens.
            let weakened = raise_local(&dag, &|label| label > cut, Raising::default());
            assert_refutes(&weakened, &cnf);
            for system in System::ALL {
                let before = interpolant_table(&dag, &cnf, cut, system);
                let [stronger, weaker] =
                    [&raised, &weakened].map(|dag| interpolant_table(dag, &cnf, cut, system));
                prop_assert_eq!(stronger & !before, 0, "raising weakens {:?}", system);
                prop_assert_eq!(before & !weaker, 0, "the dual strengthens {:?}", system);
            }
            // With exchanges that lose literals it is still an interpolant.
            let raised = raise_local(&dag, &in_a, SHRINKING);
            assert_refutes(&raised, &cnf);
            for system in System::ALL {
                interpolant_table(&raised, &cnf, cut, system);
            }
        }
    }

    /// The result is a proof when a bound ends the transform early.
    #[test]
    fn raising_may_end_early(cnf in formulas(), order in orders(), extra in 0usize..40) {
        if let Some(dag) = refute(&cnf, &order) {
            let dag = merge_chains(&prune(&dag));
            let literals: usize = dag.vertices().map(|vertex| dag.clause(vertex).len()).sum();
            for shrink in [false, true] {
                let raising = Raising {
                    shrink,
                    max_literals: literals + extra,
                    max_growth: usize::MAX,
                };
                assert_refutes(&raise_local(&dag, &|label| label <= 1, raising), &cnf);
            }
            for max_growth in 1..4 {
                let raising = Raising { max_growth, ..SHRINKING };
                assert_refutes(&raise_local(&dag, &|label| label <= 1, raising), &cnf);
            }
            prop_assert!(recycle_units(&dag, extra as u64 / 8).is_refutation());
        }
    }
}

/// Random numbers for formulas that are too large for truth tables.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

/// Random 3-CNF with many variables that occur on one side only.
fn two_sided_formula(random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    // Side 0 has variables 0 to 39, side 1 has variables 30 to 69.
    for _ in 0..420 {
        let label = random.below(2);
        let clause: Vec<Lit> = (0..3)
            .map(|_| {
                let var = 30 * label + random.below(40);
                Var::new(var as usize).lit(random.below(2) == 0)
            })
            .collect();
        cnf.add_labelled_clause(&clause, label as Label);
    }
    cnf
}

fn solve(cnf: &Cnf) -> Option<ProofDag> {
    let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
    solver.add_cnf(cnf);
    (solver.solve(&[]) == Answer::Unsatisfiable).then(|| {
        let root = solver.refutation().expect("an answer with a proof");
        solver.proof().trim(root)
    })
}

#[test]
fn proofs_of_a_search_survive_every_transform() {
    let mut random = Random(1);
    let (mut n_proofs, mut n_smaller, mut n_found_less) = (0, 0, 0);
    let mut n_smaller_by = [0; Reduction::EVERY.len()];
    for _ in 0..60 {
        let cnf = two_sided_formula(&mut random);
        let Some(dag) = solve(&cnf) else {
            continue;
        };
        n_proofs += 1;
        assert_refutes(&dag, &cnf);
        let in_a = |label| label == 0;
        for (reduction, n) in Reduction::EVERY.into_iter().zip(&mut n_smaller_by) {
            let reduced = apply(reduction, &dag);
            assert_refutes(&reduced, &cnf);
            assert!(reduced.n_steps() <= dag.n_steps());
            *n += usize::from(reduced.n_steps() < dag.n_steps());
        }
        let all = recycle_pivots(&dag);
        for (max_propagated, max_waiting) in [(0, 1000), (100, 1000), (1 << 20, 0), (1 << 20, 20)] {
            let recycled =
                recycle_pivots_within(&dag, max_propagated, max_waiting, &Stop::never()).unwrap();
            assert_refutes(&recycled, &cnf);
            assert!(recycled.n_steps() <= dag.n_steps());
            n_found_less += usize::from(recycled.n_steps() > all.n_steps());
        }
        let reduced = reduce(&dag, &Reduction::ALL, 3);
        assert_refutes(&reduced, &cnf);
        n_smaller += usize::from(reduced.n_steps() < dag.n_steps());
        for raising in [Raising::default(), SHRINKING] {
            for proof in [&dag, &reduced] {
                let raised = raise_local(proof, &in_a, raising);
                assert_refutes(&raised, &cnf);
            }
        }
    }
    assert!(n_proofs >= 30 && n_smaller > n_proofs / 2);
    assert!(n_found_less > 0, "the bounds bind nowhere");
    // The search derives no clause twice.
    let is_smaller = |(reduction, n)| reduction == Reduction::MergeEqual || n > 0;
    let mut found = Reduction::EVERY.into_iter().zip(n_smaller_by);
    assert!(found.all(is_smaller), "{n_smaller_by:?}");
}

/// Raising for several choices of A gives each the proof that raising for it alone gives, and a bound on what is
/// derived is one on all of them together.
#[test]
fn one_raiser_serves_several_choices() {
    let mut random = Random(7);
    let (mut n_raised, mut n_bounded) = (0, 0);
    for _ in 0..40 {
        let plain = two_sided_formula(&mut random);
        // Both sides are A once, in halves of their clauses.
        let mut cnf = Cnf::new();
        for (clause, label) in plain.iter() {
            cnf.add_labelled_clause(clause, 2 * label + random.below(2) as Label);
        }
        let Some(dag) = solve(&cnf) else {
            continue;
        };
        let root = dag.root().unwrap();
        let stop = Stop::never();
        let mut poll = Poll::new(&stop).unwrap();
        let binary = Binary::new(&dag, root, usize::MAX, &mut poll).unwrap();
        let n_literals = binary.unwrap().n_literals();
        let part = |part: Label| move |label: Label| label == part;
        let side = |side: Label| move |label: Label| label / 2 == side;
        let (part, side) = ([0, 1, 2, 3].map(part), [0, 1].map(side));
        let choices: Vec<&dyn Fn(Label) -> bool> =
            (part.iter().map(|part| part as &dyn Fn(_) -> _))
                .chain(side.iter().map(|side| side as &dyn Fn(_) -> _))
                .collect();
        let mut raiser = Raiser::new(&dag, choices.len(), SHRINKING, &stop).unwrap();
        let tight = Raising {
            max_growth: 1,
            ..Raising::BOUNDED
        };
        let mut bounded = Raiser::new(&dag, choices.len(), tight, &stop).unwrap();
        let mut n_more = 0;
        for in_a in &choices {
            let alone = raise_local(&dag, in_a, SHRINKING);
            let raised = raiser.raise(in_a, &stop).unwrap();
            n_raised += usize::from(raised.is_some());
            let raised = raised.unwrap_or_else(|| dag.clone());
            assert_refutes(&raised, &cnf);
            assert_eq!(pivots(&raised), pivots(&alone));
            if let Some(raised) = bounded.raise(in_a, &stop).unwrap() {
                assert_refutes(&raised, &cnf);
                n_more += raised.n_steps().saturating_sub(dag.n_steps());
                n_bounded += usize::from(raised.n_steps() < alone.n_steps());
            }
        }
        // The last exchange before the bound derives at most two clauses.
        assert!(n_more <= n_literals + 2 * choices.len());
    }
    assert!(n_raised > 0 && n_bounded > 0, "{n_raised} {n_bounded}");
}

/// A proof as deep as it has vertices: a recursive transform would overflow the stack.
#[test]
fn deep_proofs_need_no_stack() {
    let dag = deep_proof(100_000);
    let raised = raise_local(&dag, &|label| label == 0, SHRINKING);
    assert_eq!(check_dag(&raised), Ok(()));
    let reduced = reduce(&dag, &[Reduction::LowerUnits, Reduction::RecyclePivots], 2);
    assert_eq!(check_dag(&reduced), Ok(()));
    assert!(recycle_units(&dag, 1000).is_refutation());
}

/// Every transform ends with an error at whichever evaluation the condition holds first.
#[test]
fn transforms_can_be_stopped_at_every_poll() {
    type Apply = dyn Fn(&ProofDag, &Stop) -> Result<ProofDag, Stopped>;
    let raise =
        |dag: &ProofDag, stop: &Stop| super::raise_local(dag, &|label| label == 0, SHRINKING, stop);
    let transforms: [(&str, &Apply); 9] = [
        ("prune", &|dag, stop| super::prune(dag, stop)),
        ("raise_local", &raise),
        ("recycle_pivots", &|dag, stop| {
            super::recycle_pivots(dag, stop)
        }),
        ("recycle_units", &|dag, stop| {
            super::recycle_units(dag, 1000, stop)
        }),
        ("lower_units", &|dag, stop| super::lower_units(dag, stop)),
        ("lower_univalents", &|dag, stop| {
            super::lower_univalents(dag, stop)
        }),
        ("merge_equal", &|dag, stop| super::merge_equal(dag, stop)),
        ("rewrite_local", &|dag, stop| {
            super::rewrite_local(dag, stop)
        }),
        ("reduce", &|dag, stop| {
            super::reduce(dag, &Reduction::ALL, 2, stop)
        }),
    ];
    let dag = deep_proof(3_000);
    for (name, apply) in transforms {
        let run = |n_polls: usize| {
            let n_asked = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&n_asked);
            let stop = Stop::when(move || count.fetch_add(1, Ordering::Relaxed) == n_polls);
            let result = apply(&dag, &stop);
            (
                result.map(|dag| dag.is_refutation()),
                n_asked.load(Ordering::Relaxed),
            )
        };
        let (result, n_polls) = run(usize::MAX);
        assert_eq!(result, Ok(true), "{name}");
        assert!(
            n_polls >= 3,
            "{name} evaluates the condition {n_polls} times"
        );
        for at in 0..n_polls {
            assert_eq!(run(at), (Err(Stopped), at + 1), "{name}");
        }
    }
}
