//! A partitioned formula.

use craig_solver::{Cnf, Label, Var};

/// A formula whose clauses carry their partitions as labels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// The clauses.
    pub(crate) cnf: Cnf,
    /// Names of variables that have one; shorter than the variables if the last ones have none.
    pub(crate) names: Vec<Option<String>>,
    /// The first and the last partition, if they are known without the clauses.
    pub(crate) span: Option<(Label, Label)>,
    /// Partitions that the file names, with and without clauses.
    pub(crate) named: Vec<Label>,
    /// What the user has to know of how the file was read.
    pub(crate) warning: Option<String>,
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
            span: Some((0, 1)),
            ..Self::default()
        }
    }

    /// Whether there are partitions on both sides of a cut, which comes after a partition.
    ///
    /// # Errors
    /// If not: a message for users.
    pub(crate) fn check_cut(&self, cut: Label) -> Result<(), String> {
        let (first, last) = self.partitions()?;
        match first <= cut && cut < last {
            true => Ok(()),
            false => Err(format!(
                "there is no cut after partition {cut}: the partitions are {first} to {last}"
            )),
        }
    }

    /// The first and the last partition.
    ///
    /// # Errors
    /// If there is only one: a message for users.
    pub(crate) fn partitions(&self) -> Result<(Label, Label), String> {
        let labels = self.labels();
        let found = labels.first().copied().zip(labels.last().copied());
        match self.span.or(found) {
            Some((first, last)) if first < last => Ok((first, last)),
            _ => Err(
                "all clauses are in one partition, and an interpolant is between two: expected lines \
                 `c partition N`"
                    .to_owned(),
            ),
        }
    }

    /// The partitions that have clauses or are named, in increasing order.
    #[must_use]
    pub(crate) fn labels(&self) -> Vec<Label> {
        let own = self.cnf.iter().map(|(_, label)| label);
        let mut labels: Vec<Label> = own.chain(self.named.iter().copied()).collect();
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
