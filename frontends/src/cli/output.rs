//! Output files that are written completely or not at all, and pipes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::failure::Failure;
use super::terminal::complain;

/// The end of the process's time, if it is limited.
static DEADLINE: OnceLock<Instant> = OnceLock::new();

/// Sets the time after which no pipe is waited for.
pub(super) fn set_deadline(deadline: Instant) {
    // A process has one limit.
    let _ = DEADLINE.set(deadline);
}

/// The interval at which the deadline and signals are polled while a pipe is written to.
const PERIOD: Duration = Duration::from_millis(20);

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

/// Writes a file completely, or not at all. A pipe that nobody reads is waited for until the time limit.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match write_in_time(path, write)? {
        true => Ok(()),
        false => Err(fault(path, &io::Error::other(NOBODY_READS))),
    }
}

/// The same for evidence, without which a verdict is still printed: returns whether it was written. If not,
/// it was a pipe that nobody has read until the time limit or a signal, and a line on standard error says so.
pub(super) fn write_evidence(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<bool, Failure> {
    let is_written = write_in_time(path, write)?;
    if !is_written {
        complain(&format!("{}: not written: {NOBODY_READS}", path.display()));
    }
    Ok(is_written)
}

const NOBODY_READS: &str = "nobody reads the pipe";

/// Writes a file; `false` for a pipe that was not read in time.
fn write_in_time(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<bool, Failure> {
    let is_regular = fs::metadata(path).map_or(true, |metadata| metadata.is_file());
    if is_regular {
        let mut file = PendingFile::create(path)?;
        write(&mut file).map_err(|error| fault(path, &error))?;
        return file.finish().map(|()| true);
    }
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| fault(path, &error))?;
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    // Opening a pipe waits for its reader.
    let (sender, receiver) = mpsc::channel();
    let other = path.to_owned();
    thread::Builder::new()
        .name("pipe".to_owned())
        .spawn(move || {
            let written = File::create(other).and_then(|mut pipe| pipe.write_all(&bytes));
            let _ = sender.send(written);
        })
        .map_err(Failure::internal)?;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(written) => return written.map(|()| true).map_err(|error| fault(path, &error)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(fault(
                    path,
                    &io::Error::other("the writing thread has failed"),
                ));
            }
            Err(RecvTimeoutError::Timeout) => {
                let is_late = DEADLINE.get().is_some_and(|&end| Instant::now() >= end);
                if is_late || signal.load(Ordering::Relaxed) {
                    return Ok(false);
                }
            }
        }
    }
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
