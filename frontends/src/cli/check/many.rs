//! Several inputs in one command: each is decided in a process of its own; a table follows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::ArgMatches;
use craig_c::{read_source, sha256};
use serde::Serialize;

use super::arguments::Arguments;
use super::evidence_names::evidence_names;
use super::format::sarif::{self, Part};
use super::report::Answer;
use super::table;
use crate::cli::batch::inputs::expand;
use crate::cli::batch::process::{self, Ended, Outcome, Stderr, Stdout};
use crate::cli::batch::resume::{Entry, Resume, digest_of_options, resume_output};
use crate::cli::batch::shard::Shard;
use crate::cli::batch::{pool, signals};
use crate::cli::failure::Failure;
use crate::cli::input::read_file;
use crate::cli::json::failure_of;
use crate::cli::output::{Output, claim};
use crate::cli::program_files::compilation_database;
use crate::cli::terminal::{complain, print};
use crate::cli::verilog::elaborate;

/// The options that have no influence on an answer.
const WITHOUT_INFLUENCE: [&str; 8] = [
    "files",
    "jobs",
    "shard",
    "resume",
    "digests",
    "witness_dir",
    "quiet",
    "verbose",
];

/// What a process for one of the inputs is told in addition to the command line.
const ONLY_INPUT: &str = "--only-input";
const ONLY_SARIF: &str = "--only-sarif";
const ONLY_WITNESS: &str = "--only-witness";
const ONLY_THREADS: &str = "--only-threads";

/// These arguments with the files that folders and lists stand for.
pub(super) fn with_all_files(arguments: &Arguments) -> Result<Arguments, Failure> {
    let is_input = super::kind::Kinds::is_told_by;
    let what = "circuits, designs or C programs (by their names)";
    let design = (arguments.design).with_lists(&arguments.files, arguments.format.is_some())?;
    let mut files = expand(&arguments.files, is_input, what)?;
    files.extend_from_slice(design.listed_files());
    if files.is_empty() {
        return Err(Failure::input("`--file-list`: the lists name no file"));
    }
    Ok(Arguments {
        files,
        design,
        ..arguments.clone()
    })
}

fn exit_code(outcome: Outcome, arguments: &Arguments) -> u8 {
    match outcome {
        Outcome::Safe => arguments.c.exit_code(Answer::Safe),
        Outcome::Unknown => arguments.c.exit_code(Answer::Unknown),
        Outcome::Unsafe => arguments.c.exit_code(Answer::Unsafe),
        Outcome::BadInput => 2,
        Outcome::Internal => 1,
    }
}

/// The result for an input.
struct Row {
    outcome: Outcome,
    seconds: f64,
    /// Whether it was decided by an earlier batch.
    is_known: bool,
}

/// A result with the number of its input.
type Numbered = (usize, Row);

/// What an input is known by.
#[derive(Serialize)]
struct Known {
    input: String,
    /// None if the input can't be read.
    digest: Option<String>,
}

/// What has become of an input.
enum Decided {
    /// It was decided.
    Now(Ended, f64),
    /// An earlier batch has decided it.
    Before(Entry),
}

/// The work on all inputs.
struct Batch<'a> {
    arguments: &'a Arguments,
    signal: &'a AtomicBool,
    resume: Option<Resume>,
    /// The digest of the options.
    options: String,
    /// The file of the evidence about each input.
    evidence: Vec<PathBuf>,
    logs: Option<Logs>,
}

/// Refuses options that are not for several inputs.
fn refuse(arguments: &Arguments) -> Result<(), Failure> {
    let n_inputs = arguments.files.len();
    if let Some(option) = arguments.file_option() {
        return Err(Failure::input(match n_inputs {
            1 => format!(
                "`{option}` names one file, and `--jobs`, `--shard`, `--resume`, `--digests` and `--witness-dir` are for several inputs"
            ),
            _ => format!("`{option}` names one file, and there are {n_inputs} inputs"),
        }));
    }
    let is_stdin = |file: &&PathBuf| file.as_os_str() == "-";
    match arguments.files.iter().filter(is_stdin).count() {
        0 => {}
        1 if arguments.resume.is_none() && !arguments.digests => {}
        1 => {
            return Err(Failure::input(
                "`-`: standard input is read once; `--resume` and `--digests` are for files",
            ));
        }
        _ => {
            return Err(Failure::input(
                "`-`: standard input is read once, and is several inputs",
            ));
        }
    }
    let not_c = |file: &&PathBuf| !arguments.is_c(file) && !arguments.is_database(file);
    match arguments.files.iter().find(not_c) {
        Some(file) if arguments.sarif.is_some() => Err(Failure::input(format!(
            "{}: `--sarif` is for C programs; a circuit has no lines of code",
            file.display()
        ))),
        _ => Ok(()),
    }
}

/// Decides all inputs; returns the exit code.
pub(super) fn run(arguments: &Arguments, given: &ArgMatches) -> Result<u8, Failure> {
    refuse(arguments)?;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let ids = table::ids().filter(|id| !WITHOUT_INFLUENCE.contains(&&**id));
    let options = digest_of_options(given, ids);
    let signal = signals()?;
    if arguments.digests {
        let batch = Batch {
            arguments,
            signal: &signal,
            resume: None,
            options,
            evidence: Vec::new(),
            logs: None,
        };
        return batch.tell_digests(shard).map(|()| 0);
    }
    let outputs = [
        Output::file("--sarif", arguments.sarif.as_deref()),
        Output::folder("--witness-dir", arguments.witness_dir.as_deref()),
        resume_output(arguments.resume.as_deref()),
    ];
    claim(arguments.inputs(), &outputs)?;
    let evidence = match &arguments.witness_dir {
        Some(folder) => evidence_names(folder, arguments)?,
        None => Vec::new(),
    };
    let resume = match &arguments.resume {
        Some(path) => Some(Resume::open(path, shard)?),
        None => None,
    };
    let logs = match &arguments.sarif {
        Some(_) => Some(Logs::new()?),
        None => None,
    };
    let mut batch = Batch {
        arguments,
        signal: &signal,
        resume,
        options,
        evidence,
        logs,
    };
    let (rows, parts) = batch.decide_all()?;
    if !arguments.json {
        print(&table(&arguments.files, &rows, arguments.shard));
    }
    if let (Some(_), Some(path)) = (batch.logs.take(), &arguments.sarif) {
        sarif::write_merged(path, parts)?;
    }
    let worst = rows.iter().map(|(_, row)| row.outcome).max();
    // A share may have no input: then nothing is known.
    Ok(exit_code(worst.unwrap_or(Outcome::Unknown), arguments))
}

impl Batch<'_> {
    /// The results by the numbers of the inputs, in their order, and the logs.
    fn decide_all(&self) -> Result<(Vec<Numbered>, Vec<Part>), Failure> {
        let files = &self.arguments.files;
        let own = (self.arguments.shard.unwrap_or(Shard::WHOLE)).places(files.len());
        let (mut rows, mut parts) = (BTreeMap::new(), BTreeMap::new());
        let work = |place: usize| self.decide(own[place]);
        pool::for_each(own.len(), self.n_jobs(), work, |place, decided| {
            let index = own[place];
            if let (Some(logs), Decided::Now(ended, _)) = (&self.logs, &decided) {
                parts.insert(index, logs.take(index, &files[index], ended));
            }
            rows.insert(index, self.tell(index, decided)?);
            Ok(())
        })?;
        let rows = rows.into_iter().collect();
        Ok((rows, parts.into_values().collect()))
    }

    /// Prints what each input of the share is known by.
    fn tell_digests(&self, shard: Shard) -> Result<(), Failure> {
        let files = &self.arguments.files;
        for index in shard.places(files.len()) {
            let line = Known {
                input: files[index].display().to_string(),
                digest: self.digest(&files[index]),
            };
            print(&(serde_json::to_string(&line).map_err(Failure::internal)? + "\n"));
        }
        Ok(())
    }

    fn n_jobs(&self) -> usize {
        self.arguments.jobs.unwrap_or(1)
    }

    /// Decides an input, if no earlier batch has.
    fn decide(&self, index: usize) -> Result<Decided, Failure> {
        let file = &self.arguments.files[index];
        let begin = Instant::now();
        if self.signal.load(Ordering::Relaxed) {
            return Ok(Decided::Now(Ended::interrupted(), 0.0));
        }
        let digest = self.resume.as_ref().and_then(|_| self.digest(file));
        let needs_evidence = self.arguments.witness_dir.is_some();
        if let (Some(resume), Some(digest)) = (&self.resume, &digest)
            && let Some(entry) = resume.known(&file.display().to_string(), digest, needs_evidence)
        {
            return Ok(Decided::Before(entry.clone()));
        }
        if self.n_jobs() == 1 && !self.arguments.json && !self.arguments.quiet {
            print(&format!("{}:\n", file.display()));
        }
        let ended = process::run(self.command(index)?, self.outputs(), self.signal)?;
        let seconds = begin.elapsed().as_secs_f64();
        if let (Some(resume), Some(digest), false) = (&self.resume, digest, ended.is_interrupted) {
            let report = match self.arguments.json {
                true => Some(line_of(file, &ended, seconds)?),
                false => None,
            };
            let evidence = self.evidence.get(index).filter(|path| path.exists());
            resume.note(&Entry {
                input: file.display().to_string(),
                digest,
                outcome: ended.outcome,
                seconds,
                evidence: evidence.cloned(),
                report,
            })?;
        }
        Ok(Decided::Now(ended, seconds))
    }

    /// What becomes of the outputs of a process. Those of several at a time are shown when they have ended.
    fn outputs(&self) -> (Stdout, Stderr) {
        let is_alone = self.n_jobs() == 1;
        let stdout = match (self.arguments.json, self.arguments.quiet) {
            (true, _) => Stdout::Kept,
            (false, true) => Stdout::Dropped,
            (false, false) if is_alone => Stdout::Shown,
            (false, false) => Stdout::Kept,
        };
        let stderr = match is_alone {
            false => Stderr::Kept,
            true if self.arguments.json || self.logs.is_some() => Stderr::Copied,
            true => Stderr::Shown,
        };
        (stdout, stderr)
    }

    /// This program for one of the inputs, with the same arguments.
    fn command(&self, index: usize) -> Result<std::process::Command, Failure> {
        let mut given = std::env::args_os().skip(1);
        let mut command = process::own_program()?;
        // The subcommand comes first.
        command.args(given.next());
        command.arg(ONLY_INPUT).arg(&self.arguments.files[index]);
        if let Some(logs) = &self.logs {
            command.arg(ONLY_SARIF).arg(logs.path(index));
        }
        if let Some(path) = self.evidence.get(index) {
            command.arg(ONLY_WITNESS).arg(path);
        }
        if self.n_jobs() > 1 {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = (cores / self.n_jobs()).max(1);
            command.args([ONLY_THREADS, &threads.to_string()]);
        }
        command.args(given);
        Ok(command)
    }

    /// The digest of an input and of the options; none if the input can't be read.
    fn digest(&self, file: &Path) -> Option<String> {
        let (options, content) = (&self.options, self.content(file).ok()?);
        Some(sha256(format!("{options}\n{content}").as_bytes()))
    }

    /// A digest of what an input says: of a program after its preprocessing, and of a design with what it includes.
    fn content(&self, file: &Path) -> Result<String, Failure> {
        let c = &self.arguments.c;
        let preprocessing = c.preprocessing();
        if self.arguments.is_verilog(file) {
            let design = self.arguments.design_of(&[file.to_owned()])?;
            return Ok(sha256(elaborate(&design)?.text.as_bytes()));
        }
        let mut text = sha256(&read_file(file)?);
        let model = c.data_model();
        let files = if self.arguments.is_database(file) {
            compilation_database(file, &preprocessing, model)?
        } else if self.arguments.is_c(file) {
            crate::cli::program_files::c_files(
                &[file.to_owned()],
                self.arguments.format,
                &preprocessing,
            )?
        } else {
            Vec::new()
        };
        for file in files {
            let source = read_source(&file.path, &file.preprocessing, model);
            text += &sha256(source.map_err(Failure::Input)?.text.as_bytes());
        }
        Ok(text)
    }

    /// Prints the result for an input.
    fn tell(&self, index: usize, decided: Decided) -> Result<Row, Failure> {
        let file = &self.arguments.files[index];
        let is_text = !self.arguments.json && !self.arguments.quiet;
        match decided {
            Decided::Before(entry) => {
                if let Some(report) = &entry.report {
                    print(report);
                } else if is_text {
                    let (file, word) = (file.display(), entry.outcome.word());
                    print(&format!("{file}:\n{word} (decided before)\n"));
                }
                Ok(Row {
                    outcome: entry.outcome,
                    seconds: entry.seconds,
                    is_known: true,
                })
            }
            Decided::Now(ended, seconds) => {
                if self.outputs().1 == Stderr::Kept {
                    if is_text {
                        print(&format!("{}:\n{}", file.display(), ended.stdout));
                    }
                    ended.complaints.iter().for_each(|line| complain(line));
                }
                if self.arguments.json {
                    print(&line_of(file, &ended, seconds)?);
                }
                Ok(Row {
                    outcome: ended.outcome,
                    seconds,
                    is_known: false,
                })
            }
        }
    }
}

/// The SARIF logs of the inputs, which their processes write in a directory that is removed in the end.
struct Logs {
    directory: tempfile::TempDir,
}

impl Logs {
    fn new() -> Result<Self, Failure> {
        let directory = tempfile::tempdir().map_err(Failure::internal)?;
        Ok(Self { directory })
    }

    fn path(&self, index: usize) -> PathBuf {
        self.directory.path().join(format!("{index}.sarif"))
    }

    /// Reads the log of an input, after its end.
    fn take(&self, index: usize, file: &Path, ended: &Ended) -> Part {
        let text = std::fs::read(self.path(index)).ok();
        let log = text.and_then(|text| serde_json::from_slice(&text).ok());
        log.map_or_else(
            || {
                let complaint = ended.message();
                Part::Failed {
                    file: file.to_owned(),
                    exit_code: ended.without_report().1,
                    message: if complaint.is_empty() {
                        "it ended without a verdict".to_owned()
                    } else {
                        complaint.to_owned()
                    },
                }
            },
            Part::Log,
        )
    }
}

/// The report of a process on one line, or a line that there is none.
fn line_of(file: &Path, ended: &Ended, seconds: f64) -> Result<String, Failure> {
    let mut report = ended.stdout.clone();
    if report.is_empty() {
        let answer = ended.without_report();
        report = failure_of(file, answer, seconds, ended.message())?;
    }
    // JSON strings have no line breaks, so all breaks and the blanks after them are layout.
    let line: String = report.lines().map(str::trim_start).collect();
    Ok(line + "\n")
}

fn table(files: &[PathBuf], rows: &[Numbered], shard: Option<Shard>) -> String {
    let mut text = String::from("\nverdict   seconds  file\n");
    for (index, row) in rows {
        let (word, file) = (row.outcome.word(), files[*index].display());
        text += &format!("{word:<8} {:>8.2}  {file}\n", row.seconds);
    }
    let outcomes: Vec<Outcome> = rows.iter().map(|(_, row)| row.outcome).collect();
    text += &format!("{} inputs", rows.len());
    if !rows.is_empty() {
        text += &format!(": {}", Outcome::count(&outcomes));
    }
    let n_known = rows.iter().filter(|(_, row)| row.is_known).count();
    if n_known > 0 {
        text += &format!("; {n_known} decided before");
    }
    if let Some(shard) = shard {
        text += &format!("; share {shard} of {}", files.len());
    }
    text + "\n"
}
