//! C programs: read, lowered to words, executed symbolically, and checked bit-precisely.
//!
//! `source` and `parse` read a file; `lower` turns it into functions over words (`ir`); `execute` runs these
//! over terms, merging paths; the engines decide the resulting formulas; `interpret` replays every
//! counterexample on concrete values before it is reported.

mod annotation;
mod automaton;
mod automaton_lemmas;
mod bounded;
mod c_literal;
mod certified_property;
mod check;
mod check_kind;
mod consistency;
mod cover;
mod element_engines;
mod error_path;
mod evidence;
mod execute;
mod float;
mod host_function;
mod interpret;
mod ir;
mod lemmas;
mod library;
mod load;
mod loop_engines;
mod loop_invariants;
mod loop_search;
mod lower;
mod machine;
mod memo;
mod native;
mod native_coverage;
mod nesting;
mod object_bytes;
mod options;
mod parse;
mod partly_known;
mod portfolio;
mod pragma_attribute;
mod presumed_lines;
mod procedures;
mod program_engines;
mod property;
mod property_file;
mod recording;
mod recursion;
mod repair;
mod replay;
mod report;
mod sha256;
mod single_run;
mod source;
mod tail_calls;
mod task;
mod test_driver;
mod test_generation;
mod test_suite;
mod tokens;
mod tracking;
mod transition_system;
mod types;
mod unwinding;
mod validation;
mod witness;
mod witness_file;
mod witness_place;
mod wrong_read;

pub use check::{EVERY_PROPERTY, run, run_each};
pub use evidence::{CallPlace, ElementInvariant, Evidence, LoopInvariant, Safety};
pub use interpret::AllocatedMemory;
pub use load::count_properties;
pub use loop_search::Search;
pub use lower::{Checks, Goals, UnknownCalls};
pub use native::{Native, replay_natively};
pub use native_coverage::{LineCounts, lines_executed};
pub use options::{Engine, LinkedFile, Options, Part};
pub use presumed_lines::{PresumedLine, presumed_lines};
pub use program_engines::ProgramSearch;
pub use property::{ERROR_KINDS, error_kind, specification};
pub use property_file::PropertyFile;
pub use report::{Answer, Failure, InputValue, PathStep, PropertyReport, Report};
pub use source::Preprocessing;
pub use task::Task;
pub use test_driver::{Compilation, TestDriver, test_driver};
pub use test_generation::{
    GeneratedTest, GoalReport, GoalState, TestOptions, TestProgress, TestReport, generate_tests,
};
pub use test_suite::{test_case, test_metadata};
pub use transition_system::transition_system;
pub use types::DataModel;
pub use unwinding::{Limit, Unwinding};
pub use validation::{Validation, validate};
pub use witness::{correctness_witness, violation_witness};
pub use witness_file::WitnessFile;

#[cfg(test)]
mod check_tests;
#[cfg(test)]
mod elements_test_support;
#[cfg(test)]
mod elements_tests;
#[cfg(test)]
mod enumerated_arrays_tests;
#[cfg(test)]
mod forgotten_tests;
#[cfg(test)]
mod formatted_tests;
#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod native_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod pinned_models;
#[cfg(test)]
mod pointer_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod semantics_tests;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
mod support_matrix_tests;
#[cfg(test)]
mod tests;
