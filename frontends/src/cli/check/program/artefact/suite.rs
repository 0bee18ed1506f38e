//! `--test-suite`: the inputs that lead to the errors, in the format of Test-Comp.

use std::path::Path;

use craig_c::{self as c, Answer, ErrorPath};

use super::kind::{Artefact, Verdict, Written, no_error, write_text};
use crate::cli::failure::Failure;

/// See the module.
pub(super) const SUITE: Artefact = Artefact {
    path: |wanted| wanted.arguments.test_suite.as_deref(),
    is_shared: true,
    write,
};

/// One test in the directory for each unsafe verdict.
fn write(verdict: &Verdict<'_>, directory: &Path) -> Result<Written, Failure> {
    let Answer::Unsafe(ErrorPath { error, path }) = &verdict.report.answer else {
        return Ok(no_error());
    };
    std::fs::create_dir_all(directory).map_err(|error| {
        Failure::input(format!("{}: can't be made: {error}", directory.display()))
    })?;
    let metadata = c::test_metadata(&verdict.task(error)?);
    write_text(&directory.join("metadata.xml"), &metadata)?;
    let is_error = verdict.wanted.options.goals.is_none();
    let name = format!("testcase-{}.xml", verdict.n_unsafe);
    write_text(&directory.join(name), &c::test_case(path, is_error))
}
