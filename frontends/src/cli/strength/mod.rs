//! `craig strength`: a study of interpolation systems, proofs and transforms.

mod arguments;
mod axis;
mod clock;
mod convergence;
mod html;
mod input;
mod plot;
mod report;
mod table;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use craig_itp::Stop;
use craig_itp::choice::Choice;
use craig_itp::simplify::Effort;
use craig_itp::study::{DensityBudget, Grid, Transform, study};
use craig_solver::proof::ProofDag;
use craig_solver::sweep::Budget;
use craig_solver::{Label, Limits};
use serde::Serialize;

use super::failure::Failure;
use super::itp::{import, load, load_model};
use super::json::print_object;
use super::output::{Output, claim, write_file};
use super::terminal::{complain, leave, print};
use super::watch::{self, End, watch};
pub(super) use arguments::Arguments;
use clock::{Deadline, ThreadClock};
use convergence::{Plan, run_all};
use input::{Input, inputs, labellings, name_of, systems};
use report::Report;

/// The state shared by the working thread and the watching thread.
struct Shared {
    /// The reports on the problems begun so far; only the last one may be incomplete.
    reports: Mutex<Vec<Report>>,
    /// Cancelled to stop all work.
    stop: craig_model::Stop,
}

impl Shared {
    fn reports(&self) -> MutexGuard<'_, Vec<Report>> {
        self.reports
            .lock()
            .expect("no thread panics while it holds the lock")
    }

    /// Changes the report on the current problem.
    fn update(&self, change: impl FnOnce(&mut Report)) {
        change(
            self.reports()
                .last_mut()
                .expect("there is a current problem"),
        );
    }

    fn is_stopped(&self) -> bool {
        self.stop.reason().is_some()
    }
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    arguments.rounds()?;
    let inputs = inputs(arguments)?;
    let labellings = labellings(arguments)?;
    let read = inputs.iter().flat_map(|input| input.source.files());
    let others = arguments.labelling.iter().chain(&arguments.proof);
    let read = read.chain(others.map(|path| path.as_path()));
    claim(read, &[Output::file("--html", arguments.html.as_deref())])?;
    let shared = Arc::new(Shared {
        reports: Mutex::new(Vec::new()),
        stop: craig_model::Stop::new(),
    });
    let limits = watch::Limits {
        deadline: arguments.timeout.map(|time| start + time),
        memory: arguments.memory.map(|megabytes| megabytes << 20),
    };
    let mut stopped = None;
    let ask_to_stop = |stop| {
        stopped = Some(stop);
        shared.stop.cancel();
    };
    let work = {
        let (arguments, inputs) = (arguments.clone(), inputs.clone());
        let shared = Arc::clone(&shared);
        move || work(&arguments, &inputs, &labellings, &shared)
    };
    let is_abandoned = match watch(limits, ask_to_stop, work)? {
        End::Finished(result) => {
            result?;
            false
        }
        End::Abandoned(_) => true,
    };
    let mut reports = std::mem::take(&mut *shared.reports());
    if let Some(stop) = stopped {
        complain(&format!("stopped: {}", stop.reason()));
        if let Some(last) = reports.last_mut().filter(|last| !last.is_done) {
            last.give_up(stop.reason());
        }
        for input in inputs.iter().skip(reports.len()) {
            let reason = format!("not begun: {}", stop.reason());
            reports.push(Report {
                is_cut_short: true,
                ..Report::without_study(input.name.clone(), reason)
            });
        }
    }
    let code = publish(arguments, &reports, start);
    if is_abandoned {
        // The working thread did not end in time: it ends with the process.
        let code = code.unwrap_or_else(|failure| failure.complain());
        leave(code);
    }
    code
}

/// Studies one problem after the other.
fn work(
    arguments: &Arguments,
    inputs: &[Input],
    labellings: &[Choice],
    shared: &Arc<Shared>,
) -> Result<(), Failure> {
    for input in inputs {
        if shared.is_stopped() {
            break;
        }
        shared.reports().push(Report {
            is_done: false,
            ..Report::without_study(input.name.clone(), String::new())
        });
        match study_problem(arguments, input, labellings, shared) {
            // An unreadable file among several does not discard the results for the others.
            Err(Failure::Input(message)) if inputs.len() > 1 => {
                shared.update(|report| report.study = Err(message));
            }
            result => result?,
        }
        shared.update(|report| report.is_done = true);
    }
    Ok(())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Body {
    problems: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Writes and prints the reports; returns the exit code.
fn publish(arguments: &Arguments, reports: &[Report], start: Instant) -> Result<u8, Failure> {
    let is_cut_short = reports.iter().any(|report| report.is_cut_short);
    let fault = fault(reports);
    if arguments.json {
        let answer = match (&fault, is_cut_short) {
            (Some(_), _) => ("failed", 1),
            (None, true) => ("unknown", 30),
            (None, false) => ("studied", 0),
        };
        let body = Body {
            problems: table::json(reports),
            error: fault.clone(),
        };
        print_object(answer, start.elapsed().as_secs_f64(), &body)?;
    } else if arguments.csv {
        print(&table::csv(reports));
    } else {
        print(&table::text(reports));
    }
    if let Some(path) = &arguments.html {
        let page = html::page(reports);
        write_file(path, |output| output.write_all(page.as_bytes()))?;
    }
    match fault {
        Some(fault) => Err(Failure::internal(fault)),
        None => Ok(if is_cut_short { 30 } else { 0 }),
    }
}

/// What must not be: wrong interpolants, or interpolants of one proof in another order than that of their systems.
fn fault(reports: &[Report]) -> Option<String> {
    let wrong = |report: &Report| {
        let entries = report.study.iter().flat_map(|study| &study.entries);
        entries
            .filter(|entry| matches!(entry.verdict, Some(Err(_))))
            .count()
    };
    let disordered = |report: &Report| {
        let studies = report.study.iter();
        studies
            .map(table::checks)
            .map(|checks| checks.ordered.fails + checks.raised.fails)
            .sum::<usize>()
    };
    let n_wrong: usize = reports.iter().map(wrong).sum();
    let n_disordered: usize = reports.iter().map(disordered).sum();
    match (n_wrong, n_disordered) {
        (0, 0) => None,
        (0, _) => Some(format!(
            "{n_disordered} times, interpolants of one proof are not in the order of their systems"
        )),
        _ => Some(format!("{n_wrong} interpolants are wrong")),
    }
}

/// Studies the current problem and fills its report.
fn study_problem(
    arguments: &Arguments,
    input: &Input,
    labellings: &[Choice],
    shared: &Arc<Shared>,
) -> Result<(), Failure> {
    let clock = ThreadClock::of_this_thread();
    let deadline = arguments
        .problem_timeout
        .map(|time| Deadline::after(&clock, time));
    let problem = load(&input.source)?;
    let fault = |message| Failure::input(format!("{}: {message}", input.name));
    problem.check_cut(arguments.cut).map_err(fault)?;
    let rounds = arguments.rounds()?;
    let functions: Vec<(&str, _)> = arguments
        .transforms
        .iter()
        .map(|chain| {
            let apply = |dag: &ProofDag, in_a: &dyn Fn(Label) -> bool, stop: &Stop| {
                chain
                    .transforms
                    .iter()
                    .try_fold(dag.clone(), |dag, transform| {
                        transform.apply(&dag, in_a, rounds, stop)
                    })
            };
            (chain.name.as_str(), apply)
        })
        .collect();
    let stop = {
        let shared = Arc::clone(shared);
        Stop::when(move || shared.is_stopped() || deadline.as_ref().is_some_and(Deadline::is_over))
    };
    let proofs = arguments.proof.iter().map(|path| {
        let dag = import(path, None, &problem, &stop)?;
        Ok((name_of(path), dag))
    });
    let grid = Grid {
        proofs: proofs.collect::<Result<_, Failure>>()?,
        seeds: (0..arguments.seeds).collect(),
        transforms: functions
            .iter()
            .map(|(name, apply)| Transform { name, apply })
            .collect(),
        labellings: labellings.to_vec(),
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
        compaction: (!arguments.no_compact).then(Budget::default),
        simplification: arguments.simplify.then(Effort::default),
        stop: stop.clone(),
        clock: &|| clock.now(),
        listener: &|finding| shared.update(|report| report.add(finding)),
    };
    let study = study(&problem.cnf, arguments.cut, &grid);
    let is_stopped = stop.is_asked();
    shared.update(|report| {
        report.study = study.map_err(|error| error.to_string());
        report.is_cut_short = is_stopped;
    });
    if arguments.convergence
        && let Some((model, property)) = load_model(&input.source)?
    {
        let plan = Plan {
            engines: &arguments.engines,
            systems: &systems(arguments),
            derivations: &arguments.derivations,
            time: arguments.run_time,
            stop: &shared.stop,
        };
        run_all(&model, property, &plan, &mut |run| {
            shared.update(|report| report.runs.push(run));
        });
    }
    let is_stopped = shared.is_stopped();
    shared.update(|report| report.is_cut_short |= is_stopped);
    Ok(())
}
