//! Refutations.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use craig_formula::refutation::{RefutationFile, RefutationFormat};
use craig_formula::write_proof;
use craig_itp::Stopped;
use craig_itp::prove::{NoRefutation, prove};
use craig_itp::transform::{ProofStatistics, prune};
use craig_solver::proof::check::{check_dag_until, check_leaves_until};
use craig_solver::proof::import::{ImportError, import_drat, import_lrat, import_tracecheck};
use craig_solver::proof::{Encoding, Origin, ProofDag, VertexId};
use craig_solver::{Cnf, Label, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{self, Error, InternalError, argument, input};
use crate::expression::Expression;
use crate::interpolants::{Asked, Question, Request};
use crate::literals::{clauses, literals, numbers};
use crate::room;
use crate::transform::Transform;
use crate::watch::Watch;

/// A refutation of clauses: resolution steps from some of them to the empty clause.
#[pyclass(frozen, module = "craig")]
pub(crate) struct Proof {
    /// The clauses; the label of each is its number.
    formula: Arc<Cnf>,
    /// Its leaves have the numbers of their clauses as labels.
    dag: Arc<ProofDag>,
}

/// The number of the next clause of a formula whose labels are the numbers of its clauses.
pub(crate) fn label_of(formula: &Cnf) -> Label {
    Label::try_from(formula.n_clauses()).expect("the solver numbers clauses with 32 bits")
}

/// The formula of clauses in Python.
pub(crate) fn formula_of(clauses: Vec<Vec<i64>>) -> PyResult<Cnf> {
    let mut formula = Cnf::new();
    for clause in clauses {
        let label = label_of(&formula);
        formula.add_labelled_clause(&literals(clause)?, label);
    }
    room::check(0, formula.n_vars())?;
    Ok(formula)
}

/// The arguments with which a proof is read again.
type Saved<'py> = (Vec<Vec<i32>>, Bound<'py, PyBytes>, &'static str);

impl Proof {
    /// Of clauses that have their numbers as labels.
    pub(crate) fn new(formula: Cnf, dag: ProofDag) -> Self {
        Self {
            formula: Arc::new(formula),
            dag: Arc::new(dag),
        }
    }

    fn with_dag(&self, dag: ProofDag) -> Self {
        Self {
            formula: Arc::clone(&self.formula),
            dag: Arc::new(dag),
        }
    }

    /// The numbers of the clauses that it uses.
    fn used(&self) -> BTreeSet<Label> {
        let labels = self
            .dag
            .vertices()
            .filter_map(|vertex| match self.dag.origin(vertex) {
                Origin::Leaf { label } => Some(label),
                Origin::Chain { .. } => None,
            });
        labels.collect()
    }
}

pub(crate) fn stopped(_: Stopped) -> PyErr {
    errors::Stopped::new_err("stopped before the end")
}

/// The time limit of a number of seconds.
pub(crate) fn time_limit(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let limit = seconds.map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| argument(&format!("time={seconds}: expected a number of seconds")))
    });
    limit.transpose()
}

#[pymethods]
impl Proof {
    /// Searches for a refutation of clauses. Other seeds find other proofs.
    #[staticmethod]
    #[pyo3(signature = (clauses, *, seed = 0, time = None))]
    fn find(
        py: Python<'_>,
        clauses: Vec<Vec<i64>>,
        seed: u64,
        time: Option<f64>,
    ) -> PyResult<Self> {
        let formula = formula_of(clauses)?;
        let watch = Watch::new(&Arc::default(), time_limit(time)?);
        let stop = watch.stop();
        match watch.run(py, || prove(&formula, seed, Limits::default(), &stop))? {
            Ok(dag) => Ok(Self::new(formula, dag)),
            Err(NoRefutation::Satisfiable(model)) => {
                let lits = model
                    .iter()
                    .zip(1_i64..)
                    .map(|(&value, var)| if value { var } else { -var });
                let lits: Vec<i64> = lits.collect();
                let text = "the clauses are satisfiable: there is no proof";
                Err(errors::Satisfiable::new_err((text, lits)))
            }
            Err(_) => Err(errors::Stopped::new_err(
                "the search was stopped before it found a proof",
            )),
        }
    }

    /// Reads a refutation by any solver, in DRAT, LRAT or TraceCheck; the first two also in their binary encodings.
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        clauses: Vec<Vec<i64>>,
        data: &[u8],
        format: &str,
    ) -> PyResult<Self> {
        let formula = formula_of(clauses)?;
        let watch = Watch::signals();
        let dag = match format {
            "drat" => watch.run(py, || import_drat(&formula, data, || watch.is_asked()))?,
            "lrat" => watch.run(py, || import_lrat(&formula, data))?,
            "tracecheck" => watch.run(py, || import_tracecheck(&formula, data))?,
            _ => return Err(unknown_format(format)),
        };
        match dag {
            Ok(dag) => Ok(Self::new(formula, dag)),
            Err(ImportError::Stopped) => Err(stopped(Stopped)),
            Err(error) => Err(input(&format!("{format}: {error}"))),
        }
    }

    /// The clauses that it refutes.
    #[getter]
    fn clauses(&self) -> Vec<Vec<i32>> {
        clauses(&self.formula)
    }

    /// The numbers of the clauses that it uses, from 0.
    #[getter]
    fn core(&self) -> Vec<Label> {
        self.used().into_iter().collect()
    }

    /// Its sizes.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of = ProofStatistics::of(&self.dag);
        let sizes = PyDict::new(py);
        sizes.set_item("vertices", of.vertices)?;
        sizes.set_item("resolutions", of.resolutions)?;
        sizes.set_item("literals", of.literals)?;
        sizes.set_item("core", of.core)?;
        sizes.set_item("depth", of.depth)?;
        Ok(sizes)
    }

    /// Checks each step, that its leaves are clauses of the formula, and that it ends in the empty clause.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let watch = Watch::signals();
        let (dag, formula) = (&*self.dag, &*self.formula);
        let checked = watch.run(py, || {
            check_dag_until(dag, || watch.is_asked())?;
            check_leaves_until(dag, formula, || watch.is_asked())
        })?;
        checked.map_err(|error| InternalError::new_err(error.to_string()))?;
        match dag.is_refutation() {
            true => Ok(()),
            false => Err(InternalError::new_err(
                "the proof does not end in the empty clause",
            )),
        }
    }

    /// Leaves out what the empty clause does not depend on.
    fn trim(&self, py: Python<'_>) -> PyResult<Self> {
        let watch = Watch::signals();
        let stop = watch.stop();
        let dag = watch.run(py, || prune(&self.dag, &stop))?;
        Ok(self.with_dag(dag.map_err(stopped)?))
    }

    /// A proof of the empty clause by other steps. `a` has the numbers of the clauses of A, for the transforms that depend
    /// on the cut.
    #[pyo3(signature = (name, *, a = None))]
    fn transform(&self, py: Python<'_>, name: &str, a: Option<Vec<Label>>) -> PyResult<Self> {
        let transform = Transform::from_name(name)?;
        if transform.depends_on_cut() && a.is_none() {
            let message =
                format!("{name} depends on the cut: `a` has to be the numbers of A's clauses");
            return Err(argument(&message));
        }
        let a: BTreeSet<Label> = a.unwrap_or_default().into_iter().collect();
        let watch = Watch::signals();
        let stop = watch.stop();
        let dag = watch.run(py, || {
            transform.apply(&self.dag, &|label| a.contains(&label), &stop)
        })?;
        Ok(self.with_dag(dag.map_err(stopped)?))
    }

    /// For `pickle`: the clauses with the proof in LRAT.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let proof = slf.get();
        let text = proof.to_bytes(slf.py(), "lrat", false)?;
        let made = slf.get_type().getattr("from_bytes")?;
        Ok((made, (clauses(&proof.formula), text, "lrat")))
    }

    /// The proof in DRAT, LRAT or TraceCheck.
    #[pyo3(signature = (format, *, binary = false))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        binary: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let file_format = match format {
            "drat" => RefutationFormat::Drat,
            "lrat" => RefutationFormat::Lrat,
            "tracecheck" if binary => return Err(argument("TraceCheck has no binary encoding")),
            "tracecheck" => RefutationFormat::Tracecheck,
            _ => return Err(unknown_format(format)),
        };
        let encoding = if binary {
            Encoding::Binary
        } else {
            Encoding::Text
        };
        let mut output = Vec::new();
        let file = RefutationFile {
            format: file_format,
            encoding,
            output: &mut output,
        };
        file.write(&self.formula, &self.dag)
            .map_err(|error| Error::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &output))
    }

    /// A drawing for Graphviz.
    fn to_dot(&self) -> PyResult<String> {
        let mut output = Vec::new();
        let name = |lit: craig_solver::Lit| lit.to_dimacs().to_string();
        write_proof(&self.dag, &name, &mut output)
            .map_err(|error| Error::new_err(error.to_string()))?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// The steps: the clause of each vertex, and the numbers of the vertices that it is resolved from; of a leaf none.
    fn steps(&self) -> Vec<(Vec<i32>, Vec<VertexId>)> {
        let dag = &self.dag;
        let antecedents = |vertex| match dag.origin(vertex) {
            Origin::Leaf { .. } => Vec::new(),
            Origin::Chain { first, steps } => std::iter::once(first)
                .chain(steps.iter().map(|step| step.antecedent))
                .collect(),
        };
        let step = |vertex| (numbers(dag.clause(vertex)), antecedents(vertex));
        dag.vertices().map(step).collect()
    }

    /// Interpolants of it: `craig.interpolants` has the arguments as keywords.
    fn _interpolants(&self, py: Python<'_>, asked: Asked) -> PyResult<Vec<Expression>> {
        let question = Question::new(&self.formula, &self.dag, &asked.parts)?;
        let transforms = asked
            .transforms
            .iter()
            .map(|name| Transform::from_name(name));
        let transforms: Vec<Transform> = transforms.collect::<PyResult<_>>()?;
        let watch = Watch::new(&Arc::default(), time_limit(asked.time)?);
        let request = Request::new(&question, asked)?;
        let stop = watch.stop();
        let found = watch.run(py, || request.answer(question, &transforms, &stop))?;
        found.map_err(|failure| failure.raise())
    }

    fn __len__(&self) -> usize {
        self.dag.n_steps()
    }

    fn __repr__(&self) -> String {
        let of = ProofStatistics::of(&self.dag);
        format!(
            "<craig.Proof: {} resolutions, {} clauses of {}>",
            of.resolutions,
            self.used().len(),
            self.formula.n_clauses()
        )
    }
}

fn unknown_format(format: &str) -> PyErr {
    argument(&format!(
        "there is no proof format {format:?}: expected \"drat\", \"lrat\" or \"tracecheck\""
    ))
}
