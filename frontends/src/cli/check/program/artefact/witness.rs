//! `--witness`: a witness in SV-COMP's format, or the witness circuit of the transition system.

use std::path::Path;

use craig_c::{self as c, Answer, Evidence, Safety};
use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::witness::write_certificate;

use super::kind::{Artefact, Verdict, Written, write_text};
use crate::cli::circuits::encoding_of;
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// See the module.
pub(super) const WITNESS: Artefact = Artefact {
    path: |wanted| wanted.witness,
    is_shared: false,
    write,
};

fn write(verdict: &Verdict<'_>, path: &Path) -> Result<Written, Failure> {
    match &verdict.report.answer {
        Answer::Safe(safety) => write_safety(verdict, path, safety),
        Answer::Unsafe(found) => {
            let task = verdict.task(&found.error)?;
            write_text(path, &c::violation_witness(&task, &found.path))
        }
        Answer::Unknown(_) => Ok(Written::not("there is no verdict")),
    }
}

/// In SV-COMP's format or as a witness circuit, by the file's extension.
fn write_safety(verdict: &Verdict<'_>, path: &Path, safety: &Safety) -> Result<Written, Failure> {
    match (&safety.evidence, encoding_of(path)) {
        (Evidence::Certificate(proven, _), Some(encoding)) => {
            let model = AigerModel::from_model(proven.model().clone());
            write_file(path, |output| {
                write_certificate(proven.certificate(), &model, encoding, output)
            })?;
            Ok(Written::Whole)
        }
        (_, Some(Encoding::Ascii | Encoding::Binary)) => Ok(Written::not(
            "there is no transition system behind this verdict; `--c-engine model` makes one, `--cnf` and \
             `--proof` write what there is",
        )),
        (evidence, None) => {
            let invariants = match evidence {
                Evidence::Certificate(_, invariants) => invariants.as_slice(),
                _ => &[],
            };
            write_text(
                path,
                &c::correctness_witness(&verdict.task("")?, invariants),
            )
        }
    }
}
