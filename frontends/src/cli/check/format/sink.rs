//! What a format implements.

use crate::cli::check::report::{PropertyReport, Summary};
use crate::cli::failure::Failure;

/// Prints reports to standard output.
pub(in crate::cli::check) trait Format: Send {
    /// Takes a report as soon as it is there.
    fn report(&mut self, report: &PropertyReport);

    /// Takes all reports when no more will come.
    fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure>;
}
