//! Files about C programs: property files and witnesses of SV-COMP, test suites of Test-Comp, drivers that reproduce an
//! error in the compiled program, and the lines that such a program executes.

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
