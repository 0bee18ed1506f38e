//! Circuits whose bits form words, and invariants over the words.
//!
//! A [`Vocabulary`] contains the latches and inputs of each word, and which words are numbers at which place.
//! [`strengthen`] searches for invariants over these words: affine relations (`relations`, `affine`), and
//! candidates from templates (`templates`) that hold in sampled reachable states (`samples`, `walks`), of
//! which the inductive ones are kept (`inductive`). What the system states about itself is a candidate as well
//! (`given`). Sums are followed through the steps one by one (`steps`); relations that their linear parts preserve
//! need no solver (`linear`). What holds in a phase of a loop is a candidate (`phases`), tested on samples that many rounds
//! of loops reach (`accelerate`). Predicates over the words that lemmas of PDR may mention are in [`signals`](fn@signals).

mod accelerate;
mod affine;
mod given;
mod inductive;
mod linear;
mod phases;
mod relations;
mod samples;
mod search;
mod signals;
mod steps;
mod strengthen;
mod templates;
mod vocabulary;
mod walks;

pub(crate) use affine::Affine;
pub use search::Patience;
pub use signals::signals;
pub use strengthen::{Conditions, Strong, strengthen};
pub use vocabulary::{Formulas, Step, Vocabulary};

/// The patience of tests.
#[cfg(test)]
pub(crate) const LONG: Patience = Patience {
    plain: std::time::Duration::from_secs(10),
    with_candidates: std::time::Duration::from_secs(20),
    linear_percent: 30,
    relations_percent: 60,
    linear_to: 300_000,
    sampled_to: 60_000,
};
