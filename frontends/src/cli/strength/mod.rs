//! `craig strength`: a study of interpolation systems, proofs and transforms.

mod convergence;
mod html;
mod plot;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use craig_itp::System;
use craig_itp::labelling::Choice;
use craig_itp::strength::{DensityBudget, Grid, Study, Transform, study};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Limits};

use super::itp::{Source, load};
use super::output::write_file;
use super::transforms::ProofTransform;
use super::watch::parse_seconds;
use super::{Failure, print};
use convergence::Run;

/// Compare interpolants of the same problem: proofs from different seeds, transformed or not, in different
/// labelled systems.
///
/// For each: whether it is valid, its size, how much of the space it covers, and which of them implies which. With
/// `--convergence`, circuits are also model checked with each system, to see what strength does to convergence.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// DIMACS files with lines `c partition N`, AIGER circuits, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The last partition (for a circuit: step) that belongs to A.
    #[arg(long, value_name = "N", default_value_t = 0)]
    cut: Label,
    /// For circuits: in which step the bad is to hold, counted from 0.
    #[arg(long, value_name = "STEPS", default_value_t = 5)]
    bound: usize,
    /// For circuits: which bad, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    property: usize,
    /// How many proofs to search for, from seeds 0, 1, ..
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// How many random labellings to draw, half of them with a label per occurrence of a literal.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=100))]
    random: u64,
    /// What is done to each proof.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,raise-local,reduce"
    )]
    transforms: Vec<ProofTransform>,
    /// Conflicts that a search may take; what is not refuted by then is left out.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    conflicts: u64,
    /// Assignments to sample where a density can't be counted.
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(64..=1 << 30))]
    samples: u64,
    /// Do not check Craig's conditions.
    #[arg(long)]
    no_verify: bool,
    /// Also model check circuits with the engines that interpolate (IMC, ISB, TRA), in each system.
    #[arg(long)]
    convergence: bool,
    /// How long each of these runs may take.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = parse_seconds)]
    run_time: Duration,
    /// Print JSON instead of a table.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values instead of a table.
    #[arg(long)]
    csv: bool,
    /// Write the study as one HTML file with plots.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What was found about one file.
struct Report {
    name: String,
    /// The study, or why there is none.
    study: Result<Study, String>,
    /// Runs of the model checker.
    runs: Vec<Run>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let files = expand(&arguments.files)?;
    let mut reports = Vec::new();
    for file in &files {
        reports.push(report(arguments, file)?);
    }
    if let Some(path) = &arguments.html {
        let page = html::page(&reports);
        write_file(path, |output| output.write_all(page.as_bytes()))?;
    }
    print(&if arguments.json {
        table::json(&reports)
    } else if arguments.csv {
        table::csv(&reports)
    } else {
        table::text(&reports)
    });
    let wrong = |report: &Report| {
        let entries = report.study.iter().flat_map(|study| &study.entries);
        entries
            .filter(|entry| matches!(entry.verdict, Some(Err(_))))
            .count()
    };
    match reports.iter().map(wrong).sum::<usize>() {
        0 => Ok(0),
        n => Err(Failure::internal(format!("{n} interpolants are wrong"))),
    }
}

fn report(arguments: &Arguments, file: &Path) -> Result<Report, Failure> {
    let problem = load(&Source::of_file(file, arguments.bound, arguments.property))?;
    let functions: Vec<(ProofTransform, _)> = arguments
        .transforms
        .iter()
        .map(|&transform| {
            let apply =
                move |dag: &ProofDag, in_a: &dyn Fn(Label) -> bool| transform.apply(dag, in_a);
            (transform, apply)
        })
        .collect();
    let grid = Grid {
        seeds: (0..arguments.seeds).collect(),
        transforms: functions
            .iter()
            .map(|(transform, apply)| Transform {
                name: transform.name(),
                apply,
            })
            .collect(),
        labellings: labellings(arguments.random),
        limits: Limits {
            conflicts: Some(arguments.conflicts),
            ..Limits::default()
        },
        density: DensityBudget {
            sample_words: arguments.samples.div_ceil(64) as usize,
            ..DensityBudget::default()
        },
        comparison_conflicts: Some(10_000),
        verify: !arguments.no_verify,
    };
    Ok(Report {
        name: file
            .file_name()
            .unwrap_or(file.as_os_str())
            .to_string_lossy()
            .into_owned(),
        study: study(&problem.cnf, arguments.cut, &grid).map_err(|error| error.to_string()),
        runs: if arguments.convergence {
            convergence::runs(file, arguments.property, arguments.run_time)?
        } else {
            Vec::new()
        },
    })
}

fn labellings(n_random: u64) -> Vec<Choice> {
    let random = (0..n_random).map(|index| match index % 2 {
        0 => Choice::RandomVariables(index / 2),
        _ => Choice::RandomOccurrences(index / 2),
    });
    System::ALL
        .map(Choice::Classic)
        .into_iter()
        .chain(random)
        .collect()
}

/// The files, with folders replaced by the problems in them.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error: std::io::Error| {
            Failure::input(format!("{}: can't be read: {error}", path.display()))
        };
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let name = file.to_string_lossy();
            let plain = name.trim_end_matches(".gz").trim_end_matches(".xz");
            if [".cnf", ".aag", ".aig"]
                .iter()
                .any(|end| plain.ends_with(end))
            {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            let message = "has no .cnf, .aag or .aig files";
            return Err(Failure::input(format!("{}: {message}", path.display())));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}
