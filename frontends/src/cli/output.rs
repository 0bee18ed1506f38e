//! Output files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// A file under a temporary name in the same directory, renamed when it is complete and removed otherwise.
#[derive(Debug)]
pub(super) struct PendingFile {
    path: PathBuf,
    /// `None` if the output is not a regular file (a pipe, a terminal): it is written directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl PendingFile {
    /// Starts a file.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let can_be_replaced = fs::metadata(path).map_or(true, |metadata| metadata.is_file());
        let temporary = can_be_replaced.then(|| temporary_of(path));
        let file = File::create(temporary.as_deref().unwrap_or(path))
            .map_err(|error| fault(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            temporary,
            writer: BufWriter::new(file),
        })
    }

    /// Renames the file to its final name.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.writer
            .flush()
            .map_err(|error| fault(&self.path, &error))?;
        if let Some(temporary) = self.temporary.take() {
            fs::rename(&temporary, &self.path).map_err(|error| {
                let _ = fs::remove_file(&temporary);
                fault(&self.path, &error)
            })?;
        }
        Ok(())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Removes a file that another thread is still writing, before the process ends.
pub(super) fn abandon(path: &Path) {
    let _ = fs::remove_file(temporary_of(path));
}

fn temporary_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Writes a file completely, or not at all.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = PendingFile::create(path)?;
    write(&mut file).map_err(|error| fault(path, &error))?;
    file.finish()
}

fn fault(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{}: can't be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proof");
        let failed = write_file(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_file(&path, |output| output.write_all(b"whole")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        drop(PendingFile::create(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
