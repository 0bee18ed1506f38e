//! Files with a circuit.

use std::io::{self, Write};
use std::path::Path;

use craig_mc::circuit::certify::Circuit;
use craig_mc::liveness::{Lasso, LivenessCertificate};
use craig_mc::{Certificate, Model, Trace};

/// The operations that depend on the format of a circuit's file: reading it and writing evidence about it.
pub(in crate::cli::check) trait CircuitFile: Send + Sync {
    /// The circuit.
    fn model(&self) -> &Model;

    /// The circuit against which evidence is checked, with the gates of the file.
    fn circuit(&self) -> &dyn Circuit;

    /// Writes a run to a bad.
    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()>;

    /// Writes a run against a justice property.
    fn write_lasso(&self, lasso: &Lasso, output: &mut dyn Write) -> io::Result<()>;

    /// Writes a proof of a justice property, as [`CircuitFile::write_certificate`].
    fn write_liveness_certificate(
        &self,
        certificate: &LivenessCertificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()>;

    /// Writes a proof that a bad is unreachable; the extension of `path`, the output file, may select an
    /// encoding.
    fn write_certificate(
        &self,
        certificate: &Certificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()>;
}
