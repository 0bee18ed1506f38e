//! Proof transforms: functions from a proof to a proof of the same clause, or of a subset of it.
//!
//! * [`raise_local`](fn@raise_local) reorders resolutions such that interpolants get stronger and are in CNF
//!   more often;
//! * [`recycle_pivots`](fn@recycle_pivots), [`recycle_units`](fn@recycle_units) and
//!   [`lower_units`](fn@lower_units) make proofs smaller, and [`reduce`](fn@reduce) repeats them until
//!   nothing gets smaller;
//! * [`lower_univalents`](fn@lower_univalents), [`merge_equal`](fn@merge_equal) and [`rewrite_local`] do so in other
//!   ways;
//! * [`prune`] removes vertices that the root does not depend on;
//! * [`ProofStatistics`] and [`shape`](fn@shape) measure the effect of a transform.
//!
//! None of them is recursive. Each builds its result with
//! [`ProofDag::add_chain`](craig_solver::proof::ProofDag::add_chain), which accepts valid resolutions only,
//! so an error in a transform can't produce a wrong proof. Each takes a [`Stop`](crate::Stop), and returns an
//! error once that requests the end.

mod binary;
mod draft;
mod lower_units;
mod lower_univalents;
mod merge_equal;
mod raise_local;
mod recycle_pivots;
mod recycle_units;
mod reduce;
mod shape;
mod statistics;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_by_hand;

pub use draft::prune;
pub use lower_units::lower_units;
pub use lower_univalents::lower_univalents;
pub use merge_equal::merge_equal;
pub use raise_local::{Raiser, Raising, raise_local, rewrite_local};
pub use recycle_pivots::recycle_pivots;
pub use recycle_units::recycle_units;
pub use reduce::{Reduction, reduce};
pub use shape::{Shape, shape};
pub use statistics::ProofStatistics;
