//! A proof-producing SAT core: literals, formulas, and-inverter graphs, CDCL search, and resolution
//! proofs as first-class values.
//!
//! The crate knows nothing of interpolation, time frames or files of circuits; those live in the
//! crates above it. What it offers upwards are three doors:
//!
//! * [`cdcl::Solver`], an incremental solver that is generic over its [`proof::ProofSink`], so that
//!   recording a proof costs nothing where it is off;
//! * [`proof::ProofDag`], the trimmed resolution proof that a recording solver yields, and
//!   [`proof::check`](mod@proof::check), which judges it without sharing code with the search;
//! * [`aig::Aig`], the structurally hashed graph in which every room above states its formulas.

pub mod aig;
pub mod cdcl;
pub mod cnf;
pub mod lit;
pub mod proof;
pub mod query;

pub use cdcl::{Answer, Limits, Options, Solver};
pub use cnf::{Cnf, Label};
pub use lit::{Lit, Var};
