//! Files about C programs: property files and witnesses of SV-COMP, test suites of Test-Comp, drivers that reproduce an
//! error in the compiled program, and the lines that such a program executes.
//!
//! ```
//! use craig_c_files::property_file::PropertyFile;
//!
//! let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
//! let file = PropertyFile::parse(text, "unreach-call.prp")?;
//! assert_eq!((file.entry(), file.error_function()), ("main", Some("reach_error")));
//! assert_eq!(file.to_string(), text);
//!
//! let other = PropertyFile::parse("CHECK( init(main()), LTL(F end) )", "termination.prp");
//! assert!(other.is_err_and(|message| message.starts_with("termination.prp:1:")));
//! # Ok::<(), String>(())
//! ```

pub mod native;
pub mod native_coverage;
pub mod property_file;
pub mod sha256;
pub mod task;
pub mod test_driver;
pub mod test_suite;
pub mod witness;
pub mod witness_file;
pub mod witness_place;
