//! Proofs that others wrote: LRAT and TraceCheck files, made into a [`ProofDag`](super::ProofDag) over the
//! formula that they refute.
//!
//! Both formats state clauses with what they follow from by unit propagation, not with resolutions. A
//! conflict reached by propagation is resolved backwards with the reasons of its literals, last one first;
//! what remains is the stated clause or a part of it. Antecedents in an order that does not propagate, which
//! TraceCheck allows, are put into one that does.
//!
//! The files are not trusted: whatever is wrong with one is an error that names the place, and nothing is
//! allocated by the numbers in it.

mod error;
mod input;
mod lrat;
mod replay;
mod tracecheck;

#[cfg(test)]
mod tests;

pub use error::{Fault, Found, ImportError, Place};
pub use lrat::{LratReader, LratStep, check_lrat, import_lrat};
pub use tracecheck::import_tracecheck;
