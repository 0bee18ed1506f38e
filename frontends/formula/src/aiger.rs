//! Formulas as combinational AIGER circuits.

use std::io::{self, Write};

use craig_aig::{Aig, Edge};
use craig_hardware::aiger::{AigerModel, write_ascii, write_binary};
use craig_model::{Model, Names};

use super::formulas::{Formulas, position};

pub(super) fn write(formulas: &Formulas, binary: bool, output: &mut dyn Write) -> io::Result<()> {
    // All variables stay inputs, but unused gates are omitted.
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = formulas.inputs.iter().map(|_| aig.add_input()).collect();
    let mut leaf = |node| inputs[position(&formulas.aig, node)];
    let outputs = aig.copy_cone(&formulas.aig, &formulas.edges(), &mut leaf);
    let model = Model {
        aig,
        inputs,
        names: Names {
            inputs: formulas
                .inputs
                .iter()
                .map(|input| input.name.clone())
                .collect(),
            ..Names::default()
        },
        ..Model::default()
    };
    let mut circuit = AigerModel::from_model(model);
    circuit.outputs = outputs;
    circuit.output_names = formulas
        .outputs
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    if binary {
        write_binary(&circuit, output)
    } else {
        write_ascii(&circuit, output)
    }
}
