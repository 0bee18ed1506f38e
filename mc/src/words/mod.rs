//! Circuits whose bits form words: which they are, and what holds of them.
//!
//! A [`Vocabulary`] says which latches and inputs form words, and which words hold numbers where.
//! [`strengthen`] looks for invariants over these words: affine relations (`relations`, `affine`), and
//! guesses from templates (`templates`) over states that the circuit reaches (`samples`, `walks`), of which
//! the inductive ones are kept (`inductive`).

mod affine;
mod inductive;
mod relations;
mod samples;
mod search;
mod strengthen;
mod templates;
mod vocabulary;
mod walks;

pub use strengthen::{Strong, strengthen};
pub use vocabulary::Vocabulary;
