//! Reading and writing circuits in AIGER 1.9, ASCII and binary (Biere, Heljanko and Wieringa, "AIGER
//! 1.9 And Beyond", 2011).
//!
//! `flussab-aiger` parses the lines and gates of a file. Three parts are implemented here. The header,
//! because the library (0.1.1) rejects files with more bads, constraints, justice properties or fairness
//! constraints than gates, and because every number in it is compared with the size of the file before any
//! allocation. The symbol table, because the library limits most kinds of symbols by the number of latches.
//! And the semantics: which literal is defined by what, the order of gates, and errors.

mod body;
mod build;
mod encoding;
mod fault;
mod header;
mod model;
mod resets;
mod symbols;
mod write;

use std::path::Path;

use fault::Fault;

pub use encoding::Encoding;
pub use fault::{AigerError, Place};
pub use model::AigerModel;
pub use write::{write_ascii, write_binary};

/// Reads a circuit in either encoding. `name` is the file's name in error messages.
///
/// The memory used is proportional to the length of `bytes`, whatever the header states.
///
/// # Errors
/// If the bytes are not an AIGER 1.9 file, or a latch depends on itself through reset functions.
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
    let plain = without_carriage_returns(bytes);
    let bytes = plain.as_deref().unwrap_or(bytes);
    let (header, rest) = header::parse(bytes)?;
    let body = body::parse(&header, bytes, rest)?;
    let symbols = symbols::parse(&header, bytes, body.end)?;
    build::build(&header, &body, symbols)
}

/// A text whose lines end in a carriage return and a line feed, with line feeds only. The gates of a binary file may have
/// such bytes: it is no text.
fn without_carriage_returns(bytes: &[u8]) -> Option<Vec<u8>> {
    let header = bytes.split(|&byte| byte == b'\n').next()?;
    if !(header.starts_with(b"aag ") && header.ends_with(b"\r")) {
        return None;
    }
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    Some(lines.collect::<Vec<&[u8]>>().join(&b'\n'))
}

#[cfg(test)]
mod tests;
