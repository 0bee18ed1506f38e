//! `craig run`: all tasks of a project of hardware, `craig.toml` or one of SymbiYosys.
//!
//! Each property is decided on the part of the circuit that it depends on ([`craig_hardware::btor2::slice`]), so that what is
//! known of it outlives changes of the rest ([`store`]).

mod decide;
mod joint;
mod plan;
mod project;
mod python;
mod report;
mod rounds;
mod sby;
mod store;
mod task;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::batch::{pool, signals};
use super::failure::Failure;
use super::output::remember_inputs;
use super::terminal::complain;
use super::watch::{parse_seconds, parse_threads};
use decide::Decider;
use plan::Plan;
use rounds::Rounds;
use store::Store;
use task::{Project, Status};

/// Decide all tasks of a project of hardware: of `craig.toml`, or of a file of SymbiYosys (`.sby`).
///
/// Each property is decided on the part of the design that it depends on. What was decided is kept with its evidence in
/// `.craig` beside the project: where that part has not changed, the evidence is judged again, and nothing is searched. Assertions
/// that are open after a second are asked together with all others of their task, as each may assume the others. Runs against
/// properties are written there, too, as `.yw` and `.vcd`.
///
/// Exit codes, as SymbiYosys has them: 0 if each task ends as it is expected to (by default, it passes), else the sum of 1 for
/// tasks that pass, 2 for tasks that fail, 4 for unknown, 8 for the end of the time, 16 for an error.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The project: a file whose name ends in `.toml` or `.sby`.
    #[arg(value_name = "PROJECT", default_value = "craig.toml")]
    project: PathBuf,
    /// Only these tasks.
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    /// Decide this number of properties at a time; by default, one for each core.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    jobs: Option<usize>,
    /// The time of each task that sets none. It also holds for what is kept: its evidence is judged within it.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// The folder in which answers, evidence and runs are kept; by default, `.craig` beside the project.
    #[arg(long, value_name = "DIRECTORY")]
    store: Option<PathBuf>,
    /// Decide all anew.
    #[arg(long)]
    fresh: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Print the results of the tasks only.
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    // Errors of the project have the exit code of tasks with errors: 2 says that a task fails.
    decide_all(arguments).or_else(|failure| match failure {
        Failure::Input(_) => {
            super::json::print_failure(failure.message(), Status::Error.code(), Instant::now());
            failure.complain();
            Ok(Status::Error.code())
        }
        internal @ Failure::Internal(_) => Err(internal),
    })
}

fn decide_all(arguments: &Arguments) -> Result<u8, Failure> {
    let begin = Instant::now();
    remember_inputs([arguments.project.as_path()]);
    let project = read(arguments)?;
    let folder = arguments.store.clone().unwrap_or_else(|| {
        let folder = project.file.parent().unwrap_or(Path::new(""));
        folder.join(".craig")
    });
    let store = Store::open(&folder)?;
    let plans = plan_all(&project, arguments, begin)?;
    let signal = signals()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_jobs = arguments.jobs.unwrap_or(cores);
    let decider = Decider {
        store: &store,
        is_fresh: arguments.fresh,
        signal: &signal,
        n_jobs,
        n_threads: (cores / n_jobs).max(1),
    };
    let is_told = !arguments.quiet && !arguments.json;
    let results = Rounds::new(&plans, &decider, is_told)?.decide()?;
    let mut ended = Vec::new();
    for (plan, results) in plans.iter().zip(&results) {
        ended.push(report::Ended::of(plan, results, &decider, &folder)?);
    }
    report::print_all(&ended, arguments, begin)
}

/// Reads the project, and leaves out tasks that are not asked for.
fn read(arguments: &Arguments) -> Result<Project, Failure> {
    let path = &arguments.project;
    let extension = path.extension().and_then(|it| it.to_str());
    let mut project = match extension {
        Some("sby") => sby::read(path, &arguments.tasks)?,
        Some("toml") => project::read(path)?,
        _ => {
            return Err(Failure::input(format!(
                "{}: expected a project, whose name ends in .toml or .sby",
                path.display()
            )));
        }
    };
    for task in &mut project.tasks {
        task.timeout = task.timeout.or(arguments.timeout);
    }
    let is_there = |name: &&String| project.tasks.iter().any(|task| task.name == **name);
    if let Some(name) = arguments.tasks.iter().find(|name| !is_there(name)) {
        return Err(Failure::input(format!(
            "{}: it has no task {name:?}",
            path.display()
        )));
    }
    if !arguments.tasks.is_empty() {
        let tasks = &arguments.tasks;
        project.tasks.retain(|task| tasks.contains(&task.name));
    }
    Ok(project)
}

/// Reads the designs of all tasks.
fn plan_all<'a>(
    project: &'a Project,
    arguments: &Arguments,
    begin: Instant,
) -> Result<Vec<Plan<'a>>, Failure> {
    let tasks = &project.tasks;
    let mut plans: Vec<Option<Plan<'a>>> = tasks.iter().map(|_| None).collect();
    let n_jobs = arguments.jobs.unwrap_or(2);
    let work = |index: usize| Ok(Plan::of(&tasks[index], begin));
    pool::for_each(tasks.len(), n_jobs, work, |index, plan| {
        for note in tasks[index].notes.iter().chain(&plan.notes) {
            complain(&format!("{}: {note}", tasks[index].name));
        }
        plans[index] = Some(plan);
        Ok(())
    })?;
    Ok(plans.into_iter().flatten().collect())
}
