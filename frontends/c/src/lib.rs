//! C programs: read, lowered to words, executed symbolically, and checked bit-precisely.
//!
//! `source` and `parse` read a file; `lower` turns it into functions over words (`ir`); `execute`
//! runs these over terms, merging paths; the engines decide what it finds; `interpret` replays every
//! counterexample on concrete values before anybody sees it.

mod automaton;
mod bounded;
mod check;
mod concrete;
mod consistency;
mod contents;
mod cover;
mod driver;
mod evidence;
mod execute;
mod float;
mod interpret;
mod ir;
mod lemmas;
mod library;
mod loop_engines;
mod loop_invariants;
mod lower;
mod meaning;
mod native;
mod parse;
mod property;
mod repair;
mod replay;
mod sha256;
mod source;
mod test_suite;
mod transition_system;
mod types;
mod unwinding;
mod witness;
mod written;

pub use check::{
    Answer, Chosen, Engine, Failure, Options, PathStep, PropertyReport, Report, count_properties,
    run, run_each,
};
pub use driver::{Driver, driver};
pub use evidence::{Evidence, LoopInvariant, Safety};
pub use loop_engines::Search;
pub use lower::Checks;
pub use native::{Native, replay_natively};
pub use property::specification;
pub use source::Preprocessing;
pub use test_suite::{test_case, test_metadata};
pub use transition_system::transition_system;
pub use types::DataModel;
pub use unwinding::{Limit, Unwinding};
pub use witness::{correctness_witness, violation_witness};
pub use written::Task;

#[cfg(test)]
mod check_tests;
#[cfg(test)]
mod formatted_tests;
#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod pinned_models;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod semantics_tests;
#[cfg(test)]
mod tests;
