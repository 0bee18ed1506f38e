//! `craig line-up`: the engines of the portfolio.

use craig_program::line_up::LineUp;

use super::failure::Failure;
use super::terminal::print;

/// Print the engines that the portfolio of `craig check` runs, in the format that `--line-up` reads.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

/// Runs the subcommand.
pub(super) fn run(_: &Arguments) -> Result<u8, Failure> {
    print(LineUp::DEFAULT);
    Ok(0)
}
