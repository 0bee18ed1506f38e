//! A proof-producing SAT core: literals, formulas, CDCL search, and resolution proofs as first-class values.
//!
//! Interpolation, time frames and circuit files belong to the crates above. The interface has four parts:
//!
//! * [`cdcl::Solver`], an incremental solver that is generic over its [`proof::ProofSink`], so that
//!   recording a proof costs nothing where it is off;
//! * [`proof::ProofDag`], the trimmed resolution proof that a recording solver yields, and
//!   [`proof::check`](mod@proof::check), which checks it without sharing code with the search;
//! * [`parallel::solve`], several searches of one formula that exchange clauses and yield one proof;
//! * [`encode::Encoder`], which makes clauses of the formulas that the crates above state, edges of a
//!   [`craig_aig::Aig`]; [`compact`](compact::compact) makes such a formula smaller first; [`constraints`] are clauses of
//!   counts, weighted sums and parities.
//!
//! Which part of the clauses is contradictory, and a proof of it:
//!
//! ```
//! use craig_solver::proof::{ProofLog, check};
//! use craig_solver::{Answer, Options, Solver};
//!
//! let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
//! let [a, b] = [(); 2].map(|()| solver.new_var().positive());
//! for clause in [[a, b], [a, !b], [!a, b], [!a, !b]] {
//!     solver.add_labelled_clause(&clause, 1);
//! }
//! assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
//! let root = solver.refutation().expect("there are no assumptions");
//! let dag = solver.proof().trim(root);
//! assert!(dag.is_refutation() && check::check_dag(&dag).is_ok());
//! ```

pub mod cdcl;
mod clause_ref;
pub mod cnf;
pub mod compact;
pub mod constraints;
pub mod encode;
mod heap;
pub mod lit;
mod luby;
pub mod parallel;
pub mod proof;
pub mod query;
#[cfg(test)]
#[path = "../aig/src/testing.rs"]
mod random_graphs;
pub mod sweep;

#[cfg(test)]
use craig_aig::{Aig, Edge};

pub use cdcl::{Answer, Limits, Options, Solver, UnknownReason};
pub use cnf::{Cnf, Label};
pub use lit::{Lit, Var};
