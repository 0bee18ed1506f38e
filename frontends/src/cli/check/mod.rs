//! `craig check`: decides the properties of an input of any kind.
//!
//! Every task goes through the same steps, one file each:
//!
//! 1. *read*: [`circuit::aiger`], [`circuit::btor2`] or `craig_c` (inside [`program`]) reads the file;
//! 2. *task*: [`task`] holds the question and its limits;
//! 3. *reduce*, *engines*, *judge*: the input's [`session::Input::decide`];
//! 4. *report*: [`report`] holds the result for a property, [`format`](mod@format) prints it.
//!
//! [`session`] runs these steps on a thread of its own and stops them at the limits.
//!
//! A new kind of input that is a circuit (a transition system with bads) implements
//! [`circuit::file::CircuitFile`]; any other kind implements [`session::Input`]. Both need a line in [`run`].

mod advice;
mod arguments;
mod circuit;
mod design;
mod evidence_names;
mod file_list;
mod format;
mod kind;
mod many;
mod program;
mod report;
mod session;
mod table;
mod task;

pub(super) use arguments::Arguments;
pub(super) use table::{check_circuit, with_help};

use clap::ArgMatches;

use super::failure::Failure;
use super::input::CircuitInput;
use super::output::{claim, remember_inputs, write_file};
use super::program_files::{c_files, compilation_database};
use super::programs::PropertyChoice;
use super::terminal::complain;
use super::verilog::{beside, elaborate};
use circuit::Circuit;
use circuit::aiger::AigerFile;
use circuit::btor2::Btor2File;
use circuit::reading::{Reading, read_within};
use craig_hardware::btor2::WordCircuit;
use format::FormatName;
use program::Program;
use session::ask;
use task::Task;

/// Reads a design in Verilog. Its circuit is written beside the evidence.
fn read_design(arguments: &Arguments, task: &Task) -> Result<Btor2File, Failure> {
    let files = match arguments.design.is_one() {
        true => &arguments.files,
        false => std::slice::from_ref(&task.file),
    };
    let source = arguments.design_of(files)?;
    let design = elaborate(&source)?;
    for note in &design.notes {
        complain(note);
    }
    if !arguments.quiet {
        complain(&format!("ran {}", design.command));
    }
    if let Some(witness) = &task.witness {
        write_file(&beside(witness), |output| {
            output.write_all(design.text.as_bytes())
        })?;
    }
    let circuit = WordCircuit::read(design.text.as_bytes(), &task.file.display().to_string())
        .map_err(Failure::input)?;
    Ok(Btor2File::of_design(circuit, source, design.signals))
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments, given: &ArgMatches) -> Result<u8, Failure> {
    // A process for one of several inputs has options that are for others.
    if arguments.only_input.is_some() {
        return run_one(&arguments.of_process());
    }
    let arguments = many::with_all_files(arguments)?;
    table::check(given, arguments.kinds(), arguments.choice())?;
    arguments.check_values()?;
    if arguments.design.is_one() && arguments.is_batch() {
        return Err(Failure::input(
            "`--jobs`, `--shard`, `--resume`, `--digests` and `--witness-dir` are for several inputs; the files in Verilog are one \
             design, unless `--each-file` is given",
        ));
    }
    let is_one = arguments.files.len() == 1 && !arguments.is_batch();
    match is_one || arguments.link || arguments.design.is_one() {
        true => run_one(&arguments),
        false => many::run(&arguments, given),
    }
}

/// Decides one input.
fn run_one(arguments: &Arguments) -> Result<u8, Failure> {
    let (file, c) = (&arguments.files[0], &arguments.c);
    let format = if arguments.json {
        FormatName::Json
    } else {
        FormatName::Text {
            is_quiet: arguments.quiet,
        }
    };
    claim(arguments.inputs(), &arguments.outputs())?;
    let (number, property_file) = match &arguments.property {
        Some(PropertyChoice::Number(number)) => (Some(*number), None),
        Some(PropertyChoice::File(path)) => (None, Some(path.as_path())),
        Some(PropertyChoice::Name(_)) => (None, None),
        None => (None, None),
    };
    let task = Task::new(
        file,
        number,
        arguments.witness(),
        arguments.verbose,
        &arguments.engines,
    )
    .with_format(arguments.format)
    .with_exit_codes(c.exit_codes())
    .with_html(arguments.html.as_deref())
    .with_exports(arguments.exports())
    .with_goals(c.covers_design());
    let preprocessing = c.preprocessing();
    let files = if arguments.link {
        Some(c_files(&arguments.files, arguments.format, &preprocessing)?)
    } else if arguments.is_database(file) {
        let model = c.data_model();
        Some(compilation_database(file, &preprocessing, model)?)
    } else if arguments.is_c(file) {
        let files = std::slice::from_ref(file);
        Some(c_files(files, arguments.format, &preprocessing)?)
    } else {
        None
    };
    if arguments.sarif.is_some() && c.goals().is_some() {
        return Err(Failure::input(
            "`--sarif` is for errors; what `--cover` reaches is none",
        ));
    }
    if let Some(files) = files {
        if let Some(number) = number {
            return Err(Failure::input(format!(
                "`--property {number}`: the property of a C program is a property file (`.prp`) or a name (`--list` shows \
                 them); `--each` decides each error mark and check by itself"
            )));
        }
        if file.as_os_str() != "-" {
            remember_inputs(files.iter().map(|file| file.path.as_path()));
        }
        let mut program = Program::new(c, &task, property_file, files)?;
        if let Some(PropertyChoice::Name(name)) = &arguments.property {
            program.choose(name);
        }
        if c.lists() {
            return program.list(&task, arguments.json);
        }
        let task = task.with_sarif(arguments.sarif());
        return ask(program, task, format);
    }
    if arguments.sarif.is_some() {
        return Err(Failure::input(
            "`--sarif` is for C programs; a circuit has no lines of code",
        ));
    }
    if let Some(PropertyChoice::Name(name)) = &arguments.property {
        return Err(Failure::input(format!(
            "`--property {name}`: such names are for C programs; a circuit's properties have numbers"
        )));
    }
    if let Some(path) = property_file {
        return Err(Failure::input(format!(
            "{}: property files are for C programs; a circuit's properties have numbers",
            path.display()
        )));
    }
    if arguments.is_verilog(&task.file) {
        let file = read_design(arguments, &task)?;
        return ask(Circuit::new(file, &task)?, task, format);
    }
    let input = match read_within(&task, format)? {
        Reading::Done(input) => input,
        Reading::Ended(code) => return Ok(code),
    };
    match input {
        CircuitInput::Bits(model) => ask(Circuit::new(AigerFile(*model), &task)?, task, format),
        CircuitInput::Words(words) => {
            ask(Circuit::new(Btor2File::new(*words), &task)?, task, format)
        }
    }
}
