//! SAT sweeping: units and equal literals that follow from the clauses around a variable.

use super::checked::{Checked, Random, brute_force, random_cnf};
use super::eager;
use craig_solver::{Answer, Cnf, Lit, Options, Var};

/// Clauses that say that a new variable is the conjunction of two literals.
fn and(cnf: &mut Cnf, a: Lit, b: Lit) -> Lit {
    let output = Var::new(cnf.n_vars()).positive();
    cnf.add_clause(&[!output, a]);
    cnf.add_clause(&[!output, b]);
    cnf.add_clause(&[output, !a, !b]);
    output
}

fn inputs<const N: usize>(cnf: &mut Cnf) -> [Lit; N] {
    let first = cnf.n_vars();
    cnf.reserve_vars(first + N);
    std::array::from_fn(|index| Var::new(first + index).positive())
}

/// Clauses with three variables of their own, all false in each model, so that the first decisions lead to a conflict: rounds of
/// inprocessing begin after one.
fn add_conflict(cnf: &mut Cnf) {
    let vars: [Lit; 3] = inputs(cnf);
    for signs in 1..8 {
        let clause = [0, 1, 2].map(|place| vars[place].negate_if(signs >> place & 1 == 1));
        cnf.add_clause(&clause);
    }
}

fn sweeping() -> Options {
    Options {
        inprocess_interval: 1,
        sweep: true,
        congruence: true,
        factor: false,
        lucky: false,
        ..Options::default()
    }
}

/// `a & (b & c)` and `(a & b) & c` have no gate in common, so that congruence closure alone keeps both.
#[test]
fn equal_functions_of_different_structure_are_merged() {
    for sweep in [false, true] {
        let mut cnf = Cnf::new();
        let [a, b, c] = inputs(&mut cnf);
        let (inner, other_inner) = (and(&mut cnf, b, c), and(&mut cnf, a, b));
        let output = and(&mut cnf, a, inner);
        let other = and(&mut cnf, other_inner, c);
        // Free variables, by which the outputs matter.
        let [x, y] = inputs(&mut cnf);
        cnf.add_clause(&[output, x, y]);
        cnf.add_clause(&[!other, x, !y]);
        add_conflict(&mut cnf);
        let mut solver = Checked::with_options(Options {
            sweep,
            ..sweeping()
        });
        solver.add_cnf(&cnf);
        assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
        let statistics = *solver.solver.statistics();
        assert_eq!(statistics.swept_equivalences, u64::from(sweep));
        assert_eq!(statistics.substituted_variables, u64::from(sweep));
        // What was merged is restored where a caller speaks of it.
        assert_eq!(
            solver.solve_checked(&cnf, &[output, !other]),
            Answer::Unsatisfiable
        );
    }
}

/// `a` with all values of three others: no clause says so alone.
#[test]
fn implied_units_are_found() {
    let mut cnf = Cnf::new();
    let [a, b, c, d] = inputs(&mut cnf);
    for (b, c) in [(b, c), (!b, c), (b, !c), (!b, !c)] {
        cnf.add_clause(&[a, b, c, d]);
        cnf.add_clause(&[a, b, c, !d]);
    }
    add_conflict(&mut cnf);
    let mut solver = Checked::with_options(Options {
        probe: false,
        vivify: false,
        subsume: false,
        congruence: false,
        ..sweeping()
    });
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
    assert!(solver.solver.statistics().swept_units > 0);
    assert_eq!(solver.solver.value(a), Some(true));
}

/// Random formulas in all orders of techniques, with assumptions over what may have been merged.
#[test]
fn answers_agree_with_other_solvers() {
    let mut rng = Random::new(41);
    let (mut n_sat, mut n_unsat, mut found) = (0, 0, 0);
    for round in 0..400 {
        let n_vars = 8 + round % 8;
        let cnf = random_cnf(&mut rng, n_vars, 3 * n_vars);
        let mut solver = Checked::with_options(Options {
            inprocess_interval: round as u64 % 2,
            congruence: round % 3 > 0,
            eliminate: round % 5 == 0,
            probe: round % 7 == 0,
            vivify: round % 7 == 0,
            ..eager()
        });
        solver.add_cnf(&cnf);
        for n_assumptions in [0, 2] {
            let any = |_| Var::new(rng.below(cnf.n_vars())).lit(rng.flip());
            let assumptions: Vec<Lit> = (0..n_assumptions).map(any).collect();
            let answer = solver.solve_checked(&cnf, &assumptions);
            let expected = brute_force(&cnf, &assumptions);
            assert_eq!(answer == Answer::Satisfiable, expected, "round {round}");
            n_sat += u32::from(expected);
            n_unsat += u32::from(!expected);
        }
        let statistics = solver.solver.statistics();
        found += statistics.swept_equivalences + statistics.swept_units;
    }
    assert!(
        n_sat > 50 && n_unsat > 50 && found > 10,
        "{n_sat} {n_unsat} {found}"
    );
}
