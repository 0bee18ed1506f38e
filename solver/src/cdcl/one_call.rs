//! Formulas decided in one call.
//!
//! These calls also have this crate compile the search with [`Traced`] and with [`ProofLog`]. Where generic code is shared
//! (without optimisation and with little), no other crate compiles it again.

use super::{Answer, Options, Solver, Statistics};
use crate::cnf::Cnf;
use crate::lit::Var;
use crate::proof::{ProofDag, ProofLog, ProofSink, Traced};

/// What is known of a formula after one call.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The answer.
    pub answer: Answer,
    /// By variable of the formula; empty unless it is satisfiable.
    pub model: Vec<bool>,
    /// What the search did.
    pub statistics: Statistics,
}

/// Decides `cnf` and reports the proof to `sink`.
///
/// ```
/// use craig_solver::proof::check::CheckingSink;
/// use craig_solver::{Answer, Cnf, Lit, Options, cdcl};
///
/// let mut cnf = Cnf::new();
/// for clause in [[1, 2], [1, -2], [-1, 3], [-1, -3]] {
///     cnf.add_clause(&clause.map(|number| Lit::from_dimacs(number).expect("it is not zero")));
/// }
/// let mut checker = CheckingSink::new();
/// let decided = cdcl::decide(&cnf, Options::default(), &mut checker);
/// assert_eq!(decided.answer, Answer::Unsatisfiable);
/// assert_eq!(checker.finish(), Ok(()));
/// ```
pub fn decide<P: ProofSink>(cnf: &Cnf, options: Options, sink: &mut P) -> Decided {
    decide_traced(cnf, options, Traced::new(sink))
}

fn decide_traced(cnf: &Cnf, options: Options, sink: Traced<'_>) -> Decided {
    let (answer, solver) = solve(cnf, options, sink);
    let value = |index| solver.value(Var::new(index).positive()) == Some(true);
    let model = match answer {
        Answer::Satisfiable => (0..cnf.n_vars()).map(value).collect(),
        _ => Vec::new(),
    };
    Decided {
        answer,
        model,
        statistics: *solver.statistics(),
    }
}

/// A refutation of `cnf` by resolution, trimmed; `None` if the formula is satisfiable, or the options end the search
/// before there is an answer.
#[must_use]
pub fn refute(cnf: &Cnf, options: Options) -> Option<ProofDag> {
    let (_, solver) = solve(cnf, options, ProofLog::new());
    solver.refutation().map(|root| solver.proof().trim(root))
}

fn solve<P: ProofSink>(cnf: &Cnf, options: Options, sink: P) -> (Answer, Solver<P>) {
    let mut solver = Solver::with_proof(options, sink);
    solver.add_cnf(cnf);
    solver.close_variables();
    (solver.solve(&[]), solver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Lit;
    use crate::proof::check::{check_dag, check_leaves};

    fn cnf(clauses: &[&[i64]]) -> Cnf {
        let mut cnf = Cnf::new();
        for clause in clauses {
            let lits: Vec<Lit> = (clause.iter())
                .map(|&number| Lit::from_dimacs(number).unwrap())
                .collect();
            cnf.add_clause(&lits);
        }
        cnf
    }

    #[test]
    fn refutations_are_of_the_formula_and_models_satisfy_it() {
        let refuted = cnf(&[
            &[1, 2, 3],
            &[1, -2],
            &[2, -3],
            &[-1, 3],
            &[-1, -2, -3],
            &[2, 3],
            &[-2, 3],
            &[-3, 1],
        ]);
        let dag = refute(&refuted, Options::default()).unwrap();
        assert!(dag.is_refutation());
        assert_eq!(check_dag(&dag), Ok(()));
        assert_eq!(check_leaves(&dag, &refuted), Ok(()));
        let satisfied = cnf(&[&[1, 2, 3], &[-1, -2], &[-2, 3], &[-3, -1]]);
        assert!(refute(&satisfied, Options::default()).is_none());
        let mut log = ProofLog::new();
        let decided = decide(&satisfied, Options::default(), &mut log);
        assert_eq!(decided.answer, Answer::Satisfiable);
        assert!(satisfied.is_satisfied_by(&decided.model));
    }
}
