//! Circuits in BTOR2: decided in bits, with runs over words.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use craig_certify::Circuit;
use craig_hardware::aiger::{AigerModel, Encoding, write_ascii, write_binary};
use craig_hardware::btor2::{self, trace};
use craig_hardware::witness::{write_certificate, write_lasso, write_liveness_certificate};
use craig_mc::Control;
use craig_mc::liveness::TO_SAFETY;
use craig_model::{Certificate, Lasso, LivenessCertificate, Model, Outcome, Trace};

use super::file::CircuitFile;
use crate::cli::circuits::{Kind, PropertyId, encoding_of};
use crate::cli::engines::{EngineArguments, Lemmas};
use crate::cli::failure::Failure;
use crate::cli::large_memories::{self, OwnResult};
use crate::cli::output::{is_stdout, write_file};
use crate::cli::word_circuit::{WordCircuit, is_btor2};

/// Justice properties over large memories are decided as bads for so much of the time, in percent, and so much
/// at most. After that, runs are searched that use few words.
const SHARE_OF_JUSTICE: u32 = 60;
const MOST_OF_JUSTICE: Duration = Duration::from_secs(900);

/// A word-level circuit. Its certificates are over words in a file in BTOR2, and else about the circuit of
/// bits, which is written beside them.
pub(in crate::cli::check) struct Btor2File(pub(in crate::cli::check) WordCircuit);

impl CircuitFile for Btor2File {
    fn model(&self) -> &Model {
        self.0.model()
    }

    fn circuit(&self) -> &dyn Circuit {
        &self.0.bits
    }

    fn refusal(&self) -> Option<&str> {
        match self.0.restriction {
            Some(_) => None,
            None => self.0.refusal.as_deref(),
        }
    }

    fn restriction(&self) -> Option<&str> {
        self.0.restriction.as_deref()
    }

    fn decide_apart(
        &self,
        engines: &EngineArguments,
        PropertyId { kind, number }: PropertyId,
        control: &Control,
    ) -> Result<Option<OwnResult>, Failure> {
        match kind {
            _ if self.0.refusal.is_none() => Ok(None),
            Kind::Bad => large_memories::decide(&self.0.file, engines, number, control),
            // The other methods need a circuit of bits.
            Kind::Justice
                if engines
                    .liveness
                    .as_deref()
                    .is_some_and(|it| it != TO_SAFETY) =>
            {
                Ok(None)
            }
            Kind::Justice => {
                let own = match self.0.restriction {
                    Some(_) => control.apart_for(SHARE_OF_JUSTICE, MOST_OF_JUSTICE),
                    None => control.clone(),
                };
                large_memories::decide_justice(&self.0.file, engines, number, &own)
            }
        }
    }

    fn check(
        &self,
        engines: &EngineArguments,
        property: usize,
        lemmas: &mut Lemmas,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        self.0.check(engines, property, lemmas, control)
    }

    fn replay(&self, trace: &Trace) -> Result<(), String> {
        self.0.replay(trace)
    }

    fn replay_lasso(&self, lasso: &Lasso) -> Result<(), String> {
        self.0.replay_lasso(lasso)
    }

    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
        trace::write(&self.0.file, &self.0.lift(trace), output)
    }

    fn write_lasso(&self, lasso: &Lasso, output: &mut dyn Write) -> io::Result<()> {
        write_lasso(lasso, output)
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
            None => self.model().clone(),
            Some(PropertyId {
                kind: Kind::Bad,
                number,
            }) => self.model().with_single_bad(number),
            Some(PropertyId {
                kind: Kind::Justice,
                number,
            }) => self.model().with_single_justice(number),
        };
        let circuit = AigerModel::from_model(model);
        write_file(&path.with_extension(extension), |output| match encoding {
            Encoding::Ascii => write_ascii(&circuit, output),
            Encoding::Binary => write_binary(&circuit, output),
        })
    }
}
