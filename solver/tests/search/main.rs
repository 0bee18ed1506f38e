//! The search against brute force, against another solver, and against its own proofs.

mod call_sequences;
mod checked;
mod congruence;
mod factoring;
mod single_calls;
mod stops;
mod sweeping;

use checked::{Checked, Random, brute_force, lits, random_cnf, uniform_clauses};
use craig_solver::cdcl::Statistics;
use craig_solver::{Answer, Cnf, Lit, Options, Solver, Var};

/// Every technique as often as possible, so that small formulas trigger all of them.
fn eager() -> Options {
    Options {
        inprocess_interval: 0,
        eliminate: true,
        congruence: true,
        sweep: true,
        hyper_binary: true,
        transitive: true,
        ..Options::default()
    }
}

/// As `eager`, for tests about single clauses: without elimination, and without lucky phases and walks, which
/// would avoid the search.
fn eager_with_all_variables() -> Options {
    Options {
        eliminate: false,
        lucky: false,
        ..eager()
    }
}

/// Clauses over the variables `a` and `b` that require search, since inprocessing only runs after the first
/// restart or conflict.
fn add_search(cnf: &mut Cnf, a: i64, b: i64) {
    for clause in [[a, b], [-a, b], [a, -b]] {
        cnf.add_clause(&lits(&clause));
    }
}

#[test]
fn small_formulas_agree_with_brute_force() {
    agree_on_small_formulas(&Options::default(), 1);
}

#[test]
fn small_formulas_agree_with_eager_inprocessing_too() {
    agree_on_small_formulas(&eager(), 7);
}

/// Compares every answer on small formulas with brute force, with assumptions and clauses added between the
/// calls.
fn agree_on_small_formulas(options: &Options, seed: u64) {
    let mut rng = Random::new(seed);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..4000 {
        let n_vars = 1 + rng.below(9);
        let mut solver = Checked::with_options(options.clone());
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

#[test]
fn threshold_formulas_agree_with_varisat() {
    agree_on_threshold_formulas(&Options::default(), 2);
}

#[test]
fn threshold_formulas_agree_with_eager_inprocessing_too() {
    let options = Options {
        inprocess_interval: 10,
        ..eager()
    };
    let total = agree_on_threshold_formulas(&options, 8);
    assert!(total.inprocessings > 500, "{total:?}");
    assert!(total.vivify_shortened > 100, "{total:?}");
    assert!(total.vivify_implied > 10, "{total:?}");
    assert!(total.eliminated_variables > 500, "{total:?}");
    assert!(total.failed_literals > 10, "{total:?}");
    assert!(total.hyper_binaries > 100, "{total:?}");
    assert!(total.subsumed_clauses > 100, "{total:?}");
    assert!(total.subsumed_redundant > 100, "{total:?}");
    assert!(total.subsumed_learned > 100, "{total:?}");
}

/// Random 3-SAT near the threshold, where both answers are about as likely.
fn agree_on_threshold_formulas(options: &Options, seed: u64) -> Statistics {
    let mut total = Statistics::default();
    let mut rng = Random::new(seed);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..600 {
        let n_vars = 20 + round % 60;
        let mut cnf = Cnf::new();
        for clause in uniform_clauses(&mut rng, n_vars, n_vars * 43 / 10) {
            cnf.add_clause(&clause);
        }
        let mut solver = Checked::with_options(options.clone());
        solver.add_cnf(&cnf);
        let answer = solver.solve_checked(&cnf, &[]);
        let expected = checked::varisat(&cnf, &[]);
        assert_eq!(answer == Answer::Satisfiable, expected);
        if expected {
            n_sat += 1;
        } else {
            n_unsat += 1;
        }
        let statistics = solver.solver.statistics();
        total.inprocessings += statistics.inprocessings;
        total.vivify_shortened += statistics.vivify_shortened;
        total.vivify_implied += statistics.vivify_implied;
        total.hyper_binaries += statistics.hyper_binaries;
        total.failed_literals += statistics.failed_literals;
        total.eliminated_variables += statistics.eliminated_variables;
        total.subsumed_clauses += statistics.subsumed_clauses;
        total.subsumed_redundant += statistics.subsumed_redundant;
        total.subsumed_learned += statistics.subsumed_learned;
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    total
}

#[test]
fn formulas_with_cycles_of_implications_agree_with_varisat() {
    let total = agree_on_formulas_with_cycles(&eager(), 11);
    assert!(total.eliminated_variables > 250, "{total:?}");
    assert!(total.restorations > 100, "{total:?}");
    assert!(total.hyper_binaries > 100, "{total:?}");
    assert!(total.transitive_clauses > 100, "{total:?}");
}

/// The calls are too short for a round between conflicts.
#[test]
fn variables_eliminated_before_the_search_are_restored() {
    let options = Options {
        eliminate: true,
        ..Options::default()
    };
    let total = agree_on_formulas_with_cycles(&options, 13);
    assert_eq!(total.inprocessings, 0);
    assert!(total.eliminated_variables > 250, "{total:?}");
    assert!(total.restorations > 100, "{total:?}");
    let options = Options {
        eliminate_first: false,
        ..options
    };
    let total = agree_on_formulas_with_cycles(&options, 13);
    assert_eq!(total.eliminated_variables, 0);
}

/// Enough binary clauses for cycles of implications, in calls with assumptions, which must not be eliminated
/// and whose variables are restored.
fn agree_on_formulas_with_cycles(options: &Options, seed: u64) -> Statistics {
    let mut rng = Random::new(seed);
    let mut total = Statistics::default();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for round in 0..600 {
        let n_vars = 15 + round % 25;
        let mut solver = Checked::with_options(options.clone());
        let mut cnf = Cnf::new();
        cnf.reserve_vars(n_vars);
        solver.reserve_vars(n_vars);
        for call in 0..3 {
            let n_binary = if call == 0 { n_vars } else { 2 };
            for mut clause in uniform_clauses(&mut rng, n_vars, n_vars + n_binary) {
                if !cnf.n_clauses().is_multiple_of(3) {
                    clause.pop();
                }
                cnf.add_clause(&clause);
                solver.add_clause(&clause);
            }
            let assumptions: Vec<Lit> = (0..rng.below(3))
                .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
                .collect();
            let answer = solver.solve_checked(&cnf, &assumptions);
            let expected = checked::varisat(&cnf, &assumptions);
            assert_eq!(answer == Answer::Satisfiable, expected, "{cnf:?}");
            if expected { n_sat += 1 } else { n_unsat += 1 }
        }
        let statistics = solver.solver.statistics();
        total.inprocessings += statistics.inprocessings;
        total.eliminated_variables += statistics.eliminated_variables;
        total.restorations += statistics.restorations;
        total.hyper_binaries += statistics.hyper_binaries;
        total.transitive_clauses += statistics.transitive_clauses;
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    total
}

/// Exclusive ors of three and four literals, which elimination recognises as gates: no other gate has clauses
/// of four literals only.
#[test]
fn parity_constraints_agree_with_varisat() {
    let mut rng = Random::new(12);
    let (mut gates, mut n_sat, mut n_unsat) = (0, 0, 0);
    for round in 0..300 {
        let n_vars = 8 + round % 8;
        let mut cnf = Cnf::new();
        cnf.reserve_vars(n_vars);
        for _ in 0..n_vars - rng.below(3) {
            let size = 4 + rng.below(2);
            let first = rng.below(n_vars);
            let step = [1, 3][rng.below(2)];
            let odd = rng.flip();
            for negated in 0..1_usize << size {
                if (negated.count_ones() % 2 == 1) == odd {
                    let clause: Vec<Lit> = (0..size)
                        .map(|i| Var::new((first + i * step) % n_vars).lit(negated >> i & 1 == 1))
                        .collect();
                    cnf.add_clause(&clause);
                }
            }
        }
        let mut solver = Checked::with_options(Options {
            congruence: false,
            ..eager()
        });
        solver.add_cnf(&cnf);
        let answer = solver.solve_checked(&cnf, &[]);
        let expected = checked::varisat(&cnf, &[]);
        assert_eq!(answer == Answer::Satisfiable, expected, "{cnf:?}");
        if expected {
            n_sat += 1;
        } else {
            n_unsat += 1;
        }
        gates += solver.solver.statistics().eliminated_gates;
    }
    assert!(n_sat > 50 && n_unsat > 50, "{n_sat} {n_unsat}");
    assert!(gates > 300, "{gates}");
}

/// A pyramid of exclusive ors, each of which follows from the two below it. Self-subsuming resolution and
/// elimination refute it from its base upwards, almost without search.
#[test]
fn elimination_refutes_a_pyramid_of_exclusive_ors() {
    let height = 25;
    let mut cnf = Cnf::new();
    let mut pairs = (0..)
        .step_by(2)
        .map(|var| [Var::new(var), Var::new(var + 1)]);
    let mut below: Vec<[Var; 2]> = pairs.by_ref().take(height).collect();
    for [x, y] in &below {
        cnf.add_clause(&[x.positive(), y.positive()]);
        cnf.add_clause(&[x.negative(), y.negative()]);
    }
    while below.len() > 1 {
        let row: Vec<[Var; 2]> = pairs.by_ref().take(below.len() - 1).collect();
        for (index, [x, y]) in row.iter().enumerate() {
            for signs in 0..8_u32 {
                let sign = |bit: u32| signs >> bit & 1 == 1;
                let [[a, b], [c, d]] = [below[index], below[index + 1]];
                cnf.add_clause(&[
                    a.lit(sign(0)),
                    b.lit(!sign(0)),
                    c.lit(sign(1)),
                    d.lit(!sign(1)),
                    x.lit(sign(2)),
                    y.lit(sign(2)),
                ]);
            }
        }
        below = row;
    }
    let [x, y] = below[0];
    cnf.add_clause(&[x.positive(), y.negative()]);
    cnf.add_clause(&[x.negative(), y.positive()]);
    let mut solver = Checked::with_options(Options {
        eliminate: true,
        inprocess_interval: 10,
        ..Options::default()
    });
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Unsatisfiable);
    assert!(solver.solver.statistics().conflicts < 30);
}

/// 1 → 5 → 2 → 3 → ¬1 → 4 → 1.
#[test]
fn a_cycle_through_a_literal_and_its_negation_is_refuted() {
    let mut cnf = Cnf::new();
    for clause in [[-1, 5], [-5, 2], [-2, 3], [-3, -1], [1, 4], [-4, 1]] {
        cnf.add_clause(&lits(&clause));
    }
    let mut solver = Checked::with_options(eager());
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Unsatisfiable);
    assert!(solver.solver.is_inconsistent());
    assert_eq!(solver.solver.statistics().probed_literals, 0);
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
