//! Import of proofs: LRAT, DRAT and TraceCheck files, converted into a [`ProofDag`](super::ProofDag) over the
//! formula that they refute.
//!
//! LRAT and TraceCheck state the clauses that imply a derived clause by unit propagation, not the resolutions; for
//! DRAT they are searched for. A
//! conflict found by propagation is resolved backwards with the reasons of its literals, last one first; the
//! result is the stated clause or a subset of it. TraceCheck allows antecedents in any order; they are first
//! sorted into one that propagates.
//!
//! The files are not trusted: every error in one is reported with its position, and no allocation depends on
//! a number in the file alone.

mod drat;
mod error;
mod input;
mod lrat;
mod replay;
mod tracecheck;

#[cfg(test)]
mod tests;

pub use drat::import_drat;
pub use error::{Fault, Found, ImportError, Place};
pub use lrat::{LratReader, LratStep, check_lrat, import_lrat};
pub use tracecheck::import_tracecheck;
