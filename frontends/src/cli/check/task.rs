//! The task of a check: the question about an input, and the limits.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::report::ExitCodes;
use crate::cli::circuits::PropertyId;
use crate::cli::engines::EngineArguments;
use crate::cli::failure::Failure;
use crate::cli::input::InputFormat;
use crate::cli::output::is_file;
use crate::cli::watch::Limits;

/// The files, beside the evidence, that tell a run or a proof in other languages.
#[derive(Clone, Debug, Default)]
pub(super) struct Exports {
    /// A run, as its extension says.
    pub(super) trace: Option<PathBuf>,
    /// A testbench that replays a run.
    pub(super) testbench: Option<PathBuf>,
    /// Assertions of an invariant.
    pub(super) invariant: Option<PathBuf>,
}

/// A task about one file.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The file.
    pub(super) file: PathBuf,
    /// The format of the file, if its name does not tell it.
    pub(super) format: Option<InputFormat>,
    /// The property to check; by default, all.
    pub(super) property: Option<PropertyId>,
    /// The path of the evidence.
    pub(super) witness: Option<PathBuf>,
    /// The path of a SARIF log.
    pub(super) sarif: Option<PathBuf>,
    /// The path of a page.
    pub(super) html: Option<PathBuf>,
    /// What else is written about its runs and proofs.
    pub(super) exports: Exports,
    /// Whether its properties are goals, which a run reaches or none does.
    pub(super) has_goals: bool,
    /// Whether every event of the engines is printed.
    pub(super) is_verbose: bool,
    /// The engines and their options.
    pub(super) engines: EngineArguments,
    /// The start of the task.
    pub(super) start: Instant,
    /// The limits on time and memory.
    pub(super) limits: Limits,
    /// The exit codes for answers.
    pub(super) exit_codes: ExitCodes,
}

impl Task {
    /// A task that starts now.
    pub(super) fn new(
        file: &Path,
        property: Option<PropertyId>,
        witness: Option<&Path>,
        is_verbose: bool,
        engines: &EngineArguments,
    ) -> Self {
        let start = Instant::now();
        Self {
            file: file.to_owned(),
            format: None,
            property,
            witness: witness.map(Path::to_owned),
            sarif: None,
            html: None,
            exports: Exports::default(),
            has_goals: false,
            is_verbose,
            engines: engines.clone(),
            start,
            limits: Limits::new(start, engines.timeout, engines.memory),
            exit_codes: ExitCodes::HWMCC,
        }
    }

    /// This task about a file in another format than its name tells.
    pub(super) fn with_format(self, format: Option<InputFormat>) -> Self {
        Self { format, ..self }
    }

    /// This task with other exit codes.
    pub(super) fn with_exit_codes(self, exit_codes: ExitCodes) -> Self {
        Self { exit_codes, ..self }
    }

    /// This task with a page.
    pub(super) fn with_html(self, path: Option<&Path>) -> Self {
        Self {
            html: path.map(Path::to_owned),
            ..self
        }
    }

    /// This task with other files about its runs and proofs.
    pub(super) fn with_exports(self, exports: Exports) -> Self {
        Self { exports, ..self }
    }

    /// This task about goals, or not.
    pub(super) fn with_goals(self, has_goals: bool) -> Self {
        Self { has_goals, ..self }
    }

    /// This task with a SARIF log.
    pub(super) fn with_sarif(self, path: Option<&Path>) -> Self {
        Self {
            sarif: path.map(Path::to_owned),
            ..self
        }
    }

    /// Seconds since the start of the task.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Refuses an output that has no room for files about several properties.
pub(super) fn check_room(path: &Path) -> Result<(), Failure> {
    match is_file(path) || path == Path::new("/dev/null") {
        true => Ok(()),
        false => Err(Failure::input(format!(
            "{}: it is no file, and takes the evidence about one property only; there are several",
            path.display()
        ))),
    }
}

/// The file's name with `.bN` or `.jN` before its extension.
pub(super) fn numbered(path: &Path, property: PropertyId) -> PathBuf {
    if path == Path::new("/dev/null") {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{property}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_of_several_properties_have_names_of_their_own() {
        assert_eq!(
            numbered(Path::new("out/w.aig"), PropertyId::bad(3)),
            Path::new("out/w.b3.aig")
        );
        assert_eq!(
            numbered(Path::new("w"), PropertyId::justice(0)),
            Path::new("w.j0")
        );
        let sink = Path::new("/dev/null");
        assert_eq!(numbered(sink, PropertyId::bad(1)), sink);
    }
}
