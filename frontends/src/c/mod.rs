//! C programs: read, lowered to words, executed symbolically, and checked bit-precisely.
//!
//! [`source`] and [`parse`] read a file; [`lower`] turns it into functions over words ([`ir`]); [`execute`]
//! runs these over terms, merging paths; the engines decide what it finds; [`interpret`] replays every
//! counterexample on concrete values before anybody sees it.

mod affine;
mod bounded;
mod check;
mod execute;
mod float;
mod interpret;
mod invariants;
mod ir;
mod library;
mod loop_engines;
mod lower;
mod parse;
mod replay;
mod single_loop;
mod source;
mod types;

pub use check::{Answer, Engine, Failure, Options, PathStep, Report, run};
pub use loop_engines::Search;
pub use lower::Checks;
pub use source::Preprocessing;
pub use types::DataModel;

#[cfg(test)]
mod tests;
