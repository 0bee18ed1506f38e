//! The interface of a kind of file.

use std::path::Path;

use craig_c::{self as c, Options, Report, Task};

use crate::cli::check::program::options::CArguments;
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// A kind of file about a verdict.
pub(super) struct Artefact {
    /// Its path on the command line.
    pub(super) path: for<'a> fn(&Wanted<'a>) -> Option<&'a Path>,
    /// Whether all verdicts share the path, such as that of a directory.
    pub(super) is_shared: bool,
    /// Writes it for a safe or unsafe verdict.
    pub(super) write: fn(&Verdict<'_>, &Path) -> Result<Written, Failure>,
}

/// Whether a file was written.
pub(super) enum Written {
    /// It was.
    Whole,
    /// Not written, for this reason.
    Not(String),
}

impl Written {
    /// Not written, for a fixed reason.
    pub(super) fn not(why: &str) -> Self {
        Self::Not(why.to_owned())
    }
}

/// The files requested for a program.
pub(in crate::cli::check::program) struct Wanted<'a> {
    /// The program's file.
    pub(in crate::cli::check::program) file: &'a Path,
    /// The options of the check.
    pub(in crate::cli::check::program) options: &'a Options,
    /// The options that name files.
    pub(in crate::cli::check::program) arguments: &'a CArguments,
    /// The path of `--witness`.
    pub(in crate::cli::check::program) witness: Option<&'a Path>,
}

/// A verdict to write about.
pub(super) struct Verdict<'a> {
    /// The requested files.
    pub(super) wanted: &'a Wanted<'a>,
    /// The verdict.
    pub(super) report: &'a Report,
    /// The number of unsafe verdicts up to this one.
    pub(super) n_unsafe: usize,
}

impl Verdict<'_> {
    /// The verification task, for formats that contain it. `error` is the message of the error, empty if
    /// there is none.
    pub(super) fn task(&self, error: &str) -> Result<Task, Failure> {
        let options = self.wanted.options;
        let specification = match (&options.property_file, options.goals) {
            (Some(file), _) => file.to_string(),
            (None, Some(goals)) => goals.specification(&options.entry),
            (None, None) => c::specification(error, &options.entry),
        };
        let entry = options.entry();
        Task::new(self.wanted.file, &specification, options.model, entry)
            .and_then(|task| task.with_linked(&options.linked))
            .map_err(Failure::Input)
    }
}

/// Writes a file of text.
pub(super) fn write_text(path: &Path, text: &str) -> Result<Written, Failure> {
    write_file(path, |output| output.write_all(text.as_bytes()))?;
    Ok(Written::Whole)
}

/// No evidence of safety for an unsafe program.
pub(super) fn no_proof() -> Written {
    Written::not("the program is unsafe, there is no proof")
}

/// No path to an error of a safe program.
pub(super) fn no_error() -> Written {
    Written::not("the program is safe, there is no error")
}
