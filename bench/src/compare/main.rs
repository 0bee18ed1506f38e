//! Runs craig and its peers on the same problems, on the same machine, in the same run.
//!
//! All programs run on one problem before the next problem starts, so that other load on the machine affects
//! them equally. Each run is written at once as a line of a CSV file; tables are made from that file, also
//! later (`compare report`). Verdicts are compared with the index of the benchmarks, and craig's evidence is
//! checked by craig itself and by checkers that share no code with it.

mod circuits;
mod formulas;
mod report;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use craig_bench::process::Limits;

/// Compare craig with its peers.
#[derive(Debug, Parser)]
#[command(name = "compare")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Model checkers on a folder of circuits with an `index.csv` (columns `file` and `expected`).
    Circuits(circuits::Arguments),
    /// SAT solvers on a folder of compressed formulas with an `index.csv` (columns `name` and `answer`).
    Formulas(formulas::Arguments),
    /// Make the tables of earlier runs again.
    Report {
        /// The CSV files of the runs.
        results: Vec<PathBuf>,
        /// The processor seconds after which a run counted as unsolved.
        #[arg(long, default_value_t = 60.0)]
        limit: f64,
        /// Draw a quantile plot into this SVG file.
        #[arg(long)]
        plot: Option<PathBuf>,
    },
    /// Solve a formula with varisat, with the output format of the SAT competitions: varisat's crate has no
    /// program.
    Varisat {
        /// The formula, plain or compressed.
        file: PathBuf,
    },
}

/// The arguments of both comparisons.
#[derive(Clone, Debug, clap::Args)]
struct RunArguments {
    /// The folder of the problems.
    folder: PathBuf,
    /// The folder for the results; it has to be new or empty.
    output: PathBuf,
    /// Processor seconds for each run.
    #[arg(long, default_value_t = 60.0)]
    limit: f64,
    /// Wall seconds for each run; by default twice the processor seconds, for a machine that is busy.
    #[arg(long)]
    wall_limit: Option<f64>,
    /// The address space of each run, in megabytes.
    #[arg(long, default_value_t = 6000)]
    memory: u64,
    /// Only the problems whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// How many problems to work on at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The `craig` to measure; a release build.
    #[arg(long, default_value = "target/release/craig")]
    craig: PathBuf,
}

impl RunArguments {
    /// The limits of each run.
    fn limits(&self) -> Limits {
        Limits {
            cpu_seconds: self.limit,
            wall_seconds: self.wall_limit.unwrap_or(2.0 * self.limit),
            megabytes: self.memory,
        }
    }

    /// The limits of a checker that may take `cpu_seconds` of processor time.
    fn limits_of_judge(cpu_seconds: f64) -> Limits {
        Limits {
            cpu_seconds,
            wall_seconds: 2.0 * cpu_seconds,
            megabytes: 16_000,
        }
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Circuits(arguments) => circuits::run(&arguments),
        Command::Formulas(arguments) => formulas::run(&arguments),
        Command::Report {
            results,
            limit,
            plot,
        } => table::report(&results, limit, plot.as_deref()),
        Command::Varisat { file } => return formulas::varisat(&file),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
