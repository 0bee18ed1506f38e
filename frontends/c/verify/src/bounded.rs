//! Bounded model checking by symbolic execution: loops are unrolled with increasing bounds until an error is
//! reached, or until no path is cut off by the bound.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_mc::control::listen_in;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::ClauseSink;
use craig_solver::encode::Encoder;
use craig_solver::proof::check::{self, CheckError};
use craig_solver::proof::{ProofDag, TrimError};
use craig_solver::{Answer, Cnf, Limits};
use craig_word::{Blaster, Term, Terms};

use crate::evidence::{Evidence, Safety};
use crate::path_facts::{facts, reached};
use crate::recording::Recorder;
use craig_c_exec::concrete::replay::{Counterexample, Fact, error_of};
use craig_c_exec::concrete::single_run::Ran;
use craig_c_exec::symbolic::consistency::{Checked, Consistency};
use craig_c_exec::symbolic::free_values::{FreeValues, evaluator};
use craig_c_exec::symbolic::unwinding::{Caps, Unwinding};
use craig_c_exec::symbolic::{Executor, Log, MAX_TERMS, Mark, Policy};
use craig_c_lang::ir::Program;

/// The engine's name in reports.
pub(crate) const NAME: &str = "unwind";

/// The warning beside a proof of a program of which no run ends.
const VACUOUS: &str =
    "; warning: no run reaches the program's end, an assumption may exclude all of them";

/// The first bound on nested calls of a function.
const NESTED_CALLS: usize = 4;

/// Where loops are unrolled less than this, and all may be unrolled further, a question about errors is put off that takes
/// more conflicts than [`CONFLICTS`]: a larger bound has the same errors.
const PUT_OFF_BELOW: u32 = 8;
const CONFLICTS: u64 = 5_000;

/// The verdict of an engine on a program.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// No error is reachable.
    Safe(Safety),
    Unsafe(Box<Counterexample>),
    Unknown(UnknownReason),
    /// Evidence failed its check: an internal error.
    Internal(String),
}

impl From<Ran> for Verdict {
    fn from(ran: Ran) -> Self {
        match ran {
            Ran::Safe(text) => Self::Safe(text.into()),
            Ran::Unsafe(found) => Self::Unsafe(found),
            Ran::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

/// Formulas over one arena of terms, in one incremental solver.
struct Decider {
    blaster: Blaster,
    aig: Aig,
    encoder: Encoder,
    solver: Recorder,
    inputs: HashMap<Term, Vec<Edge>>,
    consistency: Consistency,
    /// Lemmas about reads of large objects.
    lemmas: Vec<Edge>,
}

/// The result of deciding a formula.
enum Decided {
    Refuted,
    /// It holds under this model, which is that of a run.
    Holds(FreeValues),
    Stopped(UnknownReason),
    /// It takes more conflicts than were allowed.
    Hard,
}

impl Decider {
    fn new(stop: &Stop) -> Self {
        Self::with(Recorder::new(), stop)
    }

    fn with(mut solver: Recorder, stop: &Stop) -> Self {
        listen_in(stop, &mut solver.solver);
        Self {
            blaster: Blaster::new(),
            aig: Aig::new(),
            encoder: Encoder::new(),
            solver,
            inputs: HashMap::new(),
            consistency: Consistency::default(),
            lemmas: Vec::new(),
        }
    }

    fn edge(&mut self, terms: &Terms, term: Term) -> Edge {
        let inputs = &mut self.inputs;
        let mut variable = |aig: &mut Aig, term: Term| {
            let edges: Vec<Edge> = (0..terms.width(term)).map(|_| aig.add_input()).collect();
            inputs.insert(term, edges.clone());
            edges
        };
        self.blaster
            .blast(terms, &mut self.aig, term, &mut variable)[0]
    }

    fn solve(&mut self, edge: Edge) -> Answer {
        if edge == Edge::FALSE {
            return Answer::Unsatisfiable;
        }
        let lit = self.encoder.encode(&self.aig, edge, &mut self.solver);
        self.solver.solver.solve(&[lit])
    }

    /// Adds lemmas.
    fn add(&mut self, executor: &Executor<'_>, lemmas: &[Term]) {
        for &lemma in lemmas {
            let edge = self.edge(&executor.terms, lemma);
            let lit = self.encoder.encode(&self.aig, edge, &mut self.solver);
            self.solver.add_clause(&[lit]);
            self.lemmas.push(edge);
        }
    }

    /// Decides a formula; models with wrong values of reads of large objects are excluded by lemmas.
    fn decide(
        &mut self,
        executor: &mut Executor<'_>,
        root: Term,
        conflicts: Option<u64>,
        stop: &Stop,
    ) -> Decided {
        let edge = self.edge(&executor.terms, root);
        let copies = executor.copy_lemmas();
        self.add(executor, &copies);
        self.solver.solver.set_limits(Limits {
            conflicts,
            ..Limits::default()
        });
        loop {
            let stopped = || stop.reason().unwrap_or(UnknownReason::Cancelled);
            match self.solve(edge) {
                Answer::Unsatisfiable => return Decided::Refuted,
                Answer::Unknown => {
                    return match self.solver.solver.unknown_reason() {
                        Some(craig_solver::UnknownReason::Limit) => Decided::Hard,
                        _ => Decided::Stopped(stopped()),
                    };
                }
                Answer::Satisfiable => {}
            }
            let values = self.values();
            if executor.overlays.reads().is_empty() {
                return Decided::Holds(FreeValues {
                    values,
                    blanks: HashMap::new(),
                });
            }
            match self.consistency.check(executor, root, &values) {
                Checked::Consistent(model) => return Decided::Holds(model),
                Checked::Violated(lemmas) => {
                    self.add(executor, &lemmas);
                    let copies = executor.copy_lemmas();
                    self.add(executor, &copies);
                }
            }
            if let Some(reason) = stop.reason() {
                return Decided::Stopped(reason);
            }
            if executor.terms.n_terms() > MAX_TERMS {
                return Decided::Stopped(UnknownReason::OutOfMemory);
            }
        }
    }

    /// The values of the variables in the last model.
    fn values(&self) -> HashMap<Term, u128> {
        let bit = |edge: Edge| {
            self.encoder
                .literal(edge)
                .and_then(|lit| self.solver.solver.value(lit))
                .unwrap_or(false)
        };
        self.inputs
            .iter()
            .map(|(&term, edges)| {
                let value = edges.iter().enumerate().fold(0, |sum, (index, &edge)| {
                    sum | u128::from(bit(edge)) << index
                });
                (term, value)
            })
            .collect()
    }

    /// Proves that a formula and the lemmas have no model, by a proof that is checked independently of the search: that which the
    /// search has recorded, or, if it was dropped, one of another search. Nothing can be decided after it.
    fn prove(&mut self, edge: Edge, stop: &Stop) -> Result<Option<(Cnf, ProofDag)>, String> {
        if self.solver.recorded().is_some() {
            let lit = self.encoder.encode(&self.aig, edge, &mut self.solver);
            self.solver.add_clause(&[lit]);
            match refutation(&mut self.solver, stop)? {
                Refutation::Stopped => return Ok(None),
                Refutation::Found(cnf, dag) => return Ok(Some((cnf, dag))),
                Refutation::Dropped => {}
            }
        }
        let mut solver = Recorder::with_limit(usize::MAX);
        listen_in(stop, &mut solver.solver);
        let mut encoder = Encoder::new();
        for &edge in [edge].iter().chain(&self.lemmas) {
            let lit = encoder.encode(&self.aig, edge, &mut solver);
            solver.add_clause(&[lit]);
        }
        Ok(match refutation(&mut solver, stop)? {
            Refutation::Found(cnf, dag) => Some((cnf, dag)),
            Refutation::Stopped | Refutation::Dropped => None,
        })
    }
}

/// What became of a refutation that was to be recorded.
enum Refutation {
    Found(Cnf, ProofDag),
    Stopped,
    /// The records were too large.
    Dropped,
}

/// Refutes the clauses of a solver, and checks the proof.
fn refutation(solver: &mut Recorder, stop: &Stop) -> Result<Refutation, String> {
    match solver.solver.solve(&[]) {
        Answer::Unknown => return Ok(Refutation::Stopped),
        Answer::Satisfiable => return Err("a formula was refuted and then satisfied".into()),
        Answer::Unsatisfiable => {}
    }
    let Some((log, cnf)) = solver.recorded() else {
        return Ok(Refutation::Dropped);
    };
    let root = (solver.solver.refutation()).ok_or("a refutation without a last clause")?;
    let is_asked = || stop.reason().is_some();
    let dag = match log.try_trim_until(root, is_asked) {
        Err(TrimError::Stopped) => return Ok(Refutation::Stopped),
        dag => dag.map_err(|error| error.to_string())?,
    };
    let checked = check::check_dag_until(&dag, is_asked)
        .and_then(|()| check::check_leaves_until(&dag, cnf, is_asked));
    match checked {
        Err(CheckError::Stopped) => Ok(Refutation::Stopped),
        checked => checked
            .map(|()| Refutation::Found(cnf.clone(), dag))
            .map_err(|error| error.to_string()),
    }
}

fn disjunction(terms: &mut Terms, marks: &[Mark]) -> Term {
    let mut guards: Vec<Term> = marks.iter().map(|mark| mark.guard).collect();
    guards.sort_unstable();
    guards.dedup();
    let mut any = terms.boolean(false);
    for guard in guards {
        any = terms.or(any, guard);
    }
    any
}

/// Checks a program, with loops unrolled within the limits of `unwinding`.
pub(crate) fn check(program: &Program, unwinding: &Unwinding, control: Control<'_>) -> Verdict {
    let verdict =
        Executor::new(program).and_then(|executor| search(program, executor, unwinding, control));
    verdict.unwrap_or_else(|message| Verdict::Unknown(UnknownReason::Unsupported(message)))
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
        search(program, executor, unwinding, control)
    });
    verdict.unwrap_or_else(|message| Verdict::Unknown(UnknownReason::Unsupported(message)))
}

/// Unrolls with growing bounds until an error is reached, or no path goes beyond a bound.
fn search<'p>(
    program: &'p Program,
    executor: Executor<'p>,
    unwinding: &Unwinding,
    control: Control<'_>,
) -> Result<Verdict, String> {
    let caps = Arc::new(Caps::new(program, unwinding)?);
    let mut search = Unrolling {
        program,
        executor,
        decider: Decider::new(control.stop),
        control,
        bound: 1,
        depth: NESTED_CALLS,
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
    decider: Decider,
    control: Control<'c>,
    /// The bound on iterations of a loop.
    bound: u32,
    /// The bound on nested calls. A function that calls itself twice has exponentially many calls, so it grows only
    /// where paths are deeper.
    depth: usize,
}

/// A step of the search, or the verdict that ends it.
type Going<T> = Result<T, Verdict>;

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
        let may_put_off = self.bound < PUT_OFF_BELOW && self.executor.log.has_room;
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
        let conflicts = may_put_off.then_some(CONFLICTS);
        match self.decide_within(error, conflicts)? {
            Decided::Holds(model) => Err(counterexample(
                self.program,
                &self.executor,
                &model,
                self.control.stop,
            )),
            found => Ok(matches!(found, Decided::Refuted)),
        }
    }

    /// Executes all paths up to the bounds.
    fn execute(&mut self, caps: &Arc<Caps>) -> Going<()> {
        let executor = &mut self.executor;
        executor.log = Log::default();
        executor.forget_times();
        let (position, state) = executor.start();
        let policy = Policy::Unwind {
            open: self.bound,
            closed: 60 + 40 * self.bound,
            recursion: self.depth,
            caps: Arc::clone(caps),
        };
        (executor.run(position, state, &policy, self.control.stop)).map_err(Verdict::Unknown)?;
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
            Decided::Stopped(reason) => Err(Verdict::Unknown(reason)),
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
            return Ok(Verdict::Unknown(UnknownReason::Unsupported(text)));
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
            return Ok(Verdict::Safe(text.into()));
        }
        control
            .listener
            .note(NAME, || format!("bound {bound}: refuted, to be proved"));
        Ok(match self.decider.prove(edge, control.stop) {
            Ok(Some((cnf, dag))) => Verdict::Safe(Safety {
                text: format!(
                    "a proof of {} resolutions, checked, that no path of the whole program (unwinding {bound}) \
                     reaches an error{warning}",
                    dag.n_steps()
                ),
                evidence: Evidence::Refutation(Arc::new((cnf, dag))),
                elements: None,
            }),
            Ok(None) => Verdict::Unknown(control.stop.reason().unwrap_or(UnknownReason::Cancelled)),
            Err(message) => Verdict::Internal(message),
        })
    }

    /// Whether it is found without much effort that no run ends: what the program assumes excludes all of them.
    fn is_vacuous(&mut self) -> bool {
        let ends = disjunction(&mut self.executor.terms, &self.executor.log.ends);
        let found = self.decide_within(ends, Some(CONFLICTS));
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
            return Err(Verdict::Unknown(UnknownReason::Bound(format!(
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

/// Replays the path of a model; only a run that ends in the error is a counterexample.
pub(crate) fn counterexample(
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
        Ok(Ok(found)) => Verdict::Unsafe(Box::new(found)),
        Ok(Err(end)) => Verdict::Unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay ends otherwise ({end:?})"
        ))),
        Err(message) => Verdict::Unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay fails: {message}"
        ))),
    }
}

#[cfg(test)]
mod tests;
