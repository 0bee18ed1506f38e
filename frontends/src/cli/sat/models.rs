//! `craig sat --enumerate`: models one after the other.

use std::sync::Arc;
use std::time::Duration;

use craig_formula::decide::{Question, Watch};
use craig_formula::enumerate::{Enumerated, enumerate};
use craig_solver::{Cnf, Var};

use super::counts::{counts_of, describe};
use super::{Body, describe_literals};
use crate::cli::failure::Failure;
use crate::cli::terminal::print;
use crate::cli::watch::Stop;

/// Which models are wanted.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) vars: Vec<Var>,
    pub(super) most: u64,
    /// Whether they are kept for the JSON object, and not printed when they are found.
    pub(super) is_kept: bool,
}

/// The models that were kept, and how the search has ended.
pub(super) struct Models {
    kept: Vec<Vec<i64>>,
    end: Enumerated,
}

/// The search for models.
pub(super) fn worker(
    cnf: &Arc<Cnf>,
    question: Question,
    watched: &Watch,
    wanted: Wanted,
) -> Box<dyn FnOnce() -> Result<Models, Failure> + Send> {
    let (cnf, watched) = (Arc::clone(cnf), watched.clone());
    Box::new(move || {
        let mut kept = Vec::new();
        let mut n_models = 0;
        let mut is_wrong = false;
        let end = enumerate(&cnf, &question, &wanted.vars, &watched, |model| {
            if !cnf.is_satisfied_by(model) {
                is_wrong = true;
                return false;
            }
            n_models += 1;
            let literals = wanted.vars.iter().map(|var| {
                let number = i64::from(var.positive().to_dimacs());
                if model[var.index()] { number } else { -number }
            });
            if wanted.is_kept {
                kept.push(literals.collect());
            } else {
                print(&describe_literals(literals));
            }
            n_models < wanted.most
        });
        match is_wrong {
            true => Err(Failure::internal("the model does not satisfy the formula")),
            false => Ok(Models { kept, end }),
        }
    })
}

impl Models {
    /// The verdict with its exit code.
    pub(super) fn verdict(&self) -> (&'static str, u8) {
        match (self.end.n_models, self.end.is_complete) {
            (0, true) => ("unsatisfiable", 20),
            (0, false) => ("unknown", 0),
            _ => ("satisfiable", 10),
        }
    }

    /// Why not all models were found, if the search was stopped.
    pub(super) fn reason(&self, stop: Option<Stop>) -> Option<&'static str> {
        let reason = self.end.reason.filter(|_| !self.end.is_complete)?;
        Some(super::reason(Some(reason), stop))
    }

    /// The lines after the models.
    pub(super) fn describe(&self, stop: Option<Stop>) -> String {
        let all = match self.end.is_complete {
            true => "all of them",
            false => "there may be others",
        };
        let reason = self.reason(stop).map(|reason| format!("c {reason}\n"));
        let (word, _) = self.verdict();
        format!(
            "{}c models: {}, {all}\ns {}\n",
            reason.unwrap_or_default(),
            self.end.n_models,
            word.to_uppercase()
        )
    }

    /// What the search has counted.
    pub(super) fn statistics(&self, elapsed: Duration) -> String {
        let counts = counts_of(&self.end.statistics, self.end.clause_bytes);
        describe(&counts, elapsed)
    }

    /// The fields of the JSON object.
    pub(super) fn body(self, size: [usize; 2], stop: Option<Stop>) -> Body<'static> {
        let reason = self.reason(stop);
        let statistics = counts_of(&self.end.statistics, self.end.clause_bytes);
        Body {
            models: Some(self.kept),
            all_models: Some(self.end.is_complete),
            statistics: statistics.into_iter().collect(),
            ..Body::new(size, reason)
        }
    }
}
