//! The input of `craig itp` and `craig strength`: a formula whose clauses are divided into partitions.

use std::path::{Path, PathBuf};

use craig_c as c;
use craig_formula::dimacs;
use craig_mc::Control;
use craig_model::Model;
use craig_solver::Cnf;

use crate::cli::failure::Failure;
use crate::cli::input::read_file;
use crate::cli::programs::{Machine, is_c};
use crate::problem::{Problem, bounded, partitioned};

/// The files and numbers that determine the formula.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct Source {
    /// A DIMACS file with lines `c partition N`, an AIGER circuit, or a C program. `-` is standard input.
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
    #[arg(long, value_name = "STEPS", default_value_t = 5)]
    bound: usize,
    /// For a circuit: the number of the bad, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    property: usize,
    /// For a C program: its machine, that is, the sizes of `long` and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    data_model: Machine,
}

impl Source {
    /// Two files, one for each partition.
    pub(in crate::cli) fn of_pair(a: &Path, b: &Path) -> Self {
        Self {
            file: None,
            a: Some(a.to_owned()),
            b: Some(b.to_owned()),
            bound: 0,
            property: 0,
            data_model: Machine::default(),
        }
    }

    /// One file with all partitions.
    pub(in crate::cli) fn of_file(
        file: &Path,
        bound: usize,
        property: usize,
        data_model: Machine,
    ) -> Self {
        Self {
            file: Some(file.to_owned()),
            a: None,
            b: None,
            bound,
            property,
            data_model,
        }
    }
}

/// The contents of a file.
enum Contents {
    /// The transition system of a circuit or a program.
    Model(Box<Model>),
    /// The bytes of any other file.
    Bytes(Vec<u8>),
}

fn contents(path: &Path, data_model: Machine) -> Result<Contents, Failure> {
    if is_c(path) {
        let options = c::Options {
            model: data_model.data_model(),
            ..c::Options::default()
        };
        let model = c::transition_system(path, &options, &Control::new());
        let model = model.map(Box::new);
        return model.map(Contents::Model).map_err(|failure| match failure {
            c::Failure::Input(message) => Failure::Input(message),
            c::Failure::Internal(message) => Failure::Internal(message),
        });
    }
    let bytes = decompressed(path)?;
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        let circuit = craig_hardware::aiger::read(&bytes, &path.display().to_string());
        let model = circuit.map_err(Failure::input)?.model;
        return Ok(Contents::Model(Box::new(model)));
    }
    Ok(Contents::Bytes(bytes))
}

/// The transition system of a circuit or a program, and the property to check; `None` for other files.
pub(in crate::cli) fn load_model(source: &Source) -> Result<Option<(Model, usize)>, Failure> {
    let Some(path) = &source.file else {
        return Ok(None);
    };
    Ok(match contents(path, source.data_model)? {
        Contents::Model(model) => Some((*model, source.property)),
        Contents::Bytes(_) => None,
    })
}

/// Reads the formula.
pub(in crate::cli) fn load(source: &Source) -> Result<Problem, Failure> {
    if let (Some(a), Some(b)) = (&source.a, &source.b) {
        return Ok(Problem::of_pair(&read_cnf(a)?, &read_cnf(b)?));
    }
    let path = source
        .file
        .as_deref()
        .expect("the arguments require a file");
    let name = path.display().to_string();
    match contents(path, source.data_model)? {
        Contents::Model(model) => bounded(&model, source.property, source.bound)
            .map_err(|error| Failure::input(format!("{name}: {error}"))),
        Contents::Bytes(bytes) => partitioned(&bytes, &name).map_err(Failure::input),
    }
}

fn read_cnf(path: &Path) -> Result<Cnf, Failure> {
    let bytes = decompressed(path)?;
    dimacs::read(&mut &bytes[..], &path.display().to_string()).map_err(Failure::input)
}

/// The bytes of a file, plain or compressed.
fn decompressed(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_file(path)?;
    let mut plain = Vec::new();
    dimacs::decompress(&bytes[..])
        .and_then(|mut input| input.read_to_end(&mut plain))
        .map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))?;
    Ok(plain)
}
