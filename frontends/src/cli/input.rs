//! Files that the command reads.

use std::io::Read;
use std::path::Path;

use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::witness::{self, Witness};

use super::failure::Failure;
use super::word_circuit::{WordCircuit, is_btor2};

/// The bytes of a file; `-` is standard input.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let result = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    result.map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))
}

/// A circuit of either kind.
pub(super) enum CircuitInput {
    /// In AIGER.
    Bits(Box<AigerModel>),
    /// In BTOR2.
    Words(Box<WordCircuit>),
}

/// Reads a circuit in AIGER or BTOR2.
pub(super) fn read_circuit(path: &Path) -> Result<CircuitInput, Failure> {
    let bytes = read_file(path)?;
    let name = path.display().to_string();
    if is_btor2(path, &bytes) {
        let words = WordCircuit::read(&bytes, &name)?;
        return Ok(CircuitInput::Words(Box::new(words)));
    }
    let model = aiger::read(&bytes, &name).map_err(Failure::input)?;
    Ok(CircuitInput::Bits(Box::new(model)))
}

/// Reads a circuit as bits.
///
/// # Errors
/// As [`read_circuit`], or if a circuit in BTOR2 is too large as bits.
pub(super) fn read_model(path: &Path) -> Result<AigerModel, Failure> {
    match read_circuit(path)? {
        CircuitInput::Bits(model) => Ok(*model),
        CircuitInput::Words(words) => words.bits().cloned(),
    }
}

/// Reads a trace or a witness circuit for a circuit.
pub(super) fn read_witness(path: &Path, model: &AigerModel) -> Result<Witness, Failure> {
    let bytes = read_file(path)?;
    witness::read(&bytes, &path.display().to_string(), model).map_err(Failure::input)
}
