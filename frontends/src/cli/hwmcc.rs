//! `craig hwmcc`: the interface of the Hardware Model Checking Competition of 2025.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use craig_mc::circuit::simulate::{first_bad_step, replay};
use craig_mc::liveness::LivenessVerdict;
use craig_mc::{Control, Verdict};

use super::circuits::{encoding_of, unite};
use super::engines::{EngineArguments, Judgement};
use super::failure::Failure;
use super::input::{CircuitInput, read_circuit};
use super::output::write_file;
use super::terminal::print;
use super::watch::{End, Limits, Stop, watch_with};
use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::btor2;
use craig_hardware::witness::{
    write_certificate, write_lasso, write_liveness_certificate, write_trace,
};

/// Decide a circuit by the rules of the Hardware Model Checking Competition.
///
/// Prints `sat` if a bad state is reachable, after writing the trace, or `unsat` if none is, after writing
/// the witness circuit; and nothing if it is undecided. Several bads are one property: is any of them
/// reachable? A circuit without bads and with one justice property is decided for that: `sat` if it fails,
/// with
/// a lasso, and `unsat` if it holds. Exit codes are those of `check`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER or BTOR2.
    model: PathBuf,
    /// The output file of the trace; for BTOR2, in the format of `btorsim`.
    cex: PathBuf,
    /// The output file of the witness circuit (for BTOR2, about the circuit of bits that `convert` writes):
    /// binary if the name ends in `.aig`, else text.
    cert: PathBuf,
    #[command(flatten)]
    engines: EngineArguments,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let (circuit, words) = match read_circuit(&arguments.model)? {
        CircuitInput::Bits(model) => (Arc::new(*model), None),
        CircuitInput::Words(words) => {
            if words.refusal.is_some() {
                return Ok(30);
            }
            (Arc::new(words.bits.clone()), Some(words))
        }
    };
    if circuit.model.bads.is_empty() && circuit.model.justice.len() == 1 {
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
    let work = {
        let (engines, circuit) = (arguments.engines.clone(), Arc::clone(&circuit));
        move || {
            let outcome = engines.check(&unite(&circuit.model), 0, &control)?;
            let judgement = engines.judge(&*circuit, None, &outcome.verdict);
            Ok((outcome.verdict, judgement))
        }
    };
    let (verdict, judgement) = match watch_with(limits, ask_for_memory, ask_to_stop, work)? {
        End::Finished(result) => result?,
        End::Abandoned(_) => std::process::exit(30),
    };
    if let Judgement::Invalid(reason) = judgement {
        return Err(Failure::internal(format!(
            "the evidence does not hold: {reason}"
        )));
    }
    match verdict {
        Verdict::Unknown(_) => Ok(30),
        Verdict::Unsafe(mut trace) => {
            let steps = replay(&circuit.model, &trace).map_err(Failure::internal)?;
            let shown =
                (0..circuit.model.bads.len()).find(|&bad| first_bad_step(&steps, bad).is_some());
            trace.property = shown.ok_or_else(|| Failure::internal("the trace shows no bad"))?;
            if let Some(words) = &words {
                words.replay(&trace).map_err(Failure::internal)?;
            }
            write_file(&arguments.cex, |output| match &words {
                Some(words) => btor2::trace::write(&words.file, &words.lift(&trace), output),
                None => write_trace(&trace, output),
            })?;
            print("sat\n");
            Ok(10)
        }
        Verdict::Safe(certificate) => {
            let encoding = encoding_of(&arguments.cert).unwrap_or(Encoding::Ascii);
            write_file(&arguments.cert, |output| {
                write_certificate(&certificate, &circuit, encoding, output)
            })?;
            print("unsat\n");
            Ok(20)
        }
    }
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
        End::Abandoned(_) => std::process::exit(30),
    };
    if let Judgement::Invalid(reason) = judgement {
        let text = format!("the evidence does not hold: {reason}");
        return Err(Failure::internal(text));
    }
    match verdict {
        LivenessVerdict::Unknown(_) => Ok(30),
        LivenessVerdict::Fails(lasso) => {
            write_file(&arguments.cex, |output| write_lasso(&lasso, output))?;
            print("sat\n");
            Ok(10)
        }
        LivenessVerdict::Holds(certificate) => {
            let encoding = encoding_of(&arguments.cert).unwrap_or(Encoding::Ascii);
            write_file(&arguments.cert, |output| {
                write_liveness_certificate(&certificate, circuit, encoding, output)
            })?;
            print("unsat\n");
            Ok(20)
        }
    }
}
