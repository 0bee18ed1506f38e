//! The driver that reproduces a reported error.

use std::path::Path;

use craig_c_files::test_driver::{self, Failing, TestDriver};

use crate::options::Options;
use crate::report::{Answer, ErrorPath, Report};

/// Creates a driver for an unsafe program.
///
/// # Errors
/// If the report is not one of an error, or a driver is impossible, for the reason in the message.
pub fn test_driver(file: &Path, options: &Options, report: &Report) -> Result<TestDriver, String> {
    let Answer::Unsafe(ErrorPath { error, path }) = &report.answer else {
        return Err("there is no error to reproduce".into());
    };
    test_driver::test_driver(&Failing {
        file,
        preprocessing: &options.preprocessing,
        linked: &options.linked,
        model: options.model,
        entry: options.entry(),
        error,
        path,
        conventions: &report.conventions,
    })
}
