//! Checks evidence against a circuit, with formulas and a SAT solver (varisat) that no engine uses, and the
//! model against the file that it was read from.

mod certificate;
mod cuts;
mod equalities;
mod error;
mod gate;
mod gates;
mod lasso;
mod liveness;
mod local;
mod source;
mod trace;
mod valuation;

pub use certificate::{certify_all, certify_certificate, certify_some};
pub use error::{CertifyError, Condition};
pub use gate::Gate;
pub use gates::Gates;
pub use lasso::certify_lasso;
pub use liveness::certify_live;
pub use source::{Circuit, Literal, Source, SourceGate, SourceLatch, certify_source};
pub use trace::{certify_any, certify_trace};
