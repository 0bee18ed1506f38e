//! Recursion without bound, by summaries of its functions: relations between the state at the entry of a call and
//! the state at its exit.
//!
//! A call within a recursion gets a summary over the parameters, the static objects that the callee or its callees
//! read or write, and the result, where `scope.rs` allows. `problem.rs` executes the body of each function once, with
//! these calls as edges; [`craig_program::procedures`] finds summaries; and `contract.rs` makes a program without
//! recursion of them, which is safe only if they are inductive and prove the program. That program is decided by an
//! engine, whose evidence is checked: nothing else is trusted of all that found the summaries.

mod contract;
mod effects;
mod outline;
mod problem;
mod report;
mod run;
mod scope;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::line_up::{Amount, StageName, Stages};
use craig_program::procedures::{
    Annotated, Annotation, CallRuns, Found as Searched, Search, Summary,
};

use self::problem::Problem;
pub(crate) use self::scope::Calls;
use crate::bounded;
pub(crate) use crate::report::{ANNOTATED, SAMPLES};
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::symbolic::EdgeCalls;
use craig_c_exec::symbolic::unwinding::{Limit, Unwinding};
use craig_c_lang::ir::Program;

/// The name of the engine in reports.
pub(crate) const NAME: &str = "procedures";

/// A program whose calls can have summaries.
pub(crate) struct Recursion<'p> {
    program: &'p Program,
    edges: Arc<EdgeCalls>,
    calls: Calls,
    stages: Stages,
}

/// The program, or one with the same runs, with calls as edges.
struct Form<'p> {
    program: Cow<'p, Program>,
    edges: Arc<EdgeCalls>,
    problem: Problem,
}

impl<'p> Form<'p> {
    /// With `iterations` iterations of each loop, and `decided` more as long as its condition is decided.
    fn new(
        program: Cow<'p, Program>,
        edges: Arc<EdgeCalls>,
        (iterations, decided): (u32, u32),
        stop: &Stop,
    ) -> Result<Self, UnknownReason> {
        let problem = problem::problem(&program, &edges, (iterations, decided), stop)?;
        Ok(Self {
            program,
            edges,
            problem,
        })
    }

    fn is_complete(&self) -> bool {
        self.problem.procedures.is_complete()
    }
}

/// What decides the program with summaries.
pub(crate) type Decide<'a> = dyn Fn(&Program, bool, Control<'_>) -> Verdict + 'a;

impl<'p> Recursion<'p> {
    /// The calls of a program that are edges, if there are some and they can have summaries. If they can't, a note says
    /// why. The schedule has a row for these searches, or the default one is taken.
    pub(crate) fn new(
        program: &'p Program,
        (calls, stages): (Calls, &Stages),
        control: Control<'_>,
    ) -> Option<Self> {
        match scope::edges(program, calls) {
            Ok(edges) => Some(Self {
                program,
                edges: Arc::new(edges?),
                calls,
                stages: stages.clone(),
            }),
            Err(reason) => {
                control.listener.note(NAME, || {
                    format!("no summaries, calls are inlined: {reason}")
                });
                None
            }
        }
    }

    /// An amount of these searches.
    fn amount(&self, amount: Amount) -> u32 {
        self.stages.row(StageName::Procedures).amount(amount)
    }

    /// Searches for summaries. A program with them is given to `decide`, with whether its functions have no loops
    /// that have to be unrolled; only if that is safe, the program is.
    pub(crate) fn prove(&self, decide: &Decide<'_>, control: Control<'_>) -> Verdict {
        self.in_each_form(false, control, &mut |form| {
            self.search(form, decide, control)
        })
    }

    /// Lazy annotation of the procedures, at most this number of queries if one is given: a run that fails, which is
    /// replayed, or summaries, with which the program is given to `decide`. With samples, a few runs of small values come before;
    /// also returns whether one of these is the verdict.
    pub(crate) fn annotate(
        &self,
        max_queries: Option<usize>,
        with_samples: bool,
        decide: &Decide<'_>,
        control: Control<'_>,
    ) -> (Verdict, bool) {
        let mut is_sampled = false;
        let verdict = self.in_each_form(true, control, &mut |form| {
            if with_samples && let Some(verdict) = self.sampled(&form, control.stop) {
                is_sampled = true;
                return verdict;
            }
            self.annotated(form, max_queries, decide, control)
        });
        (verdict, is_sampled)
    }

    /// The verdict that a run of the root with a few small values, and calls evaluated, comes to: deep errors need no query
    /// then.
    fn sampled(&self, form: &Form<'_>, stop: &Stop) -> Option<Verdict> {
        let found = form.problem.procedures.failing_run(stop)?;
        let verdict = self.follow_calls(&form.problem, &found, stop);
        matches!(verdict, Ok(Found::Unsafe(_)) | Err(_)).then_some(verdict)
    }

    /// The first verdict on a form of the program. If loops have to be unrolled, one form has them as procedures, and
    /// others a few of their iterations.
    fn in_each_form(
        &self,
        procedures_first: bool,
        control: Control<'_>,
        decide: &mut dyn FnMut(Form<'_>) -> Verdict,
    ) -> Verdict {
        // Loops that stay loops in the bodies: one search with few iterations, one with more.
        let unrolled = |iterations: Amount| {
            let program = Cow::Borrowed(self.program);
            let loops = (self.amount(iterations), self.amount(Amount::DecidedTo));
            Form::new(program, Arc::clone(&self.edges), loops, control.stop)
        };
        let first = match unrolled(Amount::Iterations) {
            Ok(form) if form.is_complete() => return decide(form),
            Ok(form) => form,
            Err(reason) => return unknown(reason),
        };
        let outlined = match self.outlined(&first, control) {
            Ok(form) => form,
            Err(reason) => return unknown(reason),
        };
        let mut forms = vec![Ok(first)];
        if let Some(outlined) = outlined {
            forms.insert(usize::from(!procedures_first), Ok(outlined));
        }
        let last = std::iter::once_with(|| unrolled(Amount::IterationsTo));
        for form in forms.into_iter().chain(last) {
            match form.map(&mut *decide) {
                Ok(Ok(Found::Unknown(UnknownReason::Bound(_)))) => {}
                Ok(verdict) => return verdict,
                Err(reason) => return unknown(reason),
            }
        }
        nothing()
    }

    /// The program with its loops as procedures, as far as they can be, if that changes anything.
    fn outlined(
        &self,
        first: &Form<'_>,
        control: Control<'_>,
    ) -> Result<Option<Form<'static>>, UnknownReason> {
        let mut found: Option<Form<'static>> = None;
        // New ones may be reached behind others.
        for _ in 0..self.amount(Amount::OutlinesTo) {
            let (program, unrolled) = match &found {
                Some(form) => (&*form.program, &form.problem.unrolled),
                None => (&*first.program, &first.problem.unrolled),
            };
            let Some(program) = outline::loops_as_procedures(program, unrolled) else {
                break;
            };
            let Ok(Some(edges)) = scope::edges(&program, self.calls) else {
                break;
            };
            found = Some(Form::new(
                Cow::Owned(program),
                Arc::new(edges),
                (
                    self.amount(Amount::Iterations),
                    self.amount(Amount::DecidedTo),
                ),
                control.stop,
            )?);
        }
        if let Some(form) = &found {
            control.listener.note(NAME, || {
                let names = form.edges.vocabularies.keys();
                let names = names.map(|&id| form.program.functions[id as usize].name.clone());
                format!(
                    "with loops as procedures: {}",
                    names.collect::<Vec<_>>().join(", ")
                )
            });
        }
        Ok(found)
    }

    fn annotated(
        &self,
        mut form: Form<'_>,
        max_queries: Option<usize>,
        decide: &Decide<'_>,
        control: Control<'_>,
    ) -> Verdict {
        let mut search = Annotation::new(&form.problem.procedures, ANNOTATED, control.stop)
            .with_limit(max_queries.unwrap_or(usize::MAX));
        loop {
            match search.step(&mut form.problem.procedures, control) {
                Err(reason) => return unknown(reason),
                Ok(Annotated::TooMany) => return nothing(),
                Ok(Annotated::Run(found)) => {
                    return self.follow_calls(&form.problem, &found, control.stop);
                }
                Ok(Annotated::Bounded(_)) => {}
                Ok(Annotated::Summaries(summaries)) => {
                    let verdict = self.decided(&form, &summaries, decide, control);
                    return verdict.unwrap_or_else(nothing);
                }
            }
        }
    }

    /// The run that fails in the interpreter.
    fn follow_calls(&self, problem: &Problem, found: &CallRuns, stop: &Stop) -> Verdict {
        match run::choices(problem, found, stop) {
            Some(facts) => bounded::replay_facts(self.program, facts, stop),
            None => unknown((stop.reason()).unwrap_or_else(|| {
                UnknownReason::Unsupported("a path to an error is too long to be replayed".into())
            })),
        }
    }

    /// Searches for summaries of these bodies.
    fn search(&self, mut form: Form<'_>, decide: &Decide<'_>, control: Control<'_>) -> Verdict {
        let mut search = Search::new(
            &form.problem.procedures,
            NAME,
            self.amount(Amount::DepthTo) as usize,
            control.stop,
        );
        loop {
            let summaries = match search.step(&mut form.problem.procedures, control) {
                Err(reason) => return unknown(reason),
                Ok(Searched::Nothing) => return nothing(),
                Ok(Searched::Failure(depth)) => return self.follow(&form, depth, control),
                Ok(Searched::Summaries(summaries)) => summaries,
            };
            if let Some(verdict) = self.decided(&form, &summaries, decide, control) {
                return verdict;
            }
        }
    }

    /// The verdict on the program with summaries, if that is one on the program, or the control stops.
    fn decided(
        &self,
        form: &Form<'_>,
        summaries: &[Summary],
        decide: &Decide<'_>,
        control: Control<'_>,
    ) -> Option<Verdict> {
        let is_complete = form.is_complete();
        let Form {
            program: own,
            edges,
            problem,
        } = form;
        let Some(program) = contract::with_summaries(own, edges, problem, summaries) else {
            return Some(nothing());
        };
        match decide(&program, is_complete, control) {
            Ok(Found::Safe(mut safety)) => {
                control
                    .listener
                    .note(NAME, || report::text(own, edges, problem, summaries));
                safety.text += &format!("; with summaries of {}", names(form, summaries));
                Some(Ok(Found::Safe(safety)))
            }
            verdict @ Err(_) => Some(verdict),
            _ => {
                control
                    .listener
                    .note(NAME, || "summaries that are not proved".into());
                control.stop.reason().map(unknown)
            }
        }
    }

    /// The run that fails with calls nested so deep, by unrolling up to that depth.
    fn follow(&self, form: &Form<'_>, depth: usize, control: Control<'_>) -> Verdict {
        if matches!(form.program, Cow::Owned(_)) {
            // Iterations are calls there. Others find such runs.
            return nothing();
        }
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
            hints: Vec::new(),
        };
        match bounded::check(self.program, (&unwinding, &self.stages), control) {
            verdict @ (Ok(Found::Unsafe(_)) | Err(_)) => verdict,
            _ => unknown(UnknownReason::Unsupported(format!(
                "a path to an error with {depth} nested calls is not that of a run"
            ))),
        }
    }
}

/// The names of the functions with summaries.
fn names(form: &Form<'_>, summaries: &[Summary]) -> String {
    let functions = &form.problem.functions;
    debug_assert_eq!(functions.len(), summaries.len());
    let names =
        (functions.iter()).map(|&id| format!("`{}`", form.program.functions[id as usize].name));
    names.collect::<Vec<String>>().join(", ")
}

fn nothing() -> Verdict {
    unknown(UnknownReason::Bound(
        "no summaries prove the program".into(),
    ))
}
