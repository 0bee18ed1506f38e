//! The problems and labellings that the arguments name.

use std::path::Path;

use craig_itp::choice::Choice;
use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::{Rule, System};

use super::arguments::Arguments;
use crate::cli::batch::inputs::expand;
use crate::cli::circuits::without_compression;
use crate::cli::failure::Failure;
use crate::cli::itp::{Source, labels};

/// A problem to study.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) source: Source,
}

/// The classic systems that the arguments name.
pub(super) fn systems(arguments: &Arguments) -> Vec<System> {
    arguments
        .systems
        .iter()
        .map(|&system| system.into())
        .collect()
}

/// The classic systems, the other derivations that the arguments name, the random labellings and those from files.
pub(super) fn labellings(arguments: &Arguments) -> Result<Vec<Choice>, Failure> {
    let random = (0..arguments.random).map(|index| match index % 2 {
        0 => Choice::Rule(Rule::RandomVariables(index / 2)),
        _ => Choice::RandomOccurrences(index / 2),
    });
    let classic = systems(arguments).into_iter().map(Choice::from);
    let sensitive = arguments.proof_sensitive.iter();
    let sensitive = sensitive.map(|&kind| Choice::from(ProofSensitive::from(kind)));
    let clausewise = arguments.clausewise.then_some(Choice::Clausewise);
    let files = arguments.labelling.iter().map(|path| labels(path));
    let without_files = classic.chain(sensitive).chain(clausewise).chain(random);
    without_files.map(Ok).chain(files).collect()
}

/// The problems that the arguments name.
pub(super) fn inputs(arguments: &Arguments) -> Result<Vec<Input>, Failure> {
    if arguments.seeds == 0 && arguments.proof.is_empty() {
        return Err(Failure::input(
            "--seeds 0 leaves no proof to study without --proof",
        ));
    }
    if let (Some(a), Some(b)) = (&arguments.a, &arguments.b) {
        return Ok(vec![Input {
            name: format!("{} against {}", name_of(a), name_of(b)),
            source: Source::of_pair(a, b),
        }]);
    }
    let what = ".cnf, .aag, .aig, .btor2, .c or .i files";
    let inputs: Vec<Input> = expand(&arguments.files, is_problem, what)?
        .into_iter()
        .map(|file| Input {
            name: name_of(&file),
            source: Source::of_file(
                &file,
                arguments.bound,
                arguments.property,
                arguments.data_model,
            ),
        })
        .collect();
    if inputs.len() > 1 && !arguments.proof.is_empty() {
        return Err(Failure::input("--proof is for the study of one problem"));
    }
    Ok(inputs)
}

pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Whether the name of a file is that of a problem.
fn is_problem(path: &Path) -> bool {
    let plain = without_compression(path).extension();
    plain.is_some_and(|it| {
        ["cnf", "aag", "aig", "btor2", "btor", "vmt", "c", "i"]
            .iter()
            .any(|known| it == *known)
    })
}
