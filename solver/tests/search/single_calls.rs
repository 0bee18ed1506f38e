//! Single calls: temporary clauses, assumptions, limits, and what is learned and forgotten.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use craig_solver::{Answer, Cnf, Limits, Lit, Options, Solver, Var};

use super::checked::{Checked, Random, brute_force, lits, random_cnf, uniform_clauses, varisat};
use super::{add_search, eager_with_all_variables};

/// Temporary clauses hold for one call, and clauses learned from them are removed.
#[test]
fn temporary_clauses_are_forgotten() {
    let mut rng = Random::new(3);
    let mut n_unsat = 0;
    for round in 0..1500 {
        let n_vars = 4 + rng.below(8);
        let mut cnf = random_cnf(&mut rng, n_vars, n_vars);
        cnf.reserve_vars(n_vars);
        let mut solver = Solver::new();
        solver.add_cnf(&cnf);
        for call in 0..6 {
            if round % 2 == 0 && call == 3 {
                for (clause, _) in random_cnf(&mut rng, n_vars, n_vars / 2).iter() {
                    cnf.add_clause(clause);
                    solver.add_clause(clause);
                }
                solver = solver.clone();
            }
            let mut both = cnf.clone();
            let n_temporary = rng.below(n_vars);
            for (clause, _) in random_cnf(&mut rng, n_vars, n_temporary).iter() {
                both.add_clause(clause);
                solver.add_temporary_clause(clause);
            }
            let assumptions: Vec<Lit> = (0..rng.below(4))
                .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
                .collect();
            let answer = solver.solve(&assumptions);
            let expected = brute_force(&both, &assumptions);
            assert_eq!(answer == Answer::Satisfiable, expected);
            if expected {
                let model: Vec<bool> = (0..n_vars)
                    .map(|var| solver.value(Var::new(var).positive()).unwrap())
                    .collect();
                assert!(both.is_satisfied_by(&model));
            } else {
                n_unsat += 1;
                let failed = solver.failed_assumptions();
                assert!(failed.iter().all(|lit| assumptions.contains(lit)));
                assert!(!brute_force(&both, failed));
            }
        }
    }
    assert!(n_unsat > 500, "{n_unsat}");
}

/// Long calls have many learned clauses, tainted and not.
#[test]
fn temporary_clauses_are_forgotten_in_long_calls_too() {
    let mut rng = Random::new(4);
    for _ in 0..40 {
        let n_vars = 60;
        let mut cnf = Cnf::new();
        let mut solver = Solver::new();
        for clause in uniform_clauses(&mut rng, n_vars, 3 * n_vars) {
            cnf.add_clause(&clause);
            solver.add_clause(&clause);
        }
        for _ in 0..8 {
            let mut both = cnf.clone();
            for clause in uniform_clauses(&mut rng, n_vars, 5 * n_vars / 4) {
                both.add_clause(&clause);
                solver.add_temporary_clause(&clause);
            }
            let answer = solver.solve(&[]);
            assert_eq!(answer == Answer::Satisfiable, varisat(&both, &[]));
        }
        let answer = solver.solve(&[]);
        assert_eq!(answer == Answer::Satisfiable, varisat(&cnf, &[]));
    }
}

/// Restricting decisions to a circuit's cone gives the same answers.
#[test]
fn a_domain_closed_under_fan_in_decides_alike() {
    let mut rng = Random::new(5);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for _ in 0..300 {
        let (n_inputs, n_gates) = (6, 60);
        let mut solver = Solver::new();
        let mut whole = Solver::new();
        let mut fan_in: Vec<Vec<usize>> = vec![Vec::new(); n_inputs];
        for gate in n_inputs..n_inputs + n_gates {
            let operands: Vec<usize> = (0..2).map(|_| rng.below(gate)).collect();
            let inputs = [0, 1].map(|i| Var::new(operands[i]).lit(rng.flip()));
            let output = Var::new(gate).positive();
            for clause in [
                &[!output, inputs[0]][..],
                &[!output, inputs[1]],
                &[output, !inputs[0], !inputs[1]],
            ] {
                solver.add_clause(clause);
                whole.add_clause(clause);
            }
            fan_in.push(operands);
        }
        for _ in 0..10 {
            let roots: Vec<usize> = (0..3).map(|_| rng.below(n_inputs + n_gates)).collect();
            let mut domain: Vec<Var> = Vec::new();
            let mut stack = roots.clone();
            while let Some(node) = stack.pop() {
                if !domain.contains(&Var::new(node)) {
                    domain.push(Var::new(node));
                    stack.extend(&fan_in[node]);
                }
            }
            solver.set_domain(&domain);
            let assumptions: Vec<Lit> = roots
                .iter()
                .map(|&root| Var::new(root).lit(rng.flip()))
                .collect();
            let answer = solver.solve(&assumptions);
            assert_eq!(answer, whole.solve(&assumptions));
            if answer == Answer::Satisfiable {
                n_sat += 1;
                assert!(
                    domain
                        .iter()
                        .all(|var| solver.value(var.positive()).is_some())
                );
            } else {
                n_unsat += 1;
            }
        }
        solver.clear_domain();
        assert_eq!(solver.solve(&[]), Answer::Satisfiable);
        assert!(
            (0..n_inputs + n_gates).all(|var| solver.value(Var::new(var).positive()).is_some())
        );
    }
    assert!(n_sat > 500 && n_unsat > 300, "{n_sat} {n_unsat}");
}

#[test]
fn limits_and_interrupts_end_a_call() {
    let mut rng = Random::new(6);
    let mut solver = Solver::new();
    for clause in uniform_clauses(&mut rng, 180, 770) {
        solver.add_clause(&clause);
    }
    solver.set_limits(Limits {
        conflicts: Some(50),
        propagations: None,
    });
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    assert_eq!(solver.statistics().conflicts, 50);
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    assert_eq!(solver.statistics().conflicts, 100);
    solver.set_limits(Limits {
        conflicts: None,
        propagations: Some(10),
    });
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    solver.set_limits(Limits::default());
    let flag = Arc::new(AtomicBool::new(true));
    solver.set_interrupt(flag.clone());
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    flag.store(false, Ordering::Relaxed);
    let mut calls = 0;
    solver.set_stop_callback(Some(Box::new(move || {
        calls += 1;
        calls > 2
    })));
    assert_eq!(solver.solve(&[]), Answer::Unknown);
    solver.set_stop_callback(None);
    assert_ne!(solver.solve(&[]), Answer::Unknown);
    let statistics = solver.statistics();
    assert_eq!(statistics.solves, 6);
    assert!(statistics.propagations > statistics.decisions);
    assert!(statistics.restarts > 0 && statistics.reductions > 0);
    assert!(statistics.learned_literals >= statistics.learned_clauses);
}

/// Every assumption gets a level, even if it is already true, so there may be more levels than variables.
#[test]
fn assumptions_may_repeat_more_often_than_there_are_variables() {
    let mut solver = Solver::new();
    for clause in [[2, 3], [2, -3], [-2, 3], [-2, -3]] {
        solver.add_clause(&lits(&clause));
    }
    assert_eq!(solver.solve(&lits(&[1; 10])), Answer::Unsatisfiable);
    assert!(solver.is_inconsistent());
}

/// 1 → 2, 3, 4 by binary clauses, then 5 by 2, 3, 4, and 6 by 1 and 5. The clause of 1 → 6 replaces the one
/// with 1, 5 and 6.
#[test]
fn what_a_probe_implies_is_learned_as_binary_clauses() {
    let mut cnf = Cnf::new();
    cnf.reserve_vars(6);
    let clauses: [&[i64]; 5] = [&[-1, 2], &[-1, 3], &[-1, 4], &[-2, -3, -4, 5], &[-1, -5, 6]];
    for clause in clauses {
        cnf.add_clause(&lits(clause));
    }
    add_search(&mut cnf, 7, 8);
    let mut solver = Checked::with_options(eager_with_all_variables());
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
    let statistics = solver.solver.statistics();
    assert_eq!(statistics.hyper_binaries, 2, "{statistics:?}");
}

/// 1 → 3 follows from 1 → 2 → 3, but neither of 2 → 3 and 3 → 2 from the other.
#[test]
fn transitive_implications_are_removed_and_others_stay() {
    let mut cnf = Cnf::new();
    for clause in [[-1, 2], [-2, 3], [-3, 2], [-1, 3]] {
        cnf.add_clause(&lits(&clause));
    }
    let mut solver = Checked::with_options(eager_with_all_variables());
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
    assert_eq!(solver.solver.statistics().transitive_clauses, 1);
    for (assumptions, expected) in [
        (&[1, -3][..], Answer::Unsatisfiable),
        (&[1, -2], Answer::Unsatisfiable),
        (&[2, -3], Answer::Unsatisfiable),
        (&[-2, 3], Answer::Unsatisfiable),
        (&[-1, 3], Answer::Satisfiable),
    ] {
        assert_eq!(solver.solve_checked(&cnf, &lits(assumptions)), expected);
    }
}

/// A deletion in a DRAT file has to repeat the literals of the clause, including repeated ones.
#[test]
fn a_clause_with_a_repeated_literal_is_deleted_as_it_was_added() {
    use craig_solver::proof::drat::DratWriter;
    use craig_solver::proof::{Encoding, Traced};
    let mut writer = DratWriter::new(Vec::new(), Encoding::Text);
    let mut solver = Solver::with_proof(Options::default(), Traced::new(&mut writer));
    solver.add_clause(&lits(&[1, 1, 2]));
    solver.add_clause(&lits(&[2, 3, 2, 3, 4]));
    assert_eq!(solver.solve(&[]), Answer::Satisfiable);
    // The first is shortened to a unit clause, the second is satisfied.
    solver.add_clause(&lits(&[-1]));
    for _ in 0..200 {
        assert_eq!(solver.solve(&[]), Answer::Satisfiable);
    }
    drop(solver);
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let deleted: Vec<Vec<Lit>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("d "))
        .map(|line| {
            let mut numbers: Vec<i64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            assert_eq!(numbers.pop(), Some(0));
            numbers.sort_unstable();
            lits(&numbers)
        })
        .collect();
    assert!(deleted.contains(&lits(&[1, 1, 2])), "{text}");
    assert!(deleted.contains(&lits(&[2, 2, 3, 3, 4])), "{text}");
}

/// No later proof uses the clauses that earlier calls derived for their failed assumptions, so the log may
/// drop them.
#[test]
fn a_log_drops_the_clauses_of_earlier_failed_assumptions() {
    use craig_solver::proof::ProofLog;
    let mut rng = Random::new(21);
    let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
    for clause in uniform_clauses(&mut rng, 120, 480) {
        solver.add_clause(&clause);
    }
    let mut roots = Vec::new();
    for _ in 0..1000 {
        let assumptions: Vec<Lit> = (0..12)
            .map(|_| Var::new(rng.below(120)).lit(rng.flip()))
            .collect();
        if solver.solve(&assumptions) != Answer::Unsatisfiable {
            continue;
        }
        // The proof is kept until the next call.
        let Some(root) = solver.refutation() else {
            continue;
        };
        let dag = solver.proof().trim(root);
        let mut clause = dag.clause(dag.root().unwrap()).to_vec();
        clause.sort_unstable();
        let failed = solver.failed_assumptions();
        let mut negated: Vec<Lit> = failed.iter().map(|&lit| !lit).collect();
        negated.sort_unstable();
        assert_eq!(clause, negated);
        // A single one may be a unit clause of level 0.
        if failed.len() > 1 {
            roots.push(root);
        }
    }
    assert!(roots.len() > 500, "{}", roots.len());
    assert_eq!(solver.solve(&[]), Answer::Satisfiable);
    solver.proof_mut().collect_garbage();
    assert!(roots.iter().all(|&root| !solver.proof().contains(root)));
}

/// The antecedents are originals, so without learned clauses the log may keep nothing else.
#[test]
fn clauses_of_failed_assumptions_are_released() {
    use craig_solver::proof::ProofLog;
    let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
    let x = |index: usize| Var::new(index).positive();
    for index in 0..50 {
        solver.add_clause(&[!x(index), x(index + 1)]);
    }
    for _ in 0..1000 {
        assert_eq!(solver.solve(&[x(0), !x(50)]), Answer::Unsatisfiable);
        let root = solver.refutation().unwrap();
        assert_eq!(solver.proof().trim(root).n_vertices(), 51);
    }
    solver.proof_mut().collect_garbage();
    assert_eq!(solver.proof().n_clauses(), 51);
}
