//! Source files whose text is not what the disk has under their names: compressed files, and standard input, which has no
//! name and can be read only once. The command gives their text; whatever reads a source file by its name asks here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A text that was given.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) bytes: Arc<[u8]>,
    /// Whether the preprocessor has been run on it.
    pub(crate) is_preprocessed: bool,
}

static GIVEN: LazyLock<Mutex<HashMap<PathBuf, Given>>> = LazyLock::new(Mutex::default);

/// Gives the text of a file, for the rest of the process.
pub fn give_text(path: &Path, bytes: Vec<u8>, is_preprocessed: bool) {
    let given = Given {
        bytes: bytes.into(),
        is_preprocessed,
    };
    let mut all = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(path.to_owned(), given);
}

/// The text that was given for a file.
pub(crate) fn given_text(path: &Path) -> Option<Given> {
    let all = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(path).cloned()
}

/// Whether the text of a file was given.
pub fn is_given(path: &Path) -> bool {
    given_text(path).is_some()
}

/// The bytes of a source file: those that were given, or else those on the disk.
///
/// # Errors
/// If none were given and the file can't be read.
pub fn source_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    match given_text(path) {
        Some(given) => Ok(given.bytes.to_vec()),
        None => std::fs::read(path),
    }
}
