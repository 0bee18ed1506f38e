//! Runs of engines on problems, each written at once as a line of a table.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use craig_formula::dimacs;

use super::engine::{self, Engine, Place};
use super::host;
use super::problem::{Problem, Selection, problems};
use super::summary;
use crate::answer::Answer;
use crate::pool;
use crate::process::{Ended, Limits, run as run_process};
use crate::row::Row;

/// Arguments of `craig-bench run`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The folder of the problems, with an `index.csv` where answers are known.
    folder: PathBuf,
    /// The folder for the results. A run that was ended goes on there.
    output: PathBuf,
    /// The engines, by the names in the configuration.
    #[arg(
        long,
        value_delimiter = ' ',
        num_args = 1..,
        required = true,
        value_name = "NAME"
    )]
    engines: Vec<String>,
    /// A file that describes engines, beside those that are known.
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Processor seconds for each run.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    limit: f64,
    /// Wall seconds for each run; by default twice the processor seconds, for a machine that is busy.
    #[arg(long, value_name = "SECONDS")]
    wall_limit: Option<f64>,
    /// The address space of each run, in megabytes.
    #[arg(long, default_value_t = 6000, value_name = "MB")]
    memory: u64,
    /// Processor seconds for each judge of evidence.
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS")]
    judge_limit: f64,
    /// How many problems to work on at once.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The `craig` to measure; a release build.
    #[arg(long, default_value = "target/release/craig", value_name = "PROGRAM")]
    craig: PathBuf,
}

impl Arguments {
    fn limits(&self) -> Limits {
        Limits {
            cpu_seconds: self.limit,
            wall_seconds: self.wall_limit.unwrap_or(2.0 * self.limit),
            megabytes: self.memory,
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// If the configuration or the problems can't be read, results can't be written, or an answer is wrong.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let mut known = engine::read(engine::KNOWN, "engines.toml").map_err(io::Error::other)?;
    if let Some(path) = &arguments.config {
        let text = fs::read_to_string(path)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        let own = engine::read(&text, &path.display().to_string()).map_err(io::Error::other)?;
        known = [own, known].concat();
    }
    let engines = arguments.engines.iter();
    let engines: Result<Vec<Engine>, String> =
        engines.map(|name| engine::named(&known, name)).collect();
    let engines = engines.map_err(io::Error::other)?;
    let problems = problems(&arguments.folder, &arguments.selection)?;
    if !problems
        .iter()
        .any(|it| engines.iter().any(|one| one.kinds.contains(&it.kind)))
    {
        return Err(io::Error::other("none of the engines is for such problems"));
    }
    fs::create_dir_all(arguments.output.join("logs"))?;
    let craig = arguments.craig.display().to_string();
    host::note(
        &arguments.output,
        &engines,
        &place("", "", &craig, "", arguments.limits()),
    )?;
    let path = arguments.output.join(summary::RESULTS);
    let (done, table) = open(&path)?;
    let table = Mutex::new(table);
    let note = |row: &Row| {
        eprintln!("{}", row.describe());
        let mut file = table.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(row.to_csv().as_bytes())?;
        file.flush()
    };
    pool::for_each(arguments.jobs, &problems, |worker, problem| {
        let fit = engines.iter();
        let fit = fit.filter(|engine| engine.kinds.contains(&problem.kind));
        for engine in fit {
            if !done.contains(&(problem.name.clone(), engine.name.clone())) {
                note(&run_one(arguments, engine, problem, worker)?)?;
            }
        }
        Ok(())
    })?;
    let rows = summary::read(&[path])?;
    print!("{}", summary::tables(&rows, arguments.limit));
    match rows.iter().filter(|row| row.is_wrong()).count() {
        0 => Ok(()),
        count => Err(io::Error::other(format!("{count} WRONG ANSWERS"))),
    }
}

fn place<'a>(
    file: &'a str,
    evidence: &'a str,
    craig: &'a str,
    own: &'a str,
    limits: Limits,
) -> Place<'a> {
    Place {
        file,
        evidence,
        craig,
        own,
        cpu: limits.cpu_seconds,
        wall: limits.wall_seconds,
        megabytes: limits.megabytes,
    }
}

/// The runs that a table has already, and the table, to be added to. A line without its end is cut off.
fn open(path: &Path) -> io::Result<(BTreeSet<(String, String)>, File)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let rows = text[..whole].lines().skip(1).filter_map(Row::parse);
    let done = rows.map(|row| (row.problem, row.program)).collect();
    let mut table = OpenOptions::new().create(true).append(true).open(path)?;
    table.set_len(whole as u64)?;
    if whole == 0 {
        table.write_all(Row::HEADER.as_bytes())?;
    }
    Ok((done, table))
}

/// A name for files of a run.
fn file_name(problem: &Problem, engine: &Engine) -> String {
    let name = format!("{}.{}", problem.name, engine.name);
    let plain = |it: char| {
        if it.is_ascii_alphanumeric() || "._-".contains(it) {
            it
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}

fn run_one(
    arguments: &Arguments,
    engine: &Engine,
    problem: &Problem,
    worker: usize,
) -> io::Result<Row> {
    let name = file_name(problem, engine);
    let evidence = arguments.output.join(format!("{name}.evidence"));
    let unpacked = arguments.output.join(format!("unpacked-{worker}.cnf"));
    let is_packed = |file: &Path| file.extension().is_some_and(|it| it == "gz" || it == "xz");
    let file = match engine.is_unpacked && is_packed(&problem.file) {
        true => {
            let mut input = dimacs::decompress(File::open(&problem.file)?)?;
            io::copy(&mut input, &mut File::create(&unpacked)?)?;
            &unpacked
        }
        false => &problem.file,
    };
    let text = |path: &Path| path.display().to_string();
    let own = text(&std::env::current_exe()?);
    let (file, to, craig) = (text(file), text(&evidence), text(&arguments.craig));
    let place = place(&file, &to, &craig, &own, arguments.limits());
    let command = engine.command(problem, &place);
    let ended = run_process(&command, arguments.limits())?;
    let answer = engine.answer(&ended);
    let mut log = log_of(&command, &ended);
    let mut checks = Vec::new();
    if matches!(answer, Answer::Good | Answer::Bad) {
        let limits = Limits {
            cpu_seconds: arguments.judge_limit,
            wall_seconds: 2.0 * arguments.judge_limit,
            megabytes: 16_000,
        };
        for (judge, command) in engine.judges(answer, problem, &place) {
            let ended = run_process(&command, limits)?;
            checks.push(format!("{} {}", judge.name, judge.word(&ended)));
            log += &log_of(&command, &ended);
        }
    }
    fs::write(
        arguments.output.join("logs").join(format!("{name}.log")),
        log,
    )?;
    let checks = checks.join("; ");
    // What was rejected is kept, to be looked at.
    if evidence.exists() && !checks.contains("REJECTED") {
        fs::remove_file(&evidence)?;
    }
    if unpacked.exists() {
        fs::remove_file(&unpacked)?;
    }
    let expected = problem.expected;
    Ok(Row::of_run(
        &problem.name,
        &engine.name,
        answer,
        expected,
        &ended,
        checks,
    ))
}

/// The most of an output that a log has.
const MOST_LOGGED: usize = 100_000;

fn log_of(command: &[String], ended: &Ended) -> String {
    let shown: String = ended.stdout.chars().take(MOST_LOGGED).collect();
    let code = ended
        .code
        .map_or("a signal or a limit".to_owned(), |code| code.to_string());
    format!(
        "$ {}\n{shown}\n(ended by {code}; {:.2} s of processors, {:.2} s)\n",
        command.join(" "),
        ended.cpu_seconds,
        ended.wall_seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell stands for two engines: one is wrong, and the judge rejects its evidence.
    const CONFIG: &str = r#"
[[engine]]
name = "right"
kinds = ["circuits"]
command = ["sh", "-c", "echo run >> $0.runs; exit 20", "{file}"]
good = [20]
[[engine]]
name = "wrong:*"
kinds = ["circuits"]
command = ["sh", "-c", "echo {*} is bad; echo proof > $0", "{evidence}"]
bad = ["is bad"]
judge = [{ name = "reader", command = ["cat", "{evidence}"], accepted = ["truth"] }]
"#;

    fn arguments(folder: &Path) -> Arguments {
        Arguments {
            folder: folder.join("problems"),
            output: folder.join("results"),
            engines: vec!["right".into(), "wrong:it".into()],
            config: Some(folder.join("engines.toml")),
            selection: Selection::default(),
            limit: 10.0,
            wall_limit: None,
            memory: 1000,
            judge_limit: 10.0,
            jobs: 1,
            craig: "craig".into(),
        }
    }

    #[test]
    fn wrong_answers_are_told_and_a_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let problems = folder.path().join("problems");
        fs::create_dir(&problems).unwrap();
        fs::write(problems.join("p.aag"), "").unwrap();
        fs::write(problems.join("index.csv"), "file,expected\np.aag,safe\n").unwrap();
        fs::write(folder.path().join("engines.toml"), CONFIG).unwrap();
        let arguments = arguments(folder.path());
        let error = run(&arguments).unwrap_err();
        assert_eq!(error.to_string(), "1 WRONG ANSWERS");
        let path = arguments.output.join(summary::RESULTS);
        let rows = summary::read(std::slice::from_ref(&path)).unwrap();
        assert_eq!(rows[0].answer, Answer::Good);
        assert_eq!(rows[1].checks, "reader REJECTED");
        assert!(arguments.output.join("p.aag.wrong_it.evidence").exists());
        let log = fs::read_to_string(arguments.output.join("logs/p.aag.wrong_it.log")).unwrap();
        assert!(log.contains("it is bad") && log.contains("$ cat"), "{log}");
        // The next run has nothing to do but what was cut off.
        let text = fs::read_to_string(&path).unwrap();
        let cut = text.find("p.aag\twrong").unwrap() + 5;
        fs::write(&path, &text[..cut]).unwrap();
        assert!(run(&arguments).is_err());
        assert_eq!(summary::read(&[path]).unwrap().len(), 2);
        let runs = fs::read_to_string(problems.join("p.aag.runs")).unwrap();
        assert_eq!(runs, "run\n");
        // Other limits are another experiment.
        let other = Arguments {
            limit: 11.0,
            ..arguments
        };
        let error = run(&other).unwrap_err();
        assert!(error.to_string().contains("another folder"), "{error}");
    }
}
