//! Circuits in BTOR2: decided in bits, with runs over words.

use std::io::{self, Write};
use std::path::Path;

use craig_hardware::aiger::{AigerModel, Encoding, write_ascii, write_binary};
use craig_hardware::btor2::{self, WordCircuit, WordEvidence, evaluate, trace};
use craig_hardware::witness::{write_certificate, write_liveness_certificate};
use craig_model::{Certificate, Trace, Verdict};
use craig_model::{Lasso, LivenessCertificate};
use craig_verify::{Answer, Finding};

use super::file::{ApartFiles, CircuitFile};
use crate::cli::circuits::{Kind, PropertyId, encoding_of};
use crate::cli::failure::Failure;
use crate::cli::input::is_btor2;
use crate::cli::output::{is_stdout, write_file};
use crate::cli::simulate_words;
use crate::cli::waves::{Waves, waves_of_bits};

/// A word-level circuit. Its certificates are over words in a file in BTOR2, and else about the circuit of
/// bits, which is written beside them.
pub(in crate::cli::check) struct Btor2File(pub(in crate::cli::check) WordCircuit);

impl CircuitFile for Btor2File {
    type Design = WordCircuit;

    fn design(&self) -> &WordCircuit {
        &self.0
    }

    fn apart<'a>(&self, evidence: &'a WordEvidence) -> ApartFiles<'a> {
        ApartFiles {
            text: &evidence.text,
            model: evidence.model.as_deref(),
        }
    }

    fn waves(&self, finding: &Finding<WordEvidence>) -> Option<Waves> {
        let run = match finding {
            Finding::Bad(outcome) => match &outcome.verdict {
                Verdict::Unsafe(trace) => self.0.lift(trace),
                _ => return None,
            },
            Finding::Apart(found) if found.answer == Answer::Unsafe => {
                trace::read(&found.evidence.text, "the run", &self.0.file).ok()?
            }
            Finding::Apart(_) => return None,
            Finding::Justice(_) => return waves_of_bits(&self.0.bits.model, finding),
        };
        let steps = evaluate::replay(&self.0.file, &run).ok()?;
        Some(simulate_words::waves(&self.0.file, &steps))
    }

    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
        trace::write(&self.0.file, &self.0.lift(trace), output)
    }

    fn write_lasso(&self, lasso: &Lasso, output: &mut dyn Write) -> io::Result<()> {
        trace::write(&self.0.file, &self.0.lift_lasso(lasso), output)
    }

    fn write_liveness_certificate(
        &self,
        certificate: &LivenessCertificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_liveness_certificate(certificate, &self.0.bits, encoding, output)
    }

    fn write_certificate(
        &self,
        certificate: &Certificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        if is_btor2(path, b"") || is_stdout(path) {
            return btor2::write(&self.0.word_witness(certificate), output);
        }
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_certificate(certificate, &self.0.bits, encoding, output)
    }

    /// The circuit of bits, in the encoding of the evidence, with the property that this is about.
    fn write_beside(&self, property: Option<PropertyId>, path: &Path) -> Result<(), Failure> {
        if is_btor2(path, b"") && property.is_none_or(|property| property.kind == Kind::Bad) {
            return Ok(());
        }
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        let extension = match encoding {
            Encoding::Ascii => "model.aag",
            Encoding::Binary => "model.aig",
        };
        let model = match property {
            None => self.0.bits.model.clone(),
            Some(PropertyId {
                kind: Kind::Bad,
                number,
            }) => self.0.bits.model.with_single_bad(number),
            Some(PropertyId {
                kind: Kind::Justice,
                number,
            }) => self.0.bits.model.with_single_justice(number),
        };
        let circuit = AigerModel::from_model(model);
        write_file(&path.with_extension(extension), |output| match encoding {
            Encoding::Ascii => write_ascii(&circuit, output),
            Encoding::Binary => write_binary(&circuit, output),
        })
    }
}
