//! Running the command.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The engines for circuits that can answer "safe".
pub(crate) const PROVERS: [&str; 10] = [
    "imc",
    "imc-backward",
    "isb",
    "tra",
    "avy",
    "kavy",
    "gla",
    "bdd",
    "kind",
    "pdr",
];

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command, ready for its arguments.
pub(crate) fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_craig"))
}

/// Runs the command to its end.
pub(crate) fn craig(arguments: &[&str]) -> Ran {
    craig_with_input(arguments, b"")
}

/// Runs the command with something on its standard input.
pub(crate) fn craig_with_input(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A child that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A file of `examples/`.
pub(crate) fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

/// A folder for a test, and the path of a file in it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs the command in it.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = command()
            .args(arguments)
            .current_dir(self.0.path())
            .output();
        let output = output.unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The names of all files in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// A circuit that no engine decides soon: two equivalent multipliers of 24 bits, and a counter of 60 bits, so
/// that bounded model checking does not end either.
pub(crate) fn hard_circuit() -> Vec<u8> {
    use craig_aig::Edge;
    use craig_model::{Latch, Model, Reset};

    let mut model = Model::default();
    let word = |model: &mut Model| -> Vec<Edge> {
        (0..24)
            .map(|_| {
                let state = model.aig.add_input();
                let reset = Reset::Uninitialised;
                model.latches.push(Latch {
                    state,
                    next: state,
                    reset,
                });
                state
            })
            .collect()
    };
    let (left, right) = (word(&mut model), word(&mut model));
    let mut multiply = |left: &[Edge], right: &[Edge]| -> Vec<Edge> {
        let mut sum = vec![Edge::FALSE; 24];
        for (shift, &bit) in right.iter().enumerate() {
            let mut carry = Edge::FALSE;
            for position in shift..24 {
                let addend = model.aig.and(bit, left[position - shift]);
                let half = model.aig.xor(sum[position], addend);
                let next = model.aig.ite(half, carry, addend);
                sum[position] = model.aig.xor(half, carry);
                carry = next;
            }
        }
        sum
    };
    let (one, other) = (multiply(&left, &right), multiply(&right, &left));
    let differences: Vec<Edge> = one
        .iter()
        .zip(&other)
        .map(|(&a, &b)| model.aig.xor(a, b))
        .collect();
    let bad = model.aig.or_all(differences);
    model.bads = vec![bad];
    let mut bytes = Vec::new();
    craig_hardware::aiger::write_binary(
        &craig_hardware::aiger::AigerModel::from_model(model),
        &mut bytes,
    )
    .unwrap();
    bytes
}

/// Sends a signal by the shell: a small system has no program `kill`.
pub(crate) fn send(signal: &str, id: u32) {
    let sent = std::process::Command::new("sh")
        .args(["-c", "kill -s $0 $1", signal, &id.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// What the command prints if it gets a signal after some time: it ends soon after, with exit code 30.
pub(crate) fn interrupted(arguments: &[&str], signal: &str, after: Duration) -> String {
    let child = command()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    let start = Instant::now();
    send(signal, child.id());
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(30), "{signal}: {stdout}");
    stdout
}
