//! The search against brute force, against another solver, and against its own proofs.

mod checked;

use checked::{Checked, Random, brute_force, lits, random_cnf};
use craig_solver::{Answer, Cnf, Lit, Solver, Var};

/// Every answer on small formulas, with assumptions, clauses being added between the calls.
#[test]
fn small_formulas_agree_with_brute_force() {
    let mut rng = Random(1);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..4000 {
        let n_vars = 1 + rng.below(9);
        let mut solver = Checked::new();
        let mut cnf = Cnf::new();
        cnf.reserve_vars(n_vars);
        solver.reserve_vars(n_vars);
        for _ in 0..1 + round % 4 {
            let n_clauses = rng.below(3 * n_vars);
            for (clause, label) in random_cnf(&mut rng, n_vars, n_clauses).iter() {
                cnf.add_labelled_clause(clause, label);
                solver.add_labelled_clause(clause, label);
            }
            let assumptions: Vec<Lit> = (0..rng.below(4))
                .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
                .collect();
            let answer = solver.solve_checked(&cnf, &assumptions);
            let expected = brute_force(&cnf, &assumptions);
            assert_eq!(
                answer == Answer::Satisfiable,
                expected,
                "{cnf:?} {assumptions:?}"
            );
            if expected { n_sat += 1 } else { n_unsat += 1 }
        }
    }
    assert!(n_sat > 1000 && n_unsat > 1000, "{n_sat} {n_unsat}");
}

/// Random 3-SAT near the threshold, where both answers are about as likely.
#[test]
fn threshold_formulas_agree_with_varisat() {
    let mut rng = Random(2);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..600 {
        let n_vars = 20 + round % 60;
        let mut cnf = Cnf::new();
        for _ in 0..n_vars * 43 / 10 {
            let mut clause = Vec::new();
            while clause.len() < 3 {
                let lit = Var::new(rng.below(n_vars)).lit(rng.flip());
                if clause.iter().all(|other: &Lit| other.var() != lit.var()) {
                    clause.push(lit);
                }
            }
            cnf.add_clause(&clause);
        }
        let mut solver = Checked::new();
        solver.add_cnf(&cnf);
        let answer = solver.solve_checked(&cnf, &[]);
        let expected = checked::varisat(&cnf, &[]);
        assert_eq!(answer == Answer::Satisfiable, expected);
        if expected { n_sat += 1 } else { n_unsat += 1 }
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
}

#[test]
fn clashing_assumptions_have_no_clause() {
    let mut solver = Checked::new();
    let cnf = Cnf::new();
    let assumptions = lits(&[1, 2, -1]);
    assert_eq!(
        solver.solve_checked(&cnf, &assumptions),
        Answer::Unsatisfiable
    );
    assert_eq!(solver.solver.refutation(), None);
    assert_eq!(solver.solver.failed_assumptions().len(), 2);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
}

#[test]
fn clauses_may_repeat_clash_or_be_empty() {
    let mut solver = Checked::new();
    let mut cnf = Cnf::new();
    for clause in [
        &[1, 1, 2][..],
        &[1, -1],
        &[-2, -2],
        &[-1, 3, 3],
        &[-3, 2, 1],
    ] {
        cnf.add_clause(&lits(clause));
        solver.add_clause(&lits(clause));
    }
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
    assert_eq!(
        solver.solve_checked(&cnf, &lits(&[-3])),
        Answer::Unsatisfiable
    );
    assert!(!solver.solver.is_inconsistent());
    cnf.add_clause(&[]);
    solver.add_clause(&[]);
    assert!(solver.solver.is_inconsistent());
    assert_eq!(
        solver.solve_checked(&cnf, &lits(&[-3])),
        Answer::Unsatisfiable
    );
    assert!(solver.solver.failed_assumptions().is_empty());
}

#[test]
fn contradicting_units_are_refuted_in_solve() {
    let mut solver = Checked::new();
    let mut cnf = Cnf::new();
    for clause in [&[1][..], &[-1], &[-1, 2]] {
        cnf.add_clause(&lits(clause));
        solver.add_clause(&lits(clause));
    }
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Unsatisfiable);
    assert!(solver.solver.is_inconsistent());
}

#[test]
fn values_of_the_last_model_outlive_later_additions() {
    let mut solver = Solver::new();
    let a = solver.new_var().positive();
    assert_eq!(solver.value(a), None);
    solver.add_clause(&[a]);
    assert_eq!(solver.solve(&[]), Answer::Satisfiable);
    let b = solver.new_var().positive();
    solver.add_clause(&[!a, b]);
    assert_eq!(solver.value(a), Some(true));
    assert_eq!(solver.value(!a), Some(false));
    assert_eq!(solver.value(b), None);
    assert_eq!(solver.solve(&[!b]), Answer::Unsatisfiable);
    assert_eq!(solver.value(a), Some(true));
}
