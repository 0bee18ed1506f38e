//! Output files that are written completely or not at all, standard output, and pipes.

mod claim;
mod target;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use craig_model::threads;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::failure::Failure;
use super::terminal::complain;
pub(super) use claim::{Output, claim, named_inputs, remember_inputs};
pub(super) use target::is_stdout;
use target::{Target, resolve};

/// Whether an output is a file, beside which others can be written.
pub(super) fn is_file(path: &Path) -> bool {
    matches!(resolve(path), Ok(Target::File(_)))
}

/// The end of the process's time, if it is limited.
static DEADLINE: OnceLock<Instant> = OnceLock::new();

/// Sets the time after which no pipe is waited for.
pub(super) fn set_deadline(deadline: Instant) {
    // A process has one limit.
    let _ = DEADLINE.set(deadline);
}

/// The interval at which the deadline and signals are polled while a pipe is written to.
const PERIOD: Duration = Duration::from_millis(20);

/// What is written to.
type Sink = Box<dyn Write + Send>;

/// A file under a temporary name in the same directory, renamed when it is complete and removed otherwise.
/// Standard output, pipes and terminals are written directly.
pub(super) struct PendingFile {
    path: PathBuf,
    /// The temporary name and the final one, if the output is a regular file.
    names: Option<[PathBuf; 2]>,
    writer: BufWriter<Sink>,
}

impl PendingFile {
    /// Starts a file.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let target = resolve(path).map_err(|error| fault(path, &error))?;
        Self::of_target(path, target)
    }

    fn of_target(path: &Path, target: Target) -> Result<Self, Failure> {
        let opened: io::Result<(Sink, Option<[PathBuf; 2]>)> = match target {
            Target::Stdout => Ok((Box::new(io::stdout()), None)),
            Target::Special(special) => {
                open_special(&special).map(|file| (Box::new(file) as Sink, None))
            }
            Target::File(last) => {
                claim::refuse_input(path, &last)?;
                let temporary = temporary_of(&last);
                File::create(&temporary).map(|file| {
                    let file: Sink = Box::new(file);
                    (file, Some([temporary, last]))
                })
            }
        };
        let (writer, names) = opened.map_err(|error| fault(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            names,
            writer: BufWriter::new(writer),
        })
    }

    /// Renames the file to its final name.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.writer
            .flush()
            .map_err(|error| fault(&self.path, &error))?;
        if let Some([temporary, last]) = self.names.take() {
            fs::rename(&temporary, &last).map_err(|error| {
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
        if let Some([temporary, _]) = &self.names {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Opens a pipe, a terminal or a device. What it is redirected to keeps its content.
fn open_special(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Removes a file that another thread is still writing, before the process ends.
pub(super) fn abandon(path: &Path) {
    if let Ok(Target::File(last)) = resolve(path) {
        let _ = fs::remove_file(temporary_of(&last));
    }
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

/// As [`write_file`], for evidence, without which a verdict is still printed: returns whether it was written. If not,
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
    let special = match resolve(path).map_err(|error| fault(path, &error))? {
        Target::Special(special) => special,
        target => {
            let mut file = PendingFile::of_target(path, target)?;
            write(&mut file).map_err(|error| fault(path, &error))?;
            return file.finish().map(|()| true);
        }
    };
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| fault(path, &error))?;
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    // Opening a pipe waits for its reader.
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("pipe".to_owned())
        .spawn(move || {
            let written = open_special(&special).and_then(|mut pipe| pipe.write_all(&bytes));
            let _ = sender.send(written);
        })
        .map_err(|error| Failure::internal(threads::refusal(&error)))?;
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

    /// The file that a link leads to is written, whether it exists or not, and the link stays.
    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let [link, next, file] = ["link", "next", "file"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("next", &link).unwrap();
        std::os::unix::fs::symlink(&file, &next).unwrap();
        for content in ["first", "second"] {
            write_file(&link, |output| output.write_all(content.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
            for link in [&link, &next] {
                assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            }
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
