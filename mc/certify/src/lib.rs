//! Checks evidence against a circuit, with formulas and a SAT solver (varisat) that no engine uses, and the
//! model against the file that it was read from.
//!
//! Without the feature `varisat` there are no judges: only what a reader keeps for them ([`Source`], [`Circuit`]).
//!
//! A latch that keeps its value starts at 0, so that it is never 1. The model is its own witness; a run that starts at 1 is refused.
//!
//! ```
//! use craig_certify::{certify_certificate, certify_trace};
//! use craig_model::{Certificate, Latch, Model, Reset, Trace};
//!
//! let mut model = Model::default();
//! let state = model.aig.add_input();
//! model.latches.push(Latch { state, next: state, reset: Reset::Zero });
//! model.bads.push(state);
//! let witness = model.clone();
//! let proof = Certificate { witness, shared_inputs: vec![], shared_latches: vec![Some(0)] };
//! assert_eq!(certify_certificate(&model, 0, &proof), Ok(()));
//!
//! let run = Trace { property: 0, initial: vec![Some(true)], inputs: vec![vec![]] };
//! assert!(certify_trace(&model, 0, &run).is_err());
//! ```

#[cfg(feature = "varisat")]
mod certificate;
#[cfg(feature = "varisat")]
mod cuts;
#[cfg(all(test, feature = "varisat"))]
mod enumeration;
#[cfg(feature = "varisat")]
mod equalities;
#[cfg(feature = "varisat")]
mod equivalence;
#[cfg(feature = "varisat")]
mod error;
#[cfg(feature = "varisat")]
mod gate;
#[cfg(feature = "varisat")]
mod gates;
#[cfg(feature = "varisat")]
mod lasso;
#[cfg(feature = "varisat")]
mod liveness;
#[cfg(feature = "varisat")]
mod local;
mod source;
#[cfg(feature = "varisat")]
mod trace;
#[cfg(feature = "varisat")]
mod valuation;

#[cfg(feature = "varisat")]
pub use certificate::{certify_all, certify_certificate, certify_some};
#[cfg(feature = "varisat")]
pub use equivalence::certify_source;
#[cfg(feature = "varisat")]
pub use error::{CertifyError, Condition};
#[cfg(feature = "varisat")]
pub use gate::Gate;
#[cfg(feature = "varisat")]
pub use gates::Gates;
#[cfg(feature = "varisat")]
pub use lasso::certify_lasso;
#[cfg(feature = "varisat")]
pub use liveness::certify_live;
pub use source::{Circuit, Literal, Source, SourceGate, SourceLatch};
#[cfg(feature = "varisat")]
pub use trace::{certify_any, certify_trace};
