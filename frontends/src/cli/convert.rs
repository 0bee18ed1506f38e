//! `craig convert`: converts between AIGER, in its two encodings, and BTOR2.

use std::path::PathBuf;

use craig_hardware::aiger::{self, AigerModel, Encoding};
use craig_hardware::btor2::{self, words_of};
use craig_mc::Alone;
use craig_mc::circuit::reduce::{self, Passes};

use super::circuits::{Kind, PropertyId, encoding_of};
use super::failure::Failure;
use super::input::{CircuitInput, is_btor2, read_circuit, read_model};
use super::output::{Output, claim, write_file};

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
    /// The file to write; `-` is standard output.
    output: PathBuf,
    /// The format to write, if the output's name does not tell it.
    #[arg(long, value_name = "FORMAT")]
    to: Option<CircuitFormat>,
    /// Keep just this property: a bad, counted from 0, or `j` and the number of a justice property. The result is a model for checkers of witness circuits that
    /// do not support property numbers.
    #[arg(long, value_name = "N|jN")]
    property: Option<PropertyId>,
    /// Reduce the circuit to the part that decides this property, counted from 0.
    #[arg(long, value_name = "N", conflicts_with = "property")]
    reduce: Option<usize>,
}

/// The formats of circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CircuitFormat {
    /// AIGER as text.
    Aag,
    /// AIGER in its binary encoding.
    Aig,
    /// BTOR2.
    Btor2,
}

impl Arguments {
    /// The format to write.
    fn format(&self) -> Option<CircuitFormat> {
        let of_name = || match encoding_of(&self.output) {
            Some(Encoding::Ascii) => Some(CircuitFormat::Aag),
            Some(Encoding::Binary) => Some(CircuitFormat::Aig),
            None => is_btor2(&self.output, b"").then_some(CircuitFormat::Btor2),
        };
        self.to.or_else(of_name)
    }
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let output = Output::file("OUTPUT", Some(&arguments.output));
    claim([arguments.input.as_path()], &[output])?;
    let format = arguments.format();
    let is_part = arguments.property.is_some() || arguments.reduce.is_some();
    if format == Some(CircuitFormat::Btor2) && !is_part {
        let words = match read_circuit(&arguments.input)? {
            CircuitInput::Words(words) => words.file,
            CircuitInput::Bits(circuit) => words_of(&circuit.model),
        };
        return write_file(&arguments.output, |output| btor2::write(&words, output)).map(|()| 0);
    }
    let encoding = match format {
        Some(CircuitFormat::Aag) => Encoding::Ascii,
        Some(CircuitFormat::Aig) => Encoding::Binary,
        Some(CircuitFormat::Btor2) | None => {
            return Err(Failure::input(format!(
                "{}: the name has to end in .aag or .aig (or .btor2, without `--property` and `--reduce`), or `--to` \
                 has to tell the format",
                arguments.output.display()
            )));
        }
    };
    let mut circuit = read_model(&arguments.input)?;
    if let Some(property) = arguments.property.or(arguments.reduce.map(PropertyId::bad)) {
        property.check(&circuit.model).map_err(Failure::input)?;
        if arguments.reduce.is_some() {
            let reduced = reduce::run(
                &circuit.model,
                property.number,
                &Passes::ALL,
                Alone::new().control(),
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
