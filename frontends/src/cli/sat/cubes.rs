//! `craig sat --cubes`: the formula is split, and its parts are refuted one by one.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use craig_formula::decide::Decision;
use craig_formula::decide_parallel::Cubes;
use craig_formula::dimacs;
use craig_solver::parallel::cubes::split;

use super::counts::counts;
use super::{Arguments, Body, Task, comment, watch_work};
use crate::cli::failure::Failure;
use crate::cli::json::print_object;
use crate::cli::output::write_file;
use crate::cli::terminal::print;

/// How to split.
#[derive(Debug, clap::Args)]
pub(super) struct CubeArguments {
    /// Split the formula into cubes by looking ahead, 64 or N at first, and refute them one by one, with `--threads` searches.
    /// Each learns from the cubes before. For hard combinatorial formulas.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "64",
        conflicts_with_all = ["enumerate", "verbose"])]
    pub(super) cubes: Option<NonZeroUsize>,
    /// With --cubes: split a cube again that takes more conflicts.
    #[arg(long, value_name = "N", default_value_t = 5000, requires = "cubes")]
    cube_conflicts: u64,
    /// With --cubes: decide nothing, but write the formula and its cubes to a file (`p inccnf`).
    #[arg(long, value_name = "FILE", requires = "cubes",
        conflicts_with_all = ["proof", "core", "trim", "check", "threads", "cube_conflicts", "conflicts", "stats"])]
    pub(super) cubes_only: Option<PathBuf>,
}

impl CubeArguments {
    /// How the searches split, if they do.
    pub(super) fn cubes(&self) -> Option<Cubes> {
        self.cubes.map(|first| Cubes {
            first,
            conflicts: self.cube_conflicts,
        })
    }
}

/// Writes the cubes of the formula.
pub(super) fn write_cubes(arguments: &Arguments, task: &Task, path: &Path) -> Result<u8, Failure> {
    let n_cubes = arguments.cubes.cubes.map_or(1, NonZeroUsize::get);
    let (cnf, watched) = (Arc::clone(&task.cnf), task.watched.clone());
    let assumptions = task.question.assumptions.clone();
    let work = move || split(&cnf, &assumptions, n_cubes, &watched.interrupt);
    let (cubes, stop) = watch_work(arguments, task, work)?;
    let reason = match (&cubes, stop) {
        (None, Some(stop)) => stop.reason(),
        _ => "cubes are only written",
    };
    if let Some(cubes) = &cubes {
        write_file(path, |output| dimacs::write_cubes(&task.cnf, cubes, output))?;
        comment(arguments, &format!("c cubes: {}\n", cubes.len()));
    }
    if arguments.json {
        let body = Body {
            files: cubes.iter().map(|_| path.to_path_buf()).collect(),
            ..Body::new(task.size(), Some(reason))
        };
        print_object(("unknown", 0), task.start.elapsed().as_secs_f64(), &body)?;
    } else {
        comment(arguments, &format!("c {reason}\n"));
        print("s UNKNOWN\n");
    }
    Ok(0)
}

/// What the search has counted, and what has become of the cubes.
pub(super) fn all_counts(result: &Decision) -> Vec<(&'static str, u64)> {
    let mut all = counts(result).to_vec();
    if let Some(tally) = &result.cubes {
        all.extend([
            ("cubes at first", tally.cubes),
            ("refuted cubes", tally.refuted),
            ("split cubes", tally.split),
            ("superfluous cubes", tally.superfluous),
        ]);
    }
    all
}
