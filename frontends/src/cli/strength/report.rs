//! The results for one problem.

use craig_itp::study::{Finding, Order, Study};

use super::convergence::Run;

/// The results for one problem.
pub(super) struct Report {
    pub(super) name: String,
    /// The study, or why there is none.
    pub(super) study: Result<Study, String>,
    /// The runs of the model checker.
    pub(super) runs: Vec<Run>,
    /// Whether a limit or a signal ended the work early.
    pub(super) is_cut_short: bool,
    /// Whether the results are final.
    pub(super) is_done: bool,
}

impl Report {
    pub(super) fn without_study(name: String, reason: String) -> Self {
        Self {
            name,
            study: Err(reason),
            runs: Vec::new(),
            is_cut_short: false,
            is_done: true,
        }
    }

    /// Adds a result of a study that is under way.
    pub(super) fn add(&mut self, finding: Finding<'_>) {
        match (finding, &mut self.study) {
            (Finding::Shared(n_shared), study) => *study = Ok(Study::begun(n_shared)),
            (Finding::Proof(proof), Ok(study)) => study.proofs.push(proof.clone()),
            (Finding::Entry(entry), Ok(study)) => study.entries.push(entry.clone()),
            (Finding::Proof(_) | Finding::Entry(_), Err(_)) => {
                unreachable!("the number of shared variables comes first")
            }
        }
    }

    /// Makes the results final although the study has not ended, for a reason.
    pub(super) fn give_up(&mut self, reason: &str) {
        self.is_done = true;
        self.is_cut_short = true;
        match &mut self.study {
            Ok(study) if study.order.classes.len() < study.entries.len() => {
                study.order = Order::undecided(study.entries.len());
                study
                    .missing
                    .push(format!("all that follows: given up: {reason}"));
            }
            Ok(_) => {}
            Err(error) => *error = format!("given up: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::strength::table;
    use craig_itp::choice::Choice;
    use craig_itp::study::{DensityBudget, Grid, ProofFunction, Transform, study};
    use craig_itp::{Stop, System};
    use craig_solver::{Cnf, Limits, Lit};
    use std::sync::Mutex;
    use std::time::Duration;

    /// An abandoned study is reported with its results so far, and with what is missing.
    #[test]
    fn a_study_that_is_given_up_keeps_its_rows() {
        let mut cnf = Cnf::new();
        for (number, label) in [(1, 0), (-1, 1)] {
            cnf.add_labelled_clause(&[Lit::from_dimacs(number).unwrap()], label);
        }
        let report = Mutex::new(Report {
            is_done: false,
            ..Report::without_study("problem".to_owned(), String::new())
        });
        let unchanged: &ProofFunction<'_> = &|dag, _, _| Ok(dag.clone());
        let grid = Grid {
            proofs: Vec::new(),
            seeds: vec![0],
            transforms: vec![Transform {
                name: "none",
                apply: unchanged,
            }],
            labellings: System::ALL.map(Choice::from).to_vec(),
            limits: Limits::default(),
            density: DensityBudget::default(),
            comparison_conflicts: None,
            verify: true,
            compaction: None,
            simplification: None,
            stop: Stop::never(),
            clock: &|| Duration::ZERO,
            listener: &|finding| report.lock().unwrap().add(finding),
        };
        let study = study(&cnf, 0, &grid).unwrap();
        let mut report = report.into_inner().unwrap();
        report.give_up("the time limit was reached");
        let found = report.study.as_ref().unwrap();
        assert_eq!(found.n_shared, study.n_shared);
        assert_eq!(found.proofs.len(), 1);
        assert_eq!(found.entries.len(), 3);
        assert_eq!(found.missing.len(), 1);
        assert!(report.is_cut_short && report.is_done);
        // The table can be made of an incomplete study.
        let text = table::text(&[report]);
        assert_eq!(text.matches(" valid ").count(), 3);
        assert!(text.contains("0 of 1 (1 undecided) proofs"), "{text}");
        assert!(
            text.contains("given up: the time limit was reached"),
            "{text}"
        );
    }
}
