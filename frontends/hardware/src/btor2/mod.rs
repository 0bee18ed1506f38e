//! Reading, writing and executing word-level circuits in BTOR2 (Niemetz, Preiner, Wolf and Biere, "BTOR2,
//! BtorMC and Boolector 3.0", CAV 2018), with the rules that the reference parser has added since.
//!
//! [`read`] checks all sorts and all rules for `init`; a [`Btor2`] is therefore well-formed. Nothing recurses
//! over nodes: arguments have smaller numbers than the nodes that use them. The lines are split here and not
//! by a library, because `flussab-btor2` (0.1.0) rejects negated arguments, which most files have.
//!
//! [`evaluate`] defines the meaning of a file on values, and shares nothing with the translation to terms
//! in `system.rs`: counterexamples are replayed by it.

pub mod abstraction;
mod bits;
#[cfg(feature = "verify")]
pub mod certify;
#[cfg(feature = "verify")]
mod circuit;
mod constant;
pub mod evaluate;
mod extend;
mod fault;
#[cfg(feature = "verify")]
mod large_memories;
pub mod live_to_safe;
mod model;
mod operator;
mod read;
pub mod slice;
mod system;
mod tokens;
pub mod trace;
pub mod verilog;
mod write;

pub use bits::words_of;
#[cfg(feature = "verify")]
pub use circuit::WordCircuit;
pub use constant::{Base, Constant};
pub use fault::Btor2Error;
#[cfg(feature = "verify")]
pub use large_memories::WordEvidence;
pub use model::{Argument, Btor2, Justice, Kind, Line, Node, State};
pub use operator::Operator;
pub use system::system_of;
pub use write::write;

use fault::Fault;

/// The widest bit-vector that is read, in bits.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Reads a circuit. `name` is the file's name in error messages.
///
/// The memory used is proportional to the length of `bytes`, whatever the identifiers and widths in it are.
///
/// # Errors
/// If the bytes are not a BTOR2 file, with the first line that is wrong; or if a line has an array of arrays,
/// or a bit-vector with more than [`MAX_WIDTH`] bits.
pub fn read(bytes: &[u8], name: &str) -> Result<Btor2, Btor2Error> {
    read::read(bytes).map_err(|Fault { line, message }| Btor2Error {
        file: name.to_owned(),
        line,
        message,
    })
}

#[cfg(test)]
mod generate;
#[cfg(test)]
mod operator_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod word_tests;
