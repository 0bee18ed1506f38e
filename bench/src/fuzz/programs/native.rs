//! Runs of gcc's code, and questions to the command `craig`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::tally::Tally;
use crate::answer::reason;

/// Seconds for one question.
const SECONDS: &str = "5";

/// A folder that is removed in the end.
pub(in crate::fuzz) struct Folder(PathBuf);

impl Folder {
    /// A new folder for temporary files.
    pub(in crate::fuzz) fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("craig-fuzz-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The path of a file in it.
    pub(in crate::fuzz) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// What a run of a program printed, and its messages.
pub(in crate::fuzz) struct Printed {
    pub(in crate::fuzz) stdout: String,
    pub(in crate::fuzz) stderr: String,
}

/// Compiles a program with gcc and runs it. The program limits its own time.
///
/// # Errors
/// The compiler's message if it refuses the program.
pub(in crate::fuzz) fn executed(
    folder: &Folder,
    source: &str,
    options: &[&str],
) -> Result<Printed, String> {
    let (file, program) = (folder.file("native.c"), folder.file("native"));
    let run = || -> io::Result<Result<Printed, String>> {
        fs::write(&file, source)?;
        let compiled = Command::new("gcc")
            .args([
                "-std=gnu17",
                "-w",
                "-fno-strict-aliasing",
                "-ffp-contract=off",
            ])
            .args(options)
            .args([&file, Path::new("-o"), &program, Path::new("-lm")])
            .stdin(Stdio::null())
            .output()?;
        if !compiled.status.success() {
            return Ok(Err(String::from_utf8_lossy(&compiled.stderr).into_owned()));
        }
        let output = Command::new(&program)
            .env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99")
            .stdin(Stdio::null())
            .output()?;
        Ok(Ok(Printed {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }))
    };
    run().unwrap_or_else(|error| Err(error.to_string()))
}

/// What `craig` says of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Safe,
    Unsafe,
    /// With the reason.
    Unknown(String),
    /// Any other exit code, with the first line.
    Failed(String),
}

/// Asks the command about a source.
fn asked(craig: &Path, folder: &Folder, source: &str, options: &[String]) -> io::Result<Verdict> {
    let file = folder.file("question.c");
    fs::write(&file, source)?;
    let output = Command::new(craig)
        .args(["check", "--quiet", "--timeout", SECONDS])
        .args(options)
        .arg(&file)
        .stdin(Stdio::null())
        .output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default();
    Ok(match output.status.code() {
        Some(20) => Verdict::Safe,
        Some(10) => Verdict::Unsafe,
        Some(30) => Verdict::Unknown(without_digits(reason(line))),
        code => Verdict::Failed(format!("exit code {code:?}: {line}")),
    })
}

/// A reason as a name for a count.
fn without_digits(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Asks the command about a source, and compares its answer with the right one; counts it under the name of its kind.
pub(in crate::fuzz) fn decided(
    (craig, folder): (&Path, &Folder),
    source: &str,
    options: &[String],
    (kind, is_safe): (&str, bool),
    tally: &mut Tally,
) -> Result<(), String> {
    let verdict =
        asked(craig, folder, source, options).map_err(|error| format!("craig: {error}"))?;
    match (verdict, is_safe) {
        (Verdict::Safe, true) | (Verdict::Unsafe, false) => {
            tally.count(&format!("{kind}: decided"));
        }
        (Verdict::Unknown(reason), _) => {
            tally.count(&format!("{kind}: not decided"));
            tally.count(&format!("unknown: {reason}"));
        }
        (Verdict::Failed(text), _) => return Err(format!("failed: {text}")),
        (verdict, _) => return Err(format!("{kind} {verdict:?}: with {}", options.join(" "))),
    }
    Ok(())
}
