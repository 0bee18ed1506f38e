//! Standard output and standard error.

use std::io::Write;

/// Prints to standard output. A closed pipe is not a failure: the exit code still carries the answer.
pub(super) fn print(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
}

/// Prints a line to standard error.
pub(super) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
