//! The files of evidence about a circuit.

use std::path::{Path, PathBuf};

use craig_certify::certify_all;
use craig_mc::liveness::LivenessVerdict;
use craig_model::{Certificate, Verdict};
use craig_verify::{Answer, Apart, Certified, Design, Finding};

use super::file::CircuitFile;
use crate::cli::check::task::numbered;
use crate::cli::circuits::PropertyId;
use crate::cli::failure::Failure;
use crate::cli::input::is_btor2;
use crate::cli::output::{is_file, write_evidence, write_file};

/// Writes evidence to the requested path. With several properties, each has a file of its own; the requested
/// file itself is about the whole circuit: the first trace, or one witness circuit for all properties.
pub(super) struct Evidence<'a, F> {
    file: &'a F,
    /// The number of properties checked.
    n_asked: usize,
    path: Option<&'a Path>,
    /// The certificates so far.
    certificates: Vec<Certificate>,
    /// The number of properties that these prove.
    n_proved: usize,
    /// Whether the file about the whole circuit has been written.
    is_whole_written: bool,
}

impl<'a, F: CircuitFile> Evidence<'a, F> {
    /// Nothing is written without a path.
    pub(super) fn new(file: &'a F, properties: &[PropertyId], path: Option<&'a Path>) -> Self {
        Self {
            file,
            n_asked: properties.len(),
            path,
            certificates: Vec::new(),
            n_proved: 0,
            is_whole_written: false,
        }
    }

    /// Writes the evidence of a result; returns its path, or `None` if there is none, or nobody has read the
    /// pipe.
    pub(super) fn write(
        &mut self,
        certified: &Certified<<F::Design as Design>::Evidence>,
    ) -> Result<Option<PathBuf>, Failure> {
        let property = certified.property;
        match &*certified.finding {
            Finding::Bad(outcome) => {
                if let Verdict::Safe(certificate) = &outcome.verdict
                    && certified.together.first() == Some(&property.number)
                {
                    self.keep(certificate, certified.together.len());
                }
                self.write_file(property.number, &outcome.verdict)
            }
            Finding::Justice(outcome) => self.write_live(property, &outcome.verdict),
            Finding::Apart(found) => self.write_apart(property, found),
        }
    }

    /// Keeps a certificate, which proves this number of properties, for a proof of all.
    fn keep(&mut self, certificate: &Certificate, n_properties: usize) {
        if self.path.is_some() && self.n_asked > 1 {
            self.certificates.push(certificate.clone());
            self.n_proved += n_properties;
        }
    }

    /// Writes the evidence about a bad of the model.
    fn write_file(
        &mut self,
        property: usize,
        verdict: &Verdict,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(whole) = self.path else {
            return Ok(None);
        };
        let is_alone = self.n_asked == 1;
        let path = if is_alone {
            whole.to_owned()
        } else {
            numbered(whole, PropertyId::bad(property))
        };
        let is_written = match verdict {
            Verdict::Unknown(_) => return Ok(None),
            Verdict::Unsafe(trace) => {
                let is_written =
                    write_evidence(&path, |output| self.file.write_trace(trace, output))?;
                if !is_alone && !self.is_whole_written {
                    write_evidence(whole, |output| self.file.write_trace(trace, output))?;
                    self.is_whole_written = true;
                }
                is_written
            }
            Verdict::Safe(certificate) => {
                let is_written = write_evidence(&path, |output| {
                    self.file.write_certificate(certificate, &path, output)
                })?;
                self.write_beside(Some(PropertyId::bad(property)), &path)?;
                is_written
            }
        };
        Ok(is_written.then_some(path))
    }

    /// Writes the evidence of a result that was found without the circuit's model. A proof is over words, and
    /// its file has the extension `btor2`; the circuit that it is about is written beside it, if that is not the
    /// file.
    fn write_apart(
        &mut self,
        property: PropertyId,
        found: &Apart<<F::Design as Design>::Evidence>,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(whole) = self.path.filter(|_| found.answer != Answer::Unknown) else {
            return Ok(None);
        };
        let mut path = match self.n_asked {
            1 => whole.to_owned(),
            _ => numbered(whole, property),
        };
        let is_safe = found.answer == Answer::Safe;
        let files = self.file.apart(&found.evidence);
        if is_safe && !is_btor2(&path, b"") && is_file(&path) {
            path.set_extension("btor2");
        }
        let is_written = write_evidence(&path, |output| output.write_all(files.text))?;
        if let Some(model) = files.model
            && is_file(&path)
        {
            write_file(&path.with_extension("model.btor2"), |output| {
                output.write_all(model)
            })?;
        }
        if !is_safe && self.n_asked > 1 && !self.is_whole_written {
            write_evidence(whole, |output| output.write_all(files.text))?;
            self.is_whole_written = true;
        }
        Ok(is_written.then_some(path))
    }

    /// Writes the evidence about a justice property of the model. A circuit with several properties has no evidence as a whole then.
    fn write_live(
        &mut self,
        property: PropertyId,
        verdict: &LivenessVerdict,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(whole) = self.path else {
            return Ok(None);
        };
        let path = match self.n_asked {
            1 => whole.to_owned(),
            _ => numbered(whole, property),
        };
        let is_written = match verdict {
            LivenessVerdict::Unknown(_) => return Ok(None),
            LivenessVerdict::Unsafe(lasso) => {
                let is_written =
                    write_evidence(&path, |output| self.file.write_lasso(lasso, output))?;
                if self.n_asked > 1 && !self.is_whole_written {
                    write_evidence(whole, |output| self.file.write_lasso(lasso, output))?;
                    self.is_whole_written = true;
                }
                is_written
            }
            LivenessVerdict::Safe(certificate) => {
                self.write_beside(Some(property), &path)?;
                write_evidence(&path, |output| {
                    self.file
                        .write_liveness_certificate(certificate, &path, output)
                })?
            }
        };
        Ok(is_written.then_some(path))
    }

    /// Writes the circuit that evidence is about beside it, if it is a file.
    fn write_beside(&self, property: Option<PropertyId>, path: &Path) -> Result<(), Failure> {
        match is_file(path) {
            true => self.file.write_beside(property, path),
            false => Ok(()),
        }
    }

    /// Writes one witness circuit for all properties of the circuit, if all are bads, were checked and proved.
    pub(super) fn write_whole_proof(&self, is_judged: bool) -> Result<(), Failure> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let model = self.file.design().model();
        let n_properties = model.bads.len();
        if n_properties <= 1 || !model.justice.is_empty() || self.n_proved != n_properties {
            return Ok(());
        }
        let whole = match &self.certificates[..] {
            [all] => all.clone(),
            certificates => Certificate::conjunction(model, certificates),
        };
        if is_judged && self.certificates.len() > 1 {
            certify_all(self.file.design().circuit(), &whole).map_err(|error| {
                Failure::internal(format!(
                    "the evidence for all properties together does not hold: {error}"
                ))
            })?;
        }
        self.write_beside(None, path)?;
        write_evidence(path, |output| {
            self.file.write_certificate(&whole, path, output)
        })
        .map(|_| ())
    }
}
