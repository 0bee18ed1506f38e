//! `--test-driver`: a C file that reproduces the error.

use std::path::Path;

use craig_c::{self as c, Answer};

use super::kind::{Artefact, Verdict, Written, no_error, write_text};
use crate::cli::failure::Failure;

/// See the module.
pub(super) const DRIVER: Artefact = Artefact {
    path: |wanted| wanted.arguments.test_driver.as_deref(),
    is_shared: false,
    write,
};

fn write(verdict: &Verdict<'_>, path: &Path) -> Result<Written, Failure> {
    if let Answer::Safe(_) = verdict.report.answer {
        return Ok(no_error());
    }
    let wanted = verdict.wanted;
    match c::test_driver(wanted.file, wanted.options, verdict.report) {
        Ok(driver) => write_text(path, &driver.text),
        Err(reason) => Ok(Written::Not(format!("no driver, {reason}"))),
    }
}
