//! Formulas that grow between calls, each of which is decided under assumptions.

use std::sync::Arc;

use craig_solver::proof::check::CheckingSink;
use craig_solver::proof::{NoProof, ProofSink};
use craig_solver::{Answer, Cnf, Lit, Solver, UnknownReason, Var};

use crate::decide::{DecideError, Question, Watch, ends_in_failed};
use crate::dimacs::Call;

/// What a call returns.
#[derive(Clone, Debug)]
pub struct Called {
    /// The answer.
    pub answer: Answer,
    /// The values of the variables, by number; of a satisfiable formula.
    pub model: Vec<bool>,
    /// Assumptions that can't hold together with the clauses; none if the clauses alone have no model.
    pub failed: Vec<Lit>,
    /// Why there is no answer.
    pub reason: Option<UnknownReason>,
}

/// Decides each call about the clauses in turn by one solver, which keeps what it learns, and tells its result. The calls after one without an answer are not made. The
/// assumptions of the question are not used. With `is_checked`, each step of the proof is checked when it is made, and the clause of
/// negated failed assumptions has to be one of them; the number of steps is returned.
///
/// # Errors
/// If a step of the proof is rejected; see [`DecideError`].
pub fn decide_calls(
    (cnf, calls): (&Cnf, &[Call]),
    question: &Question,
    is_checked: bool,
    watch: &Watch,
    told: impl FnMut(Called),
) -> Result<Option<u64>, DecideError> {
    if !is_checked {
        make_calls((cnf, calls), question, NoProof, watch, told, |_, _| true)?;
        return Ok(None);
    }
    let proves = |solver: &Solver<CheckingSink>, failed: &[Lit]| {
        ends_in_failed(solver.proof(), solver.refutation(), failed)
    };
    let solver = make_calls(
        (cnf, calls),
        question,
        CheckingSink::new(),
        watch,
        told,
        proves,
    )?;
    let checker = solver.into_proof();
    checker.finish()?;
    Ok(Some(checker.n_derived()))
}

/// Makes the calls; `proves` says whether the proof so far ends in the clause of negated failed assumptions.
fn make_calls<P: ProofSink>(
    (cnf, calls): (&Cnf, &[Call]),
    question: &Question,
    sink: P,
    watch: &Watch,
    mut told: impl FnMut(Called),
    proves: impl Fn(&Solver<P>, &[Lit]) -> bool,
) -> Result<Solver<P>, DecideError> {
    let mut solver = Solver::with_proof(question.options.clone(), sink);
    solver.set_limits(question.limits);
    solver.set_interrupt(Arc::clone(&watch.interrupt));
    solver.set_progress(Arc::clone(&watch.conflicts));
    solver.set_counters(Arc::clone(&watch.counters));
    let n_vars = cnf.n_vars();
    solver.reserve_vars(n_vars);
    let mut n_added = 0;
    for call in calls {
        for index in n_added..call.n_clauses {
            solver.add_labelled_clause(cnf.clause(index), index as u32);
        }
        n_added = call.n_clauses;
        let answer = solver.solve(&call.assumptions);
        let failed = solver.failed_assumptions().to_vec();
        if answer == Answer::Unsatisfiable && !proves(&solver, &failed) {
            return Err(DecideError::NotARefutation);
        }
        let value = |index| solver.value(Var::new(index).positive()).unwrap_or(false);
        let model: Vec<bool> = match answer {
            Answer::Satisfiable => (0..n_vars).map(value).collect(),
            _ => Vec::new(),
        };
        let reason = solver.unknown_reason();
        told(Called {
            answer,
            model,
            failed,
            reason,
        });
        if answer == Answer::Unknown {
            break;
        }
    }
    Ok(solver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimacs::{Input, read_input};

    fn answers(text: &str, is_checked: bool) -> (Vec<Called>, Option<u64>) {
        let Ok(Input::Calls(calls)) = read_input(&mut text.as_bytes(), "calls") else {
            panic!("expected calls");
        };
        let mut all = Vec::new();
        let steps = decide_calls(
            (&calls.cnf, &calls.calls),
            &Question::default(),
            is_checked,
            &Watch::default(),
            |called| all.push(called),
        );
        (all, steps.unwrap())
    }

    #[test]
    fn each_call_is_about_the_clauses_before_it() {
        let text = "p inccnf\nc first\n1 2 0\na -1 0\na -1 -2 0\n-2 3 0\na -1 -3 0\na 0\n-1 0\n-3 0\na 2 0\na 0\n";
        for is_checked in [false, true] {
            let (all, steps) = answers(text, is_checked);
            let found: Vec<Answer> = all.iter().map(|called| called.answer).collect();
            use Answer::{Satisfiable, Unsatisfiable};
            assert_eq!(
                found,
                [
                    Satisfiable,
                    Unsatisfiable,
                    Unsatisfiable,
                    Satisfiable,
                    Unsatisfiable,
                    Unsatisfiable
                ]
            );
            assert_eq!(all[0].model[..2], [false, true]);
            let failed: Vec<i32> = all[1].failed.iter().map(|lit| lit.to_dimacs()).collect();
            assert!(failed.contains(&-1) && failed.contains(&-2), "{failed:?}");
            assert!(all[5].failed.is_empty());
            assert_eq!(steps.is_some(), is_checked);
        }
    }

    /// Sets of random clauses, a few at a time, against all assignments.
    #[test]
    fn calls_are_answered_as_by_enumeration() {
        for seed in 0..40 {
            let mut random = craig_aig::Random::new(seed);
            let mut text = String::from("p inccnf\n");
            let mut left: Vec<u32> = (0..1 << 7).collect();
            let mut expected = Vec::new();
            let holds =
                |values: u32, lit: i32| (values >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
            for _ in 0..6 {
                for _ in 0..6 {
                    let mut literal = || {
                        let var = 1 + random.below(7) as i32;
                        if random.flip() { var } else { -var }
                    };
                    let clause = [literal(), literal(), literal()];
                    text += &format!("{} {} {} 0\n", clause[0], clause[1], clause[2]);
                    left.retain(|&values| clause.iter().any(|&lit| holds(values, lit)));
                }
                let assumed = 1 + random.below(7) as i32;
                let assumed = [assumed, -(1 + assumed % 7)];
                text += &format!("a {} {} 0\n", assumed[0], assumed[1]);
                let is_model = |values: &u32| assumed.iter().all(|&lit| holds(*values, lit));
                expected.push(left.iter().any(is_model));
            }
            let (all, _) = answers(&text, true);
            let found: Vec<bool> = all
                .iter()
                .map(|called| called.answer == Answer::Satisfiable)
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
