//! `craig cluster`: many inputs on many machines, by the command `craig-cluster` of the Python package.

use std::ffi::OsString;
use std::process::Command;

use super::failure::Failure;
use super::terminal::complain;

/// The command that the Python package installs.
const PROGRAM: &str = "craig-cluster";

/// Decide many inputs, or a formula cube by cube, with a store of results, on a cluster of Ray or here: `run`, `cubes`, `show`,
/// `simulate`.
///
/// This is the command `craig-cluster` of the Python package `craig-mc`, which is started with these arguments.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(super) struct Arguments {
    /// Those of `craig-cluster`; `craig cluster --help` lists them.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    given: Vec<OsString>,
}

/// Runs the subcommand: exit codes are those of `craig-cluster`.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let own = std::env::current_exe().ok();
    let beside = own.and_then(|path| Some(path.parent()?.join(PROGRAM)));
    let program = beside
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PROGRAM.into());
    let mut command = Command::new(program);
    // It asks this command for verdicts, unless it is told another.
    if let (None, Ok(own)) = (std::env::var_os("CRAIG_COMMAND"), std::env::current_exe()) {
        command.env("CRAIG_COMMAND", own);
    }
    let status = command.args(&arguments.given).status().map_err(|error| {
        Failure::input(format!(
            "{PROGRAM}: {error}; the Python package craig-mc installs it"
        ))
    })?;
    match status.code().map(u8::try_from) {
        Some(Ok(code)) => Ok(code),
        _ => {
            complain(&format!("{PROGRAM}: it was ended by a signal"));
            Ok(1)
        }
    }
}
