//! Craig interpolants from resolution proofs.
//!
//! A refutation whose leaves carry labels, together with a choice of which labels form A, yields an
//! interpolant: a formula that A implies, that contradicts the rest B, and that speaks only of variables
//! that occur in both. The crate reads such formulas off one [`ProofDag`] in one pass:
//!
//! * [`interpolant`] for one cut, [`sequence()`] for many cuts of the same proof;
//! * [`labelled_interpolant`] for the whole family of labelled systems, of which the three in
//!   [`System`] are the uniform members;
//! * [`symmetric`](fn@symmetric) for each partition against the rest, [`tree`](fn@tree) for the subtrees of a tree;
//! * [`simplify`] makes interpolants smaller where they are free to change;
//! * [`verify`] judges the results by SAT calls that know nothing of proofs.
//!
//! [`ProofDag`]: craig_solver::proof::ProofDag

pub mod construct;
pub mod labelling;
pub mod partition;
pub mod prove;
pub mod sequence;
pub mod simplify;
pub mod stop;
pub mod strength;
pub mod symmetric;
pub mod system;
pub mod transform;
pub mod tree;
pub mod verify;

#[cfg(test)]
mod fixtures;

pub use construct::{interpolant, labelled_interpolant};
pub use partition::{Class, Partition};
pub use sequence::{labelled_sequence, sequence, sequence_by_cut};
pub use stop::Stop;
pub use symmetric::{TooWeak, symmetric};
pub use system::{Labelling, Side, System};
pub use tree::{Tree, tree};
