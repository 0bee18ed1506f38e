//! Reading and writing evidence in the formats of hardware model checkers: traces in the AIGER witness
//! format, and certificates as witness circuits (HWMCC since 2024; Yu, Froleyks, Biere and Heljanko, "Towards
//! Compositional Hardware Model Checking Certification", FMCAD 2023).
//!
//! A witness circuit is a separate AIGER file. Symbols `= literal` determine which of its inputs and latches
//! are shared with the model, or a comment `MAPPING n` with n lines of two literals, or else their positions.
//! The literals on the model's side are those of the model's file.

mod circuit;
mod error;
mod trace;

use craig_model::{Certificate, LivenessCertificate};

use crate::aiger::AigerModel;

pub use circuit::{
    read_certificate, read_liveness_certificate, write_certificate, write_liveness_certificate,
};
pub use error::WitnessError;
pub use trace::{TraceFile, read_trace, write_lasso, write_trace};

/// Evidence from a file.
#[derive(Clone, Debug)]
pub enum Witness {
    /// A run against the listed properties.
    Trace(TraceFile),
    /// A circuit that is claimed to prove that no bad is reachable.
    Certificate(Box<Certificate>),
    /// A circuit that is claimed to prove a justice property.
    Liveness(Box<LivenessCertificate>),
}

/// Reads evidence of either kind. `name` is the file's name in error messages.
///
/// # Errors
/// If it is neither, or does not match the model.
pub fn read(bytes: &[u8], name: &str, model: &AigerModel) -> Result<Witness, WitnessError> {
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        let found = read_liveness_certificate(bytes, name, model)?;
        Ok(match found.certificate.witness.justice.is_empty() {
            true => Witness::Certificate(Box::new(found.certificate)),
            false => Witness::Liveness(Box::new(found)),
        })
    } else {
        read_trace(bytes, name, model).map(Witness::Trace)
    }
}

#[cfg(test)]
mod tests;
