//! Circuits in BTOR2: decided in bits, with runs over words.

use std::io::{self, Write};
use std::path::Path;

use craig_hardware::aiger::{AigerModel, Encoding, write_ascii, write_binary};
use craig_hardware::btor2::{self, WordCircuit, WordEvidence, evaluate, trace};
use craig_hardware::witness::{write_certificate, write_liveness_certificate};
use craig_mc::liveness::LivenessVerdict;
use craig_model::{Certificate, Trace, Verdict};
use craig_model::{Lasso, LivenessCertificate};
use craig_verify::{Answer, Finding};

use super::file::{ApartFiles, CircuitFile};
use super::run_format::RunFormat;
use crate::cli::circuits::{Kind, PropertyId, encoding_of};
use crate::cli::dump;
use crate::cli::failure::Failure;
use crate::cli::input::is_btor2;
use crate::cli::output::{is_stdout, write_file};
use crate::cli::replay::{invariant, testbench, yosys_witness};
use crate::cli::simulate_words;
use crate::cli::verilog;
use crate::cli::waves::{Waves, waves_of_bits};

/// A word-level circuit. Its certificates are over words in a file in BTOR2, and else about the circuit of
/// bits, which is written beside them.
pub(in crate::cli::check) struct Btor2File {
    circuit: WordCircuit,
    /// The design that it was made of, with its signals.
    design: Option<(verilog::Design, verilog::Signals)>,
}

impl Btor2File {
    /// The circuit of a file.
    pub(in crate::cli::check) fn new(circuit: WordCircuit) -> Self {
        Self {
            circuit,
            design: None,
        }
    }

    /// The circuit of a design.
    pub(in crate::cli::check) fn of_design(
        circuit: WordCircuit,
        design: verilog::Design,
        signals: verilog::Signals,
    ) -> Self {
        Self {
            circuit,
            design: Some((design, signals)),
        }
    }

    /// The run over words that a finding has, if it is one.
    fn run(&self, finding: &Finding<WordEvidence>) -> Option<trace::Trace> {
        match finding {
            Finding::Bad(outcome) => match &outcome.verdict {
                Verdict::Unsafe(trace) => Some(self.circuit.lift(trace)),
                _ => None,
            },
            Finding::Apart(found) if found.answer == Answer::Unsafe => {
                trace::read(&found.evidence.text, "the run", &self.circuit.file).ok()
            }
            Finding::Apart(_) => None,
            Finding::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Unsafe(lasso) => Some(self.circuit.lift_lasso(lasso)),
                _ => None,
            },
        }
    }
}

impl CircuitFile for Btor2File {
    type Design = WordCircuit;

    fn design(&self) -> &WordCircuit {
        &self.circuit
    }

    fn apart<'a>(&self, evidence: &'a WordEvidence) -> ApartFiles<'a> {
        ApartFiles {
            text: &evidence.text,
            model: evidence.model.as_deref(),
        }
    }

    fn waves(&self, finding: &Finding<WordEvidence>) -> Option<Waves> {
        if let Finding::Justice(_) = finding {
            return waves_of_bits(&self.circuit.bits.model, finding);
        }
        let run = self.run(finding)?;
        let steps = evaluate::replay(&self.circuit.file, &run).ok()?;
        Some(simulate_words::waves(&self.circuit.file, &steps))
    }

    fn run_as(
        &self,
        finding: &Finding<WordEvidence>,
        property: PropertyId,
        format: RunFormat,
    ) -> Result<Vec<u8>, String> {
        let model = &self.circuit.file;
        let run = self.run(finding).ok_or("there is no run over its words")?;
        let mut text = Vec::new();
        let written = match (format, &self.design) {
            (RunFormat::Yosys, design) => {
                let signals = design.as_ref().map(|(_, signals)| signals);
                yosys_witness::write_words(model, &run, signals, &mut text)
            }
            (RunFormat::Waves(format), _) => {
                let steps = evaluate::replay(model, &run)?;
                let words = simulate_words::Words::new(model, &steps);
                dump::write(&words, format, &mut text)
            }
            (RunFormat::Testbench, None) => {
                return Err("it is for designs in Verilog".to_owned());
            }
            (RunFormat::Testbench, Some((design, signals))) => {
                let bad = match property.kind {
                    Kind::Bad => Some(model.bads[property.number].value),
                    Kind::Justice => None,
                };
                let name = property.name(&self.circuit.bits.model);
                let text = testbench::text(model, &run, (bad, &name), design, signals)?;
                return Ok(text.into_bytes());
            }
        };
        written.map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn invariant(
        &self,
        finding: &Finding<WordEvidence>,
        property: PropertyId,
    ) -> Result<Vec<u8>, String> {
        let Some((_, signals)) = &self.design else {
            return Err("it is for designs in Verilog".to_owned());
        };
        let certificate = match finding {
            Finding::Bad(outcome) => match &outcome.verdict {
                Verdict::Safe(certificate) => certificate,
                _ => return Err("there is no proof".to_owned()),
            },
            Finding::Apart(_) => {
                return Err("its proof follows single words of large memories".to_owned());
            }
            Finding::Justice(_) => {
                return Err("a proof that something happens at last is no invariant".to_owned());
            }
        };
        let witness = self.circuit.word_witness(certificate);
        let name = property.name(&self.circuit.bits.model);
        let text = invariant::text(&self.circuit.file, &witness, &name, signals)?;
        Ok(text.into_bytes())
    }

    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
        trace::write(&self.circuit.file, &self.circuit.lift(trace), output)
    }

    fn write_lasso(&self, lasso: &Lasso, output: &mut dyn Write) -> io::Result<()> {
        trace::write(&self.circuit.file, &self.circuit.lift_lasso(lasso), output)
    }

    fn write_liveness_certificate(
        &self,
        certificate: &LivenessCertificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_liveness_certificate(certificate, &self.circuit.bits, encoding, output)
    }

    fn write_certificate(
        &self,
        certificate: &Certificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        if is_btor2(path, b"") || is_stdout(path) {
            return btor2::write(&self.circuit.word_witness(certificate), output);
        }
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_certificate(certificate, &self.circuit.bits, encoding, output)
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
            None => self.circuit.bits.model.clone(),
            Some(PropertyId {
                kind: Kind::Bad,
                number,
            }) => self.circuit.bits.model.with_single_bad(number),
            Some(PropertyId {
                kind: Kind::Justice,
                number,
            }) => self.circuit.bits.model.with_single_justice(number),
        };
        let circuit = AigerModel::from_model(model);
        write_file(&path.with_extension(extension), |output| match encoding {
            Encoding::Ascii => write_ascii(&circuit, output),
            Encoding::Binary => write_binary(&circuit, output),
        })
    }
}
