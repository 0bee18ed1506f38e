//! Craig interpolants from resolution proofs.
//!
//! A refutation whose leaves carry labels, together with a choice of which labels form A, yields an
//! interpolant: a formula that A implies, that contradicts the rest B, and that contains only variables that
//! occur in both. The crate computes such formulas from a [`ProofDag`] in one pass:
//!
//! * [`interpolant`] for one cut, [`sequence()`] for many cuts of the same proof;
//! * [`labelled_interpolant`] for the whole family of labelled systems, of which the three in [`System`] are
//!   the uniform members;
//! * [`symmetric`](fn@symmetric) for each partition against the rest, [`tree`](fn@tree) for the subtrees of a
//!   tree;
//! * [`clausewise`](fn@clausewise::clausewise) for conjunctions of clauses;
//! * [`transform`] changes proofs before they are interpolated;
//! * [`simplify`] replaces interpolants by smaller ones;
//! * [`verify`] checks the results by SAT, without the proof.
//!
//! Functions that may run long take a [`Stop`] and return an error once it requests the end.
//!
//! The cargo feature `study`, off by default, adds the module `study`: it compares interpolants by size,
//! density and implication. It needs decision diagrams from the crate `oxidd`.
//!
//! ```
//! use craig_aig::Aig;
//! use craig_itp::interpolant;
//! use craig_itp::stop::Stop;
//! use craig_itp::system::System;
//! use craig_solver::proof::ProofLog;
//! use craig_solver::{Options, Solver};
//!
//! // A says a and b, B says not a: a is what both are about.
//! let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
//! let [a, b] = [(); 2].map(|()| solver.new_var().positive());
//! for (clause, label) in [(a, 1), (b, 1), (!a, 2)] {
//!     solver.add_labelled_clause(&[clause], label);
//! }
//! solver.solve(&[]);
//! let dag = solver.proof().trim(solver.refutation().expect("they contradict each other"));
//! let mut aig = Aig::new();
//! let input = aig.add_input();
//! let is_in_a = |label| label == 1;
//! let found = interpolant(&dag, &is_in_a, System::McMillan, &mut aig, &mut |_| input, &Stop::never());
//! assert_eq!(found, Ok(input));
//! ```
//!
//! [`ProofDag`]: craig_solver::proof::ProofDag

pub mod choice;
pub mod clausewise;
pub mod construct;
mod extract;
pub mod labelling;
pub mod partition;
pub mod proof_sensitive;
pub mod prove;
pub mod rule;
pub mod sequence;
pub mod simplify;
pub mod size;
pub mod stop;
#[cfg(feature = "study")]
pub mod study;
pub mod symmetric;
pub mod system;
pub mod transform;
pub mod tree;
pub mod verify;

#[cfg(test)]
mod choice_tests;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod thousand;

pub use construct::labelled_interpolant;
pub use partition::{Class, Partition, shared_variables};
pub use rule::{Rule, interpolant, sequence};
pub use sequence::{labelled_sequence, sequence_by_cut};
pub use size::{Size, size};
pub use stop::{Stop, Stopped};
pub use symmetric::{JointError, TooWeak, symmetric};
pub use system::{Labelling, Side, System};
pub use tree::{Tree, tree};
