//! Transition systems in VMT-LIB (Cimatti, Griggio and Tonetta, "The VMT-LIB language and tools", SMT 2022) as word-level circuits.
//!
//! A file is a script whose annotations tell which terms are states, initial states, transitions and properties. All annotations
//! `:init` hold together, and so do all annotations `:trans`. A variable without an annotation `:next` that is nobody's next value
//! is an input. Terms without annotations mean nothing.
//!
//! A transition formula becomes functions where it defines next values; what is left of it is no constraint of the circuit,
//! since a state without successors is reachable all the same: a state of one bit says whether all transitions so far were
//! ones.
//!
//! ```
//! let text = "(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
//!             (define-fun .x () (_ BitVec 8) (! x :next x.next))
//!             (define-fun .init () Bool (! (= x #x00) :init true))
//!             (define-fun .trans () Bool (! (= x.next (bvadd x #x02)) :trans true))
//!             (define-fun even () Bool (! (= ((_ extract 0 0) x) #b0) :invar-property 0))";
//! let circuit = craig_smt::vmt::read(text.as_bytes(), "even.vmt").unwrap();
//! assert_eq!((circuit.inputs.len(), circuit.states.len()), (0, 1));
//! assert_eq!(circuit.bads[0].symbol, "even");
//! ```

mod build;
mod cases;
mod formula;
#[cfg(test)]
mod random_tests;
mod read;
mod relation;
#[cfg(test)]
mod tests;

use craig_hardware::btor2::Btor2;

use crate::SyntaxError;

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VmtError {
    /// It is malformed, or has what is not supported.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is no text.
    #[error("{file}: byte {byte} is not UTF-8")]
    Encoding {
        /// The file's name, as the caller gave it.
        file: String,
        /// The first such byte, counted from 0.
        byte: usize,
    },
    /// An array has one element everywhere, and that depends on variables.
    #[error("{file}: constant arrays of terms that are not constants are not supported")]
    Array {
        /// The file's name, as the caller gave it.
        file: String,
    },
}

/// Reads a system. `name` is the file's name in error messages.
///
/// Bads and justice properties are in the order of the numbers of their properties; a property that holds from some step on is
/// the justice property that it fails infinitely often.
///
/// # Errors
/// If the bytes are not a file in VMT-LIB over truth values, words and arrays of words.
pub fn read(bytes: &[u8], name: &str) -> Result<Btor2, VmtError> {
    let text = std::str::from_utf8(bytes).map_err(|error| VmtError::Encoding {
        file: name.to_owned(),
        byte: error.valid_up_to(),
    })?;
    let system = read::read(text, name)?;
    build::circuit(system).map_err(|build::VariableElement| VmtError::Array {
        file: name.to_owned(),
    })
}
