//! `--check`: interpolants of a file, whoever has written them.

use std::collections::HashMap;
use std::path::Path;

use craig_formula::{Formulas, Variable};
use craig_hardware::aiger;
use craig_itp::Stop;
use craig_itp::verify::Violation;
use craig_solver::{Label, Var};

use super::arguments::Arguments;
use super::interpolants::verify;
use super::judge::Varisat;
use super::shape::{Shape, shape};
use crate::cli::failure::Failure;
use crate::problem::Problem;

/// Verifies the interpolants of a file. How many there are; `None` if a stop came first.
///
/// # Errors
/// If the file has no such interpolants, or one of their conditions does not hold.
pub(super) fn check(
    path: &Path,
    problem: &Problem,
    arguments: &Arguments,
    stop: &Stop,
) -> Result<Option<usize>, Failure> {
    let fault = |text: String| Failure::input(format!("{}: {text}", path.display()));
    let formulas = read(path, problem)?;
    let shape = shape_of(&formulas, problem, arguments)
        .map_err(fault)?
        .map_or_else(|| shape(arguments, problem), Ok)?;
    let expected = match &shape {
        Shape::Cut(_) => 1,
        Shape::Tree(tree) => tree.n_nodes(),
        Shape::Sequence(labels) | Shape::Symmetric(labels) => labels.len(),
    };
    let found = formulas.outputs.len();
    if found != expected {
        return Err(fault(format!(
            "expected an output for each interpolant: {expected}, here are {found}"
        )));
    }
    let name = |formula: usize| &formulas.outputs[formula].0;
    match verify(problem, &formulas, &shape, &Varisat, stop) {
        Ok(()) => Ok(Some(found)),
        Err(Violation::Undecided) => Ok(None),
        Err(violation @ Violation::Judge) => Err(Failure::internal(violation)),
        Err(Violation::NotImplied { formula }) => {
            Err(fault(format!("`{}` is not implied", name(formula))))
        }
        Err(Violation::NotShared { formula, .. }) => Err(fault(format!(
            "`{}` depends on a variable that is not shared",
            name(formula)
        ))),
        Err(violation) => Err(fault(violation.to_string())),
    }
}

/// The formulas of a circuit whose inputs have the names of variables.
fn read(path: &Path, problem: &Problem) -> Result<Formulas, Failure> {
    let model = aiger::read_file(path).map_err(Failure::input)?.model;
    let fault = |text: String| Failure::input(format!("{}: {text}", path.display()));
    if !model.latches.is_empty() {
        let text = "expected a circuit without latches, as `--output FILE.aag` writes it";
        return Err(fault(text.to_owned()));
    }
    let known: HashMap<String, Var> = (0..problem.cnf.n_vars())
        .map(|index| (problem.name(Var::new(index)), Var::new(index)))
        .collect();
    let mut inputs = Vec::new();
    for index in 0..model.inputs.len() {
        let name = model.names.inputs.get(index).cloned().unwrap_or_default();
        let Some(&var) = known.get(&name) else {
            return Err(fault(format!(
                "expected the name of a variable for input {index}, found `{name}`"
            )));
        };
        inputs.push(Variable { var, name });
    }
    let outputs = model.bads.iter().enumerate().map(|(index, &edge)| {
        let name = model.names.bads.get(index).cloned().unwrap_or_default();
        (name, edge)
    });
    Ok(Formulas {
        outputs: outputs.collect(),
        inputs,
        aig: model.aig.clone(),
    })
}

/// The cuts, or parts, that the outputs of a sequence, or of symmetric interpolants, are named after; `None` for others.
fn shape_of(
    formulas: &Formulas,
    problem: &Problem,
    arguments: &Arguments,
) -> Result<Option<Shape>, String> {
    if !arguments.sequence && !arguments.symmetric {
        return Ok(None);
    }
    let mut labels: Vec<Label> = Vec::new();
    for (name, _) in &formulas.outputs {
        let number = name.strip_prefix("interpolant_");
        let label: Option<Label> = number.and_then(|number| number.parse().ok());
        match label {
            Some(label) if labels.last().is_none_or(|&last| last < label) => labels.push(label),
            _ => {
                return Err(format!(
                    "expected outputs `interpolant_N` with growing numbers, found `{name}`"
                ));
            }
        }
    }
    problem.partitions().map_err(|error| error.to_string())?;
    Ok(Some(match arguments.sequence {
        true => Shape::Sequence(labels),
        false => Shape::Symmetric(labels),
    }))
}
