//! `craig hwmcc`: the interface of the Hardware Model Checking Competition of 2025.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::btor2;
use craig_hardware::witness::{
    write_certificate, write_lasso, write_liveness_certificate, write_trace,
};
use craig_mc::Control;
use craig_mc::liveness::LivenessVerdict;
use craig_model::{Verdict, simulate::replay_bads};

use super::circuits::{encoding_of, unite};
use super::engines::{About, EngineArguments, Judgement};
use super::failure::Failure;
use super::input::{CircuitInput, read_circuit};
use super::large_memories::{self, OwnResult};
use super::output::{Output, claim, write_file};
use super::terminal::{leave, print};
use super::watch::{End, Limits, Stop, watch_with};
use super::word_circuit::WordCircuit;

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

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let outputs = [("CEX", &arguments.cex), ("CERT", &arguments.cert)];
    let outputs = outputs.map(|(name, path)| Output::file(name, Some(path)));
    claim([arguments.model.as_path()], &outputs)?;
    let (circuit, words) = match read_circuit(&arguments.model)? {
        CircuitInput::Bits(model) => (Arc::new(*model), None),
        CircuitInput::Words(words) => (Arc::new(words.bits.clone()), Some(Arc::new(*words))),
    };
    let is_refused = words.as_ref().is_some_and(|words| words.refusal.is_some());
    if circuit.model.bads.is_empty() && circuit.model.justice.len() == 1 {
        if is_refused {
            return Ok(30);
        }
        return decide_justice(arguments, &circuit, start);
    }
    if circuit.model.bads.is_empty() {
        return Err(Failure::input(format!(
            "{}: there is nothing to check: no bads and no outputs, and not one justice property",
            arguments.model.display()
        )));
    }
    let mut control = Control::new();
    let limits = Limits::new(start, arguments.engines.timeout, arguments.engines.memory);
    if let Some(deadline) = limits.deadline {
        control = control.with_deadline(deadline);
    }
    let ask_for_memory = {
        let control = control.clone();
        move || control.report_memory_short()
    };
    let ask_to_stop = {
        let control = control.clone();
        move |stop: Stop| stop.tell(&control)
    };
    if is_refused && let Some(words) = words {
        let engines = arguments.engines.clone();
        let united = words.united_file();
        let work = move || large_memories::decide(&united, &engines, 0, &control);
        return match watch_with(limits, ask_for_memory, ask_to_stop, work)? {
            End::Finished(result) => write_own(arguments, &words, result?),
            End::Abandoned(_) => leave(30),
        };
    }
    let work = {
        let engines = arguments.engines.clone();
        let (circuit, words) = (Arc::clone(&circuit), words.clone());
        move || {
            let outcome = match &words {
                Some(words) => words.check_united(&engines, &control)?,
                None => engines.check(&unite(&circuit.model), 0, &control)?,
            };
            let judgement = engines.judge(&*circuit, About::All, &outcome.verdict);
            Ok((outcome.verdict, judgement))
        }
    };
    let (verdict, judgement) = match watch_with(limits, ask_for_memory, ask_to_stop, work)? {
        End::Finished(result) => result?,
        End::Abandoned(_) => leave(30),
    };
    if let Judgement::Invalid(reason) = judgement {
        return Err(Failure::internal(format!(
            "the evidence does not hold: {reason}"
        )));
    }
    match verdict {
        Verdict::Unknown(_) => Ok(30),
        Verdict::Unsafe(mut trace) => {
            let replayed = replay_bads(&circuit.model, &trace).map_err(Failure::internal)?;
            let shown = replayed.bads.iter().position(Option::is_some);
            trace.property = shown.ok_or_else(|| Failure::internal("the trace shows no bad"))?;
            if let Some(words) = &words {
                words.replay(&trace).map_err(Failure::internal)?;
            }
            print("sat\n");
            write_file(&arguments.cex, |output| match &words {
                Some(words) => btor2::trace::write(&words.file, &words.lift(&trace), output),
                None => write_trace(&trace, output),
            })?;
            Ok(10)
        }
        Verdict::Safe(certificate) => {
            let encoding = encoding_of(&arguments.cert).unwrap_or(Encoding::Ascii);
            print("unsat\n");
            write_file(&arguments.cert, |output| {
                write_certificate(&certificate, &circuit, encoding, output)
            })?;
            Ok(20)
        }
    }
}

/// Writes and prints the result about a circuit with memories that are too large for bits. A witness circuit is
/// over words.
fn write_own(
    arguments: &Arguments,
    words: &WordCircuit,
    result: Option<OwnResult>,
) -> Result<u8, Failure> {
    let Some(result) = result else {
        return Ok(30);
    };
    if let Judgement::Invalid(reason) = result.judgement {
        let text = format!("the evidence does not hold: {reason}");
        return Err(Failure::internal(text));
    }
    if result.is_safe {
        print("unsat\n");
        write_file(&arguments.cert, |output| output.write_all(&result.evidence))?;
        return Ok(20);
    }
    // The bad of the run is the disjunction of those of the file.
    let fails = |error: btor2::Btor2Error| Failure::internal(error.to_string());
    let mut run = btor2::trace::read(&result.evidence, "the run", &words.file).map_err(fails)?;
    let steps = btor2::evaluate::replay(&words.file, &run).map_err(Failure::internal)?;
    let is_shown = |&bad: &usize| btor2::evaluate::first_bad_step(&steps, bad).is_some();
    let shown = (0..words.file.bads.len()).find(is_shown);
    run.bads = vec![shown.ok_or_else(|| Failure::internal("the trace shows no bad"))?];
    print("sat\n");
    write_file(&arguments.cex, |output| {
        btor2::trace::write(&words.file, &run, output)
    })?;
    Ok(10)
}

/// Decides the justice property of a circuit that has one, and no bads.
fn decide_justice(
    arguments: &Arguments,
    circuit: &Arc<AigerModel>,
    start: Instant,
) -> Result<u8, Failure> {
    let limits = Limits::new(start, arguments.engines.timeout, arguments.engines.memory);
    let mut control = Control::new();
    if let Some(deadline) = limits.deadline {
        control = control.with_deadline(deadline);
    }
    let (short, asked) = (control.clone(), control.clone());
    let work = {
        let (engines, circuit) = (arguments.engines.clone(), Arc::clone(circuit));
        move || {
            let outcome = engines.check_live(&circuit.model, 0, &control)?;
            let judgement = engines.judge_live(&*circuit, 0, &outcome.verdict);
            Ok((outcome.verdict, judgement))
        }
    };
    let ask_for_memory = move || short.report_memory_short();
    let end = watch_with(
        limits,
        ask_for_memory,
        move |stop: Stop| stop.tell(&asked),
        work,
    )?;
    let (verdict, judgement) = match end {
        End::Finished(result) => result?,
        End::Abandoned(_) => leave(30),
    };
    if let Judgement::Invalid(reason) = judgement {
        let text = format!("the evidence does not hold: {reason}");
        return Err(Failure::internal(text));
    }
    match verdict {
        LivenessVerdict::Unknown(_) => Ok(30),
        LivenessVerdict::Fails(lasso) => {
            print("sat\n");
            write_file(&arguments.cex, |output| write_lasso(&lasso, output))?;
            Ok(10)
        }
        LivenessVerdict::Holds(certificate) => {
            let encoding = encoding_of(&arguments.cert).unwrap_or(Encoding::Ascii);
            print("unsat\n");
            write_file(&arguments.cert, |output| {
                write_liveness_certificate(&certificate, circuit, encoding, output)
            })?;
            Ok(20)
        }
    }
}
