//! `craig proofs`: a folder of proof harnesses in the layout of CBMC's starter kit, each decided in a process of its own.

mod makefile;
mod page;
mod peer;
mod question;
mod table;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use craig_c::{DataModel, Preprocessing, read_source, sha256};
use serde::{Deserialize, Serialize};

use super::batch::process::{self, Ended, Outcome, Stderr, Stdout};
use super::batch::resume::{Entry, Resume, digest_of_options, resume_output};
use super::batch::shard::Shard;
use super::batch::{pool, rounded, signals};
use super::failure::Failure;
use super::json::print_object;
use super::output::{Output, claim, write_file};
use super::program_files::compilation_database;
use super::terminal::{complain, print};
use super::watch::{parse_megabytes, parse_seconds, parse_threads};
use peer::PeerAnswer;
use question::Question;

/// Decide all proof harnesses of a project that keeps them as CBMC's starter kit does. Runs its Makefiles.
///
/// Each folder below DIRECTORY whose Makefile sets HARNESS_ENTRY is a proof. Its variables say what is asked: the files and
/// flags of the compiler, the bounds of loops, bodies that are left out, contracts, and the checks. They are read by `make`,
/// so this RUNS THE PROJECT'S MAKEFILES: what they do while they are read is done, as with any `make` there; no recipe is
/// run, unless `--generate` asks for it. What a variable asks for and is not supported is refused by its name. Checks that are not made are named.
///
/// Exit codes: 20 if all proofs are safe, 10 if any is unsafe, 30 if any is unknown, 2 if any is invalid.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder.
    #[arg(value_name = "DIRECTORY")]
    folder: PathBuf,
    /// Only the proofs whose names contain this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// A variable for `make`, such as `MLKEM_K=3`; may be repeated.
    #[arg(long = "make", value_name = "NAME=VALUE", value_parser = parse_variable)]
    make: Vec<String>,
    /// Let `make` generate files of proofs that are missing: this runs recipes of the project, which write in it.
    #[arg(long)]
    generate: bool,
    /// Decide this number of proofs at a time.
    #[arg(long, value_name = "N", value_parser = parse_threads, default_value_t = 1)]
    jobs: usize,
    /// How many threads may search for each; by default, the cores are shared.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Stop each proof after this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Stop each proof when this amount of memory is resident.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    memory: Option<u64>,
    /// Also decide which lines with statements a harness can reach, as `craig check --cover location` does.
    #[arg(long)]
    coverage: bool,
    /// Run this tool beside, as the kit does, within the same time.
    #[arg(long, value_name = "TOOL")]
    compare: Option<Peer>,
    /// Decide one of n shares of the proofs: the i-th, as `craig check --shard` does.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Note what is decided in this file, and leave out what it has already: proofs whose files (after preprocessing) and
    /// options are as before. In a folder, each `--shard` has a file.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write a page with the table.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print one JSON object with all proofs.
    #[arg(long)]
    json: bool,
    /// Only the table.
    #[arg(short, long)]
    quiet: bool,
}

/// The tools to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Peer {
    /// The installed CBMC: `goto-cc`, `goto-instrument` and `cbmc`.
    Cbmc,
}

fn parse_variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() && !name.starts_with('-') => Ok(text.to_owned()),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// The share of the lines that a harness can reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Lines {
    reached: u64,
    total: u64,
    undecided: u64,
}

/// What is known about a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Proof {
    /// The path of its folder below the one that was named.
    name: String,
    verdict: Outcome,
    seconds: f64,
    /// Why it is not decided, or the error that is reached.
    reason: Option<String>,
    engine: Option<String>,
    /// What the verdict assumes.
    notes: Vec<String>,
    /// Checks that the proof asks for and that were not made.
    not_checked: Vec<String>,
    coverage: Option<Lines>,
    cbmc: Option<PeerAnswer>,
    /// Whether an earlier run has decided it.
    is_known: bool,
}

impl Proof {
    fn without_answer(name: &str, verdict: Outcome, reason: String) -> Self {
        Self {
            name: name.to_owned(),
            verdict,
            seconds: 0.0,
            reason: Some(reason),
            engine: None,
            notes: Vec::new(),
            not_checked: Vec::new(),
            coverage: None,
            cbmc: None,
            is_known: false,
        }
    }

    /// Whether CBMC says the contrary.
    fn differs(&self) -> bool {
        let cbmc = self.cbmc.as_ref().map(|cbmc| cbmc.verdict.as_str());
        matches!(
            (self.verdict, cbmc),
            (Outcome::Safe, Some("unsafe")) | (Outcome::Unsafe, Some("safe"))
        )
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Body<'a> {
    proofs: &'a [Proof],
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments, given: &ArgMatches) -> Result<u8, Failure> {
    let start = Instant::now();
    let outputs = [
        Output::file("--html", arguments.html.as_deref()),
        resume_output(arguments.resume.as_deref()),
    ];
    claim([arguments.folder.as_path()], &outputs)?;
    let mut folders = proof_folders(arguments)?;
    check_tools(arguments)?;
    if let Some(shard) = arguments.shard {
        let own = shard.places(folders.len());
        let mut places = 0..;
        folders.retain(|_| places.next().is_some_and(|place| own.contains(&place)));
    }
    let ids = [
        "make", "threads", "timeout", "memory", "coverage", "compare",
    ];
    let resume = match &arguments.resume {
        Some(path) => {
            let options = digest_of_options(given, ids.into_iter().map(str::to_owned));
            let shard = arguments.shard.unwrap_or(Shard::WHOLE);
            Some((Resume::open(path, shard)?, options))
        }
        None => None,
    };
    let signal = signals()?;
    let batch = Batch {
        arguments,
        signal: &signal,
        resume,
    };
    let mut proofs: Vec<Option<Proof>> = folders.iter().map(|_| None).collect();
    let work = |index: usize| batch.decide(&folders[index]);
    pool::for_each(folders.len(), arguments.jobs, work, |index, proof| {
        if !arguments.json && !arguments.quiet {
            print(&table::line(&proof));
        } else if proof.verdict >= Outcome::BadInput {
            let reason = proof
                .reason
                .as_deref()
                .unwrap_or("it ended without a verdict");
            complain(&format!("error: {}: {reason}", proof.name));
        }
        proofs[index] = Some(proof);
        Ok(())
    })?;
    let proofs: Vec<Proof> = proofs.into_iter().flatten().collect();
    let outcomes: Vec<Outcome> = proofs.iter().map(|proof| proof.verdict).collect();
    let (word, code) = worst(&outcomes);
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        print_object((word, code), seconds, &Body { proofs: &proofs })?;
    } else {
        print(&table::table(&proofs, seconds));
    }
    if let Some(path) = &arguments.html {
        let title = format!("Proofs in {}", arguments.folder.display());
        let page = page::page(&title, &proofs, seconds);
        write_file(path, |output| output.write_all(page.as_bytes()))?;
    }
    Ok(code)
}

/// The verdict on all proofs, and the exit code.
fn worst(outcomes: &[Outcome]) -> (&'static str, u8) {
    match outcomes.iter().max() {
        Some(Outcome::Safe) => ("safe", 20),
        // A share may have no proof: then nothing is known.
        Some(Outcome::Unknown) | None => ("unknown", 30),
        Some(Outcome::Unsafe) => ("unsafe", 10),
        Some(Outcome::BadInput) => ("error", 2),
        Some(Outcome::Internal) => ("failed", 1),
    }
}

/// Refuses to begin without the tools that are needed.
fn check_tools(arguments: &Arguments) -> Result<(), Failure> {
    let peers: &[&str] = match arguments.compare {
        Some(Peer::Cbmc) => &peer::TOOLS,
        None => &[],
    };
    for (tool, why) in [("make", "reads the variables of proofs")]
        .into_iter()
        .chain(peers.iter().map(|tool| (*tool, "is for `--compare cbmc`")))
    {
        let mut command = std::process::Command::new(tool);
        let command = command.arg("--version").stdin(std::process::Stdio::null());
        if let Err(error) = command.output() {
            return Err(Failure::input(format!(
                "`{tool}`, which {why}, can't be started: {error}"
            )));
        }
    }
    Ok(())
}

/// A folder with a proof, and its name.
struct ProofFolder {
    name: String,
    path: PathBuf,
}

/// The folders of proofs, sorted.
fn proof_folders(arguments: &Arguments) -> Result<Vec<ProofFolder>, Failure> {
    let root = &arguments.folder;
    let unreadable = |path: &Path, error: std::io::Error| {
        Failure::input(format!("{}: can't be read: {error}", path.display()))
    };
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
            let entry = entry.map_err(|error| unreadable(&folder, error))?;
            // A link may lead in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
        }
        if makefile::is_proof(&folder) {
            found.push(folder);
        }
    }
    found.sort();
    let named = found.into_iter().map(|path| ProofFolder {
        name: match path.strip_prefix(root) {
            Ok(below) if below.as_os_str() != OsStr::new("") => below.display().to_string(),
            _ => path.display().to_string(),
        },
        path,
    });
    let found: Vec<ProofFolder> = named
        .filter(|folder| folder.name.contains(&arguments.only))
        .collect();
    match found.is_empty() {
        true => Err(Failure::input(format!(
            "{}: there is no proof: expected folders whose Makefile sets HARNESS_ENTRY",
            root.display()
        ))),
        false => Ok(found),
    }
}

/// The work on all proofs.
struct Batch<'a> {
    arguments: &'a Arguments,
    signal: &'a AtomicBool,
    resume: Option<(Resume, String)>,
}

impl Batch<'_> {
    /// Decides a proof, if no earlier run has.
    fn decide(&self, folder: &ProofFolder) -> Result<Proof, Failure> {
        if self.signal.load(Ordering::Relaxed) {
            let reason = "it was interrupted".to_owned();
            return Ok(Proof::without_answer(
                &folder.name,
                Outcome::Unknown,
                reason,
            ));
        }
        let refused = |reason| Proof::without_answer(&folder.name, Outcome::BadInput, reason);
        let path = std::path::absolute(&folder.path).map_err(Failure::internal)?;
        let variables = match makefile::variables(&path, &self.arguments.make, self.signal)? {
            Ok(variables) => variables,
            Err(reason) => return Ok(refused(reason)),
        };
        let question = match Question::new(&variables) {
            Ok(question) => question,
            Err(reason) => return Ok(refused(reason)),
        };
        if let Err(reason) = self.complete(&path, &question)? {
            return Ok(refused(reason));
        }
        let place = tempfile::tempdir().map_err(Failure::internal)?;
        let database = place.path().join("compile_commands.json");
        std::fs::write(&database, question.database(&path)).map_err(Failure::internal)?;
        let digest = self.digest(&question, &database);
        if let (Some((resume, _)), Some(digest)) = (&self.resume, &digest)
            && let Some(known) = resume.known(&folder.name, digest, false)
            && let Some(proof) = known
                .report
                .as_deref()
                .and_then(|it| serde_json::from_str(it).ok())
        {
            return Ok(Proof {
                is_known: true,
                ..proof
            });
        }
        let (mut proof, is_interrupted) = self.ask(folder, &question, &database)?;
        if self.arguments.compare.is_some() {
            let limit = self.arguments.timeout;
            proof.cbmc = Some(peer::ask(&question, &path, limit, self.signal)?);
        }
        let is_interrupted = is_interrupted || self.signal.load(Ordering::Relaxed);
        if let (Some((resume, _)), Some(digest), false) = (&self.resume, digest, is_interrupted) {
            resume.note(&Entry {
                input: folder.name.clone(),
                digest,
                outcome: proof.verdict,
                seconds: proof.seconds,
                evidence: None,
                report: Some(serde_json::to_string(&proof).map_err(Failure::internal)?),
            })?;
        }
        Ok(proof)
    }

    /// Sees that the files of a question are there.
    ///
    /// # Errors
    /// The inner one if one is missing.
    fn complete(&self, folder: &Path, question: &Question) -> Result<Result<(), String>, Failure> {
        let missing = || {
            let sources = question.sources.iter();
            sources.filter(|source| !folder.join(source).exists())
        };
        if self.arguments.generate && missing().count() > 0 {
            let files: Vec<PathBuf> = missing().cloned().collect();
            let made = makefile::generate(folder, &self.arguments.make, &files, self.signal)?;
            if made.is_err() {
                return Ok(made);
            }
        }
        let first = missing().next();
        Ok(first.map_or(Ok(()), |file| {
            let file = file.display();
            Err(match self.arguments.generate {
                true => format!("{file}: `make` has not made it"),
                false => format!("{file}: it is missing; `--generate` lets `make` make such files"),
            })
        }))
    }

    /// The digest of a question, of its files after their preprocessing, and of the options.
    fn digest(&self, question: &Question, database: &Path) -> Option<String> {
        let (_, options) = self.resume.as_ref()?;
        let model = match question.options.iter().any(|option| option == "ilp32") {
            true => DataModel::Ilp32,
            false => DataModel::Lp64,
        };
        let mut text = format!("{options}\n{question:?}\n");
        for file in compilation_database(database, &Preprocessing::default(), model).ok()? {
            let source = read_source(&file.path, &file.preprocessing, model).ok()?;
            text += &sha256(source.text.as_bytes());
        }
        Some(sha256(text.as_bytes()))
    }

    /// `craig check` about a question.
    fn check(
        &self,
        question: &Question,
        database: &Path,
    ) -> Result<std::process::Command, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (self.arguments.threads).unwrap_or((cores / self.arguments.jobs).max(1));
        let mut command = process::own_program()?;
        command.arg("check").arg(database);
        command.args(["--json", "--dialect", "cbmc", "--entry", &question.entry]);
        // The Makefiles of the project run as they are: no text of its files is hidden.
        command.arg("--trust");
        command.args(["--threads", &threads.to_string()]);
        if let Some(time) = self.arguments.timeout {
            command.args(["--timeout", &time.as_secs_f64().to_string()]);
        }
        if let Some(megabytes) = self.arguments.memory {
            command.args(["--memory", &megabytes.to_string()]);
        }
        Ok(command)
    }

    /// The verdict of `craig check`, and whether it was interrupted.
    fn ask(
        &self,
        folder: &ProofFolder,
        question: &Question,
        database: &Path,
    ) -> Result<(Proof, bool), Failure> {
        let mut command = self.check(question, database)?;
        command.args(&question.options);
        let start = Instant::now();
        let ended = process::run(command, (Stdout::Kept, Stderr::Kept), self.signal)?;
        let mut proof = answer(&folder.name, question, &ended);
        proof.seconds = rounded(start.elapsed().as_secs_f64());
        if self.arguments.coverage && !ended.is_interrupted {
            proof.coverage = self.coverage(question, database)?;
        }
        Ok((proof, ended.is_interrupted))
    }

    /// The lines that the harness can reach; none if they are not known.
    fn coverage(&self, question: &Question, database: &Path) -> Result<Option<Lines>, Failure> {
        let mut command = self.check(question, database)?;
        // Goals and checks are different questions.
        let options = question.options.iter();
        command.args(options.filter(|option| !option.ends_with("-check")));
        command.args(["--cover", "location"]);
        let ended = process::run(command, (Stdout::Kept, Stderr::Kept), self.signal)?;
        let object: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
        let number = |key: &str| object["coverage"][key].as_u64();
        Ok((|| {
            Some(Lines {
                reached: number("reached")?,
                total: number("total")?,
                undecided: number("undecided")?,
            })
        })())
    }
}

/// What the object of `craig check` says about a proof.
fn answer(name: &str, question: &Question, ended: &Ended) -> Proof {
    let object: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let property = &object["properties"][0];
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let reason = text(&property["error"])
        .or_else(|| text(&property["reason"]))
        .or_else(|| text(&object["error"]));
    let message = || Some(ended.message().to_owned()).filter(|message| !message.is_empty());
    let notes = property["notes"].as_array();
    Proof {
        reason: match ended.outcome {
            Outcome::Safe => None,
            _ => reason.or_else(message),
        },
        engine: text(&property["engine"]),
        notes: notes.into_iter().flatten().filter_map(text).collect(),
        not_checked: question.not_checked.clone(),
        ..Proof::without_answer(name, ended.outcome, String::new())
    }
}
