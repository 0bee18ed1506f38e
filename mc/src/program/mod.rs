//! Programs: control-flow automata over words, and what engines ask of them.

mod certificate;
mod cfa;
mod display;
mod overlap;
mod path;
mod slice;
mod to_model;

pub use cfa::{Assignment, Blocks, Cfa, Edge, EdgeId, Location, LocationId, LocationKind, Word};
pub use path::{Bits, Path, PathFormula};
pub use to_model::{Bad, CfaModel, Visit};

#[cfg(test)]
mod tests;
