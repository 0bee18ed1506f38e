//! Proof checking. Nothing here shares code with the search or with the construction of a
//! [`ProofDag`](super::ProofDag): a proof that passes is correct even if both of those have errors.
//!
//! There is one checker for each form of a proof:
//!
//! * [`check_dag`] replays every resolution of a proof DAG, [`check_leaves`] compares its leaves with a
//!   formula;
//! * [`RupChecker`] checks clauses with hints one by one, as LRAT files contain them;
//! * [`CheckingSink`] is the sink of a search and checks each derivation as soon as it is reported.
//!
//! All of them mark literals with the number of the step instead of clearing marks, so that a step costs one
//! visit of each literal of its antecedents.

mod dag;
mod error;
mod resolvent;
mod rup;
mod sink;
mod store;
#[cfg(test)]
mod tests;

pub use dag::{check_dag, check_dag_until, check_leaves, check_leaves_until};
pub use error::CheckError;
pub use rup::{RatHint, RupChecker};
pub use sink::CheckingSink;
