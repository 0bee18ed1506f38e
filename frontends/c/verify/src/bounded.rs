//! Bounded model checking by symbolic execution: loops are unrolled with increasing bounds until an error is
//! reached, or until no path is cut off by the bound.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::line_up::{Amount, StageName, Stages};
use craig_word::Term;

use crate::formulas::{Decided, Formulas, certify_refutation, disjunction};
use crate::path_facts::{facts, reached};
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::concrete::replay::{Fact, error_of};
use craig_c_exec::symbolic::free_values::{FreeValues, evaluator};
use craig_c_exec::symbolic::unwinding::{Caps, Unwinding};
use craig_c_exec::symbolic::{Executor, Log, Policy};
use craig_c_lang::ir::Program;

/// The engine's name in reports.
pub(crate) const NAME: &str = "unwind";

/// The warning beside a proof of a program of which no run ends.
pub(crate) const VACUOUS: &str =
    "; warning: no run reaches the program's end, an assumption may exclude all of them";

/// The conflicts for the question whether any run ends.
const EFFORT_FOR_ENDS: u64 = 5_000;

/// How far a program is unrolled in each round, and when a question about errors is put off: a larger bound has the errors of a
/// smaller one.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// A question may be put off where loops are unrolled less than this, and all may be unrolled further.
    below: u32,
    /// And if it takes more conflicts.
    conflicts: u64,
    /// The iterations of a loop with a decided condition, and those on top for each with an open one.
    decided_first: u32,
    decided: u32,
    /// The first bound on nested calls of a function.
    depth: usize,
}

impl Effort {
    /// As a schedule says.
    fn of(stages: &Stages) -> Self {
        let row = stages.row(StageName::Unwind);
        Self {
            below: row.amount(Amount::PutOffBelow),
            conflicts: row.amount(Amount::PutOffConflicts).into(),
            decided_first: row.amount(Amount::DecidedFirst),
            decided: row.amount(Amount::Decided),
            depth: row.amount(Amount::Depth) as usize,
        }
    }
}

/// The limits of a user on unrolling, and the stages of a schedule.
pub(crate) type Within<'a> = (&'a Unwinding, &'a Stages);

/// Checks a program, with loops unrolled within such limits, as far as the schedule says in each round.
pub(crate) fn check(program: &Program, within: Within<'_>, control: Control<'_>) -> Verdict {
    let verdict =
        Executor::new(program).and_then(|executor| search(program, executor, within, control));
    verdict.unwrap_or_else(|message| unknown(UnknownReason::Unsupported(message)))
}

/// As [`check`], with given representations of objects in the executor.
#[cfg(test)]
pub(crate) fn check_with(
    program: &Program,
    unwinding: &Unwinding,
    prepare: impl FnOnce(&mut Executor<'_>),
    control: Control<'_>,
) -> Verdict {
    let verdict = Executor::new(program).and_then(|mut executor| {
        prepare(&mut executor);
        search(program, executor, (unwinding, &Stages::NONE), control)
    });
    verdict.unwrap_or_else(|message| unknown(UnknownReason::Unsupported(message)))
}

/// Unrolls with growing bounds until an error is reached, or no path goes beyond a bound.
fn search<'p>(
    program: &'p Program,
    executor: Executor<'p>,
    (unwinding, stages): Within<'_>,
    control: Control<'_>,
) -> Result<Verdict, String> {
    let caps = Arc::new(Caps::new(program, unwinding)?);
    let effort = Effort::of(stages);
    let mut search = Unrolling {
        program,
        executor,
        decider: Formulas::new(control.stop),
        control,
        effort,
        bound: 1,
        depth: effort.depth,
    };
    loop {
        if let Err(verdict) = search.round(&caps) {
            return Ok(verdict);
        }
    }
}

struct Unrolling<'p, 'c> {
    program: &'p Program,
    executor: Executor<'p>,
    decider: Formulas,
    control: Control<'c>,
    effort: Effort,
    /// The bound on iterations of a loop.
    bound: u32,
    /// The bound on nested calls. A function that calls itself twice has exponentially many calls, so it grows only
    /// where paths are deeper.
    depth: usize,
}

/// A step of the search, or the verdict that ends it.
pub(crate) type Going<T> = Result<T, Verdict>;

/// What ends at a bound, as conditions: paths that iterate further, and those that call deeper.
struct Beyond {
    iterates: Term,
    descends: Term,
}

impl Unrolling<'_, '_> {
    /// Decides the program with the bounds, and makes those larger that paths go beyond.
    fn round(&mut self, caps: &Arc<Caps>) -> Going<()> {
        self.execute(caps)?;
        let error = disjunction(&mut self.executor.terms, &self.executor.log.errors);
        let may_put_off = self.bound < self.effort.below && self.executor.log.has_room;
        let is_put_off = !self.has_no_error(error, may_put_off)?;
        let iterates = disjunction(&mut self.executor.terms, &self.executor.log.unwound);
        let descends = disjunction(&mut self.executor.terms, &self.executor.log.too_deep);
        let unwound = self.executor.terms.or(iterates, descends);
        let stuck = disjunction(&mut self.executor.terms, &self.executor.log.stuck);
        match self.decide(unwound)? {
            Some(model) => self.raise(&model.values, &Beyond { iterates, descends }),
            None => {
                if is_put_off {
                    self.has_no_error(error, false)?;
                }
                Err(self.conclude(error, unwound, stuck)?)
            }
        }
    }

    /// Whether no path ends in an error; a path that does is the verdict. With `may_put_off`, `false` also where that takes
    /// long to decide.
    fn has_no_error(&mut self, error: Term, may_put_off: bool) -> Going<bool> {
        let conflicts = may_put_off.then_some(self.effort.conflicts);
        match self.decide_within(error, conflicts)? {
            Decided::Holds(model) => {
                let (decider, executor) = (&mut self.decider, &mut self.executor);
                let stop = self.control.stop;
                Err(error_found(
                    self.program,
                    executor,
                    decider,
                    (error, &model),
                    stop,
                ))
            }
            found => Ok(matches!(found, Decided::Refuted)),
        }
    }

    /// Executes all paths up to the bounds.
    fn execute(&mut self, caps: &Arc<Caps>) -> Going<()> {
        let effort = self.effort;
        let executor = &mut self.executor;
        executor.log = Log::default();
        executor.forget_times();
        let (position, state) = executor.start();
        let policy = Policy::Unwind {
            open: self.bound,
            closed: (effort.decided.saturating_mul(self.bound))
                .saturating_add(effort.decided_first),
            recursion: self.depth,
            caps: Arc::clone(caps),
        };
        (executor.run(position, state, &policy, self.control.stop)).map_err(unknown)?;
        self.control.listener.note(NAME, || {
            format!(
                "bound {}: {} terms, {} errors",
                self.bound,
                executor.terms.n_terms(),
                executor.log.errors.len()
            )
        });
        Ok(())
    }

    /// A model of a condition; `None` if there is none.
    fn decide(&mut self, condition: Term) -> Going<Option<FreeValues>> {
        match self.decide_within(condition, None)? {
            Decided::Holds(model) => Ok(Some(model)),
            _ => Ok(None),
        }
    }

    /// Whether a condition has a model; [`Decided::Hard`] only where there is a limit on conflicts.
    fn decide_within(&mut self, condition: Term, conflicts: Option<u64>) -> Going<Decided> {
        let stop = self.control.stop;
        match (self.decider).decide(&mut self.executor, condition, conflicts, stop) {
            Decided::Stopped(reason) => Err(unknown(reason)),
            found => Ok(found),
        }
    }

    /// The verdict where all paths end before the bounds and none in an error: safe with a proof, unless a path may be
    /// stuck at something unsupported.
    fn conclude(&mut self, error: Term, unwound: Term, stuck: Term) -> Going<Verdict> {
        if let Some(model) = self.decide(stuck)? {
            let mut evaluator = evaluator(&self.executor.terms, &model.values);
            let text = match reached(&self.executor.log.stuck, &mut evaluator) {
                Some(mark) => {
                    let place = self.program.place(mark.at);
                    format!("{place}: unsupported: {}", mark.text)
                }
                None => "something unsupported".into(),
            };
            return Ok(unknown(UnknownReason::Unsupported(text)));
        }
        let (bound, control) = (self.bound, self.control);
        let warning = match self.is_vacuous() {
            true => VACUOUS,
            false => "",
        };
        let terms = &mut self.executor.terms;
        let any = terms.or(error, unwound);
        let any = terms.or(any, stuck);
        let edge = self.decider.edge(terms, any);
        if edge == Edge::FALSE {
            let text = format!("all paths simplify away (unwinding {bound}){warning}");
            return Ok(Ok(Found::Safe(text.into())));
        }
        control
            .listener
            .note(NAME, || format!("bound {bound}: refuted, to be proved"));
        let text = |steps| {
            format!(
                "a proof of {steps} resolutions, checked, that no path of the whole program (unwinding {bound}) \
                 reaches an error{warning}"
            )
        };
        Ok(certify_refutation(
            &mut self.decider,
            edge,
            text,
            control.stop,
        ))
    }

    /// Whether it is found without much effort that no run ends: what the program assumes excludes all of them.
    fn is_vacuous(&mut self) -> bool {
        let ends = disjunction(&mut self.executor.terms, &self.executor.log.ends);
        let found = self.decide_within(ends, Some(EFFORT_FOR_ENDS));
        matches!(found, Ok(Decided::Refuted))
    }

    /// Makes the bounds larger that some path goes beyond, given the values of one that goes beyond some bound.
    fn raise(&mut self, values: &HashMap<Term, u128>, beyond: &Beyond) -> Going<()> {
        let mut evaluator = evaluator(&self.executor.terms, values);
        let log = &self.executor.log;
        let [longer, deeper] =
            [&log.unwound, &log.too_deep].map(|marks| reached(marks, &mut evaluator));
        if !log.has_room {
            let what = match longer.or(deeper) {
                Some(mark) => format!("{}: {}", self.program.place(mark.at), mark.text),
                None => "a loop".into(),
            };
            return Err(unknown(UnknownReason::Bound(format!(
                "no error within the limits on unwinding, which do not cover all paths: {what} goes on"
            ))));
        }
        let (longer, deeper) = (longer.is_some(), deeper.is_some());
        drop(evaluator);
        let longer = longer || self.decide(beyond.iterates)?.is_some();
        let deeper = deeper || self.decide(beyond.descends)?.is_some();
        debug_assert!(longer || deeper, "a path ends at a bound");
        if longer || !deeper {
            self.bound = self.bound.saturating_mul(2);
        }
        if deeper {
            self.depth = self.depth.saturating_mul(2);
        }
        Ok(())
    }
}

/// The verdict about an error with a model of its condition. Where its path does not replay, a path without failing outputs is
/// looked for: a proof is about those, too, and a replay can't show them.
pub(crate) fn error_found(
    program: &Program,
    executor: &mut Executor<'_>,
    decider: &mut Formulas,
    (error, model): (Term, &FreeValues),
    stop: &Stop,
) -> Verdict {
    let verdict = counterexample(program, executor, model, stop);
    let outputs = executor.log.outputs.clone();
    if outputs.is_empty() || !matches!(verdict, Ok(Found::Unknown(UnknownReason::Unsupported(_)))) {
        return verdict;
    }
    let terms = &mut executor.terms;
    let on_this_machine = (outputs.into_iter()).fold(error, |all, holds| terms.and(all, holds));
    match decider.decide(executor, on_this_machine, None, stop) {
        Decided::Holds(model) => counterexample(program, executor, &model, stop),
        _ => verdict,
    }
}

/// Replays the path of a model; only a run that ends in the error is a counterexample.
fn counterexample(
    program: &Program,
    executor: &Executor<'_>,
    model: &FreeValues,
    stop: &Stop,
) -> Verdict {
    let mut evaluator = evaluator(&executor.terms, &model.values);
    let facts = facts(
        &executor.terms,
        &executor.space,
        &executor.log.events,
        model,
        &mut evaluator,
    );
    replay_facts(program, facts, stop)
}

/// Replays a path; only a run that ends in the error is a counterexample.
pub(crate) fn replay_facts(program: &Program, facts: Vec<Fact>, stop: &Stop) -> Verdict {
    match error_of(program, facts, stop) {
        Ok(Ok(found)) => Ok(Found::Unsafe(Box::new(found))),
        Ok(Err(end)) => unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay ends otherwise ({end:?})"
        ))),
        Err(message) => unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay fails: {message}"
        ))),
    }
}

#[cfg(test)]
mod tests;
