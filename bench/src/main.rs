//! Measures craig: beside other programs, by the experiments of papers, by random inputs and by faults.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use craig_bench::{compare, faults, fuzz, generate, growth, paper, programs};

/// Measure craig.
#[derive(Debug, Parser)]
#[command(name = "craig-bench")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run engines of craig and other programs on the problems of a folder.
    Run(compare::RunArguments),
    /// Make tables, plots and a page of results.
    Report(compare::ReportArguments),
    /// Compare two results, with intervals of confidence.
    Diff(compare::DiffArguments),
    /// Choose engines that solve most together.
    Cover(compare::CoverArguments),
    /// Write run definitions and tasks for BenchExec.
    #[command(name = "benchexec")]
    BenchExec(compare::BenchExecArguments),
    /// Solve a formula with varisat, with the output of the SAT competitions: varisat's crate has no program.
    Varisat {
        /// The formula, plain or compressed.
        file: PathBuf,
    },
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
        Command::Run(arguments) => compare::run(&arguments),
        Command::Report(arguments) => compare::report(&arguments),
        Command::Diff(arguments) => compare::diff(&arguments),
        Command::Cover(arguments) => compare::cover(&arguments),
        Command::BenchExec(arguments) => compare::benchexec(&arguments),
        Command::Varisat { file } => match compare::varisat(&file) {
            Ok(code) => return ExitCode::from(code),
            Err(error) => Err(error),
        },
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
