//! Runs craig and its peers on the same problems, on the same machine, in the same run.
//!
//! Engines are described in a file (`engine.rs`, `bench/engines.toml`). All of them run on one problem before the next problem starts,
//! so that other load on the machine affects them equally. Each run is written at once as a line of a table (`measure.rs`); summaries
//! (`summary.rs`), the page (`page.rs`), comparisons (`diff.rs`) and line-ups (`cover.rs`) are made from that table, also later.
//! Verdicts are compared with the index of the problems, and evidence is judged.

mod benchexec;
mod cover;
mod diff;
mod engine;
mod host;
mod measure;
mod page;
mod problem;
mod summary;
mod varisat;

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::plot;
use crate::row::solving_times;

pub use benchexec::{Arguments as BenchExecArguments, run as benchexec};
pub use cover::{Arguments as CoverArguments, run as cover};
pub use diff::{Arguments as DiffArguments, run as diff};
pub use measure::{Arguments as RunArguments, run};
pub use varisat::varisat;

/// Arguments of `craig-bench report`.
#[derive(Clone, Debug, Args)]
pub struct ReportArguments {
    /// Results: folders of `craig-bench run`, or their tables.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The processor seconds after which a run counts as unsolved; by default, the limit of the runs.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<f64>,
    /// Draw a quantile plot into this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write a page: scores, plots, a table that can be sorted.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Write all runs as JSON.
    #[arg(long, value_name = "FILE.json")]
    json: Option<PathBuf>,
}

/// Makes the tables of earlier runs.
///
/// # Errors
/// If results can't be read, or files can't be written.
pub fn report(arguments: &ReportArguments) -> io::Result<()> {
    let rows = summary::read(&arguments.results)?;
    let limit = host::limit(arguments.limit, &arguments.results);
    print!("{}", summary::tables(&rows, limit));
    if let Some(path) = &arguments.plot {
        plot::quantiles(path, &solving_times(&rows), limit)?;
    }
    if let Some(path) = &arguments.html {
        let notes = arguments.results.iter().map(|it| it.join(host::NOTE));
        let notes: Vec<String> = notes.filter_map(|it| fs::read_to_string(it).ok()).collect();
        fs::write(path, page::page(&rows, limit, &notes.join("\n"))?)?;
    }
    if let Some(path) = &arguments.json {
        let rows: Vec<serde_json::Value> = rows.iter().map(|row| row.to_json()).collect();
        fs::write(path, format!("{:#}\n", serde_json::Value::from(rows)))?;
    }
    Ok(())
}
