//! `craig schema`: the JSON Schema of what `--json` prints.

use super::failure::Failure;
use super::terminal::print;

/// The schema, in JSON Schema (draft 2020-12).
pub(super) const SCHEMA: &str = include_str!("schema.json");

/// Print the JSON Schema of the objects that `--json` prints.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

/// Runs the subcommand.
pub(super) fn run(_: &Arguments) -> Result<u8, Failure> {
    print(SCHEMA);
    Ok(0)
}
