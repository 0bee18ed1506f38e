//! The experiments of the papers, run again, and circuits for measurements.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use craig_bench::{faults, fuzz, generate, growth, paper, programs};

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
    /// Make a large circuit.
    Generate(generate::Arguments),
    /// Make a C program of some size.
    Program(programs::Arguments),
    /// Measure how the phases of a check grow with the size of circuits.
    Growth(growth::Arguments),
    /// Try random inputs, and judge all answers.
    Fuzz(fuzz::Arguments),
    /// Strike commands of craig with signals, limits and full devices, and look at what they leave.
    Faults(faults::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Paper(experiment) => paper::run(&experiment),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Program(arguments) => programs::run(&arguments),
        Command::Growth(arguments) => growth::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Faults(arguments) => faults::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
