//! The experiments of the papers, run again.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use craig_bench::paper;

/// Measure craig.
#[derive(Debug, Parser)]
#[command(name = "craig-bench")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the experiment of a paper on C programs, and print its figures beside the paper's.
    #[command(subcommand)]
    Paper(paper::Experiment),
}

fn main() -> ExitCode {
    let Command::Paper(experiment) = Arguments::parse().command;
    match paper::run(&experiment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
