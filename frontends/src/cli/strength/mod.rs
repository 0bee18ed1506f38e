//! `craig strength`: a study of interpolation systems, proofs and transforms.

mod clock;
mod convergence;
mod html;
mod plot;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use craig_itp::labelling::Choice;
use craig_itp::simplify::Effort;
use craig_itp::study::{DensityBudget, Finding, Grid, Order, Study, Transform, study};
use craig_itp::{Stop, System};
use craig_mc::Control;
use craig_solver::aig::Budget;
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Limits};

use super::failure::Failure;
use super::itp::{ClassicSystem, Source, import, labels, load, load_model};
use super::output::write_file;
use super::programs::Machine;
use super::terminal::{complain, print};
use super::transforms::Chain;
use super::watch::{self, End, parse_seconds, watch};
use clock::{Deadline, ThreadClock};
use convergence::{Derivation, Engine, Plan, Run, run_all};

/// Compare interpolants of the same problem: proofs from different seeds or from files, transformed or not, in
/// different labelled systems.
///
/// For each: whether it is valid, its size, how much of the space it covers, and which of them implies which. With
/// `--convergence`, circuits and programs are also model checked with each system, to see what strength does to
/// convergence. Times are processor time.
///
/// When a limit is reached, what was found by then is reported, and what is missing is named. Exit codes: 0; 30
/// if a limit or a signal kept something from being studied; 1 if an interpolant is wrong, or an order that has to hold
/// does not.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// DIMACS files with lines `c partition N`, AIGER circuits, C programs, or folders of them.
    #[arg(required_unless_present = "a", conflicts_with_all = ["a", "b"])]
    files: Vec<PathBuf>,
    /// Partition 0, in DIMACS.
    #[arg(long, value_name = "FILE", requires = "b")]
    a: Option<PathBuf>,
    /// Partition 1, in DIMACS, over the same variables.
    #[arg(long, value_name = "FILE", requires = "a")]
    b: Option<PathBuf>,
    /// A refutation by another solver, to be studied with the others: LRAT (also binary) or TraceCheck (`.tc`,
    /// `.tracecheck`). For one problem only; may be given several times.
    #[arg(long, value_name = "FILE")]
    proof: Vec<PathBuf>,
    /// A file of labels, as `craig itp --labelling` reads it, to be studied with the other labellings. May be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    labelling: Vec<PathBuf>,
    /// The last partition (for a circuit: step) that belongs to A.
    #[arg(long, value_name = "N", default_value_t = 0)]
    cut: Label,
    /// For circuits and programs: in which step the bad is to hold, counted from 0. A program's steps run from one loop
    /// head to the next.
    #[arg(long, value_name = "STEPS", default_value_t = 5)]
    bound: usize,
    /// For circuits: which bad, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    property: usize,
    /// For C programs: the machine that they are for, that is, the sizes of `long` and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    data_model: Machine,
    /// How many proofs to search for, from seeds 0, 1, ..
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=100))]
    seeds: u64,
    /// How many random labellings to draw, half of them with a label per occurrence of a literal.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=100))]
    random: u64,
    /// The classic systems, and those that `--convergence` runs with.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "mcmillan,symmetric,inverse"
    )]
    systems: Vec<ClassicSystem>,
    /// What is done to each proof: names as in `craig itp --transform`, or several of them joined by `+`, as in
    /// `recycle-units+lower-units`.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,raise-local,reduce",
        value_parser = Chain::parse
    )]
    transforms: Vec<Chain>,
    /// Rounds of `reduce`, at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: usize,
    /// Conflicts that a search may take; what is not refuted by then is left out.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    conflicts: u64,
    /// Assignments to sample where a density can't be counted.
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(64..=1 << 30))]
    samples: u64,
    /// Do not try how much smaller the interpolants get by compaction.
    #[arg(long)]
    no_compact: bool,
    /// Also try how much smaller they get where they are free to change, as `craig itp --simplify` makes them.
    #[arg(long)]
    simplify: bool,
    /// Do not check Craig's conditions.
    #[arg(long)]
    no_verify: bool,
    /// Also model check circuits and programs with the engines that interpolate, in each system.
    #[arg(long)]
    convergence: bool,
    /// The engines that `--convergence` runs.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "imc,isb,tra"
    )]
    engines: Vec<Engine>,
    /// How these derive their interpolants.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "forward,backward,reduced,raised"
    )]
    derivations: Vec<Derivation>,
    /// How much processor time each of these runs may take.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = parse_seconds)]
    run_time: Duration,
    /// Stop after so many seconds, and report what was found.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Go on to the next problem after so much processor time on one of them (runs of `--convergence` not counted).
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    problem_timeout: Option<Duration>,
    /// Stop when so much memory is resident, and report what was found.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
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

/// What was found about one problem.
struct Report {
    name: String,
    /// The study, or why there is none.
    study: Result<Study, String>,
    /// Runs of the model checker.
    runs: Vec<Run>,
    /// Whether a limit or a signal kept something from being found.
    is_cut_short: bool,
    /// Whether nothing more is to come.
    is_done: bool,
}

impl Report {
    fn without_study(name: String, reason: String) -> Self {
        Self {
            name,
            study: Err(reason),
            runs: Vec::new(),
            is_cut_short: false,
            is_done: true,
        }
    }

    /// Takes in what a study has found that is still going on.
    fn hear(&mut self, finding: Finding<'_>) {
        match (finding, &mut self.study) {
            (Finding::Shared(n_shared), study) => *study = Ok(Study::begun(n_shared)),
            (Finding::Proof(proof), Ok(study)) => study.proofs.push(proof.clone()),
            (Finding::Entry(entry), Ok(study)) => study.entries.push(entry.clone()),
            (Finding::Proof(_) | Finding::Entry(_), Err(_)) => {
                unreachable!("the variables come first")
            }
        }
    }

    /// Ends what nobody goes on with, for a reason.
    fn give_up(&mut self, reason: &str) {
        self.is_done = true;
        self.is_cut_short = true;
        match &mut self.study {
            Ok(study) if study.order.classes.len() < study.entries.len() => {
                study.order = Order::undecided(study.entries.len());
                study
                    .missing
                    .push(format!("all that follows: given up: {reason}"));
            }
            Ok(_) => {}
            Err(error) => *error = format!("given up: {reason}"),
        }
    }
}

/// A problem to study.
#[derive(Clone, Debug)]
struct Input {
    name: String,
    source: Source,
}

/// What the thread that studies and the one that watches it share.
struct Shared {
    /// Of the problems that were begun; the last one may be under way.
    reports: Mutex<Vec<Report>>,
    /// Cancelled when all is to stop.
    control: Control,
}

impl Shared {
    fn reports(&self) -> MutexGuard<'_, Vec<Report>> {
        self.reports.lock().expect("nobody panics with the reports")
    }

    /// Changes the report on the problem at hand.
    fn update(&self, change: impl FnOnce(&mut Report)) {
        change(self.reports().last_mut().expect("a problem was begun"));
    }

    fn is_stopped(&self) -> bool {
        self.control.stop_reason().is_some()
    }
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let inputs = inputs(arguments)?;
    let labellings = labellings(arguments)?;
    let shared = Arc::new(Shared {
        reports: Mutex::new(Vec::new()),
        control: Control::new(),
    });
    let limits = watch::Limits {
        deadline: arguments.timeout.map(|time| start + time),
        memory: arguments.memory.map(|megabytes| megabytes << 20),
    };
    let mut stopped = None;
    let ask_to_stop = |stop| {
        stopped = Some(stop);
        shared.control.cancel();
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
    let code = publish(arguments, &reports);
    if is_abandoned {
        // The other thread does not listen: it ends with the process.
        let code = code.unwrap_or_else(|failure| failure.complain());
        std::process::exit(code.into());
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
        match report(arguments, input, labellings, shared) {
            // One bad file among many is no reason to lose what was found about the others.
            Err(Failure::Input(message)) if inputs.len() > 1 => {
                shared.update(|report| report.study = Err(message));
            }
            result => result?,
        }
        shared.update(|report| report.is_done = true);
    }
    Ok(())
}

/// Writes and prints the reports; returns the exit code.
fn publish(arguments: &Arguments, reports: &[Report]) -> Result<u8, Failure> {
    if let Some(path) = &arguments.html {
        let page = html::page(reports);
        write_file(path, |output| output.write_all(page.as_bytes()))?;
    }
    print(&if arguments.json {
        table::json(reports)
    } else if arguments.csv {
        table::csv(reports)
    } else {
        table::text(reports)
    });
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
    if n_wrong > 0 {
        return Err(Failure::internal(format!(
            "{n_wrong} interpolants are wrong"
        )));
    }
    if n_disordered > 0 {
        let message = "interpolants of one proof are not in the order of their systems";
        return Err(Failure::internal(format!(
            "{n_disordered} times, {message}"
        )));
    }
    let is_cut_short = reports.iter().any(|report| report.is_cut_short);
    Ok(if is_cut_short { 30 } else { 0 })
}

/// Fills the report on the problem at hand.
fn report(
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
    let functions: Vec<(&str, _)> = arguments
        .transforms
        .iter()
        .map(|chain| {
            let apply = |dag: &ProofDag, in_a: &dyn Fn(Label) -> bool, stop: &Stop| {
                chain
                    .transforms
                    .iter()
                    .try_fold(dag.clone(), |dag, transform| {
                        transform.apply(&dag, in_a, arguments.rounds, stop)
                    })
            };
            (chain.name.as_str(), apply)
        })
        .collect();
    let proofs = arguments.proof.iter().map(|path| {
        let dag = import(path, None, &problem)?;
        Ok((name_of(path), dag))
    });
    let stop = {
        let shared = Arc::clone(shared);
        Stop::when(move || shared.is_stopped() || deadline.as_ref().is_some_and(Deadline::is_over))
    };
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
        listener: &|finding| shared.update(|report| report.hear(finding)),
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
            control: &shared.control,
        };
        run_all(&model, property, &plan, &mut |run| {
            shared.update(|report| report.runs.push(run));
        });
    }
    let is_stopped = shared.is_stopped();
    shared.update(|report| report.is_cut_short |= is_stopped);
    Ok(())
}

/// The classic systems that were asked for.
fn systems(arguments: &Arguments) -> Vec<System> {
    arguments
        .systems
        .iter()
        .map(|&system| system.into())
        .collect()
}

/// The classic systems, the random labellings and those from files.
fn labellings(arguments: &Arguments) -> Result<Vec<Choice>, Failure> {
    let random = (0..arguments.random).map(|index| match index % 2 {
        0 => Choice::RandomVariables(index / 2),
        _ => Choice::RandomOccurrences(index / 2),
    });
    let classic = systems(arguments).into_iter().map(Choice::Classic);
    let files = arguments.labelling.iter().map(|path| labels(path));
    classic.chain(random).map(Ok).chain(files).collect()
}

/// What the arguments ask to be studied.
fn inputs(arguments: &Arguments) -> Result<Vec<Input>, Failure> {
    if arguments.seeds == 0 && arguments.proof.is_empty() {
        return Err(Failure::input(
            "--seeds 0 leaves no proof to study without --proof",
        ));
    }
    if let (Some(a), Some(b)) = (&arguments.a, &arguments.b) {
        return Ok(vec![Input {
            name: format!("{} against {}", name_of(a), name_of(b)),
            source: Source::of_pair(a, b),
        }]);
    }
    let inputs: Vec<Input> = expand(&arguments.files)?
        .into_iter()
        .map(|file| Input {
            name: name_of(&file),
            source: Source::of_file(
                &file,
                arguments.bound,
                arguments.property,
                arguments.data_model,
            ),
        })
        .collect();
    if inputs.len() > 1 && !arguments.proof.is_empty() {
        return Err(Failure::input("--proof is for the study of one problem"));
    }
    Ok(inputs)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
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
            if [".cnf", ".aag", ".aig", ".c", ".i"]
                .iter()
                .any(|end| plain.ends_with(end))
            {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            let message = "has no .cnf, .aag, .aig, .c or .i files";
            return Err(Failure::input(format!("{}: {message}", path.display())));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_itp::study::ProofFunction;
    use craig_solver::{Cnf, Lit};

    /// What a listener has heard when nobody goes on any more is reported, and what is missing is said.
    #[test]
    fn a_study_that_is_given_up_keeps_its_rows() {
        let mut cnf = Cnf::new();
        for (number, label) in [(1, 0), (-1, 1)] {
            cnf.add_labelled_clause(&[Lit::from_dimacs(number).unwrap()], label);
        }
        let report = Mutex::new(Report {
            is_done: false,
            ..Report::without_study("problem".to_owned(), String::new())
        });
        let unchanged: &ProofFunction<'_> = &|dag, _, _| Ok(dag.clone());
        let grid = Grid {
            proofs: Vec::new(),
            seeds: vec![0],
            transforms: vec![Transform {
                name: "none",
                apply: unchanged,
            }],
            labellings: System::ALL.map(Choice::Classic).to_vec(),
            limits: Limits::default(),
            density: DensityBudget::default(),
            comparison_conflicts: None,
            verify: true,
            compaction: None,
            simplification: None,
            stop: Stop::never(),
            clock: &|| Duration::ZERO,
            listener: &|finding| report.lock().unwrap().hear(finding),
        };
        let study = study(&cnf, 0, &grid).unwrap();
        let mut report = report.into_inner().unwrap();
        report.give_up("the time limit was reached");
        let heard = report.study.as_ref().unwrap();
        assert_eq!(heard.n_shared, study.n_shared);
        assert_eq!(heard.proofs.len(), 1);
        assert_eq!(heard.entries.len(), 3);
        assert_eq!(heard.missing.len(), 1);
        assert!(report.is_cut_short && report.is_done);
        // All of what is written can be written.
        let text = table::text(&[report]);
        assert_eq!(text.matches(" valid ").count(), 3);
        assert!(text.contains("0 of 1 (1 undecided) proofs"), "{text}");
        assert!(
            text.contains("given up: the time limit was reached"),
            "{text}"
        );
    }
}
