//! Judging proofs. Nothing here shares code with the search or with what builds a
//! [`ProofDag`](super::ProofDag): a proof that passes is right even if both of those are wrong.
//!
//! There are three ways in, for the three shapes in which proofs come:
//!
//! * [`check_dag`] replays every resolution of a proof DAG, [`check_leaves`] compares its leaves with a
//!   formula;
//! * [`RupChecker`] takes clauses with hints one by one, as LRAT files have them;
//! * [`CheckingSink`] is the sink of a search and checks each derivation as soon as it is reported.
//!
//! All of them mark literals with the number of the step instead of erasing marks, so that a
//! step costs one visit of each literal of its antecedents.

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
pub use rup::RupChecker;
pub use sink::CheckingSink;
