//! Where a divided formula comes from.

use std::path::{Path, PathBuf};

use craig_solver::Cnf;

use crate::cli::{Failure, read_file};
use crate::dimacs;
use crate::problem::{Problem, bounded, partitioned};

/// The files and numbers that make up a divided formula.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct Source {
    /// A DIMACS file with lines `c partition N`, or an AIGER circuit. `-` is standard input.
    #[arg(required_unless_present = "a", conflicts_with_all = ["a", "b"])]
    file: Option<PathBuf>,
    /// Partition 0, in DIMACS.
    #[arg(long, value_name = "FILE", requires = "b")]
    a: Option<PathBuf>,
    /// Partition 1, in DIMACS, over the same variables.
    #[arg(long, value_name = "FILE", requires = "a")]
    b: Option<PathBuf>,
    /// For a circuit: in which step the bad is to hold, counted from 0.
    #[arg(long, value_name = "STEPS", default_value_t = 5)]
    bound: usize,
    /// For a circuit: which bad, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    property: usize,
}

impl Source {
    /// Two files, one for each side.
    pub(in crate::cli) fn of_pair(a: &Path, b: &Path) -> Self {
        Self {
            file: None,
            a: Some(a.to_owned()),
            b: Some(b.to_owned()),
            bound: 0,
            property: 0,
        }
    }

    /// One file that holds all partitions.
    pub(in crate::cli) fn of_file(file: &Path, bound: usize, property: usize) -> Self {
        Self {
            file: Some(file.to_owned()),
            a: None,
            b: None,
            bound,
            property,
        }
    }
}

/// Reads the formula.
pub(in crate::cli) fn load(source: &Source) -> Result<Problem, Failure> {
    if let (Some(a), Some(b)) = (&source.a, &source.b) {
        return Ok(Problem::of_pair(&read_cnf(a)?, &read_cnf(b)?));
    }
    let path = source
        .file
        .as_deref()
        .expect("the command line asks for it");
    let name = path.display().to_string();
    let bytes = decompressed(path)?;
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        let circuit = crate::aiger::read(&bytes, &name).map_err(Failure::input)?;
        return bounded(&circuit.model, source.property, source.bound)
            .map_err(|error| Failure::input(format!("{name}: {error}")));
    }
    partitioned(&bytes, &name).map_err(Failure::input)
}

fn read_cnf(path: &Path) -> Result<Cnf, Failure> {
    let bytes = decompressed(path)?;
    dimacs::read(&mut &bytes[..], &path.display().to_string()).map_err(Failure::input)
}

/// The bytes of a file, plain or compressed.
pub(in crate::cli) fn decompressed(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_file(path)?;
    let mut plain = Vec::new();
    dimacs::decompress(&bytes[..])
        .and_then(|mut input| input.read_to_end(&mut plain))
        .map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))?;
    Ok(plain)
}
