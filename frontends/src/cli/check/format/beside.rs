//! A file about all reports, in addition to the output of another format.

use std::path::{Path, PathBuf};

use super::sink::Format;
use crate::cli::check::report::{PropertyReport, Summary};
use crate::cli::failure::Failure;

/// A printer that passes the reports to another one, and writes a file at their end.
pub(super) struct Beside {
    inner: Box<dyn Format>,
    path: PathBuf,
    write: fn(&Path, &Summary<'_>) -> Result<(), Failure>,
}

impl Beside {
    /// The printer, with what writes its file.
    pub(super) fn new(
        inner: Box<dyn Format>,
        path: &Path,
        write: fn(&Path, &Summary<'_>) -> Result<(), Failure>,
    ) -> Self {
        let path = path.to_owned();
        Self { inner, path, write }
    }
}

impl Format for Beside {
    fn verdict(&mut self, report: &PropertyReport) {
        self.inner.verdict(report);
    }

    fn details(&mut self, report: &PropertyReport) {
        self.inner.details(report);
    }

    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        self.inner.finish(summary)?;
        (self.write)(&self.path, summary)
    }
}
