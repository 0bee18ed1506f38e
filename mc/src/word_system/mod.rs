//! Transition systems over words and arrays of words.
//!
//! A [`WordSystem`] has states and inputs that are bit-vectors or arrays, and formulas over them that are
//! terms (`craig-word`). [`blast`] makes a [`Model`](craig_model::Model) of it, which the engines for circuits
//! decide, and [`Blasted::lift`] makes values of words from a run of that model.
//!
//! Arrays are blasted word by word (`arrays.rs`): writes of one address share its decoder, choices between
//! arrays become conditions of writes, and a read of an array that was written compares addresses instead of
//! building the written array.
//!
//! Errors are also found without bits for arrays: `chains.rs` unrolls reads and writes themselves.
//!
//! A [`Derived`] system answers the same question with fewer words: `reduce/` removes and narrows states, and
//! `operators/` and `reads/` replace large operators and reads of memories by inputs. Its evidence is lifted to the circuit of bits of the system
//! from which it was derived.

mod arrays;
mod blast;
pub mod chains;
mod derive;
mod execute;
mod lift;
pub mod operators;
pub mod predicates;
#[cfg(test)]
mod random_systems;
pub mod reads;
pub mod reduce;
mod refinement;
mod restrict;
mod system;
#[cfg(test)]
mod tests;

pub use blast::{BitOf, Blasted, TooLarge, blast, blast_restricted};
pub use derive::Derived;
pub use lift::WordStep;
pub use refinement::Decided;
pub use restrict::RESTRICTED_WORDS;
pub use system::{WordState, WordSystem};
