//! `craig hwmcc`: the interface of the Hardware Model Checking Competition of 2025.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::btor2::{self, WordCircuit, WordEvidence};
use craig_hardware::witness::{
    write_certificate, write_lasso, write_liveness_certificate, write_trace,
};
use craig_mc::liveness::LivenessVerdict;
use craig_mc::{Alone, Control};
use craig_model::Verdict;
use craig_verify::{
    Answer, Certified, Design, Finding, Judgement, Schedule, VerifyError, verify, verify_any,
};

use super::check::check_circuit;
use super::circuits::encoding_of;
use super::engines::EngineArguments;
use super::failure::Failure;
use super::input::{CircuitInput, read_circuit};
use super::output::{Output, claim, write_file};
use super::terminal::{leave, print};
use super::watch::{End, Limits, Stop, watch_with};

/// Decide a circuit by the rules of the Hardware Model Checking Competition.
///
/// Prints `sat` if a bad state is reachable, and writes the trace, or `unsat` if none is, and writes
/// the witness circuit; and nothing if it is undecided. Several bads are one property: is any of them
/// reachable? A circuit without bads and with one justice property is decided for that: `sat` if it fails,
/// with a lasso, and `unsat` if it holds. Exit codes are those of `check`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER or BTOR2.
    model: PathBuf,
    /// The output file of the trace; for BTOR2, in the format of `btorsim`.
    cex: PathBuf,
    /// The output file of the witness circuit (for BTOR2, about the circuit of bits that `convert` writes):
    /// binary if the name ends in `.aig`, else text. With memories that are too large for bits, it is in BTOR2.
    cert: PathBuf,
    #[command(flatten)]
    engines: EngineArguments,
}

/// The options that the help shows. `check` documents the others.
const SHOWN: [&str; 6] = [
    "engine",
    "threads",
    "line_up",
    "timeout",
    "memory",
    "no_certify",
];

/// The command with a help that does not repeat what `check` documents.
pub(super) fn with_help(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let is_shown = arg.is_positional() || SHOWN.iter().any(|&name| arg.get_id() == name);
        arg.hide(!is_shown)
    })
}

/// What was decided: an answer of either kind of circuit.
enum Decided {
    Bits(Certified<Infallible>),
    Words(Certified<WordEvidence>),
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments, given: &clap::ArgMatches) -> Result<u8, Failure> {
    let start = Instant::now();
    let outputs = [("CEX", &arguments.cex), ("CERT", &arguments.cert)];
    let outputs = outputs.map(|(name, path)| Output::file(name, Some(path)));
    claim([arguments.model.as_path()], &outputs)?;
    let input = Arc::new(read_circuit(&arguments.model)?);
    let has_words = matches!(&*input, CircuitInput::Words(_));
    check_circuit(given, has_words, arguments.engines.engine())?;
    let (circuit, is_refused) = match &*input {
        CircuitInput::Bits(circuit) => (&**circuit, false),
        CircuitInput::Words(words) => (&words.bits, words.refusal.is_some()),
    };
    let is_justice = circuit.model.bads.is_empty() && circuit.model.justice.len() == 1;
    if is_justice && is_refused {
        return Ok(30);
    }
    if circuit.model.bads.is_empty() && !is_justice {
        return Err(Failure::input(format!(
            "{}: there is nothing to check: no bads and no outputs, and not one justice property",
            arguments.model.display()
        )));
    }
    match decide(arguments, &input, is_justice, start)? {
        None => Ok(30),
        Some(Decided::Bits(certified)) => answer(arguments, circuit, None, &certified),
        Some(Decided::Words(certified)) => match &*input {
            CircuitInput::Words(words) => answer(arguments, circuit, Some(words), &certified),
            CircuitInput::Bits(_) => Ok(30),
        },
    }
}

/// Searches within the limits; `None` if they do not suffice.
fn decide(
    arguments: &Arguments,
    input: &Arc<CircuitInput>,
    is_justice: bool,
    start: Instant,
) -> Result<Option<Decided>, Failure> {
    let schedule = arguments.engines.schedule()?;
    let limits = Limits::new(start, arguments.engines.timeout, arguments.engines.memory);
    let own = Alone::until(limits.stop());
    let (short, asked, input) = (own.stop.clone(), own.stop.clone(), Arc::clone(input));
    let work = move || match &*input {
        CircuitInput::Bits(circuit) => {
            verify_one(&**circuit, is_justice, &schedule, own.control()).map(Decided::Bits)
        }
        CircuitInput::Words(words) => {
            verify_one(&**words, is_justice, &schedule, own.control()).map(Decided::Words)
        }
    };
    let end = watch_with(
        limits,
        move || short.report_memory_short(),
        move |stop: Stop| stop.tell(&asked),
        work,
    )?;
    match end {
        End::Finished(result) => Ok(Some(result?)),
        End::Abandoned(_) => leave(30),
    }
}

/// Decides all bads as one property, or the justice property.
fn verify_one<D: Design>(
    design: &D,
    is_justice: bool,
    schedule: &Schedule,
    control: Control<'_>,
) -> Result<Certified<D::Evidence>, VerifyError> {
    match is_justice {
        false => verify_any(design, schedule, control),
        true => {
            let verdict = verify(design, schedule, control)?.pop();
            verdict.ok_or_else(|| VerifyError::internal("a property has no verdict"))
        }
    }
}

/// Writes the evidence, and prints the answer.
fn answer<E: WordText>(
    arguments: &Arguments,
    circuit: &AigerModel,
    words: Option<&WordCircuit>,
    certified: &Certified<E>,
) -> Result<u8, Failure> {
    if let Judgement::Invalid(reason) = &certified.judgement {
        let text = format!("the evidence does not hold: {reason}");
        return Err(Failure::internal(text));
    }
    let encoding = encoding_of(&arguments.cert).unwrap_or(Encoding::Ascii);
    let path = match certified.answer() {
        Answer::Unknown => return Ok(30),
        Answer::Unsafe => &arguments.cex,
        Answer::Safe => &arguments.cert,
    };
    let (text, code) = match certified.answer() {
        Answer::Unsafe => ("sat\n", 10),
        _ => ("unsat\n", 20),
    };
    print(text);
    write_file(path, |output| match &*certified.finding {
        Finding::Bad(outcome) => match (&outcome.verdict, words) {
            (Verdict::Unsafe(trace), Some(words)) => {
                btor2::trace::write(&words.file, &words.lift(trace), output)
            }
            (Verdict::Unsafe(trace), None) => write_trace(trace, output),
            (Verdict::Safe(proof), _) => write_certificate(proof, circuit, encoding, output),
            (Verdict::Unknown(_), _) => Ok(()),
        },
        Finding::Justice(outcome) => match &outcome.verdict {
            LivenessVerdict::Unsafe(lasso) => match words {
                Some(words) => btor2::trace::write(&words.file, &words.lift_lasso(lasso), output),
                None => write_lasso(lasso, output),
            },
            LivenessVerdict::Safe(proof) => {
                write_liveness_certificate(proof, circuit, encoding, output)
            }
            LivenessVerdict::Unknown(_) => Ok(()),
        },
        Finding::Apart(found) => output.write_all(found.evidence.text()),
    })?;
    Ok(code)
}

/// Evidence over words as text.
pub(super) trait WordText {
    /// The text.
    fn text(&self) -> &[u8];
}

impl WordText for Infallible {
    fn text(&self) -> &[u8] {
        match *self {}
    }
}

impl WordText for WordEvidence {
    fn text(&self) -> &[u8] {
        &self.text
    }
}
