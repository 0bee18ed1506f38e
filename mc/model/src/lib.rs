//! Transition systems over and-inverter graphs, their runs, and the evidence for verdicts about them.
//!
//! What engines, judges, readers and writers share: a [`Model`], a run of it ([`Trace`], [`Lasso`]), a proof
//! ([`Certificate`], [`LivenessCertificate`]), and the answer that holds one of them ([`Verdict`]). There is no solver
//! here: whether evidence is right is decided by `craig-certify`, on the model that was read.
//!
//! A latch that is set by an input for ever, and the run that shows it:
//!
//! ```
//! use craig_model::simulate::replay_bads;
//! use craig_model::{Latch, Model, Reset, Trace};
//!
//! let mut model = Model::default();
//! let [set, state] = [(); 2].map(|()| model.aig.add_input());
//! let next = model.aig.or(state, set);
//! model.inputs.push(set);
//! model.latches.push(Latch { state, next, reset: Reset::Zero });
//! model.bads.push(state);
//! model.validate()?;
//! let inputs = vec![vec![Some(true)], vec![None]];
//! let trace = Trace { property: 0, initial: vec![None], inputs };
//! assert_eq!(replay_bads(&model, &trace)?.bads[0], Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod certificate;
pub mod cone;
mod liveness;
mod model;
pub mod simulate;
mod stop;
pub mod threads;
pub mod turns;
mod validate;
mod verdict;

pub use liveness::{Intervention, Lasso, LivenessCertificate};
pub use model::{Latch, Model, Names, Reset};
pub use stop::Stop;
pub use validate::ModelError;
pub use verdict::{Certificate, Outcome, Trace, UnknownReason, Values, Verdict};
