//! A partitioned formula.

use craig_solver::{Cnf, Label, Var};

/// A formula whose clauses carry their partitions as labels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// The clauses.
    pub(crate) cnf: Cnf,
    /// Names of variables that have one; shorter than the variables if the last ones have none.
    pub(crate) names: Vec<Option<String>>,
}

impl Problem {
    /// Two formulas over the same variables: `a` gets label 0, `b` label 1.
    #[must_use]
    pub(crate) fn of_pair(a: &Cnf, b: &Cnf) -> Self {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(a.n_vars().max(b.n_vars()));
        for (part, label) in [(a, 0), (b, 1)] {
            for (clause, _) in part.iter() {
                cnf.add_labelled_clause(clause, label);
            }
        }
        Self {
            cnf,
            names: Vec::new(),
        }
    }

    /// The labels that occur, in increasing order.
    #[must_use]
    pub(crate) fn labels(&self) -> Vec<Label> {
        let mut labels: Vec<Label> = self.cnf.iter().map(|(_, label)| label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// The name of a variable: its own, or else its DIMACS number.
    #[must_use]
    pub(crate) fn name(&self, var: Var) -> String {
        match self.names.get(var.index()) {
            Some(Some(name)) => name.clone(),
            _ => var.positive().to_dimacs().to_string(),
        }
    }
}
