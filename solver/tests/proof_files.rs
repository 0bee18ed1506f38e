//! Proof files written by the search, read back and checked; and garbage collection of proof logs.

use craig_aig::Random;
use craig_solver::cdcl::decide;
use craig_solver::proof::check::{CheckingSink, check_dag, check_leaves};
use craig_solver::proof::import::{check_lrat, import_lrat, import_tracecheck};
use craig_solver::proof::{Encoding, ProofLog};
use craig_solver::proof::{drat::DratWriter, lrat::LratWriter, tracecheck::TracecheckWriter};
use craig_solver::{Answer, Cnf, Lit, Options, Solver, Var};

fn literal(random: &mut Random, n_vars: usize) -> Lit {
    Var::new(random.below(n_vars)).lit(random.flip())
}

/// Clauses of three literals over different variables.
fn uniform_clauses(random: &mut Random, n_vars: usize, n_clauses: usize) -> Vec<Vec<Lit>> {
    let mut clauses = vec![Vec::new(); n_clauses];
    for clause in &mut clauses {
        while clause.len() < 3 {
            let lit = literal(random, n_vars);
            if clause.iter().all(|other: &Lit| other.var() != lit.var()) {
                clause.push(lit);
            }
        }
    }
    clauses
}

/// Two exclusive ors, two if-then-elses and two conjunctions of the last of `n_vars` variables. Their outputs
/// are new variables, so that the proof merges them before it does anything else.
fn twin_gates(n_vars: usize) -> Vec<Vec<Lit>> {
    let lit = |number: usize, negated| Var::new(number).lit(negated);
    let [a, b, c] = [1, 2, 3].map(|place| n_vars - place);
    let mut clauses = Vec::new();
    for output in [n_vars, n_vars + 3] {
        for signs in 0..8_u32 {
            let [x, y, z] = [0, 1, 2].map(|bit| signs >> bit & 1 == 1);
            let parity = lit(output, !(x ^ y ^ z));
            let choice = lit(output + 1, !(if x { y } else { z }));
            clauses.push(vec![lit(a, x), lit(b, y), lit(c, z), parity]);
            if y == z {
                let branch = if x { lit(b, y) } else { lit(c, z) };
                clauses.push(vec![lit(a, x), branch, choice]);
            }
        }
        let conjunction = lit(output + 2, false);
        clauses.push(vec![!conjunction, lit(a, false)]);
        clauses.push(vec![!conjunction, lit(b, true)]);
        clauses.push(vec![conjunction, lit(a, true), lit(b, false)]);
    }
    clauses
}

/// Formulas with units, repeated literals and equal gates, so that clauses are simplified when they are added
/// and variables are merged before the search.
fn formula(random: &mut Random, n_vars: usize) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in twin_gates(n_vars) {
        cnf.add_labelled_clause(&clause, 4);
    }
    let clauses = uniform_clauses(random, n_vars, n_vars * 5);
    for (index, mut clause) in clauses.into_iter().enumerate() {
        match index % 40 {
            7 => clause.truncate(1),
            8 => clause.push(clause[0]),
            _ => {}
        }
        cnf.add_labelled_clause(&clause, index as u32 % 4);
    }
    cnf
}

/// Variables are not added, since a file of resolutions is read back.
fn options() -> Options {
    Options {
        congruence: true,
        sweep: true,
        factor: false,
        ..Options::default()
    }
}

#[test]
fn every_file_is_a_proof() {
    let mut random = Random::new(21);
    let mut n_proofs = 0;
    for round in 0..60 {
        let cnf = formula(&mut random, 20 + 2 * round);
        let mut checker = CheckingSink::new();
        let answer = decide(&cnf, options(), &mut checker).answer;
        assert_eq!(checker.finish(), Ok(()));
        if answer != Answer::Unsatisfiable {
            continue;
        }
        n_proofs += 1;
        let n_clauses = cnf.n_clauses() as u32;
        let files = [Encoding::Text, Encoding::Binary].map(|encoding| {
            let mut writer = LratWriter::new(Vec::new(), encoding, n_clauses);
            decide(&cnf, options(), &mut writer);
            writer.finish().unwrap()
        });
        let n_added = files
            .each_ref()
            .map(|file| check_lrat(&cnf, &file[..]).unwrap());
        assert_eq!(n_added[0], n_added[1]);
        let mut writer = TracecheckWriter::new(Vec::new());
        decide(&cnf, options(), &mut writer);
        let trace = writer.finish().unwrap();
        for dag in [
            import_lrat(&cnf, &files[0][..]).unwrap(),
            import_lrat(&cnf, &files[1][..]).unwrap(),
            import_tracecheck(&cnf, &trace[..]).unwrap(),
        ] {
            assert!(dag.is_refutation());
            assert_eq!(check_dag(&dag), Ok(()));
            assert_eq!(check_leaves(&dag, &cnf), Ok(()));
        }
    }
    assert!(n_proofs >= 30, "{n_proofs}");
}

/// DRAT has no hints, so each added clause is propagated through all current clauses.
#[test]
fn drat_additions_follow_by_unit_propagation() {
    let mut random = Random::new(22);
    let mut n_proofs = 0;
    for _ in 0..30 {
        let cnf = formula(&mut random, 24);
        // A sink of its own, for which no antecedents are collected.
        let writer = DratWriter::new(Vec::new(), Encoding::Text);
        let mut solver = Solver::with_proof(options(), writer);
        solver.add_cnf(&cnf);
        let answer = solver.solve(&[]);
        let writer = solver.into_proof();
        if answer != Answer::Unsatisfiable {
            continue;
        }
        n_proofs += 1;
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        // Checkers treat clauses as sets: a deletion need not repeat a literal that the formula has twice.
        let sorted = |mut clause: Vec<i32>| {
            clause.sort_unstable();
            clause.dedup();
            clause
        };
        let mut clauses: Vec<Vec<i32>> = cnf
            .iter()
            .map(|(clause, _)| sorted(clause.iter().map(|lit| lit.to_dimacs()).collect()))
            .collect();
        let mut is_refuted = false;
        for line in text.lines() {
            let (is_deletion, numbers) = match line.strip_prefix("d ") {
                Some(numbers) => (true, numbers),
                None => (false, line),
            };
            let numbers: Vec<i32> = numbers
                .split(' ')
                .map(|number| number.parse().unwrap())
                .collect();
            let (&end, clause) = numbers.split_last().unwrap();
            assert_eq!(end, 0);
            let clause = sorted(clause.to_vec());
            if is_deletion {
                let known = clauses.iter().position(|other| *other == clause);
                clauses.swap_remove(known.expect("what is deleted is there"));
            } else {
                assert!(propagates_to_conflict(&clauses, &clause), "{clause:?}");
                is_refuted |= clause.is_empty();
                clauses.push(clause);
            }
        }
        assert!(is_refuted);
    }
    assert!(n_proofs >= 10, "{n_proofs}");
}

fn propagates_to_conflict(clauses: &[Vec<i32>], target: &[i32]) -> bool {
    let mut is_false: Vec<i32> = target.to_vec();
    loop {
        let n_false = is_false.len();
        for clause in clauses {
            if clause.iter().any(|&lit| is_false.contains(&-lit)) {
                continue;
            }
            let mut open: Vec<i32> = clause.clone();
            open.retain(|lit| !is_false.contains(lit));
            match open[..] {
                [] => return true,
                [unit] => is_false.push(-unit),
                _ => {}
            }
        }
        if is_false.len() == n_false {
            return false;
        }
    }
}

/// A log that collects garbage after every step has the same refutation as one that never does.
#[test]
fn a_log_that_forgets_has_the_same_proof() {
    let mut random = Random::new(23);
    let mut n_smaller = 0;
    for _ in 0..8 {
        let cnf = formula(&mut random, 140);
        let run = |collect_from: usize| {
            let mut log = ProofLog::new();
            log.collect_from(collect_from);
            let mut solver = Solver::with_proof(Options::default(), log);
            solver.add_cnf(&cnf);
            assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
            let root = solver.refutation().unwrap();
            (solver.proof().trim(root), solver.proof().bytes())
        };
        let (dag, bytes) = run(1 << 30);
        let (forgetful_dag, forgetful_bytes) = run(0);
        assert_eq!(dag, forgetful_dag);
        n_smaller += usize::from(forgetful_bytes < bytes);
    }
    assert!(n_smaller > 0);
}

/// Under assumptions, the root of each call's proof consists of their negations.
#[test]
fn proofs_under_assumptions_derive_the_failed_ones() {
    let mut random = Random::new(24);
    let mut n_failed = 0;
    for _ in 0..40 {
        let mut cnf = Cnf::new();
        let mut log = ProofLog::new();
        log.collect_from(0);
        let mut solver = Solver::with_proof(Options::default(), log);
        for clause in uniform_clauses(&mut random, 60, 230) {
            cnf.add_clause(&clause);
            solver.add_clause(&clause);
        }
        for _ in 0..10 {
            let assumptions: Vec<_> = (0..6).map(|_| literal(&mut random, 60)).collect();
            if solver.solve(&assumptions) != Answer::Unsatisfiable {
                continue;
            }
            let Some(root) = solver.refutation() else {
                // Two assumptions that contradict each other need no clause.
                assert!(assumptions.iter().any(|&lit| assumptions.contains(&!lit)));
                continue;
            };
            n_failed += 1;
            let dag = solver.proof().trim(root);
            assert_eq!(check_dag(&dag), Ok(()));
            assert_eq!(check_leaves(&dag, &cnf), Ok(()));
            for &lit in dag.clause(dag.root().unwrap()) {
                assert!(solver.failed_assumptions().contains(&!lit));
            }
        }
    }
    assert!(n_failed > 100, "{n_failed}");
}
