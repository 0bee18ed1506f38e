//! Bounded model checking by symbolic execution: loops are unrolled further and further until an error is
//! reached, or until no path is cut off by the bound.

use std::collections::HashMap;
use std::sync::Arc;

use craig_mc::{Control, UnknownReason};
use craig_solver::aig::encode::Encoder;
use craig_solver::aig::{Aig, Edge};
use craig_solver::proof::{ProofDag, ProofLog, check};
use craig_solver::{Answer, Cnf, Options as SolverOptions, Solver};

use crate::word::{Blaster, Term, Terms};

use super::evidence::{Evidence, Safety};
use super::execute::{Executor, Log, Mark, Policy};
use super::interpret::End;
use super::ir::Program;
use super::replay::{Counterexample, evaluator, facts, reached, replay};
use super::unwinding::{Caps, Unwinding};

/// The name under which this engine reports.
pub(crate) const NAME: &str = "unwind";

/// What the engines say of a program.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// No error is reachable.
    Safe(Safety),
    Unsafe(Box<Counterexample>),
    Unknown(UnknownReason),
    /// Evidence did not hold: a bug.
    Internal(String),
}

/// Formulas over one arena of terms, in one incremental solver.
struct Decider {
    blaster: Blaster,
    aig: Aig,
    encoder: Encoder,
    solver: Solver,
    inputs: HashMap<Term, Vec<Edge>>,
}

impl Decider {
    fn new(control: &Control) -> Self {
        let mut solver = Solver::new();
        let control = control.clone();
        solver.set_stop_callback(Some(Box::new(move || control.stop_reason().is_some())));
        Self {
            blaster: Blaster::new(),
            aig: Aig::new(),
            encoder: Encoder::new(),
            solver,
            inputs: HashMap::new(),
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
        self.solver.solve(&[lit])
    }

    /// The values of the variables in the last model.
    fn values(&self) -> HashMap<Term, u128> {
        let bit = |edge: Edge| {
            self.encoder
                .literal(edge)
                .and_then(|lit| self.solver.value(lit))
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

    /// Shows that a formula has no model by a proof that is checked independently of the search.
    fn prove(&self, edge: Edge, control: &Control) -> Result<Option<(Cnf, ProofDag)>, String> {
        let mut cnf = Cnf::new();
        let lit = Encoder::new().encode(&self.aig, edge, &mut cnf);
        cnf.add_clause(&[lit]);
        let mut solver = Solver::with_proof(SolverOptions::default(), ProofLog::new());
        let control = control.clone();
        solver.set_stop_callback(Some(Box::new(move || control.stop_reason().is_some())));
        solver.add_cnf(&cnf);
        match solver.solve(&[]) {
            Answer::Unknown => return Ok(None),
            Answer::Satisfiable => return Err("a formula was refuted and then satisfied".into()),
            Answer::Unsatisfiable => {}
        }
        let root = solver
            .refutation()
            .ok_or("a refutation without a last clause")?;
        let dag = solver.proof().trim(root);
        check::check_dag(&dag).map_err(|error| error.to_string())?;
        check::check_leaves(&dag, &cnf).map_err(|error| error.to_string())?;
        Ok(Some((cnf, dag)))
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

/// Checks a program, with loops unrolled no further than `unwinding` says.
pub(crate) fn check(program: &Program, unwinding: &Unwinding, control: &Control) -> Verdict {
    match search(program, unwinding, control) {
        Ok(verdict) => verdict,
        Err(message) => Verdict::Unknown(UnknownReason::Unsupported(message)),
    }
}

fn search(program: &Program, unwinding: &Unwinding, control: &Control) -> Result<Verdict, String> {
    let mut executor = Executor::new(program)?;
    let mut decider = Decider::new(control);
    let caps = Arc::new(Caps::new(program, unwinding)?);
    let mut bound: u32 = 1;
    loop {
        let stopped = || control.stop_reason().unwrap_or(UnknownReason::Cancelled);
        executor.log = Log::default();
        let (position, state) = executor.start();
        let policy = Policy::Unwind {
            open: bound,
            closed: 60 + 40 * bound,
            recursion: bound as usize * 4 + 8,
            caps: Arc::clone(&caps),
        };
        if let Err(reason) = executor.run(position, state, &policy, control) {
            return Ok(Verdict::Unknown(reason));
        }
        control.note(NAME, || {
            format!(
                "bound {bound}: {} terms, {} errors",
                executor.terms.n_terms(),
                executor.log.errors.len()
            )
        });
        let error = disjunction(&mut executor.terms, &executor.log.errors);
        let edge = decider.edge(&executor.terms, error);
        match decider.solve(edge) {
            Answer::Satisfiable => {
                let values = decider.values();
                return Ok(counterexample(program, &executor, &values, control));
            }
            Answer::Unknown => return Ok(Verdict::Unknown(stopped())),
            Answer::Unsatisfiable => {}
        }
        let unwound = disjunction(&mut executor.terms, &executor.log.unwound);
        let stuck = disjunction(&mut executor.terms, &executor.log.stuck);
        let unwound_edge = decider.edge(&executor.terms, unwound);
        let cut_off = decider.solve(unwound_edge);
        match cut_off {
            Answer::Unknown => return Ok(Verdict::Unknown(stopped())),
            Answer::Unsatisfiable => {
                let stuck_edge = decider.edge(&executor.terms, stuck);
                match decider.solve(stuck_edge) {
                    Answer::Unknown => return Ok(Verdict::Unknown(stopped())),
                    Answer::Satisfiable => {
                        let values = decider.values();
                        let mut evaluator = evaluator(&executor.terms, &values);
                        let text = match reached(&executor.log.stuck, &mut evaluator) {
                            Some(mark) => {
                                format!("{}: unsupported: {}", program.place(mark.at), mark.text)
                            }
                            None => "something unsupported".into(),
                        };
                        return Ok(Verdict::Unknown(UnknownReason::Unsupported(text)));
                    }
                    Answer::Unsatisfiable => {}
                }
                let any = executor.terms.or(error, unwound);
                let any = executor.terms.or(any, stuck);
                let edge = decider.edge(&executor.terms, any);
                if edge == Edge::FALSE {
                    let text = format!("all paths simplify away (unwinding {bound})");
                    return Ok(Verdict::Safe(text.into()));
                }
                return Ok(match decider.prove(edge, control) {
                    Ok(Some((cnf, dag))) => Verdict::Safe(Safety {
                        text: format!(
                            "a proof of {} resolutions, checked, that no path of the whole program (unwinding \
                             {bound}) reaches an error",
                            dag.n_steps()
                        ),
                        evidence: Evidence::Refutation(Arc::new((cnf, dag))),
                    }),
                    Ok(None) => Verdict::Unknown(stopped()),
                    Err(message) => Verdict::Internal(message),
                });
            }
            Answer::Satisfiable => {}
        }
        if !executor.log.has_room {
            let values = decider.values();
            let mut evaluator = evaluator(&executor.terms, &values);
            let what = match reached(&executor.log.unwound, &mut evaluator) {
                Some(mark) => format!("{}: {}", program.place(mark.at), mark.text),
                None => "a loop".into(),
            };
            return Ok(Verdict::Unknown(UnknownReason::Bound(format!(
                "no error within the limits on unwinding, which do not cover all paths: {what} goes on"
            ))));
        }
        bound = bound.saturating_mul(2);
    }
}

/// Replays what an assignment says; only a run that ends in the error counts.
pub(crate) fn counterexample(
    program: &Program,
    executor: &Executor<'_>,
    values: &HashMap<Term, u128>,
    control: &Control,
) -> Verdict {
    let mut evaluator = evaluator(&executor.terms, values);
    let facts = facts(
        &executor.terms,
        &executor.space,
        &executor.log.events,
        &mut evaluator,
    );
    match replay(program, facts, control) {
        Ok((End::Error { text, at }, lines)) => {
            Verdict::Unsafe(Box::new(Counterexample { text, at, lines }))
        }
        Ok((end, _)) => Verdict::Unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay ends otherwise ({end:?})"
        ))),
        Err(message) => Verdict::Unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but its replay fails: {message}"
        ))),
    }
}
