//! `--cnf` and `--proof`: the formula that some path of an unrolled program reaches an error, and its
//! refutation.

use std::io::{self, Write};
use std::path::Path;

use craig_c::{Answer, Evidence};
use craig_formula::{dimacs, write_lrat};
use craig_solver::Cnf;
use craig_solver::proof::ProofDag;

use super::kind::{Artefact, Verdict, Written, no_proof};
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// The formula, in DIMACS.
pub(super) const FORMULA: Artefact = Artefact {
    path: |wanted| wanted.arguments.cnf.as_deref(),
    is_shared: false,
    write: |verdict, path| write(verdict, path, |cnf, _, output| dimacs::write(cnf, output)),
};

/// Its refutation, in LRAT.
pub(super) const PROOF: Artefact = Artefact {
    path: |wanted| wanted.arguments.proof.as_deref(),
    is_shared: false,
    write: |verdict, path| {
        write(verdict, path, |cnf, dag, output| {
            write_lrat(dag, cnf, output)
        })
    },
};

fn write(
    verdict: &Verdict<'_>,
    path: &Path,
    write: impl FnOnce(&Cnf, &ProofDag, &mut dyn Write) -> io::Result<()>,
) -> Result<Written, Failure> {
    let Answer::Safe(safety) = &verdict.report.answer else {
        return Ok(no_proof());
    };
    match &safety.evidence {
        Evidence::Refutation(pair) => {
            write_file(path, |output| write(&pair.0, &pair.1, output))?;
            Ok(Written::Whole)
        }
        Evidence::None => Ok(Written::not(
            "the program simplifies away, there is no formula left",
        )),
        Evidence::Certificate(..) => Ok(Written::not(
            "there is no formula behind this verdict; `--c-engine unwind` or `paths` makes one",
        )),
    }
}
