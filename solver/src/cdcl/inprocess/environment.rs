//! A part of the formula, decided by a search of its own.
//!
//! What follows from some clauses follows from all of them, so that a small search near a variable finds facts
//! which the large one would have to look for among everything else.

use super::lists::Lists;
use crate::cdcl::answer::Answer;
use crate::cdcl::options::{Limits, Options};
use crate::cdcl::solver::Solver;
use crate::cnf::Label;
use crate::lit::{Lit, Var};
use crate::proof::{ProofDag, ProofLog};

/// The conflicts that one question may take.
const CONFLICTS: u64 = 100;

/// Clauses over variables of their own numbers, with a model of them once there was one.
pub(super) struct Environment {
    solver: Solver<ProofLog>,
    /// The clauses, one after the other, and where each one ends.
    lits: Vec<Lit>,
    ends: Vec<u32>,
    /// By literal: the clauses with it.
    lists: Lists<u32>,
    /// By variable: its value in the last model.
    model: Vec<bool>,
}

impl Environment {
    /// The environment without clauses, over `n_vars` variables.
    pub(super) fn new(n_vars: usize) -> Self {
        let options = Options {
            stable: false,
            lucky: false,
            walk: false,
            subsume_learned: false,
            bump_reasons: false,
            inprocess_interval: 1_000_000,
            ..Options::default()
        };
        let mut solver = Solver::with_proof(options, ProofLog::new());
        solver.set_limits(Limits {
            conflicts: Some(CONFLICTS),
            ..Limits::default()
        });
        solver.reserve_vars(n_vars);
        Self {
            solver,
            lits: Vec::new(),
            ends: Vec::new(),
            lists: Lists::new(2 * n_vars),
            model: vec![false; n_vars],
        }
    }

    pub(super) fn n_vars(&self) -> usize {
        self.model.len()
    }

    /// Adds a clause. In a derivation, its label is the number of clauses before it.
    pub(super) fn add(&mut self, clause: impl Iterator<Item = Lit>) {
        let start = self.lits.len();
        self.lits.extend(clause);
        let index = self.ends.len() as Label;
        for &lit in &self.lits[start..] {
            self.lists.push(lit, index);
        }
        self.ends.push(self.lits.len() as u32);
        self.solver.add_labelled_clause(&self.lits[start..], index);
    }

    /// Whether the clauses have a model with these literals, which is the last model then.
    pub(super) fn decide(&mut self, assumptions: &[Lit]) -> Answer {
        let answer = self.solver.solve(assumptions);
        if answer == Answer::Satisfiable {
            for (var, value) in self.model.iter_mut().enumerate() {
                *value = self.solver.value(Var::new(var).positive()) == Some(true);
            }
        }
        answer
    }

    /// Has the next model make the literal true where it is decided.
    pub(super) fn prefer(&mut self, lit: Lit) {
        self.solver.set_phase(lit);
    }

    /// The effort so far, in literals propagated.
    pub(super) fn effort(&self) -> u64 {
        self.solver.statistics().propagations
    }

    /// The derivation of the last answer, if that was unsatisfiable: its root is a clause of negated assumptions.
    pub(super) fn derivation(&self) -> Option<ProofDag> {
        let root = self.solver.refutation()?;
        self.solver.proof().try_trim(root).ok()
    }

    /// Whether the literal is true in the last model.
    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.model[lit.var().index()] != lit.is_negated()
    }

    /// Gives the variable of a literal its other value in the last model if that leaves it a model; with how many clauses were
    /// visited.
    pub(super) fn flip(&mut self, lit: Lit) -> (bool, usize) {
        let lit = lit.negate_if(!self.is_true(lit));
        let list = self.lists.of(lit);
        let needs_lit = list.iter().position(|&clause| {
            let mut others = self.clause(clause).iter().filter(|&&other| other != lit);
            !others.any(|&other| self.is_true(other))
        });
        match needs_lit {
            Some(place) => (false, place + 1),
            None => {
                let n_visited = list.len();
                self.model[lit.var().index()] ^= true;
                (true, n_visited)
            }
        }
    }

    fn clause(&self, index: u32) -> &[Lit] {
        let start = match index {
            0 => 0,
            _ => self.ends[index as usize - 1] as usize,
        };
        &self.lits[start..self.ends[index as usize] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(number: i64) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    #[test]
    fn derivations_end_in_negated_assumptions_and_flips_keep_models() {
        let mut environment = Environment::new(4);
        let clauses: [&[i64]; 3] = [&[-1, 2], &[-2, 3], &[3, 4]];
        for clause in clauses {
            environment.add(clause.iter().map(|&number| lit(number)));
        }
        assert_eq!(
            environment.decide(&[lit(1), lit(-3)]),
            Answer::Unsatisfiable
        );
        let dag = environment.derivation().unwrap();
        let mut root = dag.clause(dag.root().unwrap()).to_vec();
        root.sort_unstable();
        assert_eq!(root, [lit(-1), lit(3)]);
        assert_eq!(environment.decide(&[lit(1)]), Answer::Satisfiable);
        assert!(environment.is_true(lit(3)));
        assert!(!environment.flip(lit(3)).0, "a clause needs it");
        assert!(environment.flip(lit(1)).0);
        assert!(!environment.is_true(lit(1)));
    }
}
