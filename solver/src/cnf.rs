//! Clause lists whose clauses carry a label.

use crate::lit::{Lit, Var};

/// The partition that an original clause belongs to. The crates above the solver define what the numbers
/// mean, as two sides of an interpolation problem or the time frames of an unrolling.
pub type Label = u32;

/// A formula in conjunctive normal form. All literals lie in one flat arena.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    n_vars: usize,
    lits: Vec<Lit>,
    /// One past the last literal of each clause.
    ends: Vec<usize>,
    labels: Vec<Label>,
}

impl Cnf {
    /// The formula without clauses or variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many variables there are; at least one more than the largest variable in a clause.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }

    /// Makes sure that there are at least `n_vars` variables.
    ///
    /// # Panics
    /// If that is more than there are variables, `Var::MAX_INDEX + 1`.
    pub fn reserve_vars(&mut self, n_vars: usize) {
        assert!(
            n_vars <= Var::MAX_INDEX + 1,
            "more variables than can be numbered"
        );
        self.n_vars = self.n_vars.max(n_vars);
    }

    /// How many clauses there are.
    #[must_use]
    pub fn n_clauses(&self) -> usize {
        self.ends.len()
    }

    /// Adds a clause with label 0.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.add_labelled_clause(lits, 0);
    }

    /// Adds a clause that belongs to the partition `label`.
    pub fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        for lit in lits {
            self.n_vars = self.n_vars.max(lit.var().index() + 1);
        }
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
        self.labels.push(label);
    }

    /// The literals of clause number `index`, as they were added.
    ///
    /// # Panics
    /// If there is no such clause.
    #[must_use]
    pub fn clause(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start..self.ends[index]]
    }

    /// The label of clause number `index`.
    ///
    /// # Panics
    /// If there is no such clause.
    #[must_use]
    pub fn label(&self, index: usize) -> Label {
        self.labels[index]
    }

    /// All clauses with their labels, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[Lit], Label)> + '_ {
        (0..self.n_clauses()).map(|index| (self.clause(index), self.label(index)))
    }

    /// Whether `assignment`, indexed by variable, satisfies every clause.
    ///
    /// # Panics
    /// If `assignment` has fewer than [`Cnf::n_vars`] entries.
    #[must_use]
    pub fn is_satisfied_by(&self, assignment: &[bool]) -> bool {
        self.iter().all(|(clause, _)| {
            clause
                .iter()
                .any(|lit| assignment[lit.var().index()] != lit.is_negated())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_keep_their_literals_and_labels() {
        let [a, b, c] = [0, 1, 2].map(|v| Var::new(v).positive());
        let mut cnf = Cnf::new();
        cnf.add_labelled_clause(&[a, !b], 3);
        cnf.add_clause(&[]);
        cnf.add_labelled_clause(&[c], 1);
        assert_eq!(cnf.n_vars(), 3);
        let all: Vec<_> = cnf.iter().collect();
        assert_eq!(all, [(&[a, !b][..], 3), (&[][..], 0), (&[c][..], 1)]);
    }

    #[test]
    fn more_variables_than_literals_can_name_are_refused() {
        let reserve = |n_vars| std::panic::catch_unwind(|| Cnf::new().reserve_vars(n_vars));
        assert!(reserve(Var::MAX_INDEX + 1).is_ok());
        assert!(reserve(Var::MAX_INDEX + 2).is_err());
    }

    #[test]
    fn an_empty_clause_is_never_satisfied() {
        let mut cnf = Cnf::new();
        assert!(cnf.is_satisfied_by(&[]));
        cnf.add_clause(&[]);
        assert!(!cnf.is_satisfied_by(&[]));
    }
}
