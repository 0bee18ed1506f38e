//! Runs as values of Python: a dictionary for each step.

use craig_hardware::btor2::{Btor2, evaluate, trace};
use craig_model::simulate::StepValues;
use craig_model::{Model, Trace, Values, simulate};
use craig_word::{BitVector, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::InternalError;

/// A run: the values of latches and of inputs in each step, by name.
#[derive(Default)]
pub(crate) struct Run {
    steps: Vec<Row>,
}

/// The values of a step: latches and inputs with their names, and which bads hold.
#[derive(Default)]
struct Row {
    latches: Vec<(String, Shown)>,
    inputs: Vec<(String, Shown)>,
    bads: Vec<bool>,
}

/// A value that Python has a number for.
enum Shown {
    Bit(bool),
    Word(BitVector),
    /// The element at all other indices, and those at some.
    Array(BitVector, Vec<(BitVector, BitVector)>),
}

impl Shown {
    fn of(value: &Value) -> Self {
        match value {
            Value::Bits(bits) => Self::Word(bits.clone()),
            Value::Array(array) => {
                let entries = array.entries().iter();
                let entries = entries.map(|(index, element)| (index.clone(), element.clone()));
                Self::Array(array.default_element().clone(), entries.collect())
            }
        }
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Bit(value) => number(py, if *value { "1" } else { "0" }),
            Self::Word(bits) => number(py, &trace::binary(bits)),
            Self::Array(default, entries) => {
                let array = PyDict::new(py);
                array.set_item("default", number(py, &trace::binary(default))?)?;
                for (index, element) in entries {
                    let [index, element] =
                        [index, element].map(|word| number(py, &trace::binary(word)));
                    array.set_item(index?, element?)?;
                }
                Ok(array.into_any())
            }
        }
    }
}

/// The integer with these binary digits, of any length.
fn number<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    let digits = if digits.is_empty() { "0" } else { digits };
    py.import("builtins")?.getattr("int")?.call1((digits, 2))
}

/// The names of parts; those without one have a letter and their number.
fn named(names: &[String], kind: &str, number: usize) -> String {
    match names.get(number) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind}{number}"),
    }
}

impl Run {
    /// A run of a model of bits.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn of_bits(
        model: &Model,
        initial: &Values,
        inputs: &[Values],
    ) -> Result<Self, String> {
        let trace = Trace {
            property: 0,
            initial: initial.clone(),
            inputs: inputs.to_vec(),
        };
        let steps = simulate::replay(model, &trace).map_err(|error| error.to_string())?;
        let row = |step: &StepValues| {
            let all = |names: &[String], kind: &str, values: &[bool]| -> Vec<(String, Shown)> {
                let values = values.iter().enumerate();
                values
                    .map(|(number, &value)| (named(names, kind, number), Shown::Bit(value)))
                    .collect()
            };
            Row {
                latches: all(&model.names.latches, "l", &step.latches),
                inputs: all(&model.names.inputs, "i", &step.inputs),
                bads: step.bads.clone(),
            }
        };
        Ok(Self {
            steps: steps.iter().map(row).collect(),
        })
    }

    /// A run over words.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn of_words(file: &Btor2, run: &trace::Trace) -> Result<Self, String> {
        let names = file.names();
        let steps = evaluate::replay(file, run)?;
        let row = |step: &evaluate::StepValues| {
            let states = file.states.iter().zip(&step.states).enumerate();
            let latches = states.map(|(number, (state, value))| {
                let name = &names[state.node as usize..=state.node as usize];
                let name = if name[0].is_empty() {
                    format!("s{number}")
                } else {
                    name[0].clone()
                };
                (name, Shown::of(value))
            });
            let inputs = file.inputs.iter().zip(&step.inputs).enumerate();
            let inputs = inputs.map(|(number, (&node, value))| {
                let name = &names[node as usize];
                let name = if name.is_empty() {
                    format!("i{number}")
                } else {
                    name.clone()
                };
                (name, Shown::of(value))
            });
            Row {
                latches: latches.collect(),
                inputs: inputs.collect(),
                bads: step.bads.clone(),
            }
        };
        Ok(Self {
            steps: steps.iter().map(row).collect(),
        })
    }

    /// A dictionary for each step, with those of latches and inputs.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let steps = PyList::empty(py);
        for (number, row) in self.steps.iter().enumerate() {
            let all = |values: &[(String, Shown)]| -> PyResult<Bound<'py, PyDict>> {
                let dictionary = PyDict::new(py);
                for (place, (name, value)) in values.iter().enumerate() {
                    // A file may give one name to several parts.
                    let name = match dictionary.contains(name)? {
                        true => format!("{name}#{place}"),
                        false => name.clone(),
                    };
                    dictionary.set_item(name, value.to_python(py)?)?;
                }
                Ok(dictionary)
            };
            let step = PyDict::new(py);
            step.set_item("step", number)?;
            step.set_item("state", all(&row.latches)?)?;
            step.set_item("inputs", all(&row.inputs)?)?;
            step.set_item("bads", row.bads.clone())?;
            steps.append(step)?;
        }
        Ok(steps)
    }
}

/// The error of a run that was certified, but can't be replayed.
pub(crate) fn unreplayed(message: &str) -> PyErr {
    InternalError::new_err(format!("a certified run can't be replayed: {message}"))
}
