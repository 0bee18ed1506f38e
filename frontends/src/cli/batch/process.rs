//! A process that decides one of several questions.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use crate::cli::failure::Failure;
use crate::cli::terminal::{complain, is_stdout_taken};
use crate::cli::watch::PARENT;

/// The interval of polling the process and the signals.
const PERIOD: Duration = Duration::from_millis(20);

/// The time that a process has to end after a signal.
const GRACE: Duration = Duration::from_secs(2);

/// The result for an input. In the order of exit codes: the greatest determines the command's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Outcome {
    Safe,
    Unknown,
    Unsafe,
    #[serde(rename = "error")]
    BadInput,
    #[serde(rename = "failed")]
    Internal,
}

impl Outcome {
    /// All, with what is counted of each in a summary.
    const COUNTED: [(Self, &str); 5] = [
        (Self::Safe, "safe"),
        (Self::Unsafe, "unsafe"),
        (Self::Unknown, "unknown"),
        (Self::BadInput, "bad input"),
        (Self::Internal, "failed"),
    ];

    /// The exit codes of a process for one input, regardless of `--exit-code`.
    fn of_code(code: Option<i32>) -> Self {
        match code {
            Some(20) => Self::Safe,
            Some(30) => Self::Unknown,
            Some(10) => Self::Unsafe,
            Some(2) => Self::BadInput,
            // A process that was ended by a signal has no code.
            _ => Self::Internal,
        }
    }

    /// As tables have it.
    pub(in crate::cli) fn word(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unknown => "UNKNOWN",
            Self::Unsafe => "UNSAFE",
            Self::BadInput => "ERROR",
            Self::Internal => "FAILED",
        }
    }

    /// How many there are of each, in words.
    pub(in crate::cli) fn count(outcomes: &[Self]) -> String {
        let of_each = Self::COUNTED.iter().filter_map(|(outcome, what)| {
            let count = outcomes.iter().filter(|it| *it == outcome).count();
            (count > 0).then(|| format!("{count} {what}"))
        });
        of_each.collect::<Vec<_>>().join(", ")
    }
}

/// What becomes of the standard output of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Stdout {
    /// It goes where this process's goes.
    Shown,
    /// Nobody reads it.
    Dropped,
    /// It is a part of the result.
    Kept,
}

/// What becomes of the standard error of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Stderr {
    /// It goes where this process's goes.
    Shown,
    /// As it is written it is copied to this process's, and its last line is a part of the result.
    Copied,
    /// It is a part of the result.
    Kept,
}

/// The end of a process.
#[derive(Debug)]
pub(in crate::cli) struct Ended {
    pub(in crate::cli) outcome: Outcome,
    /// Its exit code; a process that was ended by a signal has none.
    pub(in crate::cli) code: Option<i32>,
    /// Whether a signal came before its end.
    pub(in crate::cli) is_interrupted: bool,
    /// Its standard output, if it is kept.
    pub(in crate::cli) stdout: String,
    /// The lines of its standard error, if they are kept; the last one, if they are copied.
    pub(in crate::cli) complaints: Vec<String>,
}

impl Ended {
    /// A question that a signal has left undecided.
    pub(in crate::cli) fn interrupted() -> Self {
        Self {
            outcome: Outcome::Unknown,
            code: None,
            is_interrupted: true,
            stdout: String::new(),
            complaints: vec!["it was interrupted".to_owned()],
        }
    }

    /// The word and the exit code of a process without a report.
    pub(in crate::cli) fn without_report(&self) -> (&'static str, u8) {
        match self.outcome {
            Outcome::BadInput => ("error", 2),
            Outcome::Unknown => ("unknown", 30),
            _ => ("failed", 1),
        }
    }

    /// The last line of its standard error, as a message.
    pub(in crate::cli) fn message(&self) -> &str {
        let last = self.complaints.last().map_or("", String::as_str);
        last.strip_prefix("error: ").unwrap_or(last)
    }
}

/// This program, for one of several questions. It ends if this process is killed.
pub(in crate::cli) fn own_program() -> Result<Command, Failure> {
    let program = std::env::current_exe().map_err(Failure::internal)?;
    let mut command = Command::new(program);
    command.env(PARENT, std::process::id().to_string());
    Ok(command)
}

/// Runs a process to its end. A signal ends it, too.
pub(in crate::cli) fn run(
    command: Command,
    outputs: (Stdout, Stderr),
    signal: &AtomicBool,
) -> Result<Ended, Failure> {
    run_within(command, outputs, signal, None)
}

/// As [`run`], with a process that is ended at a time.
pub(in crate::cli) fn run_within(
    mut command: Command,
    (stdout, stderr): (Stdout, Stderr),
    signal: &AtomicBool,
    deadline: Option<Instant>,
) -> Result<Ended, Failure> {
    match stdout {
        Stdout::Kept => drop(command.stdout(Stdio::piped())),
        Stdout::Dropped => drop(command.stdout(Stdio::null())),
        Stdout::Shown if is_stdout_taken() => drop(command.stdout(std::io::stderr())),
        Stdout::Shown => {}
    }
    if stderr != Stderr::Shown {
        command.stderr(Stdio::piped());
    }
    let mut child = command.spawn().map_err(Failure::internal)?;
    let output = child.stdout.take().map(|mut output| {
        thread::spawn(move || {
            let mut text = String::new();
            // An unreadable output counts as no report.
            let _ = output.read_to_string(&mut text);
            text
        })
    });
    let complaints = (child.stderr.take()).map(|lines| read_lines(lines, stderr));
    let (code, is_interrupted) = wait(&mut child, signal, deadline)?;
    let outcome = match code {
        None if is_interrupted => Outcome::Unknown,
        code => Outcome::of_code(code),
    };
    let stdout = output.map_or_else(String::new, joined);
    let mut complaints = complaints.map_or_else(Vec::new, joined);
    if is_interrupted && outcome == Outcome::Unknown && complaints.is_empty() {
        complaints.push("it was interrupted".to_owned());
    }
    Ok(Ended {
        outcome,
        code,
        is_interrupted,
        stdout,
        complaints,
    })
}

fn joined<T: Default>(reader: JoinHandle<T>) -> T {
    reader.join().unwrap_or_default()
}

/// Reads the standard error of a process.
fn read_lines(complaints: ChildStderr, stderr: Stderr) -> JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let mut lines = Vec::new();
        for line in BufReader::new(complaints).lines().map_while(Result::ok) {
            if stderr == Stderr::Copied {
                complain(&line);
                lines.clear();
            }
            lines.push(line);
        }
        lines
    })
}

/// Waits for the end of a process, and tells it of a signal or of the end of its time, upon which it may print what it
/// knows. Returns its exit code, and whether a signal came.
fn wait(
    child: &mut Child,
    signal: &AtomicBool,
    deadline: Option<Instant>,
) -> Result<(Option<i32>, bool), Failure> {
    let mut since = None;
    loop {
        let is_interrupted = signal.load(Ordering::Relaxed);
        if let Some(status) = child.try_wait().map_err(Failure::internal)? {
            return Ok((status.code(), is_interrupted));
        }
        if is_interrupted || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let since = *since.get_or_insert_with(|| {
                end(child);
                Instant::now()
            });
            if since.elapsed() >= GRACE {
                // This fails if the process has ended in the meantime.
                let _ = child.kill();
                let status = child.wait().map_err(Failure::internal)?;
                return Ok((status.code(), is_interrupted));
            }
        }
        thread::sleep(PERIOD);
    }
}

/// Sends a process the signal to end. It is not waited for yet, so its number is no other process's.
fn end(child: &Child) {
    // This fails if the process has ended in the meantime.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let signal = AtomicBool::new(false);
        run(command, (Stdout::Kept, Stderr::Kept), &signal).unwrap()
    }

    #[test]
    fn the_exit_code_and_both_outputs_are_the_result() {
        let ended = shell("echo out; echo first >&2; echo 'error: last' >&2; exit 2");
        assert_eq!(ended.outcome, Outcome::BadInput);
        assert_eq!(ended.stdout, "out\n");
        assert_eq!(ended.complaints, ["first", "error: last"]);
        assert_eq!(ended.message(), "last");
        assert_eq!(shell("kill -9 $$").outcome, Outcome::Internal);
    }

    #[test]
    fn a_process_ends_at_its_time() {
        let mut command = Command::new("sh");
        command.args(["-c", "exec sleep 60"]);
        let start = Instant::now();
        let deadline = Some(start + Duration::from_millis(100));
        let outputs = (Stdout::Kept, Stderr::Kept);
        let ended = run_within(command, outputs, &AtomicBool::new(false), deadline).unwrap();
        assert_eq!((ended.code, ended.is_interrupted), (None, false));
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    /// What a process prints when it is told to end is not lost.
    #[test]
    fn a_signal_lets_a_process_print_what_it_knows() {
        let mut command = Command::new("sh");
        let script =
            "trap 'echo known; exit 30' TERM; echo ready >&2; while :; do sleep 0.05; done";
        command.args(["-c", script]);
        let signal = AtomicBool::new(false);
        let ended = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(500));
                signal.store(true, Ordering::Relaxed);
            });
            run(command, (Stdout::Kept, Stderr::Kept), &signal).unwrap()
        });
        assert_eq!(ended.stdout, "known\n");
        assert_eq!(ended.outcome, Outcome::Unknown);
        assert!(ended.is_interrupted);
    }

    #[test]
    fn outcomes_are_counted_in_words() {
        let all = [Outcome::Safe, Outcome::Unsafe, Outcome::Safe];
        assert_eq!(Outcome::count(&all), "2 safe, 1 unsafe");
        assert!(Outcome::BadInput > Outcome::Unsafe && Outcome::Unsafe > Outcome::Unknown);
    }
}
