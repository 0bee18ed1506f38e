//! What a batch has decided, in a file that a later one reads: what was decided about the same content with the same options
//! is left out.
//!
//! One JSON object a line, each written at once when a question is decided, so that a batch that is ended loses nothing. A folder
//! has such a file of each share of a batch: a share reads all of them, and writes its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::ArgMatches;
use clap::parser::ValueSource;
use craig_c::sha256;
use serde::{Deserialize, Serialize};

use super::process::Outcome;
use super::shard::Shard;
use crate::cli::failure::Failure;
use crate::cli::json::VERSION;
use crate::cli::output::Output;

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
    known: Known,
    file: Mutex<File>,
}

impl Resume {
    /// Opens the file, or that of a share in a folder, and reads what is decided. A last line without its end is that of a
    /// batch that was killed, or that is writing it; it is left out.
    ///
    /// # Errors
    /// If a file can't be read or written, another line is no entry, or another batch writes to the file.
    pub(in crate::cli) fn open(path: &Path, shard: Shard) -> Result<Self, Failure> {
        if !is_folder(path) {
            return Self::open_file(path.to_owned(), HashMap::new());
        }
        let unreadable = |error: &io::Error| fault(path, error);
        fs::create_dir_all(path).map_err(|error| unreadable(&error))?;
        let own = path.join(shard.file_name());
        let mut others = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| unreadable(&error))? {
            let file = entry.map_err(|error| unreadable(&error))?.path();
            if file.extension().is_some_and(|it| it == "jsonl") && file != own {
                others.push(file);
            }
        }
        others.sort();
        let mut known = HashMap::new();
        for file in others {
            read(&file, &mut known)?;
        }
        Self::open_file(own, known)
    }

    /// Opens a file that is written, beside what others have.
    fn open_file(path: PathBuf, mut known: Known) -> Result<Self, Failure> {
        let (whole, length) = read(&path, &mut known)?;
        let failed = |error: &io::Error| fault(&path, error);
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|error| failed(&error))?;
        // Where there are no locks, nothing can be said about other batches.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Failure::input(format!(
                "{}: another batch writes to it: give each a file of its own, or all a folder and `--shard`",
                path.display()
            )));
        }
        if whole < length {
            // The torn line must not swallow the next one.
            file.set_len(whole).map_err(|error| failed(&error))?;
        }
        file.flush().map_err(|error| failed(&error))?;
        Ok(Self {
            path,
            known,
            file: Mutex::new(file),
        })
    }

    /// What was decided about a question before, with its evidence still there. A verdict that was noted without evidence is not
    /// known to those that need it.
    pub(in crate::cli) fn known(
        &self,
        input: &str,
        digest: &str,
        needs_evidence: bool,
    ) -> Option<&Entry> {
        let entry = self.known.get(&(input.to_owned(), digest.to_owned()))?;
        let is_there = match &entry.evidence {
            Some(path) => path.exists(),
            None => !needs_evidence || entry.outcome == Outcome::Unknown,
        };
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
        let before = file.metadata().map(|it| it.len());
        file.write_all(line.as_bytes()).map_err(|error| {
            // Half a line, on a disk that is full, must not swallow what another thread notes.
            if let Ok(before) = before {
                let _ = file.set_len(before);
            }
            Failure::input(format!(
                "{}: can't be written: {error}",
                self.path.display()
            ))
        })
    }
}

/// What `--resume` writes: a file, or files in a folder.
pub(in crate::cli) fn resume_output(path: Option<&Path>) -> Output<'_> {
    match path {
        Some(path) if is_folder(path) => Output::folder("--resume", Some(path)),
        path => Output::file("--resume", path),
    }
}

/// Whether a path stands for a folder with a file of each share.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

/// What is decided, by the name of the input and the digest.
type Known = HashMap<(String, String), Entry>;

fn fault(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// Reads the entries of a file, if it exists. Returns the length of its whole lines, and that of all.
fn read(path: &Path, known: &mut Known) -> Result<(u64, u64), Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(fault(path, &error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    for (number, line) in (1..).zip(text[..whole].lines()) {
        let entry: Entry = serde_json::from_str(line).map_err(|_| {
            let path = path.display();
            Failure::input(format!(
                "{path}:{number}: expected a line that `--resume` has written"
            ))
        })?;
        match known.entry((entry.input.clone(), entry.digest.clone())) {
            // What was noted with evidence is of more use.
            Occupied(place) if place.get().evidence.is_some() && entry.evidence.is_none() => {}
            Occupied(mut place) => drop(place.insert(entry)),
            Vacant(place) => drop(place.insert(entry)),
        }
    }
    Ok((whole as u64, text.len() as u64))
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
        let resume = Resume::open(&path, Shard::WHOLE).unwrap();
        let Err(Failure::Input(message)) = Resume::open(&path, Shard::WHOLE).map(|_| ()) else {
            panic!("two batches write to one file");
        };
        assert!(message.contains("another batch"), "{message}");
        resume.note(&entry("safe", Outcome::Safe, None)).unwrap();
        resume
            .note(&entry("failed", Outcome::Internal, None))
            .unwrap();
        resume.note(&entry("bad", Outcome::BadInput, None)).unwrap();
        let with_evidence = entry("proved", Outcome::Safe, Some(evidence.clone()));
        resume.note(&with_evidence).unwrap();
        assert!(resume.known("safe", "d", false).is_none());
        drop(resume);
        // The next line was being written when the batch was killed.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"input\":\"torn").unwrap();
        let resume = Resume::open(&path, Shard::WHOLE).unwrap();
        assert_eq!(resume.known("proved", "d", false), Some(&with_evidence));
        assert_eq!(
            resume.known("safe", "d", false).unwrap().outcome,
            Outcome::Safe
        );
        assert!(resume.known("safe", "d", true).is_none());
        assert!(resume.known("proved", "d", true).is_some());
        for (input, digest) in [
            ("safe", "other"),
            ("failed", "d"),
            ("bad", "d"),
            ("torn", "d"),
        ] {
            assert!(
                resume.known(input, digest, false).is_none(),
                "{input} {digest}"
            );
        }
        resume.note(&entry("later", Outcome::Unsafe, None)).unwrap();
        fs::remove_file(&evidence).unwrap();
        drop(resume);
        let resume = Resume::open(&path, Shard::WHOLE).unwrap();
        assert!(resume.known("later", "d", false).is_some());
        assert!(resume.known("proved", "d", false).is_none());
    }

    #[test]
    fn the_shares_of_a_batch_know_what_each_has_decided() {
        let folder = tempfile::tempdir().unwrap();
        let shard = |text: &str| text.parse::<Shard>().unwrap();
        let first = Resume::open(folder.path(), shard("1/2")).unwrap();
        first.note(&entry("a", Outcome::Safe, None)).unwrap();
        // The second share runs at the same time, and is killed in a line.
        let second = Resume::open(folder.path(), shard("2/2")).unwrap();
        second.note(&entry("b", Outcome::Unsafe, None)).unwrap();
        drop(second);
        let mut torn = OpenOptions::new()
            .append(true)
            .open(folder.path().join("2-of-2.jsonl"))
            .unwrap();
        torn.write_all(b"{\"input\":").unwrap();
        fs::write(folder.path().join("notes.txt"), b"no entry\n").unwrap();
        let all = Resume::open(folder.path(), Shard::WHOLE).unwrap();
        assert_eq!(all.known("a", "d", false).unwrap().outcome, Outcome::Safe);
        assert_eq!(all.known("b", "d", false).unwrap().outcome, Outcome::Unsafe);
        // What a share that is still running has torn is not cut off by others.
        let text = fs::read_to_string(folder.path().join("2-of-2.jsonl")).unwrap();
        assert!(text.ends_with("{\"input\":"), "{text}");
        let made = Resume::open(&folder.path().join("new/"), shard("1/2"));
        assert!(made.is_ok() && folder.path().join("new/1-of-2.jsonl").exists());
    }

    #[test]
    fn another_file_is_not_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "a line of mine\n").unwrap();
        let Err(Failure::Input(message)) = Resume::open(&path, Shard::WHOLE).map(|_| ()) else {
            panic!("it was read");
        };
        assert!(
            message.contains("notes.txt:1: expected a line"),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "a line of mine\n");
    }
}
