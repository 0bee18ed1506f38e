//! The problem and its proof as files that other tools read.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use craig_formula::write_lrat;
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::cli::failure::Failure;
use crate::cli::output::write_file;
use crate::problem::Problem;

/// Writes `problem.cnf`, the clauses in their order with lines `c partition N`; `proof.lrat`, the refutation that is
/// interpolated; and `names.txt`, a line with number and name for each variable that has one.
pub(super) fn export(folder: &Path, problem: &Problem, dag: &ProofDag) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    write_file(&folder.join("problem.cnf"), |output| {
        write_problem(problem, output)
    })?;
    write_file(&folder.join("proof.lrat"), |output| {
        write_lrat(dag, &problem.cnf, output)
    })?;
    write_file(&folder.join("names.txt"), |output| {
        write_names(problem, output)
    })
}

fn write_problem(problem: &Problem, output: &mut dyn Write) -> io::Result<()> {
    let cnf = &problem.cnf;
    writeln!(output, "p cnf {} {}", cnf.n_vars(), cnf.n_clauses())?;
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

fn write_names(problem: &Problem, output: &mut dyn Write) -> io::Result<()> {
    for (index, name) in problem.names.iter().enumerate() {
        if let Some(name) = name {
            writeln!(output, "{} {name}", Var::new(index).positive().to_dimacs())?;
        }
    }
    Ok(())
}
