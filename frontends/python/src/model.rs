//! Circuits: built gate by gate, or read from files.

use craig_aig::Edge;
use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::btor2::{self, WordCircuit, words_of};
use craig_model::simulate::Simulator;
use craig_model::{Latch, Model, Reset};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Error, argument, input};

/// A circuit, with what its file has beyond the model.
pub(crate) enum Content {
    Bits(Box<AigerModel>),
    Words(Box<WordCircuit>),
}

impl Content {
    pub(crate) fn model(&self) -> &Model {
        match self {
            Self::Bits(circuit) => &circuit.model,
            Self::Words(circuit) => &circuit.bits.model,
        }
    }
}

/// A circuit; `craig.Model` has operators on top of it. Signals are the codes of edges.
#[pyclass(module = "craig._craig")]
pub(crate) struct Circuit {
    content: Content,
}

/// The step values of a run: latches, inputs, constraints and bads.
type Step = (Vec<bool>, Vec<bool>, Vec<bool>, Vec<bool>);

impl Circuit {
    pub(crate) fn content(&self) -> &Content {
        &self.content
    }

    fn model(&self) -> &Model {
        self.content.model()
    }

    /// The model, to be changed: what was read from a file is then no longer about it.
    fn model_mut(&mut self) -> PyResult<&mut Model> {
        let model = match &self.content {
            Content::Words(circuit) if circuit.refusal.is_some() => {
                let reason = circuit.refusal.as_deref().unwrap_or_default();
                return Err(Error::new_err(format!(
                    "the circuit has no bits to be changed: {reason}"
                )));
            }
            Content::Words(circuit) => Some(renumbered(&circuit.bits)),
            Content::Bits(circuit) if circuit.source.is_some() => Some(renumbered(circuit)),
            Content::Bits(_) => None,
        };
        if let Some(model) = model {
            self.content = Content::Bits(Box::new(model));
        }
        match &mut self.content {
            Content::Bits(circuit) => Ok(&mut circuit.model),
            Content::Words(_) => unreachable!("it was replaced"),
        }
    }

    /// The edge of a signal.
    fn edge(&self, signal: u32) -> PyResult<Edge> {
        match (signal >> 1) < self.model().aig.n_nodes() as u32 {
            true => Ok(Edge::from_code(signal)),
            false => Err(PyIndexError::new_err(format!(
                "signal {signal} is not one of this circuit"
            ))),
        }
    }

    fn edges(&self, signals: Vec<u32>) -> PyResult<Vec<Edge>> {
        signals
            .into_iter()
            .map(|signal| self.edge(signal))
            .collect()
    }

    /// The circuit as it is written.
    pub(crate) fn numbered(&self) -> AigerModel {
        match &self.content {
            Content::Bits(circuit) if circuit.source.is_some() => (**circuit).clone(),
            Content::Bits(circuit) => renumbered(circuit),
            Content::Words(circuit) => renumbered(&circuit.bits),
        }
    }
}

/// A circuit with the literals that the writers give it, which are not those of a file.
fn renumbered(circuit: &AigerModel) -> AigerModel {
    AigerModel {
        outputs: circuit.outputs.clone(),
        output_names: circuit.output_names.clone(),
        comment: circuit.comment.clone(),
        ..AigerModel::from_model(circuit.model.clone())
    }
}

/// Adds the name of the last of `n_parts` parts to a list that is empty or has one for each.
fn push_name(names: &mut Vec<String>, n_parts: usize, name: String) {
    if names.is_empty() && name.is_empty() {
        return;
    }
    names.resize(n_parts - 1, String::new());
    names.push(name);
}

fn codes(edges: &[Edge]) -> Vec<u32> {
    edges.iter().map(|edge| edge.code()).collect()
}

#[pymethods]
impl Circuit {
    #[new]
    fn new() -> Self {
        Self {
            content: Content::Bits(Box::default()),
        }
    }

    /// Reads a circuit in AIGER, text or binary.
    #[staticmethod]
    fn from_aiger(data: &[u8], name: &str) -> PyResult<Self> {
        let circuit = aiger::read(data, name).map_err(|error| input(&error))?;
        Ok(Self {
            content: Content::Bits(Box::new(circuit)),
        })
    }

    /// Reads a circuit in BTOR2.
    #[staticmethod]
    fn from_btor2(py: Python<'_>, data: &[u8], name: &str) -> PyResult<Self> {
        let circuit = py
            .detach(|| WordCircuit::read(data, name))
            .map_err(|error| input(&error))?;
        Ok(Self {
            content: Content::Words(Box::new(circuit)),
        })
    }

    /// Whether it was read from BTOR2, and not changed since: its runs are over words.
    fn has_words(&self) -> bool {
        matches!(self.content, Content::Words(_))
    }

    /// Adds an input.
    fn add_input(&mut self, name: String) -> PyResult<u32> {
        let model = self.model_mut()?;
        let edge = model.aig.add_input();
        model.inputs.push(edge);
        push_name(&mut model.names.inputs, model.inputs.len(), name);
        Ok(edge.code())
    }

    /// Adds a latch that keeps its value; `init` is its first value, `None` for either.
    fn add_latch(&mut self, name: String, init: Option<bool>) -> PyResult<u32> {
        let model = self.model_mut()?;
        let state = model.aig.add_input();
        let reset = match init {
            None => Reset::Uninitialised,
            Some(false) => Reset::Zero,
            Some(true) => Reset::One,
        };
        model.latches.push(Latch {
            state,
            next: state,
            reset,
        });
        push_name(&mut model.names.latches, model.latches.len(), name);
        Ok(state.code())
    }

    /// Sets the value of a latch one step later.
    fn set_next(&mut self, latch: u32, next: u32) -> PyResult<()> {
        let (state, next) = (self.edge(latch)?, self.edge(next)?);
        let latches = &mut self.model_mut()?.latches;
        match latches.iter_mut().find(|latch| latch.state == state) {
            Some(latch) => {
                latch.next = next;
                Ok(())
            }
            None => Err(argument("only a latch has a next value")),
        }
    }

    /// The conjunction of two signals.
    fn and_(&mut self, left: u32, right: u32) -> PyResult<u32> {
        let (left, right) = (self.edge(left)?, self.edge(right)?);
        Ok(self.model_mut()?.aig.and(left, right).code())
    }

    /// Exactly one of two signals.
    fn xor(&mut self, left: u32, right: u32) -> PyResult<u32> {
        let (left, right) = (self.edge(left)?, self.edge(right)?);
        Ok(self.model_mut()?.aig.xor(left, right).code())
    }

    /// `then` where the condition holds, else `otherwise`.
    fn ite(&mut self, condition: u32, then: u32, otherwise: u32) -> PyResult<u32> {
        let [condition, then, otherwise] = [
            self.edge(condition)?,
            self.edge(then)?,
            self.edge(otherwise)?,
        ];
        Ok(self.model_mut()?.aig.ite(condition, then, otherwise).code())
    }

    /// Adds a bad, and returns its number.
    fn add_bad(&mut self, signal: u32, name: String) -> PyResult<usize> {
        let edge = self.edge(signal)?;
        let model = self.model_mut()?;
        model.bads.push(edge);
        push_name(&mut model.names.bads, model.bads.len(), name);
        Ok(model.bads.len() - 1)
    }

    /// Adds a constraint.
    fn add_constraint(&mut self, signal: u32, name: String) -> PyResult<()> {
        let edge = self.edge(signal)?;
        let model = self.model_mut()?;
        model.constraints.push(edge);
        push_name(&mut model.names.constraints, model.constraints.len(), name);
        Ok(())
    }

    /// Adds a justice property, and returns its number.
    fn add_justice(&mut self, signals: Vec<u32>, name: String) -> PyResult<usize> {
        let edges = self.edges(signals)?;
        let model = self.model_mut()?;
        model.justice.push(edges);
        push_name(&mut model.names.justice, model.justice.len(), name);
        Ok(model.justice.len() - 1)
    }

    /// Adds a fairness constraint.
    fn add_fairness(&mut self, signal: u32, name: String) -> PyResult<()> {
        let edge = self.edge(signal)?;
        let model = self.model_mut()?;
        model.fairness.push(edge);
        push_name(&mut model.names.fairness, model.fairness.len(), name);
        Ok(())
    }

    /// The inputs.
    fn inputs(&self) -> Vec<u32> {
        codes(&self.model().inputs)
    }

    /// The latches.
    fn latches(&self) -> Vec<u32> {
        self.model()
            .latches
            .iter()
            .map(|latch| latch.state.code())
            .collect()
    }

    /// The bads.
    fn bads(&self) -> Vec<u32> {
        codes(&self.model().bads)
    }

    /// The names of inputs, latches and bads.
    fn names(&self) -> (Vec<String>, Vec<String>, Vec<String>) {
        let model = self.model();
        let name = |names: &[String], kind: &str, number: usize| match names.get(number) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("{kind}{number}"),
        };
        let names = |list: &[String], kind: &str, n_parts: usize| -> Vec<String> {
            (0..n_parts)
                .map(|number| name(list, kind, number))
                .collect()
        };
        (
            names(&model.names.inputs, "i", model.inputs.len()),
            names(&model.names.latches, "l", model.latches.len()),
            names(&model.names.bads, "b", model.bads.len()),
        )
    }

    /// The numbers of inputs, latches, gates, bads, constraints, justice properties and fairness constraints.
    fn counts(&self) -> [usize; 7] {
        let model = self.model();
        [
            model.inputs.len(),
            model.latches.len(),
            model.aig.n_nodes() - 1 - model.aig.n_inputs(),
            model.bads.len(),
            model.constraints.len(),
            model.justice.len(),
            model.fairness.len(),
        ]
    }

    /// Runs it: `initial` has a value or none for each latch, `inputs` the values of all inputs in each step.
    fn simulate(&self, initial: Vec<Option<bool>>, inputs: Vec<Vec<bool>>) -> PyResult<Vec<Step>> {
        let model = self.model();
        if let Content::Words(circuit) = &self.content
            && let Some(reason) = &circuit.refusal
        {
            return Err(Error::new_err(format!(
                "the circuit has no bits to be simulated: {reason}"
            )));
        }
        model.validate().map_err(|error| input(&error))?;
        if let Some(step) = inputs
            .iter()
            .position(|values| values.len() != model.inputs.len())
        {
            let (found, expected) = (inputs[step].len(), model.inputs.len());
            return Err(argument(&format!(
                "step {step} has {found} values for {expected} inputs"
            )));
        }
        let initial = initial.into_iter().collect();
        let Some(first) = inputs.first() else {
            return Ok(Vec::new());
        };
        let first = first.iter().copied().map(Some).collect();
        let mut simulator =
            Simulator::new(model, &initial, &first).map_err(|error| argument(&error))?;
        let mut steps = Vec::new();
        for values in inputs {
            simulator.step(&values);
            let step = simulator.values();
            steps.push((step.latches, step.inputs, step.constraints, step.bads));
        }
        Ok(steps)
    }

    /// The circuit in AIGER.
    fn to_aiger<'py>(&self, py: Python<'py>, binary: bool) -> PyResult<Bound<'py, PyBytes>> {
        if let Content::Words(circuit) = &self.content
            && let Some(reason) = &circuit.refusal
        {
            return Err(Error::new_err(format!(
                "the circuit has no bits to be written: {reason}"
            )));
        }
        let circuit = self.numbered();
        let mut output = Vec::new();
        match binary {
            true => aiger::write_binary(&circuit, &mut output),
            false => aiger::write_ascii(&circuit, &mut output),
        }
        .map_err(|error| Error::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &output))
    }

    /// The circuit in BTOR2.
    fn to_btor2<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut output = Vec::new();
        match &self.content {
            Content::Words(circuit) => btor2::write(&circuit.file, &mut output),
            Content::Bits(circuit) => btor2::write(&words_of(&circuit.model), &mut output),
        }
        .map_err(|error| Error::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &output))
    }
}
