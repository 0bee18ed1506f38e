//! The `craig` command: one subcommand a file.
//!
//! Exit codes: 2 for input or a command line that is at fault, 1 for an internal failure (evidence that
//! does not hold among them) and for a witness that `certify` or `simulate` rejects. The codes for answers are
//! those of each subcommand.

mod c_answers;
mod certify;
mod check;
mod check_c;
mod completions;
mod convert;
mod engines;
mod hwmcc;
mod itp;
mod output;
mod progress;
mod report;
mod sat;
mod simulate;
mod strength;
mod transforms;
mod watch;

use std::fmt;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use craig_mc::Model;

use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::witness::{self, Witness};

/// Decides by interpolation, and shows its evidence.
#[derive(Debug, Parser)]
#[command(name = "craig", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Box<check::Arguments>),
    Sat(sat::Arguments),
    Certify(certify::Arguments),
    Simulate(simulate::Arguments),
    Convert(convert::Arguments),
    Hwmcc(Box<hwmcc::Arguments>),
    Itp(itp::Arguments),
    Strength(strength::Arguments),
    Completions(completions::Arguments),
}

/// Why a subcommand has no answer.
#[derive(Debug)]
enum Failure {
    /// What the user gave is at fault.
    Input(String),
    /// The program is at fault.
    Internal(String),
}

impl Failure {
    fn input(message: impl fmt::Display) -> Self {
        Self::Input(message.to_string())
    }

    fn internal(message: impl fmt::Display) -> Self {
        Self::Internal(message.to_string())
    }

    /// Tells standard error about it; returns the exit code.
    fn complain(&self) -> u8 {
        match self {
            Self::Input(message) => {
                complain(&format!("error: {message}"));
                2
            }
            Self::Internal(message) => {
                complain(&format!("internal failure: {message}"));
                1
            }
        }
    }
}

/// Runs the command that the process's arguments ask for.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Sat(arguments) => sat::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Hwmcc(arguments) => hwmcc::run(&arguments),
        Command::Itp(arguments) => itp::run(&arguments),
        Command::Strength(arguments) => strength::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    ExitCode::from(result.unwrap_or_else(|failure| failure.complain()))
}

/// Prints to standard output. A reader that has gone away is no reason to fail: the exit code still tells.
fn print(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
}

/// Prints a line to standard error.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let result = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    result.map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))
}

fn read_model(path: &Path) -> Result<AigerModel, Failure> {
    let bytes = read_file(path)?;
    aiger::read(&bytes, &path.display().to_string()).map_err(Failure::input)
}

fn read_witness(path: &Path, model: &AigerModel) -> Result<Witness, Failure> {
    let bytes = read_file(path)?;
    witness::read(&bytes, &path.display().to_string(), model).map_err(Failure::input)
}

/// The name of entry `index` of a list: from the file's symbols, or else its kind and number.
fn name_of(names: &[String], kind: char, index: usize) -> String {
    match names.get(index) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind}{index}"),
    }
}

/// The model with one bad: any of its bads.
fn unite(model: &Model) -> Model {
    let mut united = model.clone();
    let any = united.aig.or_all(model.bads.iter().copied());
    united.bads = vec![any];
    united.names.bads.clear();
    united
}
