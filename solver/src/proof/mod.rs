//! Resolution proofs: what the search reports, and what can be made of it.
//!
//! The search tells a [`ProofSink`] of every original clause, every derived clause with its
//! antecedents, and every deletion. [`NoProof`] ignores all of it at no cost; [`ProofLog`] keeps
//! compact chains in memory, from which [`ProofLog::trim`] makes a [`ProofDag`] of just those vertices
//! that a refutation needs; the writers in [`drat`], [`lrat`] and [`tracecheck`] stream to a file.

pub mod check;
mod collect;
mod dag;
pub mod drat;
#[cfg(test)]
mod example;
mod id_table;
pub mod import;
mod log;
pub mod lrat;
mod output;
mod poll;
mod report;
mod sink;
pub mod tracecheck;
mod trim;

pub use dag::{ChainError, Origin, ProofDag, Step, VertexId};
pub use log::ProofLog;
pub use output::Encoding;
pub use sink::{ClauseId, NoProof, ProofSink};
pub use trim::TrimError;
