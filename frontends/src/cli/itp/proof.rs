//! The refutation: found by a search or read from a file, then transformed.

use std::fs::File;
use std::path::Path;

use craig_formula::dimacs::decompress;
use craig_itp::prove::{NoRefutation, prove};
use craig_itp::{Stop, Stopped};
use craig_solver::Limits;
use craig_solver::proof::ProofDag;
use craig_solver::proof::import::{import_drat, import_lrat, import_tracecheck};

use super::arguments::{Arguments, ProofFormat};
use super::shape::Shape;
use crate::cli::failure::Failure;
use crate::cli::transforms::ProofTransform;
use crate::problem::Problem;

/// Why there is no refutation.
pub(super) enum Search {
    /// The search found none.
    Ended(NoRefutation),
    /// The file contains none.
    Failed(Failure),
}

/// The refutation, from the file that the arguments name or by search.
pub(super) fn refutation(
    arguments: &Arguments,
    problem: &Problem,
    stop: &Stop,
) -> Result<ProofDag, Search> {
    match &arguments.proof {
        Some(path) => import(path, arguments.proof_format, problem, stop).map_err(|failure| {
            match stop.is_asked() {
                true => Search::Ended(NoRefutation::Unknown),
                false => Search::Failed(failure),
            }
        }),
        None => prove(&problem.cnf, arguments.seed, Limits::default(), stop).map_err(Search::Ended),
    }
}

/// Reads a refutation by another solver. Without a given format, the file's name determines it.
pub(in crate::cli) fn import(
    path: &Path,
    format: Option<ProofFormat>,
    problem: &Problem,
    stop: &Stop,
) -> Result<ProofDag, Failure> {
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let file = File::open(path)
        .and_then(decompress)
        .map_err(|error| unreadable(&format!("can't be read: {error}")))?;
    let name = path.to_string_lossy();
    let plain = Path::new(name.trim_end_matches(".gz").trim_end_matches(".xz"));
    let extension = plain.extension().and_then(|extension| extension.to_str());
    let format = format.unwrap_or(match extension {
        Some("tc" | "tracecheck") => ProofFormat::Tracecheck,
        Some("drat" | "drup") => ProofFormat::Drat,
        _ => ProofFormat::Lrat,
    });
    let dag = match format {
        ProofFormat::Lrat => import_lrat(&problem.cnf, file),
        ProofFormat::Drat => import_drat(&problem.cnf, file, || stop.is_asked()),
        ProofFormat::Tracecheck => import_tracecheck(&problem.cnf, file),
    };
    dag.map_err(|error| unreadable(&error))
}

/// The proof with the transforms applied, unless stopped. A transform that depends on the cut gives a
/// different proof for each cut, and several interpolants satisfy their joint condition only if they come
/// from one proof. So these transforms are rejected for several interpolants.
pub(super) fn transformed(
    arguments: &Arguments,
    shape: &Shape,
    dag: ProofDag,
    stop: &Stop,
) -> Result<Result<ProofDag, Stopped>, Failure> {
    let cut = match shape {
        Shape::Cut(cut) => *cut,
        _ => match arguments
            .transform
            .iter()
            .find(|transform| transform.depends_on_cut())
        {
            None => 0,
            Some(transform) => {
                return Err(Failure::input(format!(
                    "--transform {}: it depends on the cut, and there is more than one",
                    transform.name()
                )));
            }
        },
    };
    let rounds = arguments.rounds()?;
    let apply = |dag: ProofDag, transform: &ProofTransform| {
        transform.apply(&dag, &|label| label <= cut, rounds, stop)
    };
    Ok(arguments.transform.iter().try_fold(dag, apply))
}
