//! Files with a circuit.

use std::io::{self, Write};
use std::path::Path;

use craig_certify::Circuit;
use craig_mc::Control;
use craig_model::{Certificate, Lasso, LivenessCertificate, Model, Outcome, Trace};

use crate::cli::circuits::PropertyId;
use crate::cli::engines::{EngineArguments, Lemmas};
use crate::cli::failure::Failure;
use crate::cli::large_memories::OwnResult;

/// The operations that depend on the format of a circuit's file: reading it and writing evidence about it.
pub(in crate::cli::check) trait CircuitFile: Send + Sync {
    /// The circuit.
    fn model(&self) -> &Model;

    /// The circuit against which evidence is checked, with the gates of the file.
    fn circuit(&self) -> &dyn Circuit;

    /// Why there is no circuit for the engines; then the model has the properties, but nothing else.
    fn refusal(&self) -> Option<&str> {
        None
    }

    /// If the model has only some of the runs of the file: why a proof of it proves nothing.
    fn restriction(&self) -> Option<&str> {
        None
    }

    /// Decides a property by circuits of its own, if `model` can't prove anything about it. `None` if it can,
    /// or if there is no answer.
    fn decide_apart(
        &self,
        _: &EngineArguments,
        _: PropertyId,
        _: &Control,
    ) -> Result<Option<OwnResult>, Failure> {
        Ok(None)
    }

    /// Decides a bad of the model.
    fn check(
        &self,
        engines: &EngineArguments,
        property: usize,
        lemmas: &mut Lemmas,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        engines.check_with(self.model(), property, lemmas, control)
    }

    /// Replays a run to a bad on the circuit of the file, if that is not the model.
    ///
    /// # Errors
    /// If the bad does not hold.
    fn replay(&self, _: &Trace) -> Result<(), String> {
        Ok(())
    }

    /// The same for a run against a justice property.
    fn replay_lasso(&self, _: &Lasso) -> Result<(), String> {
        Ok(())
    }

    /// Writes, beside a certificate in `path`, the model that it is about, if that is not the file. The model
    /// has just the given property, or all.
    fn write_beside(&self, _: Option<PropertyId>, _: &Path) -> Result<(), Failure> {
        Ok(())
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
