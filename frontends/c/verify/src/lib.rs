//! C programs, checked bit-precisely.
//!
//! A file is read and lowered to words by `craig-c-lang`, executed over terms by `craig-c-exec`; the engines here decide
//! the resulting formulas and transition systems. Every error is replayed on concrete values before it is reported.
//!
//! ```
//! use craig_c::{Answer, Options, run_text};
//! use craig_mc::Alone;
//!
//! let program = "
//!     unsigned __VERIFIER_nondet_uint(void);
//!     void reach_error(void);
//!     int main(void) {
//!         unsigned n = __VERIFIER_nondet_uint(), i = 0, sum = 0;
//!         for (; i < n; i++) sum += 2;
//!         if (sum % 2) reach_error();
//!         if (n == 7) reach_error();
//!     }";
//! let report = run_text(program, "sum.c", &Options::default(), Alone::new().control())?;
//! let Answer::Unsafe(found) = &report.answer else {
//!     panic!("7 is a number");
//! };
//! let input = found.path.iter().find_map(|step| step.chosen.as_ref());
//! assert_eq!(input.map(|input| input.number.as_str()), Some("7"));
//!
//! let mended = program.replace("if (n == 7) reach_error();", "");
//! let report = run_text(&mended, "sum.c", &Options::default(), Alone::new().control())?;
//! assert!(matches!(report.answer, Answer::Safe(_)));
//! # Ok::<(), craig_c::Failure>(())
//! ```

mod automaton;
mod bounded;
mod certified_property;
mod check;
mod driver;
mod element_engines;
mod engine_arrays;
mod evidence;
mod formulas;
mod listing;
mod load;
mod loop_engines;
mod loop_invariants;
mod open_copies;
mod options;
mod path_cover;
mod path_facts;
mod paths;
mod placed;
mod portfolio;
mod procedures;
mod program_engines;
mod recording;
mod removed_bodies;
mod report;
mod tail_calls;
mod test_generation;
mod test_report;
mod tracking;
mod transition_system;
mod validation;
mod verdict;

pub use check::{EVERY_PROPERTY, Told, run, run_each, run_each_telling, run_text};
pub use craig_c_exec::concrete::error_path::{InputValue, PathStep};
pub use craig_c_exec::concrete::interpret::AllocatedMemory;
pub use craig_c_exec::symbolic::unwinding::{Limit, Unwinding};
pub use craig_c_files::native::{Native, replay_natively};
pub use craig_c_files::native_coverage::{LineCounts, lines_executed};
pub use craig_c_files::property_file::PropertyFile;
pub use craig_c_files::sha256::sha256;
pub use craig_c_files::task::Task;
pub use craig_c_files::test_driver::{Compilation, TestDriver};
pub use craig_c_files::test_suite::{test_case, test_metadata};
pub use craig_c_files::witness::LoopInvariant;
pub use craig_c_files::witness::{correctness_witness, violation_witness};
pub use craig_c_files::witness_file::WitnessFile;
pub use craig_c_lang::given_text::{give_text, source_bytes};
pub use craig_c_lang::lower::{
    CbmcOptions, Checks, ContractOptions, Dialect, Goals, PointerRestriction, UnknownCalls,
};
pub use craig_c_lang::presumed_lines::{PresumedLine, presumed_lines};
pub use craig_c_lang::property::{ERROR_KINDS, error_kind, specification};
pub use craig_c_lang::source::LinkedFile;
pub use craig_c_lang::source::{Preprocessing, read as read_source};
pub use craig_c_lang::types::DataModel;
pub use craig_verify::{AutomatonSearch, ProgramSearch};
pub use driver::test_driver;
pub use evidence::{CallPlace, ElementInvariant, Evidence, Safety};
pub use listing::{ListedLoop, ListedProperty, Listing, list};
pub use load::count_properties;
pub use options::{Engine, Options};
pub use report::{Answer, Decider, ErrorPath, Failure, PropertyPlace, PropertyReport, Report};
pub use test_generation::{TestOptions, TestProgress, generate_tests};
pub use test_report::{GeneratedTest, GoalReport, GoalState, TestReport};
pub use transition_system::transition_system;
pub use validation::{Validation, validate};

#[cfg(test)]
mod attribute_tests;
#[cfg(test)]
mod bit_precise_tests;
#[cfg(test)]
mod bit_vector_tests;
#[cfg(test)]
mod branches_tests;
#[cfg(test)]
mod c23_tests;
#[cfg(test)]
mod cbmc_tests;
#[cfg(test)]
mod check_tests;
#[cfg(test)]
mod contract_object_tests;
#[cfg(test)]
mod contract_tests;
#[cfg(test)]
mod elements_test_support;
#[cfg(test)]
mod elements_tests;
#[cfg(test)]
mod encoding_tests;
#[cfg(test)]
mod engine_arrays_tests;
#[cfg(test)]
mod enumerated_arrays_tests;
#[cfg(test)]
mod formatted_tests;
#[cfg(test)]
mod generic_tests;
#[cfg(test)]
mod havocked_tests;
#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod linked_harness_tests;
#[cfg(test)]
mod native_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod pointer_check_tests;
#[cfg(test)]
mod pointer_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod recursive_engine_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod semantics_tests;
#[cfg(test)]
mod start_tests;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
mod support_matrix_tests;
#[cfg(test)]
mod tests;
