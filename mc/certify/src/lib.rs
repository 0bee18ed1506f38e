//! Checks evidence against a circuit, with formulas and a SAT solver (varisat) that no engine uses, and the
//! model against the file that it was read from.
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
