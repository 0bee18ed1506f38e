//! The problem and its proof as files that other tools read.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use craig_formula::write_lrat;
use craig_solver::proof::ProofDag;
use craig_solver::{Cnf, Label, Var};

use crate::cli::failure::Failure;
use crate::cli::output::write_file;
use crate::problem::Problem;

/// Writes `problem.cnf`, the clauses in their order with lines `c partition N`; `proof.lrat`, the refutation that is
/// interpolated; and `names.txt`, a line with number and name for each variable that has one. Returns their paths.
pub(super) fn export(
    folder: &Path,
    problem: &Problem,
    dag: &ProofDag,
) -> Result<Vec<PathBuf>, Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    let files = ["problem.cnf", "proof.lrat", "names.txt"].map(|name| folder.join(name));
    let (first, last) = problem.partitions().map_err(Failure::input)?;
    let partitions: Vec<Label> = problem.labels().into_iter().chain([first, last]).collect();
    write_file(&files[0], |output| {
        write_partitioned(&problem.cnf, &partitions, output)
    })?;
    write_file(&files[1], |output| write_lrat(dag, &problem.cnf, output))?;
    write_file(&files[2], |output| {
        let names = problem.names.iter().enumerate();
        let names = names.filter_map(|(index, name)| Some((Var::new(index), name.as_deref()?)));
        write_names(names, output)
    })?;
    Ok(files.into())
}

/// Writes clauses in their order, with lines `c partition N` before those of each partition. Partitions without clauses have their
/// lines first.
pub(in crate::cli) fn write_partitioned(
    cnf: &Cnf,
    partitions: &[Label],
    output: &mut dyn Write,
) -> io::Result<()> {
    writeln!(output, "p cnf {} {}", cnf.n_vars(), cnf.n_clauses())?;
    let mut empty: BTreeSet<Label> = partitions.iter().copied().collect();
    for (_, label) in cnf.iter() {
        empty.remove(&label);
    }
    for label in empty {
        writeln!(output, "c partition {label}")?;
    }
    let mut here: Option<Label> = None;
    for (clause, label) in cnf.iter() {
        if here.replace(label) != Some(label) {
            writeln!(output, "c partition {label}")?;
        }
        for lit in clause {
            write!(output, "{} ", lit.to_dimacs())?;
        }
        writeln!(output, "0")?;
    }
    Ok(())
}

/// Writes a line with number and name for each variable.
pub(in crate::cli) fn write_names<'n>(
    names: impl Iterator<Item = (Var, &'n str)>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for (var, name) in names {
        writeln!(output, "{} {name}", var.positive().to_dimacs())?;
    }
    Ok(())
}
