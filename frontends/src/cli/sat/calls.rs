//! `craig sat` on a file with calls between its clauses (`p inccnf`).

use std::sync::{Arc, Mutex, PoisonError};

use craig_formula::dimacs::Call;
use craig_formula::incremental::{Called, decide_calls};
use craig_solver::{Answer, Lit};
use serde::Serialize;

use super::{Arguments, Task, comment, describe_literals, literals, reason, watch_work};
use crate::cli::failure::Failure;
use crate::cli::json::print_object;
use crate::cli::terminal::print;
use crate::cli::watch::Stop;

/// The fields of the JSON object.
#[derive(Serialize)]
struct Body {
    reason: Option<&'static str>,
    variables: usize,
    clauses: usize,
    /// The calls that the file has.
    calls: usize,
    /// Those that were made.
    results: Vec<CallBody>,
    checked_steps: Option<u64>,
}

/// A call.
#[derive(Serialize)]
struct CallBody {
    verdict: &'static str,
    assumptions: Vec<i64>,
    clauses: usize,
    model: Option<Vec<i64>>,
    failed_assumptions: Option<Vec<i64>>,
}

/// Refuses options that files with calls have no use for.
pub(super) fn check_options(arguments: &Arguments) -> Result<(), Failure> {
    let question = &arguments.question;
    let unused = [
        ("--assume", question.assumes()),
        ("--enumerate", question.enumerate.is_some()),
        ("--proof", arguments.proof.is_some()),
        ("--trim", arguments.trim.is_some()),
        ("--core", arguments.core.is_some()),
        ("--cubes", arguments.cubes.cubes.is_some()),
        ("--threads", arguments.threads.get() > 1),
        ("--stats", arguments.stats),
        ("--verbose", arguments.verbose),
    ];
    match unused.iter().find(|row| row.1) {
        Some((option, _)) => Err(Failure::input(format!(
            "{option} has no meaning for a file with calls (`p inccnf`)"
        ))),
        None => Ok(()),
    }
}

/// Makes the calls of a file one after the other, and prints each answer when it is there.
pub(super) fn make_calls(
    arguments: &Arguments,
    task: &Task,
    calls: Vec<Call>,
) -> Result<u8, Failure> {
    let calls = Arc::new(calls);
    let made: Arc<Mutex<Vec<Called>>> = Arc::default();
    let work = {
        let (calls, made) = (Arc::clone(&calls), Arc::clone(&made));
        let cnf = Arc::clone(&task.cnf);
        let (question, watched) = (task.question.clone(), task.watched.clone());
        let (is_checked, prints) = (arguments.check, !arguments.json);
        let comments = prints && !arguments.quiet;
        move || {
            let mut is_wrong = false;
            let done = decide_calls((&cnf, &calls), &question, is_checked, &watched, |called| {
                let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                let call = &calls[made.len()];
                is_wrong |= called.answer == Answer::Satisfiable
                    && !call.is_satisfied_by(&cnf, &called.model);
                if comments {
                    let numbers = numbers(&call.assumptions).map(|number| format!(" {number}"));
                    let numbers: String = numbers.collect();
                    print(&format!("c call {}: assume{numbers}\n", made.len() + 1));
                }
                if prints && !is_wrong && called.answer != Answer::Unknown {
                    print(&describe(&called));
                }
                made.push(called);
            });
            match (is_wrong, done) {
                (true, _) => Err(Failure::internal("a model does not satisfy the clauses")),
                (false, done) => done.map_err(Failure::internal),
            }
        }
    };
    let (steps, stop) = watch_work(arguments, task, work)?;
    let steps = steps?;
    let made = std::mem::take(&mut *made.lock().unwrap_or_else(PoisonError::into_inner));
    finish(arguments, task, &calls, &made, (steps, stop))
}

/// What is said when the calls have been made, or time is over.
fn finish(
    arguments: &Arguments,
    task: &Task,
    calls: &[Call],
    made: &[Called],
    (steps, stop): (Option<u64>, Option<Stop>),
) -> Result<u8, Failure> {
    let last = made.last();
    let is_open = last.is_none_or(|called| called.answer == Answer::Unknown);
    let open_reason = is_open.then(|| reason(last.and_then(|called| called.reason), stop));
    let is_satisfiable = made
        .iter()
        .any(|called| called.answer == Answer::Satisfiable);
    let (word, code) = match (is_satisfiable, is_open) {
        (true, _) => ("satisfiable", 10),
        (false, false) => ("unsatisfiable", 20),
        (false, true) => ("unknown", 0),
    };
    if arguments.json {
        let results = made.iter().zip(calls).map(|(called, call)| CallBody {
            verdict: word_of(called.answer),
            assumptions: numbers(&call.assumptions).collect(),
            clauses: call.n_clauses,
            model: (called.answer == Answer::Satisfiable)
                .then(|| literals(&called.model).collect()),
            failed_assumptions: (called.answer == Answer::Unsatisfiable)
                .then(|| numbers(&called.failed).collect()),
        });
        let [variables, clauses] = task.size();
        let body = Body {
            reason: open_reason,
            variables,
            clauses,
            calls: calls.len(),
            results: results.collect(),
            checked_steps: steps,
        };
        print_object((word, code), task.start.elapsed().as_secs_f64(), &body)?;
        return Ok(code);
    }
    if let Some(steps) = steps {
        let text = format!("c every step of the proof was accepted: {steps}\n");
        comment(arguments, &text);
    }
    if let Some(text) = open_reason {
        let n_open = calls.len() + 1 - made.len().max(1);
        comment(arguments, &format!("c {text}; open calls: {n_open}\n"));
        print("s UNKNOWN\n");
    }
    Ok(code)
}

fn numbers(lits: &[Lit]) -> impl Iterator<Item = i64> {
    lits.iter().map(|lit| i64::from(lit.to_dimacs()))
}

fn word_of(answer: Answer) -> &'static str {
    match answer {
        Answer::Satisfiable => "satisfiable",
        Answer::Unsatisfiable => "unsatisfiable",
        Answer::Unknown => "unknown",
    }
}

/// The lines of an answer.
fn describe(called: &Called) -> String {
    let status = format!("s {}\n", word_of(called.answer).to_uppercase());
    match called.answer {
        Answer::Satisfiable => status + &describe_literals(literals(&called.model)),
        Answer::Unsatisfiable => {
            let failed: String = numbers(&called.failed)
                .map(|number| format!(" {number}"))
                .collect();
            format!("c failed assumptions:{failed}\n{status}")
        }
        Answer::Unknown => status,
    }
}
