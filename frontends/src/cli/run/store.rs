//! `.craig`: what was decided, with its evidence, by the part of the circuit that a property depends on.
//!
//! An entry is a folder with the circuit, the evidence and the answer. It is never trusted: the circuit has to be the one in
//! question, and the evidence is judged again on it. Answers without evidence (nothing is reached in some steps) count for the
//! version that has given them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use craig_c::sha256;
use craig_hardware::btor2::slice::{Property, Slice};
use craig_hardware::btor2::write;
use serde::{Deserialize, Serialize};

use crate::cli::failure::Failure;
use crate::cli::json::VERSION;
use crate::cli::output::write_file;

/// The circuit.
const MODEL: &str = "model.btor2";
/// What is known.
const ANSWER: &str = "answer.json";
/// Of the assertions of a task, the numbers of those that were proved together.
const PROVED: &str = "proved.json";

/// What was decided about a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    /// Whether it is safe, unsafe, or not reached within the bound.
    pub(super) verdict: Verdict,
    pub(super) engine: String,
    /// The number of steps that were searched, or that the run has.
    pub(super) steps: u64,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    Safe,
    Unsafe,
    /// Neither is known, but no run within the depth of the task is one against it.
    Bounded,
    Unknown,
    Failed,
}

/// A question: a part of a circuit, and a bound.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The part, as text.
    pub(super) text: Vec<u8>,
    /// Whether it is about a justice property.
    pub(super) is_live: bool,
    /// Whether it is about all bads, and not about one.
    pub(super) is_joint: bool,
    /// The number of steps.
    pub(super) depth: Option<usize>,
}

impl Question {
    /// The question about a part.
    ///
    /// # Errors
    /// Never in practice: the text is written to memory.
    pub(super) fn of(
        slice: &Slice,
        property: Property,
        depth: Option<usize>,
    ) -> Result<Self, Failure> {
        let mut text = Vec::new();
        write(&slice.model, &mut text).map_err(Failure::internal)?;
        Ok(Self {
            text,
            is_live: matches!(property, Property::Justice(_)),
            is_joint: false,
            depth,
        })
    }

    /// What names it.
    pub(super) fn digest(&self) -> String {
        let bound = match self.depth {
            Some(depth) => format!("{depth} {VERSION}"),
            None => String::new(),
        };
        let mut bytes = format!("{bound}\n").into_bytes();
        bytes.extend_from_slice(&self.text);
        sha256(&bytes)[..32].to_owned()
    }
}

/// The folder.
pub(super) struct Store {
    folder: PathBuf,
    next: AtomicUsize,
}

/// An entry that is being made; it is removed if it is not kept.
pub(super) struct Draft<'a> {
    store: &'a Store,
    folder: PathBuf,
}

impl Store {
    /// The folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it can't be made.
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        let store = Self {
            folder: folder.join("proofs"),
            next: AtomicUsize::new(0),
        };
        fs::create_dir_all(&store.folder)
            .map_err(|error| fault(&store.folder, "can't be made", &error))?;
        Ok(store)
    }

    fn entry(&self, digest: &str) -> PathBuf {
        self.folder.join(digest)
    }

    /// What is known of a question, and the circuit and the evidence to judge it by.
    pub(super) fn known(&self, question: &Question) -> Option<(Known, PathBuf, PathBuf)> {
        let entry = self.entry(&question.digest());
        let model = entry.join(MODEL);
        if fs::read(&model).ok()? != question.text {
            return None;
        }
        let known: Known = serde_json::from_slice(&fs::read(entry.join(ANSWER)).ok()?).ok()?;
        Some((known, model, entry.join(evidence(question))))
    }

    /// Of the bads of a joint question, those that were proved together by an earlier run. It is a hint: their proof is judged
    /// again.
    pub(super) fn proved(&self, question: &Question) -> Option<Vec<usize>> {
        let text = fs::read(self.entry(&question.digest()).join(PROVED)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Notes which bads of a joint question were proved together.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn note_proved(&self, question: &Question, proved: &[usize]) -> Result<(), Failure> {
        let entry = self.entry(&question.digest());
        let path = entry.join(PROVED);
        let text = serde_json::to_vec(proved).map_err(Failure::internal)?;
        fs::create_dir_all(&entry).map_err(|error| fault(&entry, "can't be made", &error))?;
        write_file(&path, |output| output.write_all(&text))
    }

    /// The evidence about a question.
    pub(super) fn evidence(&self, question: &Question) -> PathBuf {
        self.entry(&question.digest()).join(evidence(question))
    }

    /// Begins an entry, with its circuit.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn draft(&self, question: &Question) -> Result<Draft<'_>, Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self
            .folder
            .join(format!(".{}.{number}", std::process::id()));
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(MODEL), &question.text))
            .map_err(|error| fault(&folder, "can't be written", &error))?;
        Ok(Draft {
            store: self,
            folder,
        })
    }
}

/// The name of the evidence. Proofs of justice properties are circuits of bits.
fn evidence(question: &Question) -> &'static str {
    match question.is_live {
        true => "evidence.aag",
        false => "evidence.btor2",
    }
}

impl Draft<'_> {
    pub(super) fn model(&self) -> PathBuf {
        self.folder.join(MODEL)
    }

    pub(super) fn evidence(&self, question: &Question) -> PathBuf {
        self.folder.join(evidence(question))
    }

    /// Makes it an entry, in the place of an older one.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn keep(self, question: &Question, known: &Known) -> Result<(), Failure> {
        let entry = self.store.entry(&question.digest());
        let text = serde_json::to_vec_pretty(known).map_err(Failure::internal)?;
        let _ = fs::remove_dir_all(&entry);
        fs::write(self.folder.join(ANSWER), text)
            .and_then(|()| fs::rename(&self.folder, &entry))
            .map_err(|error| fault(&entry, "can't be written", &error))
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // It is not there if it was kept.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn fault(path: &Path, what: &str, error: &std::io::Error) -> Failure {
    Failure::input(format!("{}: {what}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_about_its_circuit_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let question = |text: &str, depth: Option<usize>| Question {
            text: text.as_bytes().to_vec(),
            is_live: false,
            is_joint: false,
            depth,
        };
        let one = question("one", None);
        let known = Known {
            verdict: Verdict::Safe,
            engine: "pdr".to_owned(),
            steps: 3,
        };
        drop(store.draft(&one).unwrap());
        assert!(store.known(&one).is_none());
        store.draft(&one).unwrap().keep(&one, &known).unwrap();
        assert_eq!(store.known(&one).map(|(known, ..)| known), Some(known));
        for other in [question("two", None), question("one", Some(4))] {
            assert!(store.known(&other).is_none());
        }
        // Somebody has changed the circuit.
        fs::write(store.entry(&one.digest()).join(MODEL), "two").unwrap();
        assert!(store.known(&one).is_none());
        assert_eq!(
            fs::read_dir(folder.path().join("proofs")).unwrap().count(),
            1
        );
    }
}
