//! A proof-producing SAT core: literals, formulas, and-inverter graphs, CDCL search, and resolution
//! proofs as first-class values.
//!
//! Interpolation, time frames and circuit files belong to the crates above. The interface has three parts:
//!
//! * [`cdcl::Solver`], an incremental solver that is generic over its [`proof::ProofSink`], so that
//!   recording a proof costs nothing where it is off;
//! * [`proof::ProofDag`], the trimmed resolution proof that a recording solver yields, and
//!   [`proof::check`](mod@proof::check), which checks it without sharing code with the search;
//! * [`aig::Aig`], the structurally hashed graph in which the crates above state their formulas.

pub mod aig;
pub mod cdcl;
mod clause_ref;
pub mod cnf;
mod heap;
pub mod lit;
mod luby;
pub mod poll;
pub mod proof;
pub mod query;
pub mod random;

pub use cdcl::{Answer, Limits, Options, Solver, UnknownReason};
pub use cnf::{Cnf, Label};
pub use lit::{Lit, Var};
pub use poll::Poll;
