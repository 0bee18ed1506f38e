//! Files that the command reads.

use std::io::Read;
use std::path::Path;

use super::failure::Failure;
use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::witness::{self, Witness};

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

/// Reads a circuit in AIGER.
pub(super) fn read_model(path: &Path) -> Result<AigerModel, Failure> {
    let bytes = read_file(path)?;
    aiger::read(&bytes, &path.display().to_string()).map_err(Failure::input)
}

/// Reads a trace or a witness circuit for a circuit.
pub(super) fn read_witness(path: &Path, model: &AigerModel) -> Result<Witness, Failure> {
    let bytes = read_file(path)?;
    witness::read(&bytes, &path.display().to_string(), model).map_err(Failure::input)
}
