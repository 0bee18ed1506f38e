//! Standard output and standard error.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an output file is standard output, so that what is printed goes to standard error.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Why standard output could not be written.
static FAULT: OnceLock<String> = OnceLock::new();

/// Keeps standard output for one output file.
pub(super) fn take_stdout() {
    IS_TAKEN.store(true, Ordering::Relaxed);
}

/// Whether standard output is kept for one output file.
pub(super) fn is_stdout_taken() -> bool {
    IS_TAKEN.load(Ordering::Relaxed)
}

/// Prints to standard output, or to standard error if an output file has that.
pub(super) fn print(text: &str) {
    if is_stdout_taken() {
        let _ = io::stderr().write_all(text.as_bytes());
        return;
    }
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    if let Err(error) = written {
        note_fault(&error);
    }
}

/// Notes that standard output could not be written. A reader that does not want more is not a failure: the exit code
/// still carries the answer.
pub(super) fn note_fault(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe {
        // The first one is reported.
        let _ = FAULT.set(error.to_string());
    }
}

/// The exit code after everything was printed: another one if standard output has lost something.
pub(super) fn settled(code: u8) -> u8 {
    match FAULT.get() {
        Some(error) => {
            complain(&format!(
                "error: standard output: can't be written: {error}"
            ));
            2
        }
        None => code,
    }
}

/// Ends the process while a thread that was abandoned is at work.
pub(super) fn leave(code: u8) -> ! {
    std::process::exit(settled(code).into())
}

/// Prints a line to standard error. What a terminal would take for a command, from a file, is escaped.
pub(super) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// A text without control characters.
fn printable(text: &str) -> String {
    let is_plain = |it: char| !it.is_control() || it == '\n' || it == '\t';
    let escaped = |it: char| match is_plain(it) {
        true => it.to_string(),
        false => it.escape_default().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The exit code of the process.
pub(super) fn exit_code(code: u8) -> ExitCode {
    ExitCode::from(settled(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_a_file_do_not_reach_the_terminal() {
        assert_eq!(
            printable("a\u{1b}[31m\u{7}b\n\tä"),
            "a\\u{1b}[31m\\u{7}b\n\tä"
        );
    }
}
