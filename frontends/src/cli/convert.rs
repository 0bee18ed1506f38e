//! `craig convert`: converts between AIGER, in its two encodings, and BTOR2.

use std::path::PathBuf;

use craig_hardware::aiger::{self, AigerModel, Encoding};
use craig_hardware::btor2::{self, words_of};
use craig_mc::Control;
use craig_mc::circuit::reduce::{self, Passes};

use super::circuits::{Kind, PropertyId, encoding_of};
use super::failure::Failure;
use super::input::{CircuitInput, read_circuit, read_model};
use super::output::write_file;
use super::word_circuit::is_btor2;

/// Rewrite a circuit, as text if the output's name ends in `.aag` and as binary if it ends in `.aig`; or in
/// BTOR2 if it ends in `.btor2` or `.btor`.
///
/// A circuit in BTOR2 is blasted: its words and memories become latches named by word and bit.
/// The result is numbered consecutively and has no unused gates. With `--reduce`, it is the smaller circuit
/// that `craig check` searches for one property.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER or BTOR2.
    input: PathBuf,
    /// The file to write.
    output: PathBuf,
    /// Keep just this property: a bad, counted from 0, or `j` and the number of a justice property. The result is a model for checkers of witness circuits that
    /// do not support property numbers.
    #[arg(long, value_name = "N|jN")]
    property: Option<PropertyId>,
    /// Reduce the circuit to the part that decides this property, counted from 0.
    #[arg(long, value_name = "N", conflicts_with = "property")]
    reduce: Option<usize>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let to_words = is_btor2(&arguments.output, b"");
    if to_words && arguments.property.is_none() && arguments.reduce.is_none() {
        let words = match read_circuit(&arguments.input)? {
            CircuitInput::Words(words) => words.file,
            CircuitInput::Bits(circuit) => words_of(&circuit.model),
        };
        return write_file(&arguments.output, |output| btor2::write(&words, output)).map(|()| 0);
    }
    let encoding = encoding_of(&arguments.output).ok_or_else(|| {
        Failure::input(format!(
            "{}: the name has to end in .aag or .aig (or .btor2, without `--property` and `--reduce`)",
            arguments.output.display()
        ))
    })?;
    let mut circuit = read_model(&arguments.input)?;
    if let Some(property) = arguments.property.or(arguments.reduce.map(PropertyId::bad)) {
        property.check(&circuit.model).map_err(Failure::input)?;
        if arguments.reduce.is_some() {
            let reduced = reduce::run(
                &circuit.model,
                property.number,
                &Passes::ALL,
                &Control::new(),
            );
            circuit = AigerModel::from_model(reduced.model);
        } else {
            circuit.model = match property.kind {
                Kind::Bad => circuit.model.with_single_bad(property.number),
                Kind::Justice => circuit.model.with_single_justice(property.number),
            };
            circuit.source = None;
        }
    }
    write_file(&arguments.output, |output| match encoding {
        Encoding::Ascii => aiger::write_ascii(&circuit, output),
        Encoding::Binary => aiger::write_binary(&circuit, output),
    })?;
    Ok(0)
}
