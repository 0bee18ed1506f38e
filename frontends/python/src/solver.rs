//! The solver, behind a lock: a search runs without the interpreter, and other threads may interrupt it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use craig_itp::construct::close;
use craig_solver::cdcl::NotConnected;
use craig_solver::encode::ClauseSink;
use craig_solver::proof::{NoProof, ProofLog};
use craig_solver::{
    Answer, Cnf, Label, Limits, Lit, Options, Solver, UnknownReason, Var, constraints,
};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Error, argument};
use crate::literals::{literals, numbers};
use crate::names::Names;
use crate::proof::{Proof, label_of};
use crate::propagation::Propagation;
use crate::propagator::{Bridge, Raised};
use crate::room;
use crate::watch::Watch;

/// With a proof, or without.
enum Kind {
    Plain(Box<Solver<NoProof>>),
    Recording(Box<Solver<ProofLog>>),
}

macro_rules! each {
    ($kind:expr, $solver:ident => $do:expr) => {
        match $kind {
            Kind::Plain($solver) => $do,
            Kind::Recording($solver) => $do,
        }
    };
}

struct State {
    kind: Kind,
    /// The clauses: a proof names them by their numbers.
    formula: Cnf,
    /// For `propagate`, which reads the clauses when it is called.
    propagation: Propagation,
    answer: Option<Answer>,
    /// An object that is asked during searches, and the variables that it observes.
    propagator: Option<(Py<PyAny>, Vec<Var>)>,
    /// The variables of constraints are hidden.
    names: Names,
}

/// The counters that users see.
const COUNTERS: [&str; 13] = [
    "solves",
    "conflicts",
    "decisions",
    "propagations",
    "restarts",
    "learned_clauses",
    "learned_literals",
    "minimized_literals",
    "shrunken_literals",
    "reductions",
    "deleted_clauses",
    "failed_literals",
    "eliminated_variables",
];

/// A solver; `craig.Solver` has the calls of PySAT's solvers on top of it.
#[pyclass(frozen, subclass, module = "craig._craig", name = "SolverCore")]
pub(crate) struct SolverCore {
    state: Mutex<State>,
    interrupt: Arc<AtomicBool>,
}

impl SolverCore {
    /// The state, unless a search of another thread has it: waiting for that would block the interpreter.
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(
                "a search of this solver has panicked: it can't be used any more",
            )),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the solver is searching in another thread: only interrupt() may be called now",
            )),
        }
    }
}

impl State {
    /// The solver's literals for those of Python.
    ///
    /// # Errors
    /// If there is no memory for their variables.
    fn given(&mut self, lits: Vec<Lit>) -> PyResult<Vec<Lit>> {
        let largest = lits.iter().map(|lit| lit.var().index() + 1).max();
        room::check(self.n_vars(), largest.unwrap_or_default())?;
        Ok(self.names.solver(lits))
    }

    fn n_vars(&self) -> usize {
        let n_vars = each!(&self.kind, solver => solver.n_vars());
        n_vars.max(self.formula.n_vars())
    }

    /// Adds the clauses that `add` makes of literals of Python.
    ///
    /// # Errors
    /// If a proof is recorded or there is a propagator.
    fn add_constraint(
        &mut self,
        lits: Vec<Lit>,
        add: impl FnOnce(&mut Hiding<'_>, &[Lit]),
    ) -> PyResult<()> {
        if matches!(self.kind, Kind::Recording(_)) || self.propagator.is_some() {
            return Err(Error::new_err(
                "constraints have variables of their own, which proofs and propagators would show: encode them by clauses \
                 (craig.card, craig.pb, craig.constraints)",
            ));
        }
        let lits = self.given(lits)?;
        let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
        let n_vars = n_vars.unwrap_or_default();
        each!(&mut self.kind, solver => solver.reserve_vars(n_vars));
        add(&mut Hiding(self), &lits);
        Ok(())
    }

    /// Adds a clause of the solver.
    fn add(&mut self, lits: &[Lit]) {
        let label = label_of(&self.formula);
        self.formula.add_labelled_clause(lits, label);
        each!(&mut self.kind, solver => solver.add_labelled_clause(lits, label));
    }

    /// What a search connects.
    fn bridge(&self, py: Python<'_>, raised: &Raised) -> Option<(Bridge, Vec<Var>)> {
        let (object, observed) = self.propagator.as_ref()?;
        let bridge = Bridge::new(object.clone_ref(py), observed.clone(), raised.clone());
        Some((bridge, observed.clone()))
    }
}

/// Takes the clauses of a constraint, whose own variables are hidden.
struct Hiding<'a>(&'a mut State);

impl ClauseSink for Hiding<'_> {
    fn new_var(&mut self) -> Var {
        let n_vars = self.0.n_vars();
        let var = self.0.names.hidden(n_vars);
        each!(&mut self.0.kind, solver => solver.reserve_vars(var.index() + 1));
        var
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.0.add(lits);
    }
}

/// Sets an option of the search by its name in Python.
fn set_option(options: &mut Options, name: &str, value: &str) -> PyResult<()> {
    let Some(row) = Options::TABLE.iter().find(|row| row.name == name) else {
        let names: Vec<&str> = Options::TABLE.iter().map(|row| row.name).collect();
        let names = names.join(", ");
        return Err(PyTypeError::new_err(format!(
            "there is no option {name:?} of the solver: expected one of {names}"
        )));
    };
    match options.set(&format!("{name}={value}")) {
        true => Ok(()),
        false => Err(argument(&format!(
            "{name}={value}: expected a value in {}",
            row.range
        ))),
    }
}

#[pymethods]
impl SolverCore {
    #[new]
    #[pyo3(signature = (with_proof = false, options = Vec::new()))]
    fn new(with_proof: bool, options: Vec<(String, String)>) -> PyResult<Self> {
        let mut chosen = Options::default();
        for (name, value) in options {
            set_option(&mut chosen, &name, &value)?;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let mut kind = match with_proof {
            true => Kind::Recording(Box::new(Solver::with_proof(chosen, ProofLog::new()))),
            false => Kind::Plain(Box::new(Solver::with_proof(chosen, NoProof))),
        };
        each!(&mut kind, solver => solver.set_interrupt(Arc::clone(&interrupt)));
        let state = State {
            kind,
            formula: Cnf::new(),
            propagation: Propagation::default(),
            answer: None,
            propagator: None,
            names: Names::default(),
        };
        Ok(Self {
            state: Mutex::new(state),
            interrupt,
        })
    }

    /// Adds a clause.
    fn add_clause(&self, clause: Vec<i64>) -> PyResult<()> {
        let lits = literals(clause)?;
        let mut state = self.state()?;
        let lits = state.given(lits)?;
        state.add(&lits);
        Ok(())
    }

    /// The sum of the weights of the true literals is at most `bound`.
    fn add_at_most(&self, lits: Vec<i64>, weights: Vec<u64>, bound: u64) -> PyResult<()> {
        let lits = literals(lits)?;
        let mut state = self.state()?;
        if weights.iter().all(|&weight| weight == 1) {
            let bound = usize::try_from(bound).unwrap_or(usize::MAX);
            return state.add_constraint(lits, |sink, lits| {
                constraints::at_most(sink, lits, bound);
            });
        }
        state.add_constraint(lits, |sink, lits| {
            let terms = weights.into_iter().zip(lits.iter().copied());
            constraints::linear_at_most(sink, &terms.collect::<Vec<_>>(), bound);
        })
    }

    /// An odd number of the literals is true, or an even one.
    fn add_parity(&self, lits: Vec<i64>, is_odd: bool) -> PyResult<()> {
        let lits = literals(lits)?;
        self.state()?.add_constraint(lits, |sink, lits| {
            constraints::parity(sink, lits, is_odd);
        })
    }

    /// Adds clauses: all of them, or none if one has a number that is no literal.
    fn append_formula(&self, clauses: Vec<Vec<i64>>) -> PyResult<()> {
        let clauses = clauses.into_iter().map(literals);
        let clauses: Vec<Vec<Lit>> = clauses.collect::<PyResult<_>>()?;
        let mut state = self.state()?;
        // Nothing is added if one of them is refused.
        let largest = clauses.iter().flatten().max_by_key(|lit| lit.var().index());
        state.given(largest.copied().into_iter().collect())?;
        for lits in clauses {
            let lits = state.given(lits)?;
            state.add(&lits);
        }
        Ok(())
    }

    /// Whether there is a model under assumptions; `None` if a limit was reached or the search interrupted.
    #[pyo3(signature = (assumptions, conflicts = None, propagations = None))]
    fn search(
        &self,
        py: Python<'_>,
        assumptions: Vec<i64>,
        conflicts: Option<u64>,
        propagations: Option<u64>,
    ) -> PyResult<Option<bool>> {
        let assumptions = literals(assumptions)?;
        let mut guard = self.state()?;
        let state = &mut *guard;
        let assumptions = state.given(assumptions)?;
        let watch = Watch::signals();
        let limits = Limits {
            conflicts,
            propagations,
        };
        let asked = watch.clone();
        state.answer = None;
        let raised = Raised::default();
        let is_raised = raised.clone();
        let bridge = state.bridge(py, &raised);
        let kind = &mut state.kind;
        let found = watch.run(py, || {
            each!(kind, solver => {
                if let Some((bridge, observed)) = bridge {
                    solver.connect_propagator(Box::new(bridge), &observed, 0)?;
                }
                solver.set_limits(limits);
                solver.set_stop_callback(Some(Box::new(move || asked.is_asked() || is_raised.is_raised())));
                let answer = solver.solve(&assumptions);
                solver.set_stop_callback(None);
                solver.disconnect_propagator();
                Ok((answer, solver.unknown_reason()))
            })
        })?;
        if let Some(error) = raised.take() {
            return Err(error);
        }
        let found = found.map_err(|error: NotConnected| Error::new_err(error.to_string()))?;
        state.answer = Some(found.0);
        match found {
            (Answer::Satisfiable, _) => Ok(Some(true)),
            (Answer::Unsatisfiable, _) => Ok(Some(false)),
            (Answer::Unknown, Some(UnknownReason::Memory)) => Err(PyMemoryError::new_err(
                "there is no space for a clause or for its record in the proof",
            )),
            (Answer::Unknown, _) => Ok(None),
        }
    }

    /// What follows from assumptions by unit propagation alone, and whether there is no contradiction.
    fn propagate(&self, assumptions: Vec<i64>) -> PyResult<(bool, Vec<i32>)> {
        let assumptions = literals(assumptions)?;
        let mut guard = self.state()?;
        let state = &mut *guard;
        let assumptions = state.given(assumptions)?;
        state.propagation.read(&state.formula);
        let (holds, implied) = state.propagation.run(&assumptions);
        Ok((holds, numbers(&state.names.python(&implied))))
    }

    /// Connects an object that searches ask (`craig.propagator.Bridge`), with the variables that it observes; `None` takes it back.
    #[pyo3(signature = (propagator, observed = Vec::new()))]
    fn set_propagator(&self, propagator: Option<Py<PyAny>>, observed: Vec<i64>) -> PyResult<()> {
        let observed = literals(observed)?;
        let mut state = self.state()?;
        let vars = state.given(observed)?.into_iter().map(Lit::var).collect();
        if propagator.is_some() && state.names.has_hidden() {
            return Err(Error::new_err(
                "a solver with constraints has no propagator: encode them by clauses (craig.card, craig.pb, craig.constraints)",
            ));
        }
        if propagator.is_some() && matches!(state.kind, Kind::Recording(_)) {
            return Err(Error::new_err(
                "a solver with_proof=True has no propagator: its clauses are not in the formula that the proof is about",
            ));
        }
        state.propagator = propagator.map(|object| (object, vars));
        Ok(())
    }

    /// Ends a search in another thread, and each later one until `clear_interrupt`.
    fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Allows searches after `interrupt`.
    fn clear_interrupt(&self) {
        self.interrupt.store(false, Ordering::Relaxed);
    }

    /// The last answer.
    fn get_status(&self) -> PyResult<Option<bool>> {
        Ok(match self.state()?.answer {
            Some(Answer::Satisfiable) => Some(true),
            Some(Answer::Unsatisfiable) => Some(false),
            Some(Answer::Unknown) | None => None,
        })
    }

    /// A literal of each variable that is true in the model, or `None` if the last answer was not "satisfiable".
    fn get_model(&self) -> PyResult<Option<Vec<i32>>> {
        let state = self.state()?;
        if state.answer != Some(Answer::Satisfiable) {
            return Ok(None);
        }
        let model = each!(&state.kind, solver => {
            let seen = state.names.seen(solver.n_vars()).into_iter().enumerate();
            let value = |var: Var| solver.value(var.positive()).unwrap_or(false);
            seen.map(|(place, var)| Var::new(place).positive().negate_if(!value(var)).to_dimacs())
                .collect()
        });
        Ok(Some(model))
    }

    /// Assumptions that can't hold together, or `None` if the last answer was not "unsatisfiable".
    fn get_core(&self) -> PyResult<Option<Vec<i32>>> {
        let state = self.state()?;
        let is_refuted = state.answer == Some(Answer::Unsatisfiable);
        let failed = each!(&state.kind, solver => state.names.python(solver.failed_assumptions()));
        Ok(is_refuted.then(|| numbers(&failed)))
    }

    /// Sets the values that variables are tried at first.
    fn set_phases(&self, literals: Vec<i64>) -> PyResult<()> {
        let lits = crate::literals::literals(literals)?;
        let mut guard = self.state()?;
        let state = &mut *guard;
        let lits = state.given(lits)?;
        each!(&mut state.kind, solver => lits.iter().for_each(|&lit| solver.set_phase(lit)));
        Ok(())
    }

    /// The number of variables.
    fn nof_vars(&self) -> PyResult<usize> {
        let state = self.state()?;
        Ok(each!(&state.kind, solver => state.names.seen(solver.n_vars()).len()))
    }

    /// The number of clauses that were added.
    fn nof_clauses(&self) -> PyResult<usize> {
        Ok(self.state()?.formula.n_clauses())
    }

    /// Whether the clauses are known to contradict each other.
    fn is_inconsistent(&self) -> PyResult<bool> {
        let state = self.state()?;
        Ok(each!(&state.kind, solver => solver.is_inconsistent()))
    }

    /// Whether a proof is recorded.
    fn has_proof(&self) -> PyResult<bool> {
        Ok(matches!(self.state()?.kind, Kind::Recording(_)))
    }

    /// The counters of the search.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state()?;
        let counted = each!(&state.kind, solver => *solver.statistics());
        let values = [
            counted.solves,
            counted.conflicts,
            counted.decisions,
            counted.propagations,
            counted.restarts,
            counted.learned_clauses,
            counted.learned_literals,
            counted.minimized_literals,
            counted.shrunken_literals,
            counted.reductions,
            counted.deleted_clauses,
            counted.failed_literals,
            counted.eliminated_variables,
        ];
        let counters = PyDict::new(py);
        for (name, value) in COUNTERS.into_iter().zip(values) {
            counters.set_item(name, value)?;
        }
        Ok(counters)
    }

    /// The proof of the last answer, which was "unsatisfiable". Assumptions that failed are clauses of it.
    fn proof(&self, py: Python<'_>) -> PyResult<Proof> {
        let state = self.state()?;
        let Kind::Recording(solver) = &state.kind else {
            return Err(Error::new_err(
                "no proof is recorded: make the solver with with_proof=True",
            ));
        };
        if state.answer != Some(Answer::Unsatisfiable) {
            return Err(Error::new_err(
                "there is no proof: the last answer is not \"unsatisfiable\"",
            ));
        }
        let Some(root) = solver.refutation() else {
            return Err(Error::new_err(
                "there is no proof: the failed assumptions are a literal and its negation",
            ));
        };
        let (log, watch) = (solver.proof(), Watch::signals());
        let trimmed = watch.run(py, || log.try_trim_until(root, || watch.is_asked()))?;
        let mut dag = trimmed.map_err(|error| Error::new_err(error.to_string()))?;
        let mut formula = state.formula.clone();
        formula.reserve_vars(solver.n_vars());
        let assumed = dag.root().map(|root| dag.clause(root).to_vec());
        let first = label_of(&formula);
        let assumed: Vec<Lit> = assumed
            .unwrap_or_default()
            .iter()
            .map(|&lit| !lit)
            .collect();
        for &lit in &assumed {
            formula.add_labelled_clause(&[lit], label_of(&formula));
        }
        let place = |lit: Lit| {
            assumed
                .iter()
                .position(|&other| other == lit)
                .unwrap_or_default()
        };
        close(&mut dag, &|lit| first + place(lit) as Label);
        Ok(Proof::new(formula, dag))
    }

    /// A copy with the same clauses, learned ones included.
    fn clone(&self) -> PyResult<Self> {
        let state = self.state()?;
        let interrupt = Arc::new(AtomicBool::new(false));
        let mut kind = match &state.kind {
            Kind::Plain(solver) => Kind::Plain(solver.clone()),
            Kind::Recording(solver) => Kind::Recording(solver.clone()),
        };
        each!(&mut kind, solver => solver.set_interrupt(Arc::clone(&interrupt)));
        let state = State {
            kind,
            formula: state.formula.clone(),
            propagation: state.propagation.clone(),
            answer: state.answer,
            propagator: None,
            names: state.names.clone(),
        };
        Ok(Self {
            state: Mutex::new(state),
            interrupt,
        })
    }
}
