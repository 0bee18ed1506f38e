//! What a batch has decided, in a file that a later one reads: what was decided about the same content with the same options
//! is left out.
//!
//! One JSON object a line, each written at once when a question is decided, so that a batch that is ended loses nothing.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::ArgMatches;
use clap::parser::ValueSource;
use craig_c::sha256;
use serde::{Deserialize, Serialize};

use super::process::Outcome;
use crate::cli::failure::Failure;
use crate::cli::json::VERSION;

/// What was decided about a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Entry {
    /// Its name.
    pub(in crate::cli) input: String,
    /// The digest of its content and of the options.
    pub(in crate::cli) digest: String,
    pub(in crate::cli) outcome: Outcome,
    pub(in crate::cli) seconds: f64,
    /// The file of its evidence, which has to be there still.
    pub(in crate::cli) evidence: Option<PathBuf>,
    /// The line of JSON about it, if that was asked for.
    pub(in crate::cli) report: Option<String>,
}

/// The file.
pub(in crate::cli) struct Resume {
    path: PathBuf,
    known: HashMap<(String, String), Entry>,
    file: Mutex<File>,
}

impl Resume {
    /// Reads the file, if it exists. A last line without its end is that of a batch that was killed; it is left out.
    ///
    /// # Errors
    /// If the file can't be read or written, or another line is no entry.
    pub(in crate::cli) fn open(path: &Path) -> Result<Self, Failure> {
        let fault = |error: &io::Error| Failure::input(format!("{}: {error}", path.display()));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(fault(&error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = HashMap::new();
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let entry: Entry = serde_json::from_str(line).map_err(|_| {
                let path = path.display();
                Failure::input(format!(
                    "{path}:{number}: expected a line that `--resume` has written"
                ))
            })?;
            known.insert((entry.input.clone(), entry.digest.clone()), entry);
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| fault(&error))?;
        if whole < text.len() {
            // The torn line must not swallow the next one.
            file.set_len(whole as u64).map_err(|error| fault(&error))?;
        }
        file.flush().map_err(|error| fault(&error))?;
        Ok(Self {
            path: path.to_owned(),
            known,
            file: Mutex::new(file),
        })
    }

    /// What was decided about a question before, with its evidence still there.
    pub(in crate::cli) fn known(&self, input: &str, digest: &str) -> Option<&Entry> {
        let entry = self.known.get(&(input.to_owned(), digest.to_owned()))?;
        let is_there = entry.evidence.as_ref().is_none_or(|path| path.exists());
        is_there.then_some(entry)
    }

    /// Notes what was decided. What has failed is not noted: it may go well another time.
    ///
    /// # Errors
    /// If the file can't be written.
    pub(in crate::cli) fn note(&self, entry: &Entry) -> Result<(), Failure> {
        if entry.outcome > Outcome::Unsafe {
            return Ok(());
        }
        let line = serde_json::to_string(entry).map_err(Failure::internal)? + "\n";
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|error| {
            Failure::input(format!(
                "{}: can't be written: {error}",
                self.path.display()
            ))
        })
    }
}

/// The digest of those of some options that are given, of the files that they name, and of this build.
pub(in crate::cli) fn digest_of_options(
    given: &ArgMatches,
    ids: impl Iterator<Item = String>,
) -> String {
    let mut text = format!("{VERSION}\n");
    for id in ids {
        if !matches!(given.try_contains_id(&id), Ok(true))
            || given.value_source(&id) != Some(ValueSource::CommandLine)
        {
            continue;
        }
        text += &format!("{id}\n");
        for value in given.get_raw(&id).into_iter().flatten() {
            text += &format!("{id}={}\n", value.display());
            let path = Path::new(value);
            if path.is_file() {
                text += &fs::read(path).map_or_else(|_| String::new(), |bytes| sha256(&bytes));
            }
        }
    }
    sha256(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(input: &str, outcome: Outcome, evidence: Option<PathBuf>) -> Entry {
        Entry {
            input: input.to_owned(),
            digest: "d".to_owned(),
            outcome,
            seconds: 0.5,
            evidence,
            report: Some("{}".to_owned()),
        }
    }

    #[test]
    fn what_was_decided_is_known_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noted");
        let evidence = folder.path().join("evidence");
        fs::write(&evidence, b"").unwrap();
        let resume = Resume::open(&path).unwrap();
        resume.note(&entry("safe", Outcome::Safe, None)).unwrap();
        resume
            .note(&entry("failed", Outcome::Internal, None))
            .unwrap();
        resume.note(&entry("bad", Outcome::BadInput, None)).unwrap();
        let with_evidence = entry("proved", Outcome::Safe, Some(evidence.clone()));
        resume.note(&with_evidence).unwrap();
        assert!(resume.known("safe", "d").is_none());
        // The next line was being written when the batch was killed.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"input\":\"torn").unwrap();
        let resume = Resume::open(&path).unwrap();
        assert_eq!(resume.known("proved", "d"), Some(&with_evidence));
        assert_eq!(resume.known("safe", "d").unwrap().outcome, Outcome::Safe);
        for (input, digest) in [
            ("safe", "other"),
            ("failed", "d"),
            ("bad", "d"),
            ("torn", "d"),
        ] {
            assert!(resume.known(input, digest).is_none(), "{input} {digest}");
        }
        resume.note(&entry("later", Outcome::Unsafe, None)).unwrap();
        fs::remove_file(&evidence).unwrap();
        let resume = Resume::open(&path).unwrap();
        assert!(resume.known("later", "d").is_some());
        assert!(resume.known("proved", "d").is_none());
    }

    #[test]
    fn another_file_is_not_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "a line of mine\n").unwrap();
        let Err(Failure::Input(message)) = Resume::open(&path).map(|_| ()) else {
            panic!("it was read");
        };
        assert!(
            message.contains("notes.txt:1: expected a line"),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "a line of mine\n");
    }
}
