//! Recursion without bound, by summaries of its functions: relations between the state at the entry of a call and
//! the state at its exit.
//!
//! A call within a recursion gets a summary over the parameters, the static objects that the callee or its callees
//! read or write, and the result, where `scope.rs` allows. `problem.rs` executes the body of each function once, with
//! these calls as edges; [`craig_mc::program::procedures`] finds summaries; and `contract.rs` makes a program without
//! recursion of them, which is safe only if they are inductive and prove the program. That program is decided by an
//! engine, whose evidence is checked: nothing else is trusted of all that found the summaries.

mod contract;
mod problem;
mod report;
mod run;
mod scope;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use craig_mc::program::procedures::{Annotated, Annotation, CallRuns, Found, Search, Summary};
use craig_mc::{Control, UnknownReason};

use self::problem::Problem;
use super::bounded::{self, Verdict};
use super::execute::EdgeCalls;
use super::ir::Program;
use super::unwinding::{Limit, Unwinding};

/// The name of the engine in reports.
pub(crate) const NAME: &str = "procedures";

/// The name of the search that annotates procedures.
pub(crate) const ANNOTATED: &str = "annotated calls";

/// The depth of call trees that are refuted for candidates, at most.
const MAX_DEPTH: usize = 6;
/// Iterations of the loops in the bodies, if these have any: one search for each.
const ITERATIONS: [u32; 2] = [2, 5];

/// A recursive program whose calls can have summaries.
pub(crate) struct Recursion<'p> {
    program: &'p Program,
    edges: Arc<EdgeCalls>,
    /// The depth of call trees, at most.
    max_depth: usize,
}

/// What decides the program with summaries.
pub(crate) type Decide<'a> = dyn Fn(&Program, bool, &Control) -> Verdict + 'a;

impl<'p> Recursion<'p> {
    /// The recursion of a program, if there is one and its calls can have summaries. If they can't, a note says why.
    pub(crate) fn new(program: &'p Program, control: &Control) -> Option<Self> {
        match scope::recursive_calls(program) {
            Ok(edges) => Some(Self {
                program,
                edges: Arc::new(edges?),
                max_depth: MAX_DEPTH,
            }),
            Err(reason) => {
                control.note(NAME, || {
                    format!("no summaries, calls are inlined: {reason}")
                });
                None
            }
        }
    }

    /// Searches for summaries. A program with them is given to `decide`, with whether its functions have no loops
    /// that have to be unrolled; only if that is safe, the program is.
    pub(crate) fn prove(&self, decide: &Decide<'_>, control: &Control) -> Verdict {
        for iterations in ITERATIONS {
            let problem = match problem::problem(self.program, &self.edges, iterations, control) {
                Ok(problem) => problem,
                Err(reason) => return Verdict::Unknown(reason),
            };
            let is_complete = problem.procedures.is_complete();
            match self.search(problem, decide, control) {
                Verdict::Unknown(UnknownReason::Bound(_)) if !is_complete => {}
                verdict => return verdict,
            }
        }
        nothing()
    }

    /// Lazy annotation of the procedures, at most this number of queries if one is given: a run that fails, which is
    /// replayed, or summaries, with which the program is given to `decide`.
    pub(crate) fn annotate(
        &self,
        max_queries: Option<usize>,
        decide: &Decide<'_>,
        control: &Control,
    ) -> Verdict {
        for iterations in ITERATIONS {
            let problem = match problem::problem(self.program, &self.edges, iterations, control) {
                Ok(problem) => problem,
                Err(reason) => return Verdict::Unknown(reason),
            };
            let is_complete = problem.procedures.is_complete();
            match self.annotated(problem, max_queries, decide, control) {
                Verdict::Unknown(UnknownReason::Bound(_)) if !is_complete => {}
                verdict => return verdict,
            }
        }
        nothing()
    }

    fn annotated(
        &self,
        mut problem: Problem,
        max_queries: Option<usize>,
        decide: &Decide<'_>,
        control: &Control,
    ) -> Verdict {
        let mut search = Annotation::new(&problem.procedures, ANNOTATED, control);
        loop {
            match search.step(&mut problem.procedures, control) {
                Err(reason) => return Verdict::Unknown(reason),
                Ok(Annotated::TooMany) => return nothing(),
                Ok(Annotated::Run(found)) => return self.follow_calls(&problem, &found, control),
                Ok(Annotated::Bounded(_)) => {
                    if max_queries.is_some_and(|most| search.n_queries() > most) {
                        return nothing();
                    }
                }
                Ok(Annotated::Summaries(summaries)) => {
                    let verdict = self.decided(&problem, &summaries, decide, control);
                    return verdict.unwrap_or_else(nothing);
                }
            }
        }
    }

    /// The run that fails in the interpreter.
    fn follow_calls(&self, problem: &Problem, found: &CallRuns, control: &Control) -> Verdict {
        match run::choices(problem, found, control) {
            Some(facts) => bounded::replayed(self.program, facts, control),
            None => Verdict::Unknown((control.stop_reason()).unwrap_or_else(|| {
                UnknownReason::Unsupported("a path to an error is too long to be replayed".into())
            })),
        }
    }

    /// Searches for summaries of these bodies.
    fn search(&self, mut problem: Problem, decide: &Decide<'_>, control: &Control) -> Verdict {
        let mut search = Search::new(&problem.procedures, NAME, self.max_depth, control);
        loop {
            let summaries = match search.step(&mut problem.procedures, control) {
                Err(reason) => return Verdict::Unknown(reason),
                Ok(Found::Nothing) => return nothing(),
                Ok(Found::Failure(depth)) => return self.follow(depth, control),
                Ok(Found::Summaries(summaries)) => summaries,
            };
            if let Some(verdict) = self.decided(&problem, &summaries, decide, control) {
                return verdict;
            }
        }
    }

    /// The verdict on the program with summaries, if that is one on the program, or the control stops.
    fn decided(
        &self,
        problem: &Problem,
        summaries: &[Summary],
        decide: &Decide<'_>,
        control: &Control,
    ) -> Option<Verdict> {
        let is_complete = problem.procedures.is_complete();
        let Some(program) = contract::with_summaries(self.program, &self.edges, problem, summaries)
        else {
            return Some(nothing());
        };
        match decide(&program, is_complete, control) {
            Verdict::Safe(mut safety) => {
                control.note(NAME, || {
                    report::text(self.program, &self.edges, problem, summaries)
                });
                safety.text += &format!("; with summaries of {}", self.names(problem, summaries));
                Some(Verdict::Safe(safety))
            }
            verdict @ Verdict::Internal(_) => Some(verdict),
            _ => {
                control.note(NAME, || "summaries that are not proved".into());
                control.stop_reason().map(Verdict::Unknown)
            }
        }
    }

    /// The run that fails with calls nested so deep, by unrolling up to that depth.
    fn follow(&self, depth: usize, control: &Control) -> Verdict {
        let functions = self.edges.vocabularies.keys();
        let unwinding = Unwinding {
            most: None,
            single: (functions.map(|&id| Limit {
                function: self.program.functions[id as usize].name.clone(),
                number: None,
                // The first call is not one of the recursion.
                most: depth as u32 + 1,
            }))
            .collect(),
        };
        match bounded::check(self.program, &unwinding, control) {
            verdict @ (Verdict::Unsafe(_) | Verdict::Internal(_)) => verdict,
            _ => Verdict::Unknown(UnknownReason::Unsupported(format!(
                "a path to an error with {depth} nested calls is not that of a run"
            ))),
        }
    }

    fn names(&self, problem: &Problem, summaries: &[Summary]) -> String {
        debug_assert_eq!(problem.functions.len(), summaries.len());
        let functions = problem.functions.iter();
        let names = functions.map(|&id| format!("`{}`", self.program.functions[id as usize].name));
        names.collect::<Vec<String>>().join(", ")
    }
}

fn nothing() -> Verdict {
    Verdict::Unknown(UnknownReason::Bound(
        "no summaries prove the program".into(),
    ))
}
