//! `craig manual`: pages for `man`.

use std::path::PathBuf;

use clap::Command;

use super::failure::Failure;

/// Write the pages for `man` in a folder: of the command, and of each subcommand.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder; it is made if it isn't there.
    folder: PathBuf,
}

/// Runs the subcommand. `command` is the whole command line, with all subcommands.
pub(super) fn run(arguments: &Arguments, command: Command) -> Result<u8, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .map_err(|error| {
            Failure::input(format!("{}: can't be written: {error}", folder.display()))
        })?;
    Ok(0)
}
