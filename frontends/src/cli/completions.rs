//! `craig completions`: completion scripts for shells.

use clap::Command;
use clap_complete::Shell;

use super::failure::Failure;
use super::terminal::print;

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which shell.
    shell: Shell,
}

/// Runs the subcommand. `command` is the whole command line, with all subcommands.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "craig", &mut script);
    print(&String::from_utf8(script).map_err(Failure::internal)?);
    Ok(0)
}
