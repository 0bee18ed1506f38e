//! Several inputs in one command: each is decided in a process of its own, so that limits and failures of one
//! do not affect the others; a table follows.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::arguments::Arguments;
use super::format::sarif::{self, Part};
use super::report::Answer;
use crate::cli::failure::Failure;
use crate::cli::json::failure_of;
use crate::cli::output::{Output, claim};
use crate::cli::program_files::is_database;
use crate::cli::programs::is_c;
use crate::cli::terminal::{complain, is_stdout_taken, print};

/// The interval of polling the process and the signals.
const PERIOD: Duration = Duration::from_millis(20);

/// The time that a process has to end after a signal, which it may have received as well.
const GRACE: Duration = Duration::from_secs(1);

/// The option that selects the input of a process.
pub(super) const ONLY_INPUT: &str = "--only-input";

/// The option that names the log of this input.
const ONLY_SARIF: &str = "--only-sarif";

/// The result of an input. In the order of exit codes: the greatest determines the command's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Safe,
    Unknown,
    Unsafe,
    BadInput,
    Internal,
}

impl Outcome {
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

    fn word(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unknown => "UNKNOWN",
            Self::Unsafe => "UNSAFE",
            Self::BadInput => "ERROR",
            Self::Internal => "FAILED",
        }
    }

    fn exit_code(self, arguments: &Arguments) -> u8 {
        match self {
            Self::Safe => arguments.c.exit_code(Answer::Safe),
            Self::Unknown => arguments.c.exit_code(Answer::Unknown),
            Self::Unsafe => arguments.c.exit_code(Answer::Unsafe),
            Self::BadInput => 2,
            Self::Internal => 1,
        }
    }
}

/// A row of the table.
struct Row<'a> {
    outcome: Outcome,
    seconds: f64,
    file: &'a Path,
}

/// The result of a process for one input.
struct Ended {
    outcome: Outcome,
    /// Its standard output, unless that was the terminal.
    stdout: String,
    /// The last line of its standard error, unless that was the terminal.
    complaint: String,
}

impl Ended {
    /// The word and the exit code of an input without a report.
    fn without_report(&self) -> (&'static str, u8) {
        match self.outcome {
            Outcome::BadInput => ("error", 2),
            Outcome::Unknown => ("unknown", 30),
            _ => ("failed", 1),
        }
    }

    /// The last line of its standard error, as a message.
    fn message(&self) -> &str {
        (self.complaint.strip_prefix("error: ")).unwrap_or(&self.complaint)
    }
}

/// Decides all inputs, one after the other; returns the exit code.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(option) = arguments.file_option() {
        return Err(Failure::input(format!(
            "`{option}` names one file, and there are {} inputs",
            arguments.files.len()
        )));
    }
    let sarif = Output::file("--sarif", arguments.sarif.as_deref());
    claim(arguments.inputs(), &[sarif])?;
    let signal = Arc::new(AtomicBool::new(false));
    if arguments.sarif.is_some()
        && let Some(file) = (arguments.files.iter()).find(|file| !is_c(file) && !is_database(file))
    {
        return Err(Failure::input(format!(
            "{}: `--sarif` is for C programs; a circuit has no lines of code",
            file.display()
        )));
    }
    let mut logs = match &arguments.sarif {
        Some(_) => Some(Logs::new()?),
        None => None,
    };
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    let mut rows = Vec::new();
    for (index, file) in arguments.files.iter().enumerate() {
        let begin = Instant::now();
        let ended = if signal.load(Ordering::Relaxed) {
            interrupted()
        } else {
            if !arguments.json && !arguments.quiet {
                print(&format!("{}:\n", file.display()));
            }
            let log = logs.as_ref().map(|logs| logs.path(index));
            decide(index, arguments, log.as_deref(), &signal)?
        };
        if let Some(logs) = &mut logs {
            logs.take(index, file, &ended);
        }
        if arguments.json {
            print(&line_of(file, &ended, begin.elapsed().as_secs_f64())?);
        }
        rows.push(Row {
            outcome: ended.outcome,
            seconds: begin.elapsed().as_secs_f64(),
            file,
        });
    }
    if !arguments.json {
        print(&table(&rows));
    }
    if let (Some(logs), Some(path)) = (logs, &arguments.sarif) {
        sarif::write_merged(path, logs.parts)?;
    }
    let worst = rows.iter().map(|row| row.outcome).max();
    Ok(worst.unwrap_or(Outcome::Internal).exit_code(arguments))
}

/// The SARIF logs of the inputs, which their processes write in a directory that is removed in the end.
struct Logs {
    directory: tempfile::TempDir,
    parts: Vec<Part>,
}

impl Logs {
    fn new() -> Result<Self, Failure> {
        Ok(Self {
            directory: tempfile::tempdir().map_err(Failure::internal)?,
            parts: Vec::new(),
        })
    }

    fn path(&self, index: usize) -> PathBuf {
        self.directory.path().join(format!("{index}.sarif"))
    }

    /// Reads the log of an input, after its end.
    fn take(&mut self, index: usize, file: &Path, ended: &Ended) {
        let text = std::fs::read(self.path(index)).ok();
        let log = text.and_then(|text| serde_json::from_slice(&text).ok());
        self.parts.push(log.map_or_else(
            || {
                let complaint = ended.message();
                Part::Failed {
                    file: file.to_owned(),
                    exit_code: ended.without_report().1,
                    message: if complaint.is_empty() {
                        "it ended without a verdict".to_owned()
                    } else {
                        complaint.to_owned()
                    },
                }
            },
            Part::Log,
        ));
    }
}

fn interrupted() -> Ended {
    Ended {
        outcome: Outcome::Unknown,
        stdout: String::new(),
        complaint: "it was interrupted".to_owned(),
    }
}

/// Runs this program again for one of the inputs, with the same arguments.
fn decide(
    index: usize,
    arguments: &Arguments,
    log: Option<&Path>,
    signal: &AtomicBool,
) -> Result<Ended, Failure> {
    let program = std::env::current_exe().map_err(Failure::internal)?;
    let mut given = std::env::args_os().skip(1);
    let mut command = Command::new(program);
    // The subcommand comes first.
    command.args(given.next());
    command.args([ONLY_INPUT, &index.to_string()]);
    if let Some(log) = log {
        command.arg(ONLY_SARIF).arg(log);
    }
    command.args(given);
    // The last complaint is part of the log.
    if log.is_some() {
        command.stderr(Stdio::piped());
    }
    if arguments.json {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
    } else if arguments.quiet {
        command.stdout(Stdio::null());
    } else if is_stdout_taken() {
        command.stdout(std::io::stderr());
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
    let complaints = child.stderr.take().map(pass_on);
    let ended = wait(&mut child, signal)?;
    let [stdout, complaint] = [output, complaints].map(|reader: Option<JoinHandle<String>>| {
        reader.map_or_else(String::new, |reader| reader.join().unwrap_or_default())
    });
    Ok(match ended {
        None => interrupted(),
        Some(outcome) => Ended {
            outcome,
            stdout,
            complaint,
        },
    })
}

/// Copies the standard error of a process as it is written; returns the last line.
fn pass_on(complaints: ChildStderr) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut last = String::new();
        for line in BufReader::new(complaints).lines().map_while(Result::ok) {
            complain(&line);
            last = line;
        }
        last
    })
}

/// Waits for the end of a process; `None` if it was ended after a signal.
fn wait(child: &mut Child, signal: &AtomicBool) -> Result<Option<Outcome>, Failure> {
    let mut since = None;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::internal)? {
            return Ok(Some(Outcome::of_code(status.code())));
        }
        if signal.load(Ordering::Relaxed) {
            let since = *since.get_or_insert_with(Instant::now);
            if since.elapsed() >= GRACE {
                // This fails if the process has ended in the meantime.
                let _ = child.kill();
                child.wait().map_err(Failure::internal)?;
                return Ok(None);
            }
        }
        thread::sleep(PERIOD);
    }
}

/// The report of a process on one line, or a line that there is none.
fn line_of(file: &Path, ended: &Ended, seconds: f64) -> Result<String, Failure> {
    let mut report = ended.stdout.clone();
    if report.is_empty() {
        let answer = ended.without_report();
        report = failure_of(file, answer, seconds, ended.message())?;
    }
    // JSON strings have no line breaks, so all breaks and the blanks after them are layout.
    let line: String = report.lines().map(str::trim_start).collect();
    Ok(line + "\n")
}

fn table(rows: &[Row<'_>]) -> String {
    let mut text = String::from("\nverdict   seconds  file\n");
    for row in rows {
        let (word, file) = (row.outcome.word(), row.file.display());
        text += &format!("{word:<8} {:>8.2}  {file}\n", row.seconds);
    }
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    text += &format!("{} inputs", rows.len());
    let mut separator = ": ";
    for (outcome, what) in [
        (Outcome::Safe, "safe"),
        (Outcome::Unsafe, "unsafe"),
        (Outcome::Unknown, "unknown"),
        (Outcome::BadInput, "bad input"),
        (Outcome::Internal, "failed"),
    ] {
        if count(outcome) > 0 {
            text += &format!("{separator}{} {what}", count(outcome));
            separator = ", ";
        }
    }
    text + "\n"
}
