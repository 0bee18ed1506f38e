//! Circuits in AIGER.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;

use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::witness::{
    write_certificate, write_lasso, write_liveness_certificate, write_trace,
};
use craig_model::{Certificate, Trace};
use craig_model::{Lasso, LivenessCertificate};

use craig_verify::Finding;

use super::file::{ApartFiles, CircuitFile};
use super::run_format::RunFormat;
use crate::cli::circuits::{PropertyId, encoding_of};
use crate::cli::dump;
use crate::cli::replay::yosys_witness;
use crate::cli::simulate::Bits;
use crate::cli::waves::{Waves, run_of_bits, waves_of_bits};

/// A circuit with the literals of its file, by which witness circuits refer to inputs and latches.
pub(in crate::cli::check) struct AigerFile(pub(in crate::cli::check) AigerModel);

impl CircuitFile for AigerFile {
    type Design = AigerModel;

    fn design(&self) -> &AigerModel {
        &self.0
    }

    fn apart<'a>(&self, evidence: &'a Infallible) -> ApartFiles<'a> {
        match *evidence {}
    }

    fn waves(&self, finding: &Finding<Infallible>) -> Option<Waves> {
        waves_of_bits(&self.0.model, finding)
    }

    fn run_as(
        &self,
        finding: &Finding<Infallible>,
        _: PropertyId,
        format: RunFormat,
    ) -> Result<Vec<u8>, String> {
        let model = &self.0.model;
        let (steps, loop_start) = run_of_bits(model, finding).ok_or("there is no run")?;
        let mut text = Vec::new();
        let written = match format {
            RunFormat::Yosys => yosys_witness::write_bits(model, &steps, &mut text),
            RunFormat::Waves(format) => {
                let bits = Bits {
                    model,
                    steps: &steps,
                    loop_start,
                };
                dump::write(&bits, format, &mut text)
            }
            RunFormat::Testbench => return Err("it is for designs in Verilog".to_owned()),
        };
        written.map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn write_trace(&self, trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
        write_trace(trace, output)
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
        write_liveness_certificate(certificate, &self.0, encoding, output)
    }

    fn write_certificate(
        &self,
        certificate: &Certificate,
        path: &Path,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_certificate(certificate, &self.0, encoding, output)
    }
}
