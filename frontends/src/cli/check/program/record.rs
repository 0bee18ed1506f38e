//! `--record`: each refutation that an engine interpolates, as files that `craig itp` and other tools read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use craig_formula::{Formulas, Variable, write_lrat};
use craig_mc::listener::Recorder;
use craig_mc::record::{Kind, Refutation};
use craig_solver::{Label, Var};
use serde_json::json;

use crate::cli::failure::Failure;
use crate::cli::itp::{write_names, write_partitioned};
use crate::cli::output::write_file;

/// A folder with a folder for each refutation.
#[derive(Clone)]
pub(super) struct Record {
    folder: PathBuf,
    n_written: Arc<AtomicUsize>,
    /// The first fault.
    fault: Arc<Mutex<Option<Failure>>>,
}

impl Record {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            n_written: Arc::default(),
            fault: Arc::default(),
        }
    }

    /// What writes them.
    pub(super) fn recorder(&self) -> Recorder {
        let record = self.clone();
        Arc::new(move |refutation| {
            let number = record.n_written.fetch_add(1, Ordering::Relaxed) + 1;
            if let Err(failure) = write(&record.folder.join(format!("{number:05}")), refutation) {
                let mut fault = record.fault.lock().unwrap_or_else(PoisonError::into_inner);
                fault.get_or_insert(failure);
            }
        })
    }

    /// Why something could not be written.
    pub(super) fn fault(&self) -> Option<Failure> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take()
    }
}

/// Writes `problem.cnf` with lines `c partition N`, `proof.lrat`, `names.txt`, `interpolants.smt2`, `interpolants.aag`, and
/// `refinement.json`. The last but one has the numbers of variables as names, for `craig itp --check`.
fn write(folder: &Path, refutation: &Refutation) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    let file = |name: &str, write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>| {
        write_file(&folder.join(name), |output| write(output))
    };
    let cnf = &refutation.cnf;
    let n_interpolants = refutation.interpolants.len() as Label;
    let partitions: Vec<Label> = match refutation.kind {
        Kind::Sequence => (1..=n_interpolants + 1).collect(),
        Kind::Symmetric => (1..=n_interpolants).collect(),
    };
    file("problem.cnf", &mut |output| {
        write_partitioned(cnf, &partitions, output)
    })?;
    file("proof.lrat", &mut |output| {
        write_lrat(&refutation.dag, cnf, output)
    })?;
    file("names.txt", &mut |output| {
        let names = refutation.names.iter();
        write_names(names.map(|(var, name)| (*var, name.as_str())), output)
    })?;
    let formulas = formulas(refutation);
    file("interpolants.smt2", &mut |output| {
        formulas.write(craig_formula::Format::Smt2, output)
    })?;
    let number = |var: Var| var.positive().to_dimacs().to_string();
    let inputs = formulas.inputs.iter();
    let numbered = Formulas {
        inputs: inputs
            .map(|input| Variable {
                var: input.var,
                name: number(input.var),
            })
            .collect(),
        ..formulas
    };
    file("interpolants.aag", &mut |output| {
        numbered.write(craig_formula::Format::Aag, output)
    })?;
    let text = describe(refutation);
    file("refinement.json", &mut |output| writeln!(output, "{text}"))
}

fn formulas(refutation: &Refutation) -> Formulas {
    let name = |var: Var| {
        let mut names = refutation.names.iter();
        let own = names
            .find(|(own, _)| *own == var)
            .map(|(_, name)| name.clone());
        own.unwrap_or_else(|| format!("v{}", var.positive().to_dimacs()))
    };
    let inputs = refutation.inputs.iter();
    let outputs = (1..).zip(&refutation.interpolants);
    Formulas {
        aig: refutation.aig.clone(),
        inputs: inputs
            .map(|&var| Variable {
                var,
                name: name(var),
            })
            .collect(),
        outputs: outputs
            .map(|(cut, &edge)| (format!("interpolant_{cut}"), edge))
            .collect(),
    }
}

fn describe(refutation: &Refutation) -> serde_json::Value {
    let cuts = (1..).zip(refutation.cuts.iter().zip(&refutation.interpolants));
    let cuts = cuts.map(|(cut, (place, &edge)): (usize, _)| {
        json!({
            "cut": cut,
            "behind": place,
            "gates": refutation.aig.n_ands_in_cone(&[edge]),
        })
    });
    json!({
        "kind": refutation.kind.name(),
        "system": refutation.system,
        "transform": refutation.transform,
        "variables": refutation.cnf.n_vars(),
        "clauses": refutation.cnf.n_clauses(),
        "resolutions": refutation.dag.n_steps(),
        "interpolants": cuts.collect::<Vec<_>>(),
    })
}
