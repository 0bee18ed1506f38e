//! Files that hold a circuit.

use std::io::{self, Write};
use std::path::Path;

use craig_mc::circuit::certify::Circuit;
use craig_mc::{Certificate, Model, Trace};

/// What depends on the format of a circuit's file: how it is read, and how evidence about it is written.
pub(in crate::cli::check) trait CircuitFile: Send + Sync {
    /// The circuit.
    fn model(&self) -> &Model;

    /// What evidence is judged on: the circuit with the gates of the file.
    fn circuit(&self) -> &dyn Circuit;

    /// Writes a run to a bad.
    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()>;

    /// Writes a proof that a bad cannot be reached; `path` is where it goes, and its extension may choose an
    /// encoding.
    fn write_certificate(
        &self,
        certificate: &Certificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()>;
}
