//! Formulas over numbered variables.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_formula::{Format, Formulas, Variable};
use craig_itp::size;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Cnf, Lit, Solver, Var};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{self, Error, argument};
use crate::literals::{clauses, literal};
use crate::watch::Watch;

/// Larger formulas are not written as text: it has shared gates once for each use.
const MAX_TEXT: usize = 64;

/// A formula over the variables of clauses.
#[pyclass(frozen, module = "craig")]
pub(crate) struct Expression {
    aig: Arc<Aig>,
    edge: Edge,
    /// The variable of each input of the graph.
    variables: Arc<Vec<Var>>,
}

impl Expression {
    /// Of a graph whose inputs are these variables.
    pub(crate) fn new(aig: Arc<Aig>, edge: Edge, variables: Arc<Vec<Var>>) -> Self {
        Self {
            aig,
            edge,
            variables,
        }
    }

    /// The input nodes of the formula with their variables.
    fn inputs(&self) -> Vec<(NodeId, Var)> {
        let cone = self.aig.cone(&[self.edge]);
        let input = |node| match self.aig.node(node) {
            Node::Input(position) => Some((node, self.variables[position as usize])),
            _ => None,
        };
        cone.into_iter().filter_map(input).collect()
    }

    /// Clauses that define the formula in a solver in which variables keep their numbers, and its literal.
    fn define(&self, solver: &mut Solver, n_vars: usize) -> Lit {
        solver.reserve_vars(n_vars);
        let mut encoder = Encoder::new();
        for (node, var) in self.inputs() {
            encoder.set(node, var.positive());
        }
        encoder.encode(&self.aig, self.edge, solver)
    }

    /// Whether this and the other, negated or not, have a model in common.
    fn is_consistent_with(
        &self,
        py: Python<'_>,
        (other, is_negated): (&Self, bool),
    ) -> PyResult<bool> {
        let last = |expression: &Self| expression.variables.last().map_or(0, |var| var.index() + 1);
        let n_vars = last(self).max(last(other));
        let watch = Watch::signals();
        let asked = watch.clone();
        let answer = watch.run(py, || {
            let mut solver = Solver::new();
            let lits = [
                self.define(&mut solver, n_vars),
                other.define(&mut solver, n_vars),
            ];
            solver.set_stop_callback(Some(Box::new(move || asked.is_asked())));
            solver.solve(&[lits[0], lits[1].negate_if(is_negated)])
        })?;
        match answer {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown => Err(errors::Stopped::new_err("stopped before it was decided")),
        }
    }

    fn write(&self, format: Format) -> PyResult<Vec<u8>> {
        let variable = |&var: &Var| Variable {
            var,
            name: format!("v{}", var.index() + 1),
        };
        let formulas = Formulas {
            aig: (*self.aig).clone(),
            outputs: vec![("formula".to_owned(), self.edge)],
            inputs: self.variables.iter().map(variable).collect(),
        };
        let mut output = Vec::new();
        let written = formulas.write(format, &mut output);
        written.map_err(|error| Error::new_err(error.to_string()))?;
        Ok(output)
    }

    /// The text of an edge; the graph is small.
    fn text(&self, edge: Edge) -> String {
        match (self.aig.node(edge.node()), edge.is_negated()) {
            (Node::Constant, is_negated) => if is_negated { "true" } else { "false" }.to_owned(),
            (Node::Input(position), is_negated) => {
                let number = self.variables[position as usize].index() + 1;
                format!("{}{number}", if is_negated { "-" } else { "" })
            }
            (Node::And(left, right), false) => {
                format!("({} & {})", self.text(left), self.text(right))
            }
            (Node::And(left, right), true) => {
                format!("({} | {})", self.text(!left), self.text(!right))
            }
        }
    }
}

#[pymethods]
impl Expression {
    /// The numbers of its variables.
    fn variables(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self
            .inputs()
            .iter()
            .map(|(_, var)| var.index() + 1)
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// Its value under an assignment: the true literals, one for each of its variables at least.
    fn evaluate(&self, assignment: Vec<i64>) -> PyResult<bool> {
        let mut values: HashMap<Var, bool> = HashMap::new();
        for number in assignment {
            let lit = literal(number)?;
            let value = !lit.is_negated();
            if values
                .insert(lit.var(), value)
                .is_some_and(|before| before != value)
            {
                return Err(argument(&format!(
                    "both {number} and {} are in the assignment",
                    -number
                )));
            }
        }
        let mut inputs = vec![false; self.aig.n_inputs()];
        for (node, var) in self.inputs() {
            let Node::Input(position) = self.aig.node(node) else {
                continue;
            };
            let Some(&value) = values.get(&var) else {
                let number = var.index() + 1;
                return Err(argument(&format!(
                    "variable {number} has no value in the assignment"
                )));
            };
            inputs[position as usize] = value;
        }
        Ok(self.aig.evaluate(&inputs, &[self.edge])[0])
    }

    /// Clauses that are satisfiable together with an assignment if and only if it satisfies the formula. Gates get new
    /// variables, from `first` on.
    fn clauses(&self, first: usize) -> PyResult<Vec<Vec<i32>>> {
        let last = self
            .inputs()
            .into_iter()
            .map(|(_, var)| var.index() + 1)
            .max()
            .unwrap_or(0);
        if first <= last || Var::try_new(first + self.aig.n_nodes()).is_none() {
            return Err(argument(&format!(
                "first={first}: expected a number above {last} and below 2^30"
            )));
        }
        let mut cnf = Cnf::new();
        cnf.reserve_vars(first - 1);
        let mut encoder = Encoder::new();
        for (node, var) in self.inputs() {
            encoder.set(node, var.positive());
        }
        let lit = encoder.encode_polarity(&self.aig, self.edge, &mut cnf);
        cnf.add_clause(&[lit]);
        Ok(clauses(&cnf))
    }

    /// Its sizes.
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of = size(&self.aig, self.edge);
        let sizes = PyDict::new(py);
        sizes.set_item("gates", of.ands)?;
        sizes.set_item("depth", of.depth)?;
        sizes.set_item("literals", of.literals)?;
        sizes.set_item("variables", of.support)?;
        sizes.set_item("is_cnf", of.is_cnf)?;
        Ok(sizes)
    }

    /// Whether it is at least as strong as the other: no assignment satisfies it and not the other.
    fn implies(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(!self.is_consistent_with(py, (other, true))?)
    }

    /// Whether both have the same value under every assignment.
    fn is_equivalent(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.implies(py, other)? && other.implies(py, self)?)
    }

    /// As a combinational circuit in AIGER, text or binary; inputs are named `v` and the number of their variable.
    #[pyo3(signature = (*, binary = false))]
    fn to_aiger<'py>(&self, py: Python<'py>, binary: bool) -> PyResult<Bound<'py, PyBytes>> {
        let format = if binary { Format::Aig } else { Format::Aag };
        Ok(PyBytes::new(py, &self.write(format)?))
    }

    /// As an assertion in SMT-LIB 2.
    fn to_smtlib(&self) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.write(Format::Smt2)?).into_owned())
    }

    /// A drawing for Graphviz; dashed edges negate.
    fn to_dot(&self) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.write(Format::Dot)?).into_owned())
    }

    fn __str__(&self) -> String {
        let of = size(&self.aig, self.edge);
        if of.ands > MAX_TEXT || of.depth > MAX_TEXT / 4 {
            return self.__repr__();
        }
        self.text(self.edge)
    }

    fn __repr__(&self) -> String {
        let of = size(&self.aig, self.edge);
        format!(
            "<craig.Expression: {} gates over {} variables>",
            of.ands, of.support
        )
    }
}
