//! Commands of craig with the files that they write.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// When a file at its final name is whole.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// It has the bytes of the undisturbed run.
    Equal,
    /// It has the bytes of the undisturbed run, but for the lines with the time of its creation and its identifier.
    Dated,
    /// It is one value of JSON.
    Json,
    /// It ends so.
    Ends(&'static str),
    /// Each line but the last is a value of JSON: a journal, to which lines are added.
    Lines,
}

/// A command of craig.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Its name in the table.
    pub(super) name: &'static str,
    /// Run in an empty folder, where it writes.
    pub(super) arguments: Vec<String>,
    /// The files that an undisturbed run writes there.
    pub(super) files: Vec<(&'static str, Form)>,
}

/// The commands. Engines are named where a race would make the evidence another one in each run.
pub(super) fn subjects(examples: &Path) -> Vec<Subject> {
    let at = |name: &str| examples.join(name).to_string_lossy().into_owned();
    let subject = |name, line: &str, inputs: &[&str], files: &[(&'static str, Form)]| Subject {
        name,
        arguments: (line.split(' ').map(str::to_owned))
            .chain(inputs.iter().map(|input| at(input)))
            .collect(),
        files: files.to_vec(),
    };
    vec![
        subject(
            "circuit, run",
            "check --engine pdr --witness run.aiw --html run.html --json",
            &["shift_register_unsafe.aag"],
            &[
                ("run.aiw", Form::Equal),
                ("run.html", Form::Ends("</html>\n")),
            ],
        ),
        subject(
            "circuit, certificate",
            "check --engine pdr --witness certificate.aig",
            &["arbiter_safe.aag"],
            &[("certificate.aig", Form::Equal)],
        ),
        subject(
            "C, error",
            "check --witness error.yml --sarif error.sarif --test-driver driver.c --html error.html",
            &["average_unsafe.c"],
            &[
                ("error.yml", Form::Dated),
                ("error.sarif", Form::Json),
                ("driver.c", Form::Equal),
                ("error.html", Form::Ends("</html>\n")),
            ],
        ),
        subject(
            "C, proof",
            "check --engine impact --witness invariant.yml",
            &["locked_counter_safe.c"],
            &[("invariant.yml", Form::Dated)],
        ),
        subject(
            "formula, proof",
            "sat --proof proof.lrat",
            &["pigeons_unsat.cnf"],
            &[("proof.lrat", Form::Equal)],
        ),
        subject(
            "formula, core",
            "sat --core core.cnf",
            &["pigeons_unsat.cnf"],
            &[("core.cnf", Form::Equal)],
        ),
        subject(
            "interpolants",
            "itp --format smt2 -o interpolants.smt2",
            &["handshake_safe.aag"],
            &[("interpolants.smt2", Form::Equal)],
        ),
        subject(
            "several inputs, journal",
            "check --engine pdr --resume journal.jsonl --witness-dir evidence",
            &[
                "arbiter_safe.aag",
                "arbiter_unsafe.aag",
                "shift_register_safe.aag",
            ],
            &[
                ("journal.jsonl", Form::Lines),
                ("evidence/arbiter_safe.aag.witness", Form::Equal),
                ("evidence/arbiter_unsafe.aag.witness", Form::Equal),
                ("evidence/shift_register_safe.aag.witness", Form::Equal),
            ],
        ),
    ]
}

impl Subject {
    /// The command, to be run in a folder.
    pub(super) fn command(&self, craig: &Path, folder: &Path) -> Command {
        let mut command = Command::new(craig);
        command
            .args(&self.arguments)
            .current_dir(folder)
            .stdin(Stdio::null());
        command
    }
}

/// An undisturbed run.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) code: Option<i32>,
    pub(super) duration: Duration,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Runs a command undisturbed, in a folder of this name.
///
/// # Errors
/// If it can't be started, or does not write its files whole.
pub(super) fn undisturbed(craig: &Path, subject: &Subject, folder: &Path) -> io::Result<Whole> {
    empty(folder)?;
    let start = Instant::now();
    let output = subject.command(craig, folder).output()?;
    let duration = start.elapsed();
    let read = |&(name, _): &(&'static str, Form)| {
        let failed = |error| {
            let said = String::from_utf8_lossy(&output.stderr);
            io::Error::other(format!("{}: {name}: {error}: {said}", subject.name))
        };
        fs::read(folder.join(name))
            .map(|bytes| (PathBuf::from(name), bytes))
            .map_err(failed)
    };
    let whole = Whole {
        code: output.status.code(),
        duration,
        files: subject.files.iter().map(read).collect::<io::Result<_>>()?,
    };
    match whole.broken(subject, folder)?.first() {
        Some(broken) => Err(io::Error::other(format!(
            "{}: undisturbed: {broken}",
            subject.name
        ))),
        None => Ok(whole),
    }
}

impl Whole {
    /// What is wrong with the files that a run has left in a folder. A file that is not there is not wrong.
    ///
    /// # Errors
    /// If the folder can't be read.
    pub(super) fn broken(&self, subject: &Subject, folder: &Path) -> io::Result<Vec<String>> {
        let mut broken = Vec::new();
        for &(name, form) in &subject.files {
            let bytes = match fs::read(folder.join(name)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if !is_whole(&bytes, form, &self.files[Path::new(name)]) {
                broken.push(format!("{name}: {} bytes that are not whole", bytes.len()));
            }
        }
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let is_known = subject
                .files
                .iter()
                .any(|(file, _)| file.split('/').next() == Some(&name));
            if !is_known && !is_temporary(&name) {
                broken.push(format!("{name}: a file that nobody asked for"));
            }
        }
        Ok(broken)
    }
}

/// The names of files that are not finished.
fn is_temporary(name: &str) -> bool {
    name.starts_with('.')
}

fn is_whole(bytes: &[u8], form: Form, undisturbed: &[u8]) -> bool {
    let is_json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).is_ok();
    match form {
        Form::Equal => bytes == undisturbed,
        Form::Dated => undated(bytes).eq(undated(undisturbed)),
        Form::Json => is_json(bytes),
        Form::Ends(end) => bytes.ends_with(end.as_bytes()),
        Form::Lines => {
            let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            lines[..lines.len() - 1].iter().all(|line| is_json(line))
        }
    }
}

/// The lines, with their ends, but those that differ between two runs of a witness in SV-COMP's format.
fn undated(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_date = |line: &&[u8]| {
        let line = line.trim_ascii_start();
        line.starts_with(b"creation_time:") || line.starts_with(b"uuid:")
    };
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .filter(move |line| !is_date(line))
}

/// Makes an empty folder of this name.
pub(super) fn empty(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::create_dir_all(folder)
}
