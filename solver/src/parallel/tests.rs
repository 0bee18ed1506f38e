use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;

use craig_aig::Random;
use varisat::ExtendFormula;

use super::run::Question;
use super::*;
use crate::cnf::Cnf;
use crate::lit::Var;
use crate::proof::check::{CheckingSink, check_dag, check_leaves};
use crate::proof::lrat::LratWriter;
use crate::proof::{Encoding, Origin};

/// Everything as often as possible, and rings that are too small for what is offered.
fn eager(workers: usize, deterministic: bool) -> Settings {
    Settings {
        workers: NonZeroUsize::new(workers).unwrap(),
        deterministic,
        options: Options {
            eliminate: true,
            lucky: false,
            walk: false,
            inprocess_interval: 10,
            mode_interval: 20,
            ..Options::default()
        },
        limits: Limits::default(),
        proof: true,
        leaves: Leaves::Labels,
        tuning: Tuning {
            max_glue: 10,
            max_size: 30,
            ring_words: 64,
            interval: 1,
            latest: 5,
            round_ticks: 100,
            max_round_offers: 8,
        },
    }
}

/// Random clauses of three literals near the threshold, whose labels are their positions modulo three.
pub(super) fn threshold(random: &mut Random, n_vars: usize) -> Cnf {
    let mut cnf = Cnf::new();
    cnf.reserve_vars(n_vars);
    for index in 0..n_vars * 43 / 10 {
        let mut clause: Vec<Lit> = Vec::new();
        while clause.len() < 3 {
            let var = Var::new(random.below(n_vars));
            if clause.iter().all(|lit| lit.var() != var) {
                clause.push(var.lit(random.flip()));
            }
        }
        cnf.add_labelled_clause(&clause, index as u32 % 3);
    }
    cnf
}

/// One pigeon more than holes.
pub(super) fn pigeons(holes: usize) -> Cnf {
    let sits = |pigeon: usize, hole: usize| Var::new(holes * pigeon + hole).positive();
    let mut cnf = Cnf::new();
    for pigeon in 0..=holes {
        let all: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        cnf.add_clause(&all);
        for other in 0..pigeon {
            for hole in 0..holes {
                cnf.add_labelled_clause(&[!sits(pigeon, hole), !sits(other, hole)], 1);
            }
        }
    }
    cnf
}

fn varisat(cnf: &Cnf, assumptions: &[Lit]) -> bool {
    let literal = |lit: &Lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize);
    let mut solver = varisat::Solver::new();
    for (clause, _) in cnf.iter() {
        let clause: Vec<_> = clause.iter().map(literal).collect();
        solver.add_clause(&clause);
    }
    let assumptions: Vec<_> = assumptions.iter().map(literal).collect();
    solver.assume(&assumptions);
    solver.solve().unwrap()
}

/// Compares the answer with another solver's, and checks its evidence.
pub(super) fn assert_right(cnf: &Cnf, assumptions: &[Lit], found: &Found) {
    let expected = if varisat(cnf, assumptions) {
        Answer::Satisfiable
    } else {
        Answer::Unsatisfiable
    };
    assert_eq!(found.answer, expected);
    if expected == Answer::Satisfiable {
        assert!(cnf.is_satisfied_by(&found.model));
        return;
    }
    let Some(proof) = &found.refutation else {
        return assert_eq!(found.failed_assumptions.len(), 2);
    };
    check_dag(proof).unwrap();
    check_leaves(proof, cnf).unwrap();
    let clause = proof.clause(proof.root().unwrap());
    assert!(clause.iter().all(|lit| assumptions.contains(&!*lit)));
}

fn total(found: &Found) -> Traffic {
    let mut total = Traffic::default();
    for Worker { traffic, .. } in &found.workers {
        total.exported += traffic.exported;
        total.imported += traffic.imported;
        total.refused += traffic.refused;
        total.missed += traffic.missed;
    }
    total
}

#[test]
fn random_formulas_agree_with_varisat_whatever_the_number_of_searches() {
    let mut random = Random::new(3);
    let mut sum = Traffic::default();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..240 {
        let cnf = threshold(&mut random, 40 + round % 60);
        let settings = eager(1 + round % 4, round % 8 >= 4);
        let found = solve(&cnf, &[], &settings, &Control::default()).unwrap();
        assert_right(&cnf, &[], &found);
        match found.answer {
            Answer::Satisfiable => n_sat += 1,
            _ => n_unsat += 1,
        }
        let own = total(&found);
        sum.exported += own.exported;
        sum.imported += own.imported;
        sum.refused += own.refused;
    }
    assert!(n_sat > 60 && n_unsat > 60, "{n_sat} {n_unsat}");
    assert!(sum.imported > 1000 && sum.refused > 100, "{sum:?}");
}

#[test]
fn assumptions_fail_with_a_proof_of_their_negations() {
    let mut random = Random::new(8);
    let mut n_failed = 0;
    for round in 0..120 {
        let n_vars = 40 + round % 40;
        let cnf = threshold(&mut random, n_vars);
        let assumptions: Vec<Lit> = (0..6)
            .map(|_| Var::new(random.below(n_vars)).lit(random.flip()))
            .collect();
        let settings = eager(2 + round % 2, round % 4 >= 2);
        let found = solve(&cnf, &assumptions, &settings, &Control::default()).unwrap();
        assert_right(&cnf, &assumptions, &found);
        n_failed += usize::from(!found.failed_assumptions.is_empty());
    }
    assert!(n_failed > 20, "{n_failed}");
}

#[test]
fn proofs_use_clauses_of_several_searches_and_keep_the_labels() {
    let cnf = pigeons(7);
    let found = solve(&cnf, &[], &eager(3, true), &Control::default()).unwrap();
    assert_right(&cnf, &[], &found);
    assert!(total(&found).imported > 100);
    let proof = found.refutation.unwrap();
    let is_leaf = |label| {
        let mut leaves = (proof.vertices()).map(|vertex| proof.origin(vertex));
        leaves.any(|origin| origin == Origin::Leaf { label })
    };
    assert!(is_leaf(0) && is_leaf(1));
}

/// The bytes of the LRAT file of a refutation.
pub(super) fn lrat(cnf: &Cnf, proof: &ProofDag) -> Vec<u8> {
    let mut checker = CheckingSink::new();
    proof.report(cnf, &mut checker);
    checker.finish().unwrap();
    let mut writer = LratWriter::new(Vec::new(), Encoding::Text, cnf.n_clauses() as u32);
    proof.report(cnf, &mut writer);
    writer.finish().unwrap()
}

#[test]
fn deterministic_searches_give_equal_answers_models_and_proofs() {
    let mut random = Random::new(12);
    let mut formulas: Vec<Cnf> = (0..4).map(|_| threshold(&mut random, 80)).collect();
    formulas.push(pigeons(6));
    for cnf in &formulas {
        for workers in 2..=4 {
            let settings = Settings {
                leaves: Leaves::Positions,
                ..eager(workers, true)
            };
            let run = || {
                let found = solve(cnf, &[], &settings, &Control::default()).unwrap();
                let proof = found.refutation.map(|proof| lrat(cnf, &proof));
                (found.answer, found.winner, found.model, proof)
            };
            let first = run();
            for _ in 0..2 {
                assert!(run() == first);
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_no_answer() {
    let cnf = pigeons(12);
    for deterministic in [false, true] {
        let settings = eager(3, deterministic);
        let control = Control::default();
        // From the middle of the search on.
        let found = std::thread::scope(|scope| {
            let search = scope.spawn(|| solve(&cnf, &[], &settings, &control).unwrap());
            while control.conflicts.load(Ordering::Relaxed) < 100 {
                std::thread::yield_now();
            }
            control.interrupt.store(true, Ordering::Relaxed);
            search.join().unwrap()
        });
        assert_eq!(found.answer, Answer::Unknown);
        assert_eq!(found.reason, Some(UnknownReason::Stopped));
        // And before it begins.
        let found = solve(&cnf, &[], &settings, &control).unwrap();
        assert_eq!(found.answer, Answer::Unknown);
    }
}

#[test]
fn each_search_has_the_limits() {
    let cnf = pigeons(12);
    for deterministic in [false, true] {
        let settings = Settings {
            limits: Limits {
                conflicts: Some(200),
                propagations: None,
            },
            ..eager(3, deterministic)
        };
        let found = solve(&cnf, &[], &settings, &Control::default()).unwrap();
        assert_eq!(found.answer, Answer::Unknown);
        assert_eq!(found.reason, Some(UnknownReason::Limit));
        let conflicts = found.workers.iter().map(|own| own.statistics.conflicts);
        assert_eq!(conflicts.collect::<Vec<_>>(), [200; 3]);
    }
}

#[test]
fn a_panic_is_a_failure_and_never_an_answer() {
    for (cnf, deterministic) in [
        (pigeons(12), false),
        (pigeons(12), true),
        (pigeons(2), false),
        (pigeons(2), true),
    ] {
        let settings = eager(3, deterministic);
        let question = Question {
            cnf: &cnf,
            assumptions: &[],
            settings: &settings,
            control: &Control::default(),
            begins: &|worker| assert_ne!(worker, 1, "a panic that the test asks for"),
        };
        let outcome = question.solve();
        assert!(
            matches!(outcome, Err(ParallelError::Panicked(1))),
            "{outcome:?}"
        );
    }
}

#[test]
fn formulas_that_need_no_search_are_decided() {
    let mut empty = Cnf::new();
    empty.add_clause(&[]);
    let mut free = Cnf::new();
    free.reserve_vars(3);
    for deterministic in [false, true] {
        let settings = eager(2, deterministic);
        let answer = |cnf: &Cnf| {
            let found = solve(cnf, &[], &settings, &Control::default()).unwrap();
            assert_right(cnf, &[], &found);
            found.answer
        };
        assert_eq!(answer(&empty), Answer::Unsatisfiable);
        assert_eq!(answer(&free), Answer::Satisfiable);
    }
}
