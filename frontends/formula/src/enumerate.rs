//! All models of a formula, or all values of some variables in models, one after the other.
//!
//! No clause is added to block what was found. The values of the variables are a path in a tree, which is assumed: after a
//! model the last value that was not yet turned is turned, so that each value of the variables is met once, and what is kept is
//! one path. If there is no model, the failed assumptions tell how far up the path to go.

use std::sync::Arc;

use craig_solver::cdcl::Statistics;
use craig_solver::proof::NoProof;
use craig_solver::{Answer, Cnf, Lit, Options, Solver, UnknownReason, Var};

use crate::decide::{Question, Watch};

/// The end of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumerated {
    /// How many models were found.
    pub n_models: u64,
    /// Whether there are no others.
    pub is_complete: bool,
    /// Why the search has ended before.
    pub reason: Option<UnknownReason>,
    /// The counters of the search.
    pub statistics: Statistics,
    /// The size of the clauses at the end, in bytes.
    pub clause_bytes: usize,
}

/// A value on the path.
#[derive(Clone, Copy, Debug)]
struct Step {
    lit: Lit,
    /// Whether the other value is done.
    is_turned: bool,
}

/// Gives each assignment of `vars` that a model has to `found`, with that model, until it returns `false`. The limits of the
/// question hold for each model.
pub fn enumerate(
    cnf: &Cnf,
    question: &Question,
    vars: &[Var],
    watch: &Watch,
    mut found: impl FnMut(&[bool]) -> bool,
) -> Enumerated {
    let options = Options {
        // Assumptions would bring variables back at once.
        eliminate: false,
        ..question.options.clone()
    };
    let mut solver = Solver::with_proof(options, NoProof);
    solver.set_interrupt(Arc::clone(&watch.interrupt));
    solver.set_progress(Arc::clone(&watch.conflicts));
    solver.set_counters(Arc::clone(&watch.counters));
    solver.set_limits(question.limits);
    solver.add_cnf(cnf);
    let mut path: Vec<Step> = Vec::new();
    let (mut n_models, mut is_complete) = (0, false);
    while !is_complete {
        let mut assumptions = question.assumptions.clone();
        assumptions.extend(path.iter().map(|step| step.lit));
        match solver.solve(&assumptions) {
            Answer::Unknown => break,
            Answer::Satisfiable => {
                let is_true = |lit: Lit| solver.value(lit) == Some(true);
                let size = vars.iter().map(|var| var.index() + 1).max().unwrap_or(0);
                let model: Vec<bool> = (0..cnf.n_vars().max(size))
                    .map(|index| is_true(Var::new(index).positive()))
                    .collect();
                n_models += 1;
                path.extend(vars[path.len()..].iter().map(|var| Step {
                    lit: var.lit(!model[var.index()]),
                    is_turned: false,
                }));
                is_complete = !turn(&mut path);
                if !found(&model) {
                    break;
                }
            }
            Answer::Unsatisfiable => {
                let failed = solver.failed_assumptions();
                let last = path.iter().rposition(|step| failed.contains(&step.lit));
                path.truncate(last.map_or(0, |last| last + 1));
                is_complete = !turn(&mut path);
            }
        }
    }
    Enumerated {
        n_models,
        is_complete,
        reason: solver.unknown_reason(),
        statistics: *solver.statistics(),
        clause_bytes: solver.clause_bytes(),
    }
}

/// Turns the last value that was not turned; `false` if there is none.
fn turn(path: &mut Vec<Step>) -> bool {
    while let Some(step) = path.last_mut() {
        if !step.is_turned {
            step.is_turned = true;
            step.lit = !step.lit;
            return true;
        }
        path.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Random clauses over five variables: each assignment of the variables that a model has is found once, and no other.
    #[test]
    fn each_projected_model_is_found_once() {
        let mut seed = 1_u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % limit
        };
        let mut n_found = 0;
        for round in 0..200 {
            let mut cnf = Cnf::new();
            cnf.reserve_vars(5);
            for _ in 0..below(14) {
                let clause: Vec<Lit> = (0..1 + below(3))
                    .map(|_| Var::new(below(5)).lit(below(2) == 1))
                    .collect();
                cnf.add_clause(&clause);
            }
            let vars: Vec<Var> = (0..round % 6).map(Var::new).collect();
            let projected = |model: &[bool]| -> Vec<bool> {
                vars.iter().map(|var| model[var.index()]).collect()
            };
            let all = (0..32_u32).map(|bits| (0..5).map(|var| bits >> var & 1 == 1).collect());
            let expected: BTreeSet<Vec<bool>> = all
                .filter(|model: &Vec<bool>| cnf.is_satisfied_by(model))
                .map(|model| projected(&model))
                .collect();
            let mut met = BTreeSet::new();
            let (question, watch) = (Question::default(), Watch::default());
            let end = enumerate(&cnf, &question, &vars, &watch, |model| {
                assert!(cnf.is_satisfied_by(model));
                assert!(met.insert(projected(model)), "a model comes twice");
                true
            });
            assert!(end.is_complete && end.n_models == met.len() as u64);
            assert_eq!(met, expected);
            n_found += met.len();
        }
        assert!(n_found > 500, "{n_found}");
    }

    #[test]
    fn an_enumeration_ends_where_it_is_told_to() {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(3);
        let vars: Vec<Var> = (0..3).map(Var::new).collect();
        let mut n_wanted = 2;
        let (question, watch) = (Question::default(), Watch::default());
        let end = enumerate(&cnf, &question, &vars, &watch, |_| {
            n_wanted -= 1;
            n_wanted > 0
        });
        assert_eq!((end.n_models, end.is_complete), (2, false));
    }
}
