//! Threads that the operating system refuses.

use std::io;

/// What to say where a thread can't be started: the system's reason, and the limits that lead to it.
#[must_use]
pub fn refusal(error: &io::Error) -> String {
    format!(
        "the system refuses a thread: {error}; a limit on memory or processes (`ulimit -v`, `ulimit -u`) may be too low"
    )
}
