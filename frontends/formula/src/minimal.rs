//! Minimal unsatisfiable subsets, by deletion.
//!
//! Each clause has a selector, which is assumed while the clause is there. A clause without which the others have a model is
//! necessary. Otherwise it goes, with all whose selectors are no failed assumption. A model that falsifies one clause only is
//! turned at each of its variables: if another clause is then the only one that is false, that is necessary, too
//! (Marques-Silva and Lynce, "On improving MUS extraction algorithms", SAT 2011: recursive model rotation).

use std::sync::Arc;

use craig_solver::proof::NoProof;
use craig_solver::{Answer, Cnf, Lit, Options, Solver, Var};

use crate::decide::Watch;

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subset {
    /// The numbers of its clauses, in increasing order.
    pub clauses: Vec<usize>,
    /// Whether each clause is necessary; else the search was ended before this was known.
    pub is_minimal: bool,
}

/// The state of the search.
struct Minimizer<'f> {
    cnf: &'f Cnf,
    /// Which clauses are there.
    is_in: Vec<bool>,
    is_necessary: Vec<bool>,
    /// By literal: the clauses that have it.
    occurrences: Vec<Vec<usize>>,
    solver: Solver<NoProof>,
}

/// An unsatisfiable subset of the clauses without one that is not needed; `None` if the formula is satisfiable.
#[must_use]
pub fn minimal_subset(cnf: &Cnf, watch: &Watch) -> Option<Subset> {
    let mut minimizer = Minimizer::new(cnf, watch);
    let is_minimal = match minimizer.solve_without(None) {
        Answer::Satisfiable => return None,
        Answer::Unknown => false,
        Answer::Unsatisfiable => minimizer.delete(),
    };
    let clauses = (0..cnf.n_clauses()).filter(|&clause| minimizer.is_in[clause]);
    Some(Subset {
        clauses: clauses.collect(),
        is_minimal,
    })
}

impl<'f> Minimizer<'f> {
    fn new(cnf: &'f Cnf, watch: &Watch) -> Self {
        let mut solver = Solver::with_proof(Options::default(), NoProof);
        solver.set_interrupt(Arc::clone(&watch.interrupt));
        solver.set_progress(Arc::clone(&watch.conflicts));
        let mut occurrences = vec![Vec::new(); 2 * cnf.n_vars()];
        for (index, (clause, _)) in cnf.iter().enumerate() {
            let mut selected = clause.to_vec();
            selected.push(!selector(cnf, index));
            solver.add_clause(&selected);
            for lit in clause {
                occurrences[lit.index()].push(index);
            }
        }
        let n_clauses = cnf.n_clauses();
        Self {
            cnf,
            is_in: vec![true; n_clauses],
            is_necessary: vec![false; n_clauses],
            occurrences,
            solver,
        }
    }

    /// Whether what is there has a model without a clause. If not, all that was not needed for that goes.
    fn solve_without(&mut self, without: Option<usize>) -> Answer {
        let chosen = (0..self.cnf.n_clauses())
            .filter(|&clause| self.is_in[clause] && Some(clause) != without);
        let assumptions: Vec<Lit> = chosen.map(|clause| selector(self.cnf, clause)).collect();
        let answer = self.solver.solve(&assumptions);
        if answer == Answer::Unsatisfiable {
            let mut failed = self.solver.failed_assumptions().to_vec();
            failed.sort_unstable();
            for clause in 0..self.cnf.n_clauses() {
                let lit = selector(self.cnf, clause);
                if self.is_in[clause] && failed.binary_search(&lit).is_err() {
                    debug_assert!(!self.is_necessary[clause]);
                    self.is_in[clause] = false;
                    self.solver.add_clause(&[!lit]);
                }
            }
        }
        answer
    }

    /// Tries to do without each clause; `false` if the search was ended.
    fn delete(&mut self) -> bool {
        for clause in 0..self.cnf.n_clauses() {
            if !self.is_in[clause] || self.is_necessary[clause] {
                continue;
            }
            match self.solve_without(Some(clause)) {
                Answer::Unknown => return false,
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => {
                    let value = |index| self.solver.value(Var::new(index).positive());
                    let n_vars = self.cnf.n_vars();
                    let model = (0..n_vars).map(|index| value(index) == Some(true));
                    let model = model.collect();
                    self.rotate(model, clause);
                }
            }
        }
        true
    }

    /// Marks clauses as necessary, given a model of all that are there but one.
    fn rotate(&mut self, model: Vec<bool>, clause: usize) {
        self.is_necessary[clause] = true;
        let mut open = vec![(model, clause)];
        while let Some((mut model, clause)) = open.pop() {
            for &lit in self.cnf.clause(clause) {
                let var = lit.var().index();
                model[var] = !model[var];
                if let Some(other) = self.only_false(&model, !lit)
                    && !self.is_necessary[other]
                {
                    self.is_necessary[other] = true;
                    open.push((model.clone(), other));
                }
                model[var] = !model[var];
            }
        }
    }

    /// The clause that is there and false, if there is just one. All false ones have the literal.
    fn only_false(&self, model: &[bool], lit: Lit) -> Option<usize> {
        let is_true = |lit: &Lit| model[lit.var().index()] != lit.is_negated();
        let mut all = self.occurrences[lit.index()]
            .iter()
            .filter(|&&clause| self.is_in[clause] && !self.cnf.clause(clause).iter().any(is_true));
        let first = all.next()?;
        all.all(|other| other == first).then_some(*first)
    }
}

/// The variable that is assumed while a clause is there.
fn selector(cnf: &Cnf, clause: usize) -> Lit {
    Var::new(cnf.n_vars() + clause).positive()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_satisfiable(cnf: &Cnf, clauses: &[usize]) -> bool {
        let mut solver = Solver::new();
        for &clause in clauses {
            solver.add_clause(cnf.clause(clause));
        }
        solver.solve(&[]) == Answer::Satisfiable
    }

    #[test]
    fn no_clause_of_a_minimal_subset_can_go() {
        let mut seed = 3_u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % limit
        };
        let mut n_minimized = 0;
        for _ in 0..150 {
            let mut cnf = Cnf::new();
            cnf.reserve_vars(8);
            for _ in 0..45 {
                let clause: Vec<Lit> = (0..1 + below(3))
                    .map(|_| Var::new(below(8)).lit(below(2) == 1))
                    .collect();
                cnf.add_clause(&clause);
            }
            let all: Vec<usize> = (0..cnf.n_clauses()).collect();
            let Some(subset) = minimal_subset(&cnf, &Watch::default()) else {
                assert!(is_satisfiable(&cnf, &all));
                continue;
            };
            assert!(subset.is_minimal && !is_satisfiable(&cnf, &subset.clauses));
            for left_out in &subset.clauses {
                let rest: Vec<usize> = (subset.clauses.iter().copied())
                    .filter(|clause| clause != left_out)
                    .collect();
                assert!(is_satisfiable(&cnf, &rest), "{cnf:?} {subset:?}");
            }
            n_minimized += 1;
        }
        assert!(n_minimized > 50, "{n_minimized}");
    }

    #[test]
    fn a_search_that_is_ended_keeps_what_it_has() {
        let mut cnf = Cnf::new();
        let lit = Var::new(0).positive();
        cnf.add_clause(&[lit]);
        cnf.add_clause(&[!lit]);
        let watch = Watch::default();
        (watch.interrupt).store(true, std::sync::atomic::Ordering::Relaxed);
        let subset = minimal_subset(&cnf, &watch).unwrap();
        assert_eq!((subset.clauses, subset.is_minimal), (vec![0, 1], false));
    }
}
