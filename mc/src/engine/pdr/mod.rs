//! Property directed reachability (IC3).
//!
//! Bradley, "SAT-based model checking without unrolling" (VMCAI 2011); Een, Mishchenko, Brayton, "Efficient
//! implementation of property directed reachability" (FMCAD 2011). One phase per file.

mod activity;
mod answer;
mod block;
mod effort;
mod engine;
mod exchange;
mod exclude;
mod frames;
mod generalise;
mod inductive;
mod infinity;
mod lemma;
mod lemmas;
mod lift;
mod logic;
mod obligations;
mod options;
mod predecessors;
mod propagate;
mod queries;
mod resume;
mod search;
mod sharing;
mod shrink;
mod signals;
mod state;
mod support;
mod ternary;
mod transition;
mod turns;

pub(super) use answer::{certificate, certificate_of_clauses, trace};
pub(super) use block::Blocking;
pub(super) use engine::ENGINE;
pub(super) use generalise::Strategy;
pub(super) use lemma::{Cube, Lemma};
pub(super) use queries::Scope;
pub(super) use resume::resume_for_clauses;
pub(super) use state::{Pdr, Stop};
pub(super) use transition::Transition;

pub use crate::exchange::Reached;
pub use engine::{check, check_with_signals};
pub use inductive::{choose_inductive, inductive_clauses};
pub use options::{Generalisation, Options, Techniques};
pub use resume::resume;
pub use state::NAME;
