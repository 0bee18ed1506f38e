//! `craig certify`: judges evidence.

use std::path::PathBuf;

use craig_hardware::aiger::AigerModel;
use craig_mc::Certificate;
use craig_mc::circuit::certify::{CertifyError, certify_all, certify_certificate, certify_trace};

use super::failure::Failure;
use super::input::{read_model, read_witness};
use super::terminal::print;
use craig_hardware::witness::{TraceFile, Witness};

/// Judge a trace or a witness circuit against a circuit, with a solver other than craig's own.
///
/// Prints `valid safe`, `valid unsafe (b0 at step 7)` or `INVALID` and why. Exit codes: 0 if the evidence is
/// valid, 1 if not, 2 if a file is at fault.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER.
    model: PathBuf,
    /// The trace (AIGER witness format) or the witness circuit (AIGER).
    witness: PathBuf,
    /// Which property a witness circuit has to prove, counted from 0. By default, all of them.
    #[arg(long, value_name = "N")]
    property: Option<usize>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let model = read_model(&arguments.model)?;
    if let Some(property) = arguments.property
        && property >= model.model.bads.len()
    {
        return Err(Failure::input(format!(
            "there is no property {property}: the circuit has {}",
            model.model.bads.len()
        )));
    }
    let judgement = match read_witness(&arguments.witness, &model)? {
        Witness::Trace(trace) => judge_trace(&model, &trace, arguments.property),
        Witness::Certificate(certificate) => {
            judge_certificate(&model, &certificate, arguments.property)
        }
    };
    match judgement {
        Ok(text) => {
            print(&format!("valid {text}\n"));
            Ok(0)
        }
        Err(CertifyError::Solver(message)) => Err(Failure::internal(message)),
        Err(error) => {
            print(&format!("INVALID {error}\n"));
            Ok(1)
        }
    }
}

/// Every property that the trace names has to show.
fn judge_trace(
    model: &AigerModel,
    trace: &TraceFile,
    property: Option<usize>,
) -> Result<String, CertifyError> {
    if let Some(property) = property
        && !trace.bads.contains(&property)
    {
        return Err(CertifyError::Shape(format!(
            "the trace does not speak of property {property}"
        )));
    }
    let mut shown = Vec::new();
    for &bad in &trace.bads {
        let step = certify_trace(model, bad, &trace.prefix(bad, trace.inputs.len()))?;
        shown.push(format!("b{bad} at step {step}"));
    }
    Ok(format!("unsafe ({})", shown.join(", ")))
}

fn judge_certificate(
    model: &AigerModel,
    certificate: &Certificate,
    property: Option<usize>,
) -> Result<String, CertifyError> {
    if let Some(property) = property {
        certify_certificate(model, property, certificate)?;
        return Ok(format!("safe (b{property})"));
    }
    certify_all(model, certificate)?;
    Ok("safe".to_owned())
}
