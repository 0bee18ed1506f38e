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
mod many;
mod program;
mod report;
mod session;
mod task;

use std::path::PathBuf;

use super::engines::EngineArguments;
use super::failure::Failure;
use super::programs::{PropertyChoice, is_c};
use circuit::Circuit;
use circuit::aiger::AigerFile;
use format::FormatName;
use program::Program;
use program::files::{compilation_database, is_database, linked};
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
    /// The circuit, in AIGER (`-` is standard input), or a C program (`.c`, `.i`, `.json`). Several inputs are decided
    /// one after the other, each within the limits, and a table of their verdicts follows; the exit code is
    /// then that of the worst: an internal failure before a fault of an input, before unsafe, before unknown,
    /// before safe.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The inputs are the C files of one program: what is `static` belongs to its file, and all else is linked.
    /// A compilation database (`compile_commands.json`) as the input is the program of all of its files.
    #[arg(long)]
    link: bool,
    /// Which of the inputs this process decides, counted from 0; its exit codes are 20, 10 and 30.
    #[arg(long, value_name = "INDEX", hide = true)]
    only_input: Option<usize>,
    /// Of a circuit: decide just this property, counted from 0; by default, all of them. Of a C program: a
    /// property file of SV-COMP (`.prp`) with unreach-call, valid-memsafety, valid-memcleanup or no-overflow.
    #[arg(long, value_name = "N|FILE.prp")]
    property: Option<PropertyChoice>,
    /// Write the evidence to a file: a trace, or a witness circuit (binary if the name ends in `.aig`, else
    /// text). With several properties, each has a file of its own with `.bN` before the extension; FILE
    /// itself is then about the circuit as a whole: the first trace, or one witness circuit for all
    /// properties if all are safe. For a C program: a witness in SV-COMP's format 2.0 (`.yml`, `.yaml`), or
    /// the witness circuit of its transition system.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Of a C program: write the errors that can be reached, with the paths to them, as a SARIF log (2.1.0), for
    /// code scanning.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Print one JSON object instead of text; of several inputs, one a line each.
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

impl Arguments {
    /// The option that names a file to write about one input, if there is one.
    fn file_option(&self) -> Option<&'static str> {
        let witness = self.witness.is_some().then_some("--witness");
        let sarif = self.sarif.is_some().then_some("--sarif");
        witness.or(sarif).or_else(|| self.c.file_option())
    }
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let (file, c) = match (arguments.only_input, arguments.files.as_slice()) {
        (Some(index), files) => match files.get(index) {
            Some(file) => (file, arguments.c.clone().with_distinct_codes()),
            None => return Err(Failure::input(format!("there is no input {index}"))),
        },
        (None, [file]) => (file, arguments.c.clone()),
        (None, [file, ..]) if arguments.link => (file, arguments.c.clone()),
        (None, _) => return many::run(arguments),
    };
    let format = if arguments.json {
        FormatName::Json
    } else {
        FormatName::Text {
            is_quiet: arguments.quiet,
        }
    };
    let (number, property_file) = match &arguments.property {
        Some(PropertyChoice::Number(number)) => (Some(*number), None),
        Some(PropertyChoice::File(path)) => (None, Some(path.as_path())),
        None => (None, None),
    };
    let task = Task::new(
        file,
        number,
        arguments.witness.as_deref(),
        arguments.verbose,
        &arguments.engines,
    );
    let preprocessing = c.preprocessing();
    let files = if arguments.link {
        Some(linked(&arguments.files, &preprocessing)?)
    } else if is_database(file) {
        let model = c.data_model();
        Some(compilation_database(file, &preprocessing, model)?)
    } else {
        is_c(file).then(Vec::new)
    };
    if arguments.sarif.is_some() && c.goals().is_some() {
        return Err(Failure::input(
            "`--sarif` is for errors; what `--cover` reaches is none",
        ));
    }
    if let Some(files) = files {
        let program = Program::new(&c, &task, property_file, files)?;
        let task = task.with_sarif(arguments.sarif.as_deref());
        return ask(program, task, format);
    }
    if arguments.sarif.is_some() {
        return Err(Failure::input(
            "`--sarif` is for C programs; a circuit has no lines of code",
        ));
    }
    if let Some(path) = property_file {
        return Err(Failure::input(format!(
            "{}: property files are for C programs; a circuit's properties have numbers",
            path.display()
        )));
    }
    let file = AigerFile::read(&task.file)?;
    ask(Circuit::new(file, &task)?, task, format)
}
