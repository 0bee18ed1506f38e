//! varisat as the judge of interpolants that others have written.

use craig_itp::Stop;
use craig_itp::verify::{Judge, NoAnswer};
use craig_solver::Cnf;
use varisat::ExtendFormula;

/// The solver varisat, which shares no code with the searches of this project: a model is checked against all clauses, and that there
/// is none is believed. It hears no stop: the command leaves its thread behind where a limit is reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Varisat;

impl Judge for Varisat {
    fn is_satisfiable(&self, cnf: &Cnf, _: &Stop) -> Result<bool, NoAnswer> {
        let mut solver = varisat::Solver::new();
        for (clause, _) in cnf.iter() {
            let literals =
                (clause.iter()).map(|lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize));
            solver.add_clause(&literals.collect::<Vec<_>>());
        }
        if !solver.solve().map_err(|_| NoAnswer::Undecided)? {
            return Ok(false);
        }
        let mut values = vec![false; cnf.n_vars()];
        for literal in solver.model().into_iter().flatten() {
            if let Some(value) = values.get_mut(literal.var().index()) {
                *value = literal.is_positive();
            }
        }
        match cnf.is_satisfied_by(&values) {
            true => Ok(true),
            false => Err(NoAnswer::Wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use craig_solver::{Lit, Var};

    use super::*;

    #[test]
    fn formulas_with_and_without_models_are_told_apart() {
        let [x, y] = [0, 1].map(|index| Var::new(index).positive());
        let decided = |clauses: &[&[Lit]]| {
            let mut cnf = Cnf::new();
            cnf.reserve_vars(2);
            for clause in clauses {
                cnf.add_clause(clause);
            }
            Varisat.is_satisfiable(&cnf, &Stop::never())
        };
        assert_eq!(decided(&[&[x, y], &[!x]]), Ok(true));
        assert_eq!(decided(&[&[x, y], &[!x], &[!y]]), Ok(false));
        assert_eq!(decided(&[&[x], &[]]), Ok(false));
        assert_eq!(decided(&[]), Ok(true));
    }
}
