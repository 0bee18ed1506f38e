//! The experiments of the papers that craig implements, on C programs with known verdicts.
//!
//! Each experiment runs the `craig` command with `--json` on programs of a corpus, once for each of its
//! configurations, and prints craig's figures beside those of the paper. The machines, programs and limits
//! differ, so that only relations between configurations can be compared. All runs are written to
//! `results.tsv`, from which `--results` renders the tables again.

mod annotate;
mod corpus;
mod dial;
mod imc;
mod impact;
mod rse;
mod run;
mod table;
mod tra;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use run::{Configuration, Run};

/// An experiment of a paper.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Experiment {
    /// Lazy abstraction with interpolants on drivers: table 1 of McMillan, CAV 2006.
    Impact(Arguments),
    /// Transition relations by interpolants and by Das and Dill's method: figures 7 to 9 of Jhala and McMillan,
    /// LMCS 2007.
    Tra(Arguments),
    /// Engines on all programs: table 2 of Beyer, Lee and Wendler, "Interpolation and SAT-based model checking
    /// revisited" (2022).
    Imc(Arguments),
    /// R-, S- and E-interpolants and weights: tables II and III of Tian, Duan, Duan and Ong, ASE 2017.
    Rse(Arguments),
    /// Tests for all locations with and without learning: figure 6 of McMillan, CAV 2010.
    Annotate(Arguments),
    /// The strength of interpolants, and bits or words, under Impact, IMC and transition relation
    /// approximation.
    Dial(Arguments),
}

/// The arguments of all experiments.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The folders of the programs, or of circuits, each with an `index.csv`.
    #[arg(long, default_value = "../shared/bench/c")]
    corpus: Vec<PathBuf>,
    /// The `craig` to measure; a release build.
    #[arg(long, default_value = "target/release/craig")]
    craig: PathBuf,
    /// Processor seconds for each run.
    #[arg(long, default_value_t = 20.0)]
    limit: f64,
    /// Wall seconds for each run; by default three times the processor seconds, for a machine that is busy.
    #[arg(long)]
    wall_limit: Option<f64>,
    /// The memory of each run, in megabytes.
    #[arg(long, default_value_t = 4000)]
    memory: u64,
    /// How many runs at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The folder for `results.tsv` and the plot.
    #[arg(long, default_value = "target/paper")]
    out: PathBuf,
    /// Only the programs whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// The inputs that this file names, one in each line, as the index has them; of any family, unless `--families` says which.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Tables only of the inputs on which some configuration takes at least that many processor seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    min_seconds: f64,
    /// Only every N-th of the programs that are chosen.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// The families of programs, instead of those of the experiment; `all` for all.
    #[arg(long, value_delimiter = ',')]
    families: Vec<String>,
    /// Only these configurations, by name.
    #[arg(long, value_delimiter = ',')]
    configurations: Vec<String>,
    /// Further options for each run of `craig`, separated by blanks.
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    options: Vec<String>,
    /// Read these results of earlier runs instead of running anything.
    #[arg(long)]
    results: Vec<PathBuf>,
}

/// What distinguishes the experiments.
struct Plan {
    /// The name of the plot's file.
    name: &'static str,
    configurations: Vec<Configuration>,
    /// The families of programs; all if there are none.
    families: &'static [&'static str],
    /// The tables, as Markdown.
    render: fn(&[Run]) -> String,
    /// Draws the plot. The number is the limit in processor seconds.
    draw: fn(&std::path::Path, &[Run], f64) -> io::Result<()>,
}

/// Runs an experiment, writes its results and its plot, and prints its tables.
///
/// # Errors
/// If the corpus or earlier results cannot be read, `craig` cannot be run, or files cannot be written.
pub fn run(experiment: &Experiment) -> io::Result<()> {
    let (arguments, plan) = match experiment {
        Experiment::Impact(arguments) => (arguments, impact::plan()),
        Experiment::Tra(arguments) => (arguments, tra::plan()),
        Experiment::Imc(arguments) => (arguments, imc::plan()),
        Experiment::Rse(arguments) => (arguments, rse::plan()),
        Experiment::Annotate(arguments) => (arguments, annotate::plan()),
        Experiment::Dial(arguments) => (arguments, dial::plan()),
    };
    fs::create_dir_all(&arguments.out)?;
    let runs = if arguments.results.is_empty() {
        let tasks = chosen(arguments, &plan)?;
        let (configurations, wanted) = (plan.configurations, &arguments.configurations);
        let configurations: Vec<Configuration> = (configurations.into_iter())
            .filter(|configuration| {
                wanted.is_empty() || wanted.iter().any(|name| name == configuration.name)
            })
            .collect();
        if tasks.is_empty() || configurations.is_empty() {
            return Err(io::Error::other("there is nothing to run"));
        }
        run::run_all(arguments, &tasks, &configurations)?
    } else {
        run::read_all(&arguments.results)?
    };
    let runs = long_enough(runs, arguments.min_seconds);
    println!("{}", (plan.render)(&runs));
    let plot = arguments.out.join(format!("{}.svg", plan.name));
    (plan.draw)(&plot, &runs, arguments.limit)?;
    println!("{}", plot.display());
    Ok(())
}

/// The inputs to run on.
fn chosen(arguments: &Arguments, plan: &Plan) -> io::Result<Vec<corpus::Task>> {
    let mut tasks = Vec::new();
    for folder in &arguments.corpus {
        tasks.extend(corpus::read(folder)?);
    }
    if let Some(path) = &arguments.list {
        keep_listed(&mut tasks, &fs::read_to_string(path)?)
            .map_err(|error| io::Error::other(format!("{}:{error}", path.display())))?;
    }
    let tasks = tasks.into_iter();
    let wanted = tasks.filter(|task| is_wanted(arguments, plan, task));
    Ok(wanted.step_by(arguments.every as usize).collect())
}

/// Leaves out what a list does not name. A name that no index has is an error, with its line.
fn keep_listed(tasks: &mut Vec<corpus::Task>, list: &str) -> Result<(), String> {
    let mut listed = BTreeSet::new();
    for (number, line) in list.lines().enumerate() {
        let name = line.trim();
        if !name.is_empty() && !tasks.iter().any(|task| task.file == name) {
            return Err(format!("{}: no index has `{name}`", number + 1));
        }
        listed.insert(name);
    }
    tasks.retain(|task| listed.contains(task.file.as_str()));
    Ok(())
}

/// The runs on inputs on which some configuration takes that many seconds.
fn long_enough(runs: Vec<Run>, seconds: f64) -> Vec<Run> {
    let long: BTreeSet<String> = (runs.iter())
        .filter(|run| run.seconds >= seconds)
        .map(|run| run.file.clone())
        .collect();
    let is_long = |run: &Run| long.contains(&run.file);
    runs.into_iter().filter(is_long).collect()
}

fn is_wanted(arguments: &Arguments, plan: &Plan, task: &corpus::Task) -> bool {
    let is_family = match arguments.families.as_slice() {
        [] if arguments.list.is_some() => true,
        [] => plan.families.is_empty() || plan.families.contains(&task.family.as_str()),
        [all] if all == "all" => true,
        chosen => chosen.contains(&task.family),
    };
    is_family && task.file.contains(&arguments.only)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program counts with all of its runs if one of them is long, so that no configuration chooses.
    #[test]
    fn short_programs_are_left_out() {
        let safe = ("good", "good");
        let runs = vec![
            run::canned("a.c", "R", safe, 0.1, ""),
            run::canned("a.c", "R+S", safe, 2.0, ""),
            run::canned("b.c", "R", safe, 0.1, ""),
            run::canned("b.c", "R+S", safe, 0.9, ""),
        ];
        let kept = long_enough(runs.clone(), 1.0);
        assert_eq!(kept, runs[..2]);
        assert_eq!(long_enough(runs.clone(), 0.0), runs);
    }

    /// Lists choose inputs, and name none that there is not.
    #[test]
    fn lists_name_inputs() {
        let folder = std::path::Path::new("folder");
        let text = "file,family,expected\na.c,f,safe\nb.c,f,safe\n";
        let tasks = corpus::parse(folder, text).unwrap();
        let mut own = tasks.clone();
        keep_listed(&mut own, " b.c\n\n").unwrap();
        assert_eq!(own, tasks[1..]);
        let error = keep_listed(&mut own, "b.c\nc.c\n");
        assert_eq!(error, Err("2: no index has `c.c`".to_owned()));
    }

    /// The names of configurations tell them apart in results.
    #[test]
    fn configurations_have_different_names() {
        for plan in [
            impact::plan(),
            tra::plan(),
            imc::plan(),
            rse::plan(),
            annotate::plan(),
            dial::plan(),
        ] {
            let mut names: Vec<_> = (plan.configurations.iter())
                .map(|configuration| configuration.name)
                .collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        }
    }
}
