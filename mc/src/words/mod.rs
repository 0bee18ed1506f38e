//! Circuits whose bits form words, and invariants over the words.
//!
//! A [`Vocabulary`] contains the latches and inputs of each word, and which words are numbers at which place.
//! [`strengthen`] searches for invariants over these words: affine relations (`relations`, `affine`), and
//! candidates from templates (`templates`) that hold in sampled reachable states (`samples`, `walks`), of
//! which the inductive ones are kept (`inductive`). [`Claims`] about the words are candidates as well (`claims`).

mod affine;
mod claims;
mod inductive;
mod relations;
mod samples;
mod search;
mod strengthen;
mod templates;
mod vocabulary;
mod walks;

pub use strengthen::{Strong, strengthen};
pub use vocabulary::{Claims, Vocabulary};
