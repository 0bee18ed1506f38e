//! The decision procedure behind the verifier.

use craig_solver::proof::check::{CheckError, check_dag_until, check_leaves_until};
use craig_solver::proof::{ProofLog, TrimError};
use craig_solver::{Answer, Cnf, Options, Solver, Var};

use crate::stop::Stop;

/// Decides whether clauses are satisfiable. The verifier passes each condition as plain clauses, so that any
/// SAT solver can be a judge.
pub trait Judge {
    /// Whether some assignment satisfies all clauses.
    ///
    /// # Errors
    /// If the question stays undecided, or the answer fails its check.
    fn is_satisfiable(&self, cnf: &Cnf, stop: &Stop) -> Result<bool, NoAnswer>;
}

/// Why a judge has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// A stop was asked for or a limit was reached.
    #[error("the question was not decided")]
    Undecided,
    /// The model or the refutation of the answer is wrong.
    #[error("the answer did not pass its check")]
    Wrong,
}

/// A search by this workspace's solver whose answers are checked: a model against all clauses, a refutation
/// step by step and leaf by leaf. So an error in the search, in its preprocessing or in its inprocessing
/// can't give a wrong answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedSearch;

impl Judge for CheckedSearch {
    fn is_satisfiable(&self, cnf: &Cnf, stop: &Stop) -> Result<bool, NoAnswer> {
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        stop.install(&mut solver);
        solver.add_cnf(cnf);
        match solver.solve(&[]) {
            Answer::Unknown => Err(NoAnswer::Undecided),
            Answer::Satisfiable => {
                let value = |index| solver.value(Var::new(index).positive()) == Some(true);
                let model: Vec<bool> = (0..cnf.n_vars()).map(value).collect();
                match cnf.is_satisfied_by(&model) {
                    true => Ok(true),
                    false => Err(NoAnswer::Wrong),
                }
            }
            Answer::Unsatisfiable => {
                let root = solver.refutation().ok_or(NoAnswer::Wrong)?;
                let is_asked = || stop.is_asked();
                let dag =
                    (solver.into_proof().try_trim_until(root, is_asked)).map_err(|error| {
                        match error {
                            TrimError::Stopped => NoAnswer::Undecided,
                            _ => NoAnswer::Wrong,
                        }
                    })?;
                let checked = check_dag_until(&dag, is_asked)
                    .and_then(|()| check_leaves_until(&dag, cnf, is_asked));
                match checked {
                    Ok(()) if dag.is_refutation() => Ok(false),
                    Err(CheckError::Stopped) => Err(NoAnswer::Undecided),
                    _ => Err(NoAnswer::Wrong),
                }
            }
        }
    }
}
