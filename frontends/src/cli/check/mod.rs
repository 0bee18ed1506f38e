//! `craig check`: decides the safety properties of an input, whatever its kind.
//!
//! Every question goes the same way, one file a step:
//!
//! 1. *read*: [`circuit::aiger`] or `craig_c` (inside [`program`]) reads the file;
//! 2. *task*: [`task`] holds what is asked and within which limits;
//! 3. *reduce*, *engines*, *judge*: the input's [`session::Input::decide`];
//! 4. *report*: [`report`] is what is known of a property, [`format`](mod@format) prints it.
//!
//! [`session`] runs these steps on a thread of its own and stops them at the limits.
//!
//! A further kind of input that is a circuit (a transition system with bads) implements
//! [`circuit::file::CircuitFile`]; any other kind implements [`session::Input`]. Either gets a line in
//! [`run`].

mod circuit;
mod format;
mod program;
mod report;
mod session;
mod task;

use std::path::PathBuf;

use super::engines::EngineArguments;
use super::failure::Failure;
use super::programs::is_c;
use circuit::Circuit;
use circuit::aiger::AigerFile;
use format::FormatName;
use program::Program;
use program::options::CArguments;
use session::ask;
use task::Task;

/// Decide the safety properties of a circuit or a C program: can a bad, or an error, be reached?
///
/// Prints `SAFE`, `UNSAFE` or `UNKNOWN` and why, each verdict only after its evidence was judged on the
/// circuit as it was read. Exit codes: 20 if all properties are safe, 10 if any is unsafe, 30 otherwise; 2 if
/// the input is at fault, 1 for an internal failure, evidence that does not hold among them.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER (`-` is standard input), or a C program (`.c`, `.i`).
    file: PathBuf,
    /// Decide just this property, counted from 0. By default, all of them.
    #[arg(long, value_name = "N")]
    property: Option<usize>,
    /// Write the evidence to a file: a trace, or a witness circuit (binary if the name ends in `.aig`, else
    /// text). With several properties, each has a file of its own with `.bN` before the extension; FILE
    /// itself is then about the circuit as a whole: the first trace, or one witness circuit for all
    /// properties if all are safe. For a C program: a witness in SV-COMP's format 2.0 (`.yml`, `.yaml`), or
    /// the witness circuit of its transition system.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Tell on standard error what the engines do.
    #[arg(short, long)]
    verbose: bool,
    /// Print the verdicts alone.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    c: CArguments,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let format = if arguments.json {
        FormatName::Json
    } else {
        FormatName::Text {
            is_quiet: arguments.quiet,
        }
    };
    let task = Task::new(
        &arguments.file,
        arguments.property,
        arguments.witness.as_deref(),
        arguments.verbose,
        &arguments.engines,
    );
    if is_c(&task.file) {
        let program = Program::new(&arguments.c, &task);
        return ask(program, task, format);
    }
    let file = AigerFile::read(&task.file)?;
    ask(Circuit::new(file, &task)?, task, format)
}
