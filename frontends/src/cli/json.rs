//! What all JSON objects of the command begin with. `craig schema` prints their schema.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use craig_c::sha256;
use serde::Serialize;

use super::failure::Failure;
use super::output::named_inputs;
use super::terminal::print;
use super::watch::peak_resident_bytes;

/// The version of the schema. A field that goes or changes its meaning makes another one.
const SCHEMA_VERSION: u32 = 2;

/// Another name of `craig check`, for many inputs.
pub(super) const BATCH: &str = "batch";

/// The commit that the command is built from, or `unknown`.
pub(super) const COMMIT: &str = env!("CRAIG_COMMIT");

/// Version and commit, as `--version` prints them.
pub(super) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("CRAIG_COMMIT"), ")");

/// Whether an object was printed.
static IS_PRINTED: AtomicBool = AtomicBool::new(false);

/// The hash of standard input, if that was read.
static STDIN_HASH: OnceLock<String> = OnceLock::new();

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
    commit: &'static str,
}

/// A file that was read.
#[derive(Serialize)]
struct Input {
    file: String,
    /// Of the bytes of the file; none if it can be read only once.
    sha256: Option<String>,
}

/// The fields before those of the subcommand.
#[derive(Serialize)]
struct Head {
    schema: u32,
    tool: Tool,
    command: String,
    arguments: Vec<String>,
    inputs: Vec<Input>,
}

/// The fields that every subcommand has.
#[derive(Serialize)]
struct Whole<'a, T> {
    #[serde(flatten)]
    head: Head,
    verdict: &'a str,
    exit_code: u8,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    #[serde(flatten)]
    body: T,
}

/// What a failure says.
#[derive(Serialize)]
struct Error<'a> {
    /// The input, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    error: &'a str,
}

/// Why there is no answer.
#[derive(Serialize)]
struct Unanswered<'a> {
    reason: &'a str,
}

/// The arguments after the name of the subcommand, without those that are for a process of a batch.
fn arguments() -> (String, Vec<String>) {
    let mut all = std::env::args().skip(1);
    let command = match all.next().unwrap_or_default() {
        name if name == BATCH => "check".to_owned(),
        name => name,
    };
    let mut kept = Vec::new();
    while let Some(argument) = all.next() {
        if argument.starts_with("--only-") {
            all.next();
        } else {
            kept.push(argument);
        }
    }
    (command, kept)
}

/// Whether the command line asks for JSON.
pub(super) fn is_wanted() -> bool {
    let (_, arguments) = arguments();
    let options = arguments.iter().take_while(|argument| *argument != "--");
    options.into_iter().any(|argument| argument == "--json")
}

/// Notes what was read from standard input.
pub(super) fn note_stdin(bytes: &[u8]) {
    if is_wanted() {
        // It is read once.
        let _ = STDIN_HASH.set(sha256(bytes));
    }
}

fn input(path: &Path) -> Input {
    let hash = match path == Path::new("-") {
        true => STDIN_HASH.get().cloned(),
        // A pipe has no second reading.
        false if path.is_file() => std::fs::read(path).ok().map(|bytes| sha256(&bytes)),
        false => None,
    };
    Input {
        file: path.display().to_string(),
        sha256: hash,
    }
}

fn head(inputs: &[PathBuf]) -> Head {
    let (command, arguments) = arguments();
    Head {
        schema: SCHEMA_VERSION,
        tool: Tool {
            name: "craig",
            version: env!("CARGO_PKG_VERSION"),
            commit: COMMIT,
        },
        command,
        arguments,
        inputs: inputs.iter().map(|path| input(path)).collect(),
    }
}

/// An object about a subcommand that has come to an end.
fn object<T: Serialize>(
    inputs: &[PathBuf],
    (verdict, exit_code): (&str, u8),
    seconds: f64,
    body: &T,
) -> Result<String, Failure> {
    let whole = Whole {
        head: head(inputs),
        verdict,
        exit_code,
        seconds,
        peak_memory_bytes: peak_resident_bytes(),
        body,
    };
    serde_json::to_string_pretty(&whole).map_err(Failure::internal)
}

/// The object about one of several inputs whose process has not printed one.
pub(super) fn failure_of(
    file: &Path,
    answer: (&str, u8),
    seconds: f64,
    error: &str,
) -> Result<String, Failure> {
    let body = Error {
        file: Some(file.display().to_string()),
        error,
    };
    object(&[file.to_owned()], answer, seconds, &body)
}

/// Prints the object of a subcommand.
pub(super) fn print_object<T: Serialize>(
    answer: (&str, u8),
    seconds: f64,
    body: &T,
) -> Result<(), Failure> {
    let text = object(&named_inputs(), answer, seconds, body)?;
    IS_PRINTED.store(true, Ordering::Relaxed);
    print(&(text + "\n"));
    Ok(())
}

/// Prints an object about a search without an answer, if none was printed.
pub(super) fn print_unless_printed(
    answer: (&str, u8),
    seconds: f64,
    reason: &str,
) -> Result<(), Failure> {
    match IS_PRINTED.load(Ordering::Relaxed) {
        true => Ok(()),
        false => print_object(answer, seconds, &Unanswered { reason }),
    }
}

/// Prints an object about a failure, if the command line asks for JSON and none was printed.
pub(super) fn print_failure(message: &str, exit_code: u8, start: Instant) {
    if !is_wanted() || IS_PRINTED.load(Ordering::Relaxed) {
        return;
    }
    // Projects have their own code for it.
    let verdict = if matches!(exit_code, 2 | 16) {
        "error"
    } else {
        "failed"
    };
    let seconds = start.elapsed().as_secs_f64();
    let file = match &named_inputs()[..] {
        [file] => Some(file.display().to_string()),
        _ => None,
    };
    let error = Error {
        file,
        error: message,
    };
    // Strings and numbers have a text.
    let _ = print_object((verdict, exit_code), seconds, &error);
}
