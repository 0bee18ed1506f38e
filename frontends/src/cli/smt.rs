//! `craig smt`: runs a script in SMT-LIB 2.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use craig_itp::Stop;
use craig_smt::{Answer, Ended, Options};
use serde::Serialize;

use super::failure::Failure;
use super::itp::ClassicSystem;
use super::json::print_object;
use super::output::claim;
use super::terminal::{complain, leave, print};
use super::watch::{End, Limits, parse_megabytes, parse_seconds, watch};

/// Run a script in SMT-LIB 2 over bit-vectors and arrays (QF_BV, QF_ABV): models, unsatisfiable cores, proofs, interpolants.
///
/// `get-interpolants` has SMTInterpol's syntax, for sequences and trees, `get-interpolant` MathSAT's, for groups of assertions
/// (`:interpolation-group`). Interpolants are over whole words where that is found, else over bits, and are verified.
/// `get-proof` prints clauses in DIMACS and their refutation in LRAT.
///
/// Exit codes: 0; 30 if a question was not decided; 2 for the first error in the script.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The script. `-` is standard input.
    file: PathBuf,
    /// The system of interpolants over bits, from the strongest to the weakest.
    #[arg(long, value_name = "SYSTEM", default_value = "mcmillan")]
    system: ClassicSystem,
    /// Interpolants over bits only.
    #[arg(long)]
    bits: bool,
    /// Stop after this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Stop when this memory is resident.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    memory: Option<u64>,
    /// Print one JSON object with all answers.
    #[arg(long)]
    json: bool,
}

/// An answer, with the command and its line.
#[derive(Clone, Serialize)]
struct Answered {
    command: String,
    line: u32,
    text: String,
}

/// The answers so far, and what ended the script before its end.
#[derive(Serialize)]
struct Body {
    answers: Vec<Answered>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Prints the answers, or keeps them for one object.
struct Answers {
    kept: Option<Mutex<Vec<Answered>>>,
    start: Instant,
}

impl Answers {
    fn tell(&self, answer: Answer<'_>) {
        match &self.kept {
            None => print(&format!("{}\n", answer.text)),
            Some(kept) => kept
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(Answered {
                    command: answer.command.to_owned(),
                    line: answer.line,
                    text: answer.text.to_owned(),
                }),
        }
    }

    /// Prints the object, if one is wanted.
    fn finish(&self, verdict: (&str, u8), reason: Option<&str>) -> Result<(), Failure> {
        let Some(kept) = &self.kept else {
            return Ok(());
        };
        let body = Body {
            answers: kept.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            reason: reason.map(str::to_owned),
        };
        print_object(verdict, self.start.elapsed().as_secs_f64(), &body)
    }
}

/// The exit code if a question was not decided.
const UNKNOWN: u8 = 30;

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    claim([arguments.file.as_path()], &[])?;
    let name = arguments.file.display().to_string();
    let text = read(&arguments.file, &name)?;
    let options = Options {
        system: arguments.system.into(),
        words: !arguments.bits,
    };
    let asked = Arc::new(AtomicBool::new(false));
    let answers = Arc::new(Answers {
        kept: arguments.json.then(Mutex::default),
        start,
    });
    let work = {
        let stop = Stop::on_flag(Arc::clone(&asked));
        let answers = Arc::clone(&answers);
        move || {
            let mut tell = |answer: Answer<'_>| answers.tell(answer);
            craig_smt::run_telling(&text, &name, &options, &stop, &mut tell)
        }
    };
    let mut reason = None;
    let ask_to_stop = |stop: super::watch::Stop| {
        reason = Some(stop.reason());
        asked.store(true, Ordering::Relaxed);
    };
    let unknown = |reason: &str| {
        complain(&format!("UNKNOWN: {reason}"));
        answers.finish(("unknown", UNKNOWN), Some(reason))
    };
    let limits = Limits::new(start, arguments.timeout, arguments.memory);
    let ended = match watch(limits, ask_to_stop, work)? {
        End::Finished(ended) => ended,
        End::Abandoned(stop) => {
            unknown(stop.reason())?;
            leave(UNKNOWN);
        }
    };
    match ended {
        Ok(Ended::Answered) => answers.finish(("answered", 0), None).map(|()| 0),
        Ok(Ended::Unknown) | Err(craig_smt::Failure::Stopped) => {
            unknown(reason.unwrap_or("the search gave up")).map(|()| UNKNOWN)
        }
        Err(craig_smt::Failure::Input(error)) => {
            answers.finish(("error", 2), Some(&error.to_string()))?;
            Err(Failure::input(error))
        }
        Err(error) => {
            answers.finish(("failed", 1), Some(&error.to_string()))?;
            Err(Failure::internal(error))
        }
    }
}

fn read(path: &Path, name: &str) -> Result<String, Failure> {
    let unreadable = |error: io::Error| Failure::input(format!("{name}: can't be read: {error}"));
    let mut bytes = Vec::new();
    match path == Path::new("-") {
        true => io::stdin().read_to_end(&mut bytes).map_err(unreadable)?,
        false => {
            let mut file = File::open(path).map_err(unreadable)?;
            file.read_to_end(&mut bytes).map_err(unreadable)?
        }
    };
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        Failure::input(format!("{name}:{line}: expected text in UTF-8"))
    })
}
