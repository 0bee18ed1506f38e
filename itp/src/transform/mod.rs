//! Proof transforms: each is a function from a proof to a proof of the same clause, or of a part of it.
//!
//! * [`raise_local`](fn@raise_local) changes the order of resolutions so that interpolants get stronger and come out in CNF;
//! * [`recycle_pivots`](fn@recycle_pivots), [`recycle_units`](fn@recycle_units) and [`lower_units`](fn@lower_units) make
//!   proofs smaller, and [`reduce`](fn@reduce) runs them until nothing gets smaller;
//! * [`prune`] drops what the root does not need;
//! * [`ProofStatistics`] and [`shape`](fn@shape) say what a transform brought.
//!
//! None of them is recursive, and none trusts itself: the result goes through
//! [`ProofDag::add_chain`](craig_solver::proof::ProofDag::add_chain), which accepts resolutions only.

mod binary;
mod draft;
mod lower_units;
mod raise_local;
mod recycle_pivots;
mod recycle_units;
mod reduce;
mod shape;
mod statistics;

#[cfg(test)]
mod tests;

pub use draft::prune;
pub use lower_units::lower_units;
pub use raise_local::{Raising, raise_local, raise_local_until};
pub use recycle_pivots::recycle_pivots;
pub use recycle_units::recycle_units;
pub use reduce::{Reduction, reduce, reduce_until};
pub use shape::{Shape, shape};
pub use statistics::ProofStatistics;
