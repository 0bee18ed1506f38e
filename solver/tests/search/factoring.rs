//! Factoring: fewer clauses with new variables, by definitions that checkers of proofs accept.

use super::checked::{Random, uniform_clauses, varisat};
use craig_solver::cdcl::decide;
use craig_solver::proof::check::{CheckError, CheckingSink, RupChecker};
use craig_solver::proof::import::{check_lrat, import_lrat};
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::{Encoding, NoProof, ProofLog, ProofSink, Traced};
use craig_solver::{Answer, Cnf, Lit, Options, Solver, Var};

/// Every technique but sweeping, which refutes small formulas before their clauses are factored.
fn eager() -> Options {
    Options {
        sweep: false,
        ..super::eager()
    }
}

/// Each pigeon has a hole, and no two have the same.
fn pigeonhole(n_pigeons: usize, n_holes: usize) -> Cnf {
    let lit = |pigeon: usize, hole: usize| Var::new(pigeon * n_holes + hole).positive();
    let mut cnf = Cnf::new();
    for pigeon in 0..n_pigeons {
        let holes: Vec<Lit> = (0..n_holes).map(|hole| lit(pigeon, hole)).collect();
        cnf.add_clause(&holes);
    }
    for hole in 0..n_holes {
        for second in 0..n_pigeons {
            for first in 0..second {
                cnf.add_clause(&[!lit(first, hole), !lit(second, hole)]);
            }
        }
    }
    cnf
}

/// Random clauses, and products of literals over different variables, some of whose clauses are there twice.
fn products(rng: &mut Random, n_vars: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let n_clauses = rng.below(4 * n_vars);
    for clause in uniform_clauses(rng, n_vars, n_clauses) {
        cnf.add_clause(&clause);
    }
    for _ in 0..1 + rng.below(3) {
        let first = rng.below(n_vars);
        let mut vars = (0..n_vars).map(|offset| Var::new((first + offset) % n_vars));
        let mut lits = |n: usize| -> Vec<Lit> {
            vars.by_ref()
                .take(n)
                .map(|var| var.lit(rng.flip()))
                .collect()
        };
        let (factors, quotients) = (lits(4), lits(5));
        for (index, factor) in factors.iter().enumerate() {
            for quotient in &quotients {
                for _ in 0..1 + usize::from(index == 0) {
                    cnf.add_clause(&[*quotient, *factor]);
                }
            }
        }
    }
    cnf
}

fn solve<P: ProofSink>(cnf: &Cnf, options: Options, sink: P) -> (Answer, Solver<P>) {
    let mut solver = Solver::with_proof(options, sink);
    solver.add_cnf(cnf);
    solver.close_variables();
    (solver.solve(&[]), solver)
}

fn lrat(cnf: &Cnf, encoding: Encoding) -> Vec<u8> {
    let mut sink = LratWriter::new(Vec::new(), encoding, cnf.n_clauses() as u32);
    let decided = decide(cnf, eager(), &mut sink);
    assert_eq!(decided.answer, Answer::Unsatisfiable);
    sink.finish().unwrap()
}

#[test]
fn answers_are_right_and_steps_are_accepted() {
    let mut rng = Random::new(8);
    let (mut n_added, mut answers) = (0, [0, 0]);
    for round in 0..400 {
        let n_vars = 12 + rng.below(8);
        let cnf = products(&mut rng, n_vars);
        let options = Options {
            eliminate: round % 2 == 0,
            congruence: round % 3 == 0,
            inprocess_interval: round % 2 * 2000,
            lucky: false,
            seed: round,
            ..eager()
        };
        let mut checker = CheckingSink::new();
        let (answer, solver) = solve(&cnf, options, Traced::new(&mut checker));
        assert_eq!(answer == Answer::Satisfiable, varisat(&cnf, &[]));
        n_added += solver.statistics().added_variables;
        answers[usize::from(answer == Answer::Satisfiable)] += 1;
        if answer == Answer::Satisfiable {
            let value = |var| solver.value(Var::new(var).positive()).unwrap();
            let model: Vec<bool> = (0..cnf.n_vars()).map(value).collect();
            assert!(cnf.is_satisfied_by(&model));
        }
        let refutation = solver.refutation();
        drop(solver);
        assert_eq!(checker.finish(), Ok(()), "round {round}");
        if answer == Answer::Unsatisfiable {
            assert!(checker.is_empty_clause(refutation.unwrap()));
            for encoding in [Encoding::Text, Encoding::Binary] {
                assert!(check_lrat(&cnf, &lrat(&cnf, encoding)[..]).is_ok());
            }
        }
    }
    assert!(
        n_added > 100 && answers.iter().all(|&n| n > 20),
        "{n_added} {answers:?}"
    );
}

#[test]
fn later_calls_may_use_the_variables_of_the_caller() {
    let mut rng = Random::new(9);
    for round in 0..200 {
        let mut cnf = products(&mut rng, 12);
        let mut checker = CheckingSink::new();
        let (_, mut solver) = solve(&cnf, eager(), Traced::new(&mut checker));
        for _ in 0..4 {
            let mut lits: Vec<Lit> = (0..2)
                .map(|_| Var::new(rng.below(12)).lit(rng.flip()))
                .collect();
            cnf.add_clause(&lits);
            solver.add_clause(&lits);
            lits.truncate(1);
            let answer = solver.solve(&lits);
            assert_eq!(
                answer == Answer::Satisfiable,
                varisat(&cnf, &lits),
                "round {round}"
            );
        }
        drop(solver);
        assert_eq!(checker.finish(), Ok(()));
    }
}

#[test]
fn pigeonholes_take_few_conflicts_with_definitions() {
    let cnf = pigeonhole(8, 7);
    let mut checker = CheckingSink::new();
    let decided = decide(&cnf, Options::default(), &mut checker);
    assert_eq!(
        (decided.answer, checker.finish()),
        (Answer::Unsatisfiable, Ok(()))
    );
    let (with, added) = (
        decided.statistics.conflicts,
        decided.statistics.added_variables,
    );
    let plain = Options {
        factor: false,
        ..Options::default()
    };
    let (_, solver) = solve(&cnf, plain, NoProof);
    assert_eq!(solver.statistics().added_variables, 0);
    assert!(added > 0 && 4 * with < solver.statistics().conflicts);
}

/// In a circuit there are products too: of conjunctions that share inputs.
#[test]
fn circuits_are_not_factored() {
    let input = |n: usize| Var::new(n).positive();
    for (n_gates, is_factored) in [(0, true), (8, false)] {
        let mut cnf = Cnf::new();
        // Outputs 8 to 15 and inputs 0 to 7.
        for gate in 8..16 {
            let inputs = (0..8).filter(|n| n + 8 != gate);
            let mut long: Vec<Lit> = inputs.clone().map(|n| !input(n)).collect();
            for n in inputs {
                cnf.add_clause(&[!input(gate), input(n)]);
            }
            long.push(input(gate));
            if gate - 8 < n_gates {
                cnf.add_clause(&long);
            }
        }
        // No variable is decided at once.
        cnf.add_clause(&[input(8), input(9), input(10)]);
        let options = Options {
            eliminate: false,
            inprocess_interval: 2000,
            lucky: false,
            ..eager()
        };
        let (answer, solver) = solve(&cnf, options, NoProof);
        assert_eq!(answer, Answer::Satisfiable);
        assert_eq!(solver.statistics().added_variables > 0, is_factored);
    }
}

#[test]
fn no_variable_is_added_unannounced_or_for_a_proof_by_resolution() {
    let cnf = pigeonhole(7, 6);
    // Without further variables many conflicts are needed, and a round after each would take long.
    let options = Options {
        inprocess_interval: 2000,
        ..eager()
    };
    let (_, solver) = solve(&cnf, options.clone(), ProofLog::new());
    assert_eq!(solver.statistics().added_variables, 0);
    let mut solver = Solver::with_proof(options, NoProof);
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
    assert_eq!(solver.statistics().added_variables, 0);
    let text = lrat(&cnf, Encoding::Text);
    let error = import_lrat(&cnf, &text[..]).unwrap_err().to_string();
    assert!(error.contains("factor=false"), "{error}");
}

#[test]
#[should_panic(expected = "added by factoring")]
fn a_clause_with_a_variable_of_the_search_is_refused() {
    let cnf = pigeonhole(8, 8);
    let (_, mut solver) = solve(&cnf, eager(), NoProof);
    assert!(solver.statistics().added_variables > 0);
    solver.add_clause(&[Var::new(cnf.n_vars()).positive()]);
}

#[test]
fn wrong_definitions_and_rat_steps_are_refused() {
    let lits = |numbers: &[i64]| super::checked::lits(numbers);
    for factors in [&[1, 2][..], &[4, 1], &[2, 2], &[2, -2]] {
        let mut sink = CheckingSink::new();
        sink.original(1, &lits(&[1, 2, 3]), 0);
        let [defined] = lits(&[if factors == [1, 2] { 3 } else { 4 }])[..] else {
            unreachable!()
        };
        sink.defined(2, defined, &lits(factors));
        assert_eq!(sink.finish(), Err(CheckError::NoDefinition(2)));
    }
    // Clause 3 defines variable 3 further; without a hint for clause 2 it might contradict it.
    let mut checker = RupChecker::new(2);
    checker.original(1, &lits(&[1, 2])).unwrap();
    checker.added(2, &lits(&[3, 1]), &[], &[]).unwrap();
    assert_eq!(
        checker.added(3, &lits(&[-3, -2]), &[], &[]),
        Err(CheckError::NoConflict(3))
    );
    let hint = |clause| craig_solver::proof::check::RatHint {
        clause,
        hints: Vec::new(),
    };
    assert_eq!(
        checker.added(3, &lits(&[-3, -1]), &[], &[hint(1)]),
        Err(CheckError::NoRatHint { step: 3, clause: 2 })
    );
    assert_eq!(
        checker.added(3, &lits(&[-3, -2]), &[], &[hint(2)]),
        Err(CheckError::NoConflict(3))
    );
    assert_eq!(checker.added(3, &lits(&[-3, -1]), &[], &[hint(2)]), Ok(()));
}
