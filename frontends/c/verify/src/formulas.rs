//! Decisions about the conditions of an execution, in one incremental solver, and checked proofs that they never hold.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Edge};
use craig_mc::control::listen_in;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::ClauseSink;
use craig_solver::encode::Encoder;
use craig_solver::proof::check::{self, CheckError};
use craig_solver::proof::{ProofDag, TrimError};
use craig_solver::{Answer, Cnf, Limits, Lit, Var};
use craig_word::{Blaster, Term, Terms};

use crate::evidence::{Evidence, Safety};
use crate::recording::Recorder;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::symbolic::consistency::{Checked, Consistency};
use craig_c_exec::symbolic::free_values::FreeValues;
use craig_c_exec::symbolic::{Executor, MAX_TERMS, Mark};
use craig_verify::VerifyError;

/// Formulas over one arena of terms, in one incremental solver.
pub(crate) struct Formulas {
    blaster: Blaster,
    aig: Aig,
    encoder: Encoder,
    solver: Recorder,
    inputs: HashMap<Term, Vec<Edge>>,
    consistency: Consistency,
    /// Lemmas about reads of large objects.
    lemmas: Vec<Edge>,
    /// Whether a query gives values to the gates of its formula and of the lemmas alone.
    is_in_cones: bool,
}

/// The values of variables.
pub(crate) type Values = Arc<HashMap<Term, u128>>;

/// The result of deciding a formula.
pub(crate) enum Decided {
    Refuted,
    /// It holds under this model, which is that of a run.
    Holds(FreeValues),
    Stopped(UnknownReason),
    /// It takes more conflicts than were allowed.
    Hard,
}

impl Formulas {
    pub(crate) fn new(stop: &Stop) -> Self {
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
            is_in_cones: false,
        }
    }

    /// For many formulas of which each has a small part of the gates of all.
    pub(crate) fn of_parts(stop: &Stop) -> Self {
        Self {
            is_in_cones: true,
            ..Self::new(stop)
        }
    }

    /// Restricts decisions to the gates of a formula that is encoded, and of the lemmas. All other clauses define gates, so that a
    /// model of these can be extended to the others.
    fn restrict_decisions(&mut self, edge: Edge) {
        if !self.is_in_cones {
            return;
        }
        let roots: Vec<Edge> = [edge].iter().chain(&self.lemmas).copied().collect();
        let cone = self.aig.cone(&roots).into_iter();
        let literal = |node| self.encoder.literal(Edge::new(node, false));
        let vars: Vec<Var> = cone.filter_map(literal).map(Lit::var).collect();
        self.solver.solver.set_domain(&vars);
    }

    pub(crate) fn edge(&mut self, terms: &Terms, term: Term) -> Edge {
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
        self.restrict_decisions(edge);
        self.solver.solver.solve(&[lit])
    }

    /// Whether a formula has a model that is that of a run, as [`Self::decide`]; and its values, in which words that are read from
    /// large objects are right as far as the formula depends on them.
    pub(crate) fn possible(
        &mut self,
        executor: &mut Executor<'_>,
        root: Term,
        stop: &Stop,
    ) -> Result<Option<Values>, UnknownReason> {
        match self.decide(executor, root, None, stop) {
            Decided::Holds(model) => Ok(Some(Arc::new(model.values))),
            Decided::Refuted => Ok(None),
            Decided::Stopped(reason) => Err(reason),
            Decided::Hard => Err(UnknownReason::Cancelled),
        }
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
    pub(crate) fn decide(
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
            self.solver.solver.clear_domain();
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

/// The verdict where no run reaches a condition, by a checked proof; `text` describes it, given the number of its resolutions.
pub(crate) fn certify_refutation(
    formulas: &mut Formulas,
    edge: Edge,
    text: impl FnOnce(usize) -> String,
    stop: &Stop,
) -> Verdict {
    match formulas.prove(edge, stop) {
        Ok(Some((cnf, dag))) => Ok(Found::Safe(Safety {
            text: text(dag.n_steps()),
            evidence: Evidence::Refutation(Arc::new((cnf, dag))),
            elements: None,
            found_by: None,
        })),
        Ok(None) => unknown(stop.reason().unwrap_or(UnknownReason::Cancelled)),
        Err(message) => Err(VerifyError::Internal(message)),
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

/// The condition that one of the marks is reached.
pub(crate) fn disjunction(terms: &mut Terms, marks: &[Mark]) -> Term {
    disjunction_of(terms, marks.iter().map(|mark| mark.guard).collect())
}

/// The disjunction of conditions.
pub(crate) fn disjunction_of(terms: &mut Terms, mut conditions: Vec<Term>) -> Term {
    conditions.sort_unstable();
    conditions.dedup();
    let mut any = terms.boolean(false);
    for condition in conditions {
        any = terms.or(any, condition);
    }
    any
}

#[cfg(test)]
mod tests;
