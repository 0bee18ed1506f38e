//! Model checking engines over circuits, with evidence for every verdict.
//!
//! [`circuit::reduce`] has the passes that make a model smaller, [`engine`] the engines, [`portfolio`] races of them,
//! [`liveness`] what justice properties need, [`word_system`] systems over words and their way to circuits. A [`Control`] is
//! what an engine is given beside its question: a [`Stop`](craig_model::Stop), a [`Board`], and a
//! [`listener::Listener`].
//!
//! The crate has no file formats, no terminal output and no clock except the deadline of a stop. It judges nothing: evidence
//! is checked by `craig-certify`.
//!
//! ```
//! use craig_mc::Alone;
//! use craig_mc::engine::pdr;
//! use craig_model::{Latch, Model, Reset, Verdict};
//!
//! // A latch that keeps its value, 0.
//! let mut model = Model::default();
//! let state = model.aig.add_input();
//! model.latches.push(Latch { state, next: state, reset: Reset::Zero });
//! model.bads.push(state);
//! let outcome = pdr::check(&model, 0, &pdr::Options::default(), Alone::new().control());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

pub mod board;
pub mod circuit;
pub mod control;
pub mod engine;
pub mod exchange;
pub mod listener;
pub mod liveness;
pub mod portfolio;
pub mod record;
pub mod word_system;

pub use board::Board;
pub use control::{Alone, Control, StateClause};
pub use listener::Listener;
