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
mod header;
mod symbols;
mod write;

use std::fmt;
use std::path::Path;

use craig_mc::Model;
use craig_mc::circuit::certify::{Circuit, Source};
use craig_solver::aig::Edge;

pub use write::{write_ascii, write_binary};

/// Which of AIGER's two encodings a file uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Text, gates in any order: `aag`.
    #[default]
    Ascii,
    /// Gates in topological order as differences of literals: `aig`.
    Binary,
}

/// A model together with the content of its file beyond the model.
#[derive(Clone, Debug, Default)]
pub struct AigerModel {
    /// The transition system. Its bads are the file's bads; in a file with neither bads nor justice
    /// properties, they are its outputs.
    pub model: Model,
    /// The literals by which the file calls [`Model::inputs`]; witness circuits refer to them.
    pub input_literals: Vec<u32>,
    /// The literals by which the file calls [`Model::latches`].
    pub latch_literals: Vec<u32>,
    /// The file's outputs, where they are not the bads; engines have no use for them.
    pub outputs: Vec<Edge>,
    /// Names of `outputs`: empty, or one each.
    pub output_names: Vec<String>,
    /// Whether the bads of `model` are written as outputs (the format before 1.9).
    pub bads_are_outputs: bool,
    /// What follows the line `c`, without the last line's end.
    pub comment: Option<String>,
    /// The encoding that the file was read from.
    pub encoding: Encoding,
    /// The gates as the file has them, without any rewriting: evidence is judged on these. `None` where `model` was
    /// not read from a file, or changed since.
    pub source: Option<Source>,
}

impl Circuit for AigerModel {
    fn model(&self) -> &Model {
        &self.model
    }

    fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }
}

impl AigerModel {
    /// Dresses up a model that comes from elsewhere: literals are numbered as the writers number them, inputs
    /// first and then latches.
    #[must_use]
    pub fn from_model(model: Model) -> Self {
        let literal =
            |index: usize| u32::try_from(2 * (index + 1)).expect("an Aig's edges fit in 32 bits");
        let n_inputs = model.inputs.len();
        Self {
            input_literals: (0..n_inputs).map(literal).collect(),
            latch_literals: (0..model.latches.len())
                .map(|index| literal(n_inputs + index))
                .collect(),
            model,
            ..Self::default()
        }
    }
}

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    File,
    /// In a line, counted from 1.
    Line(usize),
    /// In a line and column, both counted from 1.
    Column(usize, usize),
    /// At a byte, counted from 0: in the gates of a binary file.
    Byte(usize),
}

/// What is wrong with an AIGER file: the first thing that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AigerError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// Where it is wrong.
    pub place: Place,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for AigerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match self.place {
            Place::File => {}
            Place::Line(line) => write!(f, "line {line}: ")?,
            Place::Column(line, column) => write!(f, "line {line}, column {column}: ")?,
            Place::Byte(byte) => write!(f, "byte {byte}: ")?,
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for AigerError {}

/// An [`AigerError`] without the name of its file.
#[derive(Debug)]
struct Fault {
    place: Place,
    message: String,
}

impl Fault {
    fn new(place: Place, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
        }
    }
}

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
