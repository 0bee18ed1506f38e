//! Symbolic execution path by path (King, *Symbolic execution and program testing*, CACM 1976; Cadar, Dunbar and Engler, *KLEE*,
//! OSDI 2008): depth first, and a side of a branch that no run takes is left out.
//!
//! Where control depends on data, paths that meet differ in their pointers, indices and counts; along one path these are constants.
//! The conditions of errors, of sides that were left out, and of ways that are none of those followed are refuted together by one
//! proof, which is checked. Loops and recursion are followed up to bounds that grow in rounds.

use std::sync::Arc;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::UnknownReason;
use craig_program::line_up::{Amount, Stage};
use craig_word::Term;

use crate::bounded::{Going, VACUOUS, error_found};
use crate::formulas::{Decided, Formulas, Values, certify_refutation, disjunction_of};
use crate::path_cover::left_over;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::symbolic::free_values::evaluator;
use craig_c_exec::symbolic::unwinding::{Caps, Unwinding};
use craig_c_exec::symbolic::{Executor, Log, MAX_TERMS, Noted, Policy, Way};
use craig_c_lang::ir::Program;
use craig_verify::VerifyError;

/// The engine's name in reports.
pub(crate) const NAME: &str = "paths";

/// How many paths on top of the stack a path is compared with.
const NEAR: usize = 16;

/// How many paths there may be, and how long they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// More paths in a round are not followed.
    pub(crate) most: u64,
    /// Paths after which the number of all is estimated.
    pub(crate) first: u64,
    /// The first bound on iterations of a loop with a branch that is open.
    pub(crate) iterations: u32,
    /// No round has larger bounds on iterations and nested calls.
    pub(crate) most_iterations: u32,
    /// By what each round multiplies the bounds that a path goes beyond.
    pub(crate) growth: u32,
    /// The iterations of a loop with a condition that is known, for each iteration with one that is open.
    pub(crate) decided: u32,
    /// The first bound on nested calls.
    pub(crate) depth: usize,
}

impl Effort {
    /// As the row of the stage says. Beside other engines, little is lost where paths are many, or where loops have many rounds that
    /// depend on data; alone, all paths are wanted.
    pub(crate) fn of(row: &Stage) -> Self {
        Self {
            most: row.amount(Amount::PathsTo).into(),
            first: row.amount(Amount::PathsFirst).into(),
            iterations: row.amount(Amount::Iterations),
            most_iterations: row.amount(Amount::IterationsTo),
            growth: row.amount(Amount::Growth),
            decided: row.amount(Amount::Decided),
            depth: row.amount(Amount::Depth) as usize,
        }
    }
}

/// Checks a program path by path, within the limits of `unwinding`.
pub(crate) fn check(
    program: &Program,
    unwinding: &Unwinding,
    effort: Effort,
    control: Control<'_>,
) -> Verdict {
    let search = || -> Result<Verdict, String> {
        let caps = Arc::new(Caps::new(program, unwinding)?);
        let search = Search {
            program,
            executor: Executor::new(program)?,
            formulas: Formulas::of_parts(control.stop),
            control,
            effort,
            iterations: effort.iterations,
            depth: effort.depth,
            found: Round::default(),
        };
        Ok(search.rounds(&caps))
    };
    search().unwrap_or_else(|message| unknown(UnknownReason::Unsupported(message)))
}

/// A path that is to be gone on with. A run takes it.
struct Open {
    way: Way,
    noted: Noted,
    /// Its share of the tree of paths, if all sides of a branch that runs take have equal ones.
    share: f64,
    /// Values with which a run takes it.
    values: Option<Values>,
}

/// What a round has found.
#[derive(Default)]
struct Round {
    paths: u64,
    /// The sides of branches that no run takes, and ways that are none of those that are followed.
    left_out: Vec<Term>,
    n_left_out: usize,
    /// The share of the tree of paths that is done.
    share: f64,
    /// Whether some run goes to the program's end.
    ends: bool,
    /// Where a run comes to something unsupported.
    stuck: Option<String>,
    /// Where a run goes beyond a bound on iterations, and on nested calls.
    longer: Option<String>,
    deeper: Option<String>,
}

/// How many marks the log has, of each kind.
struct Marks {
    errors: usize,
    ends: usize,
    stuck: usize,
    unwound: usize,
    too_deep: usize,
    excluded: usize,
}

impl Marks {
    fn of(log: &Log) -> Self {
        Self {
            errors: log.errors.len(),
            ends: log.ends.len(),
            stuck: log.stuck.len(),
            unwound: log.unwound.len(),
            too_deep: log.too_deep.len(),
            excluded: log.excluded.len(),
        }
    }

    /// The conditions of the marks that were added since.
    fn since(&self, log: &Log) -> Vec<Term> {
        let marks = log.errors[self.errors..].iter();
        let marks = marks.chain(&log.ends[self.ends..]);
        let marks = marks.chain(&log.stuck[self.stuck..]);
        let marks = marks.chain(&log.unwound[self.unwound..]);
        let marks = marks.chain(&log.too_deep[self.too_deep..]);
        let excluded = log.excluded[self.excluded..].iter().copied();
        marks.map(|mark| mark.guard).chain(excluded).collect()
    }
}

struct Search<'p, 'c> {
    program: &'p Program,
    executor: Executor<'p>,
    formulas: Formulas,
    control: Control<'c>,
    effort: Effort,
    iterations: u32,
    depth: usize,
    found: Round,
}

impl Search<'_, '_> {
    /// Follows all paths, with growing bounds.
    fn rounds(mut self, caps: &Arc<Caps>) -> Verdict {
        loop {
            let policy = Policy::Unwind {
                open: self.iterations,
                closed: self.effort.decided.saturating_mul(self.iterations),
                recursion: self.depth,
                caps: Arc::clone(caps),
            };
            let verdict = match self.round(&policy) {
                Err(verdict) => Err(verdict),
                Ok(()) => self.conclude(),
            };
            match verdict {
                Ok(()) => {}
                Err(verdict) => return verdict,
            }
        }
    }

    /// Follows all paths up to the bounds. An error that a run reaches is the verdict.
    fn round(&mut self, policy: &Policy) -> Going<()> {
        self.found = Round::default();
        self.executor.log = Log::default();
        self.executor.forget_times();
        let (position, state) = self.executor.start();
        let key = Vec::new();
        let mut stack = vec![Open {
            way: Way {
                key,
                position,
                state,
            },
            noted: self.executor.noted(),
            share: 1.0,
            values: None,
        }];
        while let Some(open) = stack.pop() {
            self.executor.go_back(open.noted.clone());
            self.follow(open, policy, &mut stack)?;
        }
        let found = &self.found;
        self.control.listener.note(NAME, || {
            format!(
                "bound {}: {} paths, {} sides left out",
                self.iterations, found.paths, found.n_left_out
            )
        });
        Ok(())
    }

    /// Follows a path until it ends or has several ways to go on, which join the stack.
    fn follow(&mut self, open: Open, policy: &Policy, stack: &mut Vec<Open>) -> Going<()> {
        let Open {
            way,
            share,
            mut values,
            ..
        } = open;
        let Way {
            mut position,
            mut state,
            ..
        } = way;
        loop {
            self.check_limits()?;
            let before = self.executor.condition(&state);
            let marks = Marks::of(&self.executor.log);
            let ways = self.executor.advance(position, state, policy);
            let mut after = marks.since(&self.executor.log);
            after.extend(ways.iter().map(|way| self.executor.condition(&way.state)));
            self.require_cover(before, &after);
            self.judge(&marks)?;
            let mut ways = match ways.len() {
                0 | 1 => ways.into_iter().map(|way| (way, values.take())).collect(),
                _ => self.possible_ways(ways, values.as_ref())?,
            };
            if ways.len() > 1 {
                return self.branch(ways, share, stack);
            }
            match ways.pop() {
                Some((way, found)) => (position, state, values) = (way.position, way.state, found),
                None => return self.note_path(share),
            }
        }
    }

    /// Paths with the condition `before` have to go on in one of these ways.
    fn require_cover(&mut self, before: Term, after: &[Term]) {
        if let Some(left) = left_over(&mut self.executor.terms, before, after) {
            self.found.left_out.push(left);
        }
    }

    /// Puts the ways of a path on the stack: one that leaves a loop or a call on top, so that paths end before others grow; else the
    /// first one in the program, so that ways can meet. One that is as another one near the top, except for its
    /// condition, is joined with that: the labels of a `switch` and the operands of `||` lead to the same state.
    fn branch(
        &mut self,
        mut ways: Vec<(Way, Option<Values>)>,
        share: f64,
        stack: &mut Vec<Open>,
    ) -> Going<()> {
        ways.sort_by_key(|(way, _)| (way.position.call.depth, way.position.loops.len()));
        let noted = self.executor.noted();
        let share = share / ways.len() as f64;
        for (way, values) in ways.into_iter().rev() {
            let from = stack.len().saturating_sub(NEAR);
            let found = (from..stack.len()).rev().find(|&at| {
                stack[at].way.key == way.key
                    && stack[at].noted == noted
                    && self.join(&mut stack[at].way, &way)
            });
            match found {
                Some(at) => stack[at].share += share,
                None => stack.push(Open {
                    way,
                    noted: noted.clone(),
                    share,
                    values,
                }),
            }
        }
        match self.found.paths + stack.len() as u64 > self.effort.most {
            true => Err(self.too_many(None)),
            false => Ok(()),
        }
    }

    /// Joins a way with another one that differs in its condition alone.
    fn join(&mut self, way: &mut Way, other: &Way) -> bool {
        let conditions = [&*way, other].map(|way| self.executor.condition(&way.state));
        if !self.executor.join_equal(way, other) {
            return false;
        }
        let either = self.executor.condition(&way.state);
        for condition in conditions {
            self.require_cover(condition, &[either]);
        }
        true
    }

    /// The ways that a run takes, with values with which it does; the others are left out. The run with the given values takes one of
    /// them, unless it ends before. (With reads of large objects, the values may be wrong for what comes after: then a way may be
    /// followed that no run takes.)
    fn possible_ways(
        &mut self,
        ways: Vec<Way>,
        values: Option<&Values>,
    ) -> Going<Vec<(Way, Option<Values>)>> {
        let conditions = ways.iter().map(|way| self.executor.condition(&way.state));
        let conditions: Vec<Term> = conditions.collect();
        let is_known: Vec<bool> = match values {
            None => vec![false; ways.len()],
            Some(values) => {
                let mut evaluator = evaluator(&self.executor.terms, values);
                let known = conditions.iter().map(|&it| evaluator.value(it) == 1);
                known.collect()
            }
        };
        let mut taken = Vec::new();
        for ((way, condition), is_known) in ways.into_iter().zip(conditions).zip(is_known) {
            if is_known {
                taken.push((way, values.cloned()));
            } else if let Some(found) = self.possible(condition)? {
                taken.push((way, Some(found)));
            } else {
                self.found.left_out.push(condition);
                self.found.n_left_out += 1;
            }
        }
        Ok(taken)
    }

    fn possible(&mut self, condition: Term) -> Going<Option<Values>> {
        (self.formulas)
            .possible(&mut self.executor, condition, self.control.stop)
            .map_err(unknown)
    }

    fn is_possible(&mut self, condition: Term) -> Going<bool> {
        Ok(self.possible(condition)?.is_some())
    }

    /// Ends the search where the engines have no time left, or terms are too many.
    fn check_limits(&self) -> Going<()> {
        let reason = match self.control.stop.reason() {
            None if self.executor.terms.n_terms() > MAX_TERMS => Some(UnknownReason::OutOfMemory),
            reason => reason,
        };
        reason.map_or(Ok(()), |reason| Err(Ok(Found::Unknown(reason))))
    }

    /// Decides the marks that were added to the log: an error that a run reaches is the verdict, what is unsupported or beyond a
    /// bound is noted.
    fn judge(&mut self, marks: &Marks) -> Going<()> {
        for index in marks.errors..self.executor.log.errors.len() {
            let condition = self.executor.log.errors[index].guard;
            let stop = self.control.stop;
            match (self.formulas).decide(&mut self.executor, condition, None, stop) {
                Decided::Refuted => {}
                Decided::Holds(model) => {
                    let (executor, formulas) = (&mut self.executor, &mut self.formulas);
                    let found = (condition, &model);
                    return Err(error_found(self.program, executor, formulas, found, stop));
                }
                Decided::Stopped(reason) => return Err(unknown(reason)),
                Decided::Hard => return Err(unknown(UnknownReason::Cancelled)),
            }
        }
        for index in marks.stuck..self.executor.log.stuck.len() {
            let mark = self.executor.log.stuck[index].clone();
            if self.found.stuck.is_none() && self.is_possible(mark.guard)? {
                let place = self.program.place(mark.at);
                self.found.stuck = Some(format!("{place}: unsupported: {}", mark.text));
            }
        }
        for index in marks.unwound..self.executor.log.unwound.len() {
            let mark = self.executor.log.unwound[index].clone();
            if self.found.longer.is_none() && self.is_possible(mark.guard)? {
                self.found.longer = Some(format!("{}: {}", self.program.place(mark.at), mark.text));
            }
        }
        for index in marks.too_deep..self.executor.log.too_deep.len() {
            let mark = self.executor.log.too_deep[index].clone();
            if self.found.deeper.is_none() && self.is_possible(mark.guard)? {
                self.found.deeper = Some(format!("{}: {}", self.program.place(mark.at), mark.text));
            }
        }
        for index in marks.ends..self.executor.log.ends.len() {
            let condition = self.executor.log.ends[index].guard;
            self.found.ends = self.found.ends || self.is_possible(condition)?;
        }
        Ok(())
    }

    /// Counts a path that has ended; no answer if it is foreseen that there will be too many.
    fn note_path(&mut self, share: f64) -> Going<()> {
        let (found, effort) = (&mut self.found, self.effort);
        found.paths += 1;
        found.share += share;
        let expected = found.paths as f64 / found.share;
        let is_foreseen = found.paths >= effort.first && expected > effort.most as f64;
        match is_foreseen {
            true => Err(self.too_many(Some(expected))),
            false => Ok(()),
        }
    }

    /// No answer, as there are more paths than the effort allows, or `expected` are foreseen.
    fn too_many(&self, expected: Option<f64>) -> Verdict {
        unknown(UnknownReason::Bound(match expected {
            Some(expected) => format!("about {expected:.0} paths"),
            None => format!("more than {} paths", self.effort.most),
        }))
    }

    /// The verdict where all paths were followed to their end; `Ok` after the bounds were made larger that some go beyond.
    fn conclude(&mut self) -> Going<()> {
        let (longer, deeper) = (self.found.longer.take(), self.found.deeper.take());
        if longer.is_some() || deeper.is_some() {
            return self.raise(longer.as_deref(), deeper.as_deref());
        }
        if let Some(text) = self.found.stuck.take() {
            return Err(unknown(UnknownReason::Unsupported(text)));
        }
        let log = &self.executor.log;
        let marks = [&log.errors, &log.stuck, &log.unwound, &log.too_deep];
        let marks = marks.into_iter().flatten().map(|mark| mark.guard);
        let all: Vec<Term> = marks.chain(self.found.left_out.iter().copied()).collect();
        let any = disjunction_of(&mut self.executor.terms, all);
        let stop = self.control.stop;
        // What is left over has not been decided yet.
        match (self.formulas).decide(&mut self.executor, any, None, stop) {
            Decided::Refuted => {}
            Decided::Holds(_) => {
                return Err(Err(VerifyError::internal("a path was not followed")));
            }
            Decided::Stopped(reason) => return Err(unknown(reason)),
            Decided::Hard => return Err(unknown(UnknownReason::Cancelled)),
        }
        let warning = match self.found.ends {
            true => "",
            false => VACUOUS,
        };
        let (paths, left_out) = (self.found.paths, self.found.n_left_out);
        let edge = self.formulas.edge(&self.executor.terms, any);
        if edge == Edge::FALSE {
            let text = format!("all paths end without an error ({paths}){warning}");
            return Err(Ok(Found::Safe(text.into())));
        }
        let text = |steps| {
            format!(
                "a proof of {steps} resolutions, checked, that no path reaches an error ({paths} followed, {left_out} sides of branches left out)\
                 {warning}"
            )
        };
        Err(certify_refutation(&mut self.formulas, edge, text, stop))
    }

    /// Makes the bounds larger that a path goes beyond, unless they are the user's or the largest ones.
    fn raise(&mut self, longer: Option<&str>, deeper: Option<&str>) -> Going<()> {
        let text = longer.or(deeper).unwrap_or_default();
        if !self.executor.log.has_room {
            return Err(unknown(UnknownReason::Bound(format!(
                "no error within the limits on unwinding, which do not cover all paths: {text} goes on"
            ))));
        }
        if longer.is_some() {
            self.iterations = self.iterations.saturating_mul(self.effort.growth);
        }
        if deeper.is_some() {
            self.depth = self.depth.saturating_mul(self.effort.growth as usize);
        }
        let most = self.effort.most_iterations;
        if self.iterations > most || self.depth > most as usize {
            return Err(unknown(UnknownReason::Bound(format!(
                "{text} goes on after {most} rounds"
            ))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
