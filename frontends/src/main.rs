//! The `craig` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    craig::cli::run()
}
