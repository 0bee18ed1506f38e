//! Resolution proofs: recording, trimming, checking and files.
//!
//! The search reports every original clause, every derived clause with its antecedents, and every deletion to
//! a [`ProofSink`]. [`NoProof`] ignores all reports at no cost; [`ProofLog`] stores compact chains in memory,
//! from which [`ProofLog::trim`] extracts a [`ProofDag`] of the vertices that a refutation needs; the writers
//! in [`drat`], [`lrat`] and [`tracecheck`] stream to a file. [`Traced`] is any of them, chosen at run time.

pub mod check;
mod collect;
mod dag;
pub mod drat;
#[cfg(test)]
mod example;
mod id_table;
pub mod import;
mod join;
mod log;
pub mod lrat;
mod output;
mod poll;
mod report;
mod sink;
pub mod tracecheck;
mod tracer;
mod trim;

pub use dag::{ChainError, Origin, ProofDag, Step, VertexId};
pub(crate) use join::{Part, Source, join};
pub use log::ProofLog;
pub use output::Encoding;
pub use sink::{ClauseId, NoProof, ProofSink};
pub use tracer::{Traced, Tracer};
pub use trim::TrimError;
