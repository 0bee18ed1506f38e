//! Reading and writing circuits in AIGER 1.9, ASCII and binary (Biere, Heljanko and Wieringa, "AIGER
//! 1.9 And Beyond", 2011).
//!
//! The lines and gates of a file are parsed by `flussab-aiger`. Three parts are done here. The header,
//! because the library (0.1.1) accepts no more bads, constraints, justice properties or fairness constraints
//! than there are gates, which circuits without gates break, and because every number in it is held against
//! the size of the file before anything is allocated. The symbol table, because the library measures all
//! kinds of symbols but three by the number of latches. And what the lines mean: who defines which literal,
//! in which order gates can be built, and what is an error.

mod body;
mod build;
mod encoding;
mod fault;
mod header;
mod model;
mod symbols;
mod write;

use std::path::Path;

use fault::Fault;

pub use encoding::Encoding;
pub use fault::{AigerError, Place};
pub use model::AigerModel;
pub use write::{write_ascii, write_binary};

/// Reads a circuit in either encoding. `name` is what errors call the file.
///
/// The memory used is proportional to the length of `bytes`, whatever the header claims.
///
/// # Errors
/// If the bytes are no AIGER 1.9 file, or one with a reset that is neither 0, nor 1, nor the latch itself.
pub fn read(bytes: &[u8], name: &str) -> Result<AigerModel, AigerError> {
    parse(bytes).map_err(|fault| AigerError {
        file: name.to_owned(),
        place: fault.place,
        message: fault.message,
    })
}

/// Reads a circuit from a file.
///
/// # Errors
/// As [`read`], or if the file can't be read.
pub fn read_file(path: &Path) -> Result<AigerModel, AigerError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| AigerError {
        file: name.clone(),
        place: Place::File,
        message: format!("can't be read: {error}"),
    })?;
    read(&bytes, &name)
}

fn parse(bytes: &[u8]) -> Result<AigerModel, Fault> {
    let (header, rest) = header::parse(bytes)?;
    let body = body::parse(&header, bytes, rest)?;
    let symbols = symbols::parse(&header, bytes, body.end)?;
    build::build(&header, &body, symbols)
}

#[cfg(test)]
mod tests;
