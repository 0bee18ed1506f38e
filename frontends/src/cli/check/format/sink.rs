//! The interface of a format.

use crate::cli::check::report::{PropertyReport, Summary};
use crate::cli::failure::Failure;

/// Prints reports to standard output.
pub(in crate::cli::check) trait Format: Send {
    /// Called with each report as soon as it exists, before its evidence is written.
    fn verdict(&mut self, report: &PropertyReport);

    /// Called with each report when its evidence has been written, or could not be.
    fn details(&mut self, report: &PropertyReport);

    /// Called with all reports at the end.
    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure>;
}
