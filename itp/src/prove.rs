//! Refutations of labelled formulas, by search.

use craig_aig::Random;
use craig_solver::proof::{ProofDag, ProofLog, TrimError};
use craig_solver::{Answer, Cnf, Limits, Options, Solver};

use crate::stop::Stop;

/// Why there is no refutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRefutation {
    /// The formula has a model, indexed by variable.
    #[error("the formula is satisfiable: there is nothing to interpolate")]
    Satisfiable(Vec<bool>),
    /// A limit was reached, or a stop was asked for.
    #[error("the search was stopped before it found a refutation")]
    Unknown,
}

/// A trimmed refutation of a formula. Different seeds present the clauses in different orders and so lead to
/// different proofs; seed 0 keeps the order of the formula.
///
/// # Errors
/// If there is no refutation, or none within `limits` and before `stop`.
pub fn prove(cnf: &Cnf, seed: u64, limits: Limits, stop: &Stop) -> Result<ProofDag, NoRefutation> {
    let options = Options {
        seed,
        ..Options::default()
    };
    let mut solver = Solver::with_proof(options, ProofLog::new());
    solver.reserve_vars(cnf.n_vars());
    solver.set_limits(limits);
    stop.install(&mut solver);
    let mut indices: Vec<usize> = (0..cnf.n_clauses()).collect();
    if seed != 0 {
        shuffle(&mut indices, seed);
    }
    for index in indices {
        solver.add_labelled_clause(cnf.clause(index), cnf.label(index));
    }
    match solver.solve(&[]) {
        Answer::Unknown => Err(NoRefutation::Unknown),
        Answer::Satisfiable => {
            let value = |index| solver.value(craig_solver::Var::new(index).positive());
            let model = (0..cnf.n_vars()).map(|index| value(index) == Some(true));
            Err(NoRefutation::Satisfiable(model.collect()))
        }
        Answer::Unsatisfiable => {
            let root = solver
                .refutation()
                .expect("a recorded search that ended unsatisfiable has a refutation");
            match (solver.into_proof()).try_trim_until(root, || stop.is_asked()) {
                Ok(dag) => Ok(dag),
                Err(TrimError::Stopped) => Err(NoRefutation::Unknown),
                Err(error) => panic!("the proof log is broken: {error}"),
            }
        }
    }
}

/// The shuffle of Fisher and Yates.
fn shuffle(items: &mut [usize], seed: u64) {
    let mut random = Random::new(seed);
    for end in (1..items.len()).rev() {
        items.swap(random.below(end + 1), end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas};
    use proptest::prelude::*;

    #[test]
    fn a_stopped_search_has_no_answer() {
        // Eight pigeons in seven holes: the search does not end before it first evaluates the condition.
        let var = |pigeon: usize, hole: usize| craig_solver::Var::new(7 * pigeon + hole);
        let mut cnf = Cnf::new();
        for pigeon in 0..8 {
            let clause: Vec<_> = (0..7).map(|hole| var(pigeon, hole).positive()).collect();
            cnf.add_labelled_clause(&clause, 0);
            for other in 0..pigeon {
                for hole in 0..7 {
                    let both = [var(pigeon, hole), var(other, hole)];
                    cnf.add_labelled_clause(&both.map(craig_solver::Var::negative), 1);
                }
            }
        }
        let stopped = prove(&cnf, 0, Limits::default(), &Stop::when(|| true));
        assert_eq!(stopped.err(), Some(NoRefutation::Unknown));
        assert!(prove(&cnf, 0, Limits::default(), &Stop::when(|| false)).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn refutations_are_found_exactly_where_there_are_some(cnf in formulas(), seed in 0..4_u64) {
            let satisfiable = clauses_table(&cnf, |_| true) != 0;
            match prove(&cnf, seed, Limits::default(), &Stop::never()) {
                Ok(dag) => {
                    prop_assert!(!satisfiable && dag.is_refutation());
                }
                Err(NoRefutation::Satisfiable(model)) => prop_assert!(cnf.is_satisfied_by(&model)),
                Err(NoRefutation::Unknown) => prop_assert!(false, "nothing limits the search"),
            }
        }
    }
}
