use super::*;
use crate::encode::ClauseSink;
use crate::lit::Lit;
use crate::{Answer, Solver};

/// Compares the clauses with the meaning of the constraint, for each assignment of some variables.
fn compare(
    n_vars: usize,
    add: impl FnOnce(&mut Solver, &[Lit]),
    is_right: impl Fn(&[bool]) -> bool,
) {
    let mut solver = Solver::new();
    let lits: Vec<Lit> = (0..n_vars).map(|_| solver.new_var().positive()).collect();
    add(&mut solver, &lits);
    for assignment in 0..1_u32 << n_vars {
        let values: Vec<bool> = (0..n_vars).map(|var| assignment >> var & 1 == 1).collect();
        let assumptions: Vec<Lit> = (lits.iter().zip(&values))
            .map(|(&lit, &value)| lit.negate_if(!value))
            .collect();
        let is_satisfiable = solver.solve(&assumptions) == Answer::Satisfiable;
        assert_eq!(is_satisfiable, is_right(&values), "{values:?}");
    }
}

fn count(values: &[bool]) -> usize {
    values.iter().filter(|&&value| value).count()
}

#[test]
fn counts_are_bounded() {
    for n_vars in 0..7 {
        for bound in 0..n_vars + 2 {
            compare(
                n_vars,
                |solver, lits| at_most(solver, lits, bound),
                |values| count(values) <= bound,
            );
            compare(
                n_vars,
                |solver, lits| at_least(solver, lits, bound),
                |values| count(values) >= bound,
            );
            compare(
                n_vars,
                |solver, lits| exactly(solver, lits, bound),
                |values| count(values) == bound,
            );
        }
    }
}

#[test]
fn a_totalizer_knows_all_bounds() {
    for n_vars in 0..6 {
        for bound in 0..n_vars + 1 {
            for is_more in [false, true] {
                compare(
                    n_vars,
                    |solver, lits| {
                        let totalizer = Totalizer::new(solver, lits);
                        match totalizer.more_than(bound) {
                            Some(lit) => solver.add_clause(&[lit.negate_if(!is_more)]),
                            None => assert_eq!(bound, n_vars),
                        }
                    },
                    |values| bound == n_vars || (count(values) > bound) == is_more,
                );
            }
        }
    }
}

#[test]
fn weighted_sums_are_bounded() {
    let weights: [&[u64]; 6] = [
        &[],
        &[3],
        &[1, 1, 1, 1],
        &[5, 3, 2, 2, 1, 0],
        &[7, 1, 7, 2, 30],
        &[u64::MAX, u64::MAX, 1],
    ];
    for weights in weights {
        let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let top = u64::try_from(sum + 1).unwrap_or(u64::MAX);
        let bounds = (0..20.min(top)).chain([top - 1, top]);
        for bound in bounds {
            let terms = |lits: &[Lit]| -> Vec<(u64, Lit)> {
                weights.iter().copied().zip(lits.iter().copied()).collect()
            };
            let value = |values: &[bool]| -> u128 {
                let terms = weights.iter().zip(values);
                terms
                    .map(|(&weight, &value)| u128::from(weight) * u128::from(value))
                    .sum()
            };
            compare(
                weights.len(),
                |solver, lits| linear_at_most(solver, &terms(lits), bound),
                |values| value(values) <= u128::from(bound),
            );
            compare(
                weights.len(),
                |solver, lits| linear::sum_at_most(solver, &terms(lits), bound.into(), 0),
                |values| value(values) <= u128::from(bound),
            );
            compare(
                weights.len(),
                |solver, lits| linear_at_least(solver, &terms(lits), bound),
                |values| value(values) >= u128::from(bound),
            );
        }
    }
}

#[test]
fn a_sum_with_many_values_has_few_clauses() {
    let mut cnf = crate::Cnf::new();
    // All sums of the weights are different.
    let terms: Vec<(u64, Lit)> = (0..60)
        .map(|place| ((1 << 40) + (1_u64 << place), cnf.new_var().positive()))
        .collect();
    let most: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
    linear::sum_at_most(&mut cnf, &terms, most / 2, linear::MOST_SUMS);
    assert!(cnf.n_clauses() < 5_000, "{}", cnf.n_clauses());
}

#[test]
fn parities_are_odd_or_even() {
    for n_vars in 0..10 {
        for is_odd in [false, true] {
            compare(
                n_vars,
                |solver, lits| parity(solver, lits, is_odd),
                |values| (count(values) % 2 == 1) == is_odd,
            );
        }
    }
}

#[test]
fn repeated_literals_count_as_often() {
    compare(
        3,
        |solver, lits| at_most(solver, &[lits[0], lits[0], lits[1], !lits[1], lits[2]], 2),
        |values| 2 * usize::from(values[0]) + 1 + usize::from(values[2]) <= 2,
    );
    compare(
        2,
        |solver, lits| {
            parity(
                solver,
                &[lits[0], lits[1], lits[0], !lits[1], lits[1]],
                true,
            );
        },
        |values| !values[1],
    );
}
