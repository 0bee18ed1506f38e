//! The solver varisat, whose crate has no program, with the output of the SAT competitions.

use std::fs::File;
use std::io;
use std::path::Path;

use craig_formula::dimacs;
use varisat::ExtendFormula;

/// Whether varisat finds a model of a formula.
fn is_satisfiable(path: &Path) -> io::Result<bool> {
    let mut input = dimacs::decompress(File::open(path)?)?;
    let cnf = dimacs::read(&mut input, &path.display().to_string())
        .map_err(|error| io::Error::other(error.to_string()))?;
    let mut solver = varisat::Solver::new();
    for (clause, _) in cnf.iter() {
        let lits: Vec<varisat::Lit> = clause
            .iter()
            .map(|lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize))
            .collect();
        solver.add_clause(&lits);
    }
    (solver.solve()).map_err(|error| io::Error::other(error.to_string()))
}

/// Solves a formula, plain or compressed; returns the exit code.
///
/// # Errors
/// If it can't be read.
pub fn varisat(path: &Path) -> io::Result<u8> {
    let (line, code) = match is_satisfiable(path)? {
        true => ("s SATISFIABLE", 10),
        false => ("s UNSATISFIABLE", 20),
    };
    println!("{line}");
    Ok(code)
}
