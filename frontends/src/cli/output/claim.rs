//! The outputs of a command are looked at before its work begins: an answer that took hours must not be lost because
//! a folder is missing.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::target::{Target, resolve};
use super::{fault, temporary_of};
use crate::cli::failure::Failure;
use crate::cli::terminal::take_stdout;

/// The inputs of this process, which no output may replace. Names of outputs that are made during the work, such as
/// those with the number of a property, are compared with them when they are written.
static INPUTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The inputs as they are named, once each.
static NAMED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The inputs as they are named, in the order in which they were noted.
pub(in crate::cli) fn named_inputs() -> Vec<PathBuf> {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// An output that the command line names.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Output<'a> {
    /// The option, for messages.
    pub(in crate::cli) option: &'static str,
    /// Its value, if it is given.
    pub(in crate::cli) path: Option<&'a Path>,
    /// Whether it is a folder for several files.
    pub(in crate::cli) is_folder: bool,
}

impl<'a> Output<'a> {
    /// A file.
    pub(in crate::cli) fn file(option: &'static str, path: Option<&'a Path>) -> Self {
        Self {
            option,
            path,
            is_folder: false,
        }
    }

    /// A folder.
    pub(in crate::cli) fn folder(option: &'static str, path: Option<&'a Path>) -> Self {
        Self {
            option,
            path,
            is_folder: true,
        }
    }
}

/// Notes files that are read, so that no output replaces them.
pub(in crate::cli) fn remember_inputs<'a>(inputs: impl IntoIterator<Item = &'a Path>) {
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    for path in inputs {
        if !named.iter().any(|other| other == path) {
            named.push(path.to_owned());
        }
        // A file that does not exist is no input that could be replaced.
        all.extend(path.canonicalize().ok());
    }
}

/// Notes the inputs, and checks that the outputs can be written. If one of them is standard output, it gets nothing
/// else from now on.
///
/// # Errors
/// If an output is an input or another output, or can't be written.
pub(in crate::cli) fn claim<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: &[Output<'_>],
) -> Result<(), Failure> {
    remember_inputs(inputs);
    let mut claimed: Vec<(&str, Target)> = Vec::new();
    for output in outputs {
        let Some(path) = output.path else {
            continue;
        };
        let named = |error: io::Error| {
            let path = path.display();
            Failure::input(format!(
                "`{} {path}`: can't be written: {error}",
                output.option
            ))
        };
        if output.is_folder {
            try_folder(path).map_err(named)?;
            continue;
        }
        let target = resolve(path).map_err(named)?;
        if let Target::File(last) = &target {
            refuse_input(path, last)?;
            try_file(last).map_err(named)?;
        }
        let is_sink = matches!(&target, Target::Special(path) if path == Path::new("/dev/null"));
        let other = claimed
            .iter()
            .find(|(_, other)| *other == target && !is_sink);
        if let Some((other, _)) = other {
            let (option, path) = (output.option, path.display());
            return Err(Failure::input(format!(
                "`{other}` and `{option}` name one output, {path}"
            )));
        }
        claimed.push((output.option, target));
    }
    if claimed.iter().any(|(_, target)| *target == Target::Stdout) {
        take_stdout();
    }
    Ok(())
}

/// Refuses to write a file that is an input.
pub(super) fn refuse_input(path: &Path, last: &Path) -> Result<(), Failure> {
    let Ok(last) = last.canonicalize() else {
        return Ok(());
    };
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    match inputs.contains(&last) {
        true => Err(fault(path, &io::Error::other("it is an input"))),
        false => Ok(()),
    }
}

/// Whether a file can be written, without a change of it.
fn try_file(path: &Path) -> io::Result<()> {
    if path.exists() {
        OpenOptions::new().append(true).open(path)?;
    }
    let probe = temporary_of(path);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)?;
    fs::remove_file(&probe)
}

/// Whether files can be written in a folder, which may have to be made.
fn try_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() {
        return Err(io::Error::other("the name is empty"));
    }
    for folder in path.ancestors() {
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() => return try_file(&folder.join("probe")),
            Ok(_) => {
                return Err(io::Error::other(format!(
                    "{} is no folder",
                    folder.display()
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<(), Failure>) -> String {
        match result.unwrap_err() {
            Failure::Input(message) | Failure::Internal(message) => message,
        }
    }

    #[test]
    fn what_cannot_be_written_is_known_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let [input, other] = ["input", "other"].map(|name| folder.path().join(name));
        fs::write(&input, b"content").unwrap();
        let missing = folder.path().join("none/file");
        let of = |path: &Path| claim([&*input], &[Output::file("--witness", Some(path))]);
        assert!(message(of(&input)).ends_with("input: can't be written: it is an input"));
        assert!(message(of(&missing)).contains("`--witness "), "{missing:?}");
        assert!(message(of(folder.path())).contains("it is a directory"));
        of(&other).unwrap();
        let both = ["--witness", "--sarif"].map(|option| Output::file(option, Some(&other)));
        assert!(message(claim([], &both)).starts_with("`--witness` and `--sarif` name one output"));
        let suite = |path: &Path| claim([], &[Output::folder("--suite", Some(path))]);
        suite(&folder.path().join("new/suite")).unwrap();
        assert!(message(suite(&input.join("suite"))).contains("can't be written"));
        // Nothing was touched, and the late check knows the input as well.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let late = super::super::write_file(&input, |_| Ok(()));
        assert!(message(late).contains("it is an input"));
        assert_eq!(fs::read(&input).unwrap(), b"content");
    }
}
