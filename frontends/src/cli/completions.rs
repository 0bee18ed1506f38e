//! `craig completions`: for shells.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Failure, print};

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which shell.
    shell: Shell,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut super::Arguments::command(),
        "craig",
        &mut script,
    );
    print(&String::from_utf8(script).map_err(Failure::internal)?);
    Ok(0)
}
