//! Justice properties of circuits: is there a run on which all literals of a property, and all fairness
//! literals, hold infinitely often?
//!
//! The literals become one signal (`signal`), the model with that signal as its bad is reduced as for
//! safety, and a method (`method`) decides whether the bad can hold infinitely often. Reductions replace
//! signals by equal ones, so that they do not depend on what the bad means. Proofs and lassos are lifted to
//! the model as it was read (`proof`, `closed`).

mod arena;
mod arena_proof;
mod bounds;
mod closed;
mod counting;
mod decide;
mod exceptions;
#[cfg(feature = "bdd")]
mod levels;
mod lifting;
mod loops;
mod method;
mod proof;
mod ranking;
mod runs;
mod search;
mod seen;
mod shoals;
mod signal;
mod skeletons;
mod steps;
mod to_safety;
mod verdict;
mod walks;

pub use decide::{Plan, decide};
pub use method::{METHODS, Method, find};
pub use to_safety::NAME as TO_SAFETY;
pub use verdict::{LivenessOutcome, LivenessVerdict};
