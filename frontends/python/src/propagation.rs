//! Unit propagation over the clauses as they were added, without a search.

use craig_solver::{Cnf, Lit};

/// The clauses, found by their literals.
#[derive(Clone, Default)]
pub(crate) struct Propagation {
    /// Without repeated literals; those with a literal and its negation are left out.
    clauses: Vec<Vec<Lit>>,
    /// The clauses with a literal, by its code.
    with: Vec<Vec<usize>>,
    /// How many clauses of the formula are here.
    n_read: usize,
}

/// Values of variables, and the order in which they came.
struct Trail<'a> {
    clauses: &'a Propagation,
    /// Whether a literal is true, by its code.
    is_true: Vec<bool>,
    /// How many literals of each clause are false.
    n_false: Vec<usize>,
    literals: Vec<Lit>,
    /// How many of them were propagated.
    n_done: usize,
}

impl Propagation {
    /// Adds the clauses of a formula that are not here yet.
    pub(crate) fn read(&mut self, formula: &Cnf) {
        for index in self.n_read..formula.n_clauses() {
            let mut clause = formula.clause(index).to_vec();
            clause.sort_unstable_by_key(|lit| lit.code());
            clause.dedup();
            if clause.iter().any(|&lit| clause.contains(&!lit)) {
                continue;
            }
            for lit in &clause {
                let code = lit.code() as usize;
                if self.with.len() <= code {
                    self.with.resize(code + 1, Vec::new());
                }
                self.with[code].push(self.clauses.len());
            }
            self.clauses.push(clause);
        }
        self.n_read = formula.n_clauses();
    }

    /// What follows from assumptions by unit propagation, in the order in which it follows, without what follows from the clauses
    /// alone; and whether there is no contradiction.
    pub(crate) fn run(&self, assumptions: &[Lit]) -> (bool, Vec<Lit>) {
        let most = assumptions.iter().map(|lit| lit.code() as usize | 1).max();
        let n_codes = (self.with.len() + 1).max(most.unwrap_or_default() + 1);
        let mut trail = Trail {
            clauses: self,
            is_true: vec![false; n_codes + 1],
            n_false: vec![0; self.clauses.len()],
            literals: Vec::new(),
            n_done: 0,
        };
        let units = self.clauses.iter().filter(|clause| clause.len() < 2);
        for clause in units {
            if !clause.first().is_some_and(|&lit| trail.set(lit)) {
                return (false, Vec::new());
            }
        }
        if !trail.propagate() {
            return (false, Vec::new());
        }
        let first = trail.literals.len();
        let holds = (assumptions.iter()).all(|&lit| trail.set(lit) && trail.propagate());
        (holds, trail.literals.split_off(first))
    }
}

impl Trail<'_> {
    /// Makes a literal true, unless it is false.
    fn set(&mut self, lit: Lit) -> bool {
        if self.is_true[(!lit).code() as usize] {
            return false;
        }
        if !std::mem::replace(&mut self.is_true[lit.code() as usize], true) {
            self.literals.push(lit);
        }
        true
    }

    /// Makes all literals true that clauses force; whether no clause is false.
    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.literals.get(self.n_done) {
            self.n_done += 1;
            let false_one = (!lit).code() as usize;
            let touched = self.clauses.with.get(false_one);
            for &index in touched.into_iter().flatten() {
                let clause = &self.clauses.clauses[index];
                self.n_false[index] += 1;
                if self.n_false[index] + 1 < clause.len() {
                    continue;
                }
                // All others are false, though not all of them may have been counted.
                let left = |lit: &&Lit| !self.is_true[(!**lit).code() as usize];
                match clause.iter().find(left) {
                    Some(&forced) => drop(self.set(forced)),
                    None => return false,
                }
            }
        }
        true
    }
}
