//! The input of `craig itp` and `craig strength`: a formula whose clauses are divided into partitions.

use std::path::{Path, PathBuf};

use craig_c as c;
use craig_formula::dimacs;
use craig_model::{Model, Stop};
use craig_solver::Cnf;

use crate::cli::failure::Failure;
use crate::cli::input::{CircuitInput, InputFormat, read_circuit_in, read_file, read_words};
use crate::cli::programs::{Machine, c_source, is_c};
use crate::cli::terminal::complain;
use crate::problem::{Problem, bounded, partitioned};

/// The files and numbers that determine the formula.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct Source {
    /// A DIMACS file with lines `c partition N`, a circuit in AIGER or BTOR2, or a C program. `-` is standard input.
    #[arg(required_unless_present = "a", conflicts_with_all = ["a", "b"])]
    file: Option<PathBuf>,
    /// Partition 0, in DIMACS.
    #[arg(long, value_name = "FILE", requires = "b")]
    a: Option<PathBuf>,
    /// Partition 1, in DIMACS, over the same variables.
    #[arg(long, value_name = "FILE", requires = "a")]
    b: Option<PathBuf>,
    /// For a circuit or a program: the step in which the bad holds, counted from 0. A program's steps lead
    /// from one loop head to the next.
    /// By default 5.
    #[arg(long, value_name = "STEPS")]
    bound: Option<usize>,
    /// For a circuit: the number of the bad, counted from 0; by default, the first.
    #[arg(long, value_name = "N")]
    property: Option<usize>,
    /// The format of FILE, if its name and content do not tell it.
    #[arg(long, value_name = "FORMAT", requires = "file")]
    input_format: Option<InputFormat>,
    /// For a C program: its machine, that is, the sizes of `long` and pointers; by default `lp64`.
    #[arg(long, value_name = "MODEL")]
    data_model: Option<Machine>,
}

/// The step of the bad, if none is given.
const BOUND: usize = 5;

impl Source {
    /// The files that are read.
    pub(in crate::cli) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.file, &self.a, &self.b].into_iter().flatten();
        files.map(PathBuf::as_path)
    }

    /// Two files, one for each partition.
    pub(in crate::cli) fn of_pair(a: &Path, b: &Path) -> Self {
        Self {
            file: None,
            a: Some(a.to_owned()),
            b: Some(b.to_owned()),
            bound: None,
            property: None,
            data_model: None,
            input_format: None,
        }
    }

    /// One file with all partitions.
    pub(in crate::cli) fn of_file(
        file: &Path,
        bound: Option<usize>,
        property: Option<usize>,
        data_model: Option<Machine>,
    ) -> Self {
        Self {
            file: Some(file.to_owned()),
            a: None,
            b: None,
            bound,
            property,
            data_model,
            input_format: None,
        }
    }
}

/// The contents of a file.
enum Contents {
    /// The transition system of a circuit.
    Circuit(Box<Model>),
    /// That of a program.
    Program(Box<Model>),
    /// The bytes of any other file.
    Bytes(Vec<u8>),
}

impl Contents {
    /// The option that is given and not for such a file, with what it is for.
    fn foreign(&self, source: &Source) -> Option<(&'static str, &'static str)> {
        let (is_circuit, is_model) = match self {
            Self::Circuit(_) => (true, true),
            Self::Program(_) => (false, true),
            Self::Bytes(_) => (false, false),
        };
        let is_program = is_model && !is_circuit;
        if source.bound.is_some() && !is_model {
            Some(("--bound", "circuits and C programs"))
        } else if source.property.is_some() && !is_circuit {
            Some(("--property", "circuits"))
        } else if source.data_model.is_some() && !is_program {
            Some(("--data-model", "C programs"))
        } else {
            None
        }
    }
}

/// Reads a file, and refuses options that are not for it.
fn contents(path: &Path, source: &Source) -> Result<Contents, Failure> {
    let contents = read_contents(path, source)?;
    match contents.foreign(source) {
        Some((option, kinds)) => Err(Failure::input(format!(
            "{}: `{option}` is for {kinds}",
            path.display()
        ))),
        None => Ok(contents),
    }
}

fn read_contents(path: &Path, source: &Source) -> Result<Contents, Failure> {
    let format = source.input_format;
    if format.map_or_else(|| is_c(path), InputFormat::is_program) {
        let path = &c_source(path, format)?;
        let options = c::Options {
            model: source.data_model.unwrap_or_default().data_model(),
            ..c::Options::default()
        };
        let model = c::transition_system(path, &options, &Stop::new());
        let model = model.map(Box::new);
        return model
            .map(Contents::Program)
            .map_err(|failure| match failure {
                c::Failure::Input(message) => Failure::Input(message),
                failure => Failure::Internal(failure.to_string()),
            });
    }
    if format.is_some() {
        let model = match read_circuit_in(path, format)? {
            CircuitInput::Bits(circuit) => circuit.model,
            CircuitInput::Words(words) => words.bits().map_err(Failure::input)?.model.clone(),
        };
        return Ok(Contents::Circuit(Box::new(model)));
    }
    let bytes = read_file(path)?;
    let name = path.display().to_string();
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        let circuit = craig_hardware::aiger::read(&bytes, &name);
        let model = circuit.map_err(Failure::input)?.model;
        return Ok(Contents::Circuit(Box::new(model)));
    }
    if let Some(words) = read_words(path, &bytes, None)? {
        let model = words.bits().map_err(Failure::input)?.model.clone();
        return Ok(Contents::Circuit(Box::new(model)));
    }
    Ok(Contents::Bytes(bytes))
}

/// The transition system of a circuit or a program, and the property to check; `None` for other files.
pub(in crate::cli) fn load_model(source: &Source) -> Result<Option<(Model, usize)>, Failure> {
    let Some(path) = &source.file else {
        return Ok(None);
    };
    Ok(match contents(path, source)? {
        Contents::Circuit(model) | Contents::Program(model) => {
            Some((*model, source.property.unwrap_or_default()))
        }
        Contents::Bytes(_) => None,
    })
}

/// Reads the formula.
pub(in crate::cli) fn load(source: &Source) -> Result<Problem, Failure> {
    if let (Some(a), Some(b)) = (&source.a, &source.b) {
        if let Some((option, kinds)) = Contents::Bytes(Vec::new()).foreign(source) {
            return Err(Failure::input(format!("`{option}` is for {kinds}")));
        }
        return Ok(Problem::of_pair(&read_cnf(a)?, &read_cnf(b)?));
    }
    let path = source
        .file
        .as_deref()
        .expect("the arguments require a file");
    let name = path.display().to_string();
    match contents(path, source)? {
        Contents::Circuit(model) | Contents::Program(model) => {
            let property = source.property.unwrap_or_default();
            bounded(&model, property, source.bound.unwrap_or(BOUND))
                .map_err(|error| Failure::input(format!("{name}: {error}")))
        }
        Contents::Bytes(bytes) => {
            let problem = partitioned(&bytes, &name).map_err(Failure::input)?;
            if let Some(warning) = &problem.warning {
                complain(&format!("warning: {warning}"));
            }
            Ok(problem)
        }
    }
}

fn read_cnf(path: &Path) -> Result<Cnf, Failure> {
    let bytes = read_file(path)?;
    dimacs::read(&mut &bytes[..], &path.display().to_string()).map_err(Failure::input)
}
