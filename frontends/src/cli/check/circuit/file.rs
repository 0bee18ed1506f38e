//! Files with a circuit.

use std::io::{self, Write};
use std::path::Path;

use craig_model::{Certificate, Trace};
use craig_model::{Lasso, LivenessCertificate};
use craig_verify::{Design, Finding};

use super::run_format::RunFormat;
use crate::cli::circuits::PropertyId;
use crate::cli::failure::Failure;
use crate::cli::waves::Waves;

/// The files of the evidence of an answer that is not about the model.
pub(in crate::cli::check) struct ApartFiles<'a> {
    /// The content of the file itself.
    pub(in crate::cli::check) text: &'a [u8],
    /// The content of the circuit that it is about, if that is not the input.
    pub(in crate::cli::check) model: Option<&'a [u8]>,
}

/// The operations that depend on the format of a circuit's file: writing evidence about it.
pub(in crate::cli::check) trait CircuitFile: Send + Sync {
    /// What the evidence is about.
    type Design: Design;

    /// The circuit.
    fn design(&self) -> &Self::Design;

    /// Writes, beside a certificate in `path`, the model that it is about, if that is not the file. The model
    /// has just the given property, or all.
    fn write_beside(&self, _: Option<PropertyId>, _: &Path) -> Result<(), Failure> {
        Ok(())
    }

    /// The files of an answer that is not about the model.
    fn apart<'a>(&self, evidence: &'a <Self::Design as Design>::Evidence) -> ApartFiles<'a>;

    /// The signals of the run that a finding has, if it is one.
    fn waves(&self, finding: &Finding<<Self::Design as Design>::Evidence>) -> Option<Waves>;

    /// The run of a finding, about a property, in a format of others.
    ///
    /// # Errors
    /// Why there is none.
    fn run_as(
        &self,
        finding: &Finding<<Self::Design as Design>::Evidence>,
        property: PropertyId,
        format: RunFormat,
    ) -> Result<Vec<u8>, String>;

    /// The proof of a finding, about a property, as assertions.
    ///
    /// # Errors
    /// Why there are none.
    fn invariant(
        &self,
        _: &Finding<<Self::Design as Design>::Evidence>,
        _: PropertyId,
    ) -> Result<Vec<u8>, String> {
        Err("it is for designs in Verilog".to_owned())
    }

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
