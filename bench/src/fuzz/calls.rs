//! What the subjects that make calls of the solver share: their settings, the judge of an answer, and smaller cases.

use craig_solver::proof::ProofSink;
use craig_solver::{Cnf, Lit, Options, Solver, Var};

use super::shrink::without_parts;

/// A case of calls with options.
pub(super) trait Calls: Clone {
    /// A call.
    type Call: Clone;

    fn calls(&mut self) -> &mut Vec<Self::Call>;

    /// As [`Options::set`] takes them.
    fn options(&mut self) -> &mut Vec<String>;

    /// The literals of a call, if it has any.
    fn literals(call: &mut Self::Call) -> Option<&mut Vec<i32>>;
}

/// Cases with fewer calls, fewer options, or a literal less.
pub(super) fn smaller<C: Calls>(case: &C) -> Vec<C> {
    let mut whole = case.clone();
    let changed = |change: &dyn Fn(&mut C)| {
        let mut smaller = case.clone();
        change(&mut smaller);
        smaller
    };
    let mut found = Vec::new();
    for calls in without_parts(whole.calls()) {
        found.push(changed(&|smaller| *smaller.calls() = calls.clone()));
    }
    for options in without_parts(whole.options()) {
        found.push(changed(&|smaller| *smaller.options() = options.clone()));
    }
    for (index, call) in whole.calls().iter_mut().enumerate() {
        for place in 0..C::literals(call).map_or(0, |lits| lits.len()) {
            found.push(changed(&|smaller| {
                if let Some(lits) = C::literals(&mut smaller.calls()[index]) {
                    lits.remove(place);
                }
            }));
        }
    }
    found
}

/// The options with these assignments.
pub(super) fn options_of(assignments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    for assignment in assignments {
        if !options.set(assignment) {
            return Err(format!("option: {assignment} is refused"));
        }
    }
    Ok(options)
}

/// Whether the model that a solver has found satisfies the clauses and the assumptions.
pub(super) fn judge_model<P: ProofSink>(
    solver: &Solver<P>,
    cnf: &Cnf,
    assumed: &[Lit],
) -> Result<(), String> {
    let value = |var| solver.value(Var::new(var).positive()) == Some(true);
    let model: Vec<bool> = (0..cnf.n_vars()).map(value).collect();
    if !cnf.is_satisfied_by(&model) {
        return Err("model: a clause is false".into());
    }
    let holds = |lit: &Lit| model[lit.var().index()] != lit.is_negated();
    match assumed.iter().all(holds) {
        true => Ok(()),
        false => Err("model: an assumption is false".into()),
    }
}

/// The failed assumptions of a refutation, which were assumed.
pub(super) fn core_of<P: ProofSink>(
    solver: &Solver<P>,
    assumed: &[Lit],
) -> Result<Vec<Lit>, String> {
    let failed = solver.failed_assumptions().to_vec();
    match failed.iter().all(|lit| assumed.contains(lit)) {
        true => Ok(failed),
        false => Err("core: it has a literal that was not assumed".into()),
    }
}
