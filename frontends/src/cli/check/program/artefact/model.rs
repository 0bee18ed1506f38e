//! `--model`: the transition system of the certificate of a safe program.

use std::path::Path;

use craig_c::{Answer, Evidence};
use craig_hardware::aiger::{self, AigerModel, Encoding};

use super::kind::{Artefact, Verdict, Written, no_proof};
use crate::cli::circuits::encoding_of;
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// See the module.
pub(super) const MODEL: Artefact = Artefact {
    path: |wanted| wanted.arguments.model.as_deref(),
    is_shared: false,
    write,
};

fn write(verdict: &Verdict<'_>, path: &Path) -> Result<Written, Failure> {
    let Answer::Safe(safety) = &verdict.report.answer else {
        return Ok(no_proof());
    };
    let Evidence::Certificate(proven, _) = &safety.evidence else {
        return Ok(Written::not(
            "there is no transition system behind this verdict; `--c-engine model` makes one",
        ));
    };
    let model = AigerModel::from_model(proven.model().clone());
    write_file(path, |output| match encoding_of(path) {
        Some(Encoding::Binary) => aiger::write_binary(&model, output),
        _ => aiger::write_ascii(&model, output),
    })?;
    Ok(Written::Whole)
}
