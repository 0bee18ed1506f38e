//! `craig sby-aiger` and `craig sby-btor`: called as SymbiYosys calls the solvers of its engines. Status and witness go to
//! standard output, and the exit code is 0 if there is a status.
//!
//! The options are those of the solvers in whose place the commands are called: `rIC3`, `suprove`, `aigbmc` and `avy`;
//! `btormc` and `pono`.

mod words;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use craig_hardware::btor2;
use craig_hardware::witness::{write_lasso, write_trace};
use craig_mc::Alone;
use craig_mc::liveness::LivenessVerdict;
use craig_model::{UnknownReason, Verdict};
use craig_verify::{Answer, Certified, Finding, Judgement, verify, verify_any};

use super::engines::EngineArguments;
use super::failure::Failure;
use super::hwmcc::WordText;
use super::input::{CircuitInput, read_circuit};
use super::terminal::{leave, print};
use super::watch::{End, Limits, Stop, watch_with};
use words::{Asked, Dialect};

/// Decide a circuit in AIGER as SymbiYosys asks a solver of its engine `aiger`.
///
/// Called in the place of rIC3 (`sby --rIC3 "craig sby-aiger"`), suprove, aigbmc or avy, with their options. Prints 0 if the
/// properties hold, 1 and a witness if one fails, 2 after `uN` if none fails in the first N steps, and 2 if it is not
/// decided. If the only bad is a constant, the justice properties are decided. The exit code is 0 if one of these was printed.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct AigerArguments {
    /// `[--bmc-max-k N] [-e bmc] [--witness] [-v N] [--cex -] [N] [+METHOD] MODEL`, and options of `craig hwmcc` as `--option=value`.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORDS"
    )]
    words: Vec<String>,
}

/// Decide a circuit in BTOR2 as SymbiYosys asks a solver of its engine `btor`.
///
/// Called in the place of btormc (`sby --btormc "craig sby-btor"`) or pono, with their options. Prints the witness of the bad
/// that is reached first, or with `--stop-first 0` of each; then the lines in which SymbiYosys finds the end of the search.
/// The exit code is 0 if all bads are decided up to the bound.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct BtorArguments {
    /// `[-kmax N | -k N] [--stop-first 0|1] [-e bmc] [--witness] [-v N] MODEL`, and options of `craig hwmcc` as `--option=value`.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORDS"
    )]
    words: Vec<String>,
}

/// The engines as if they were on a command line.
#[derive(Debug, clap::Parser)]
struct Engines {
    #[command(flatten)]
    engines: EngineArguments,
}

/// A result, of either kind of circuit: whether its evidence holds, what was found, and the text of a run.
struct Found {
    answer: Answer,
    /// Whether no run up to the bound is one against it.
    is_bounded: bool,
    run: String,
}

/// Runs `sby-aiger`.
pub(super) fn run_aiger(arguments: &AigerArguments) -> Result<u8, Failure> {
    let asked = Asked::read(&arguments.words, Dialect::Aiger)?;
    let input = Arc::new(read_circuit(&asked.model)?);
    let CircuitInput::Bits(circuit) = &*input else {
        return Err(Failure::input(format!(
            "{}: expected a circuit in AIGER",
            asked.model.display()
        )));
    };
    let model = &circuit.model;
    let is_constant = model.bads.iter().all(|bad| bad.is_constant());
    let is_live = is_constant && !model.justice.is_empty();
    let found = decide(&asked, &input, !is_live)?;
    let text = match found.iter().find(|found| found.answer == Answer::Unsafe) {
        Some(found) => for_scripts(&found.run),
        None if found.iter().all(|found| found.answer == Answer::Safe) => {
            let kind = if is_live { 'j' } else { 'b' };
            format!("0\n{kind}0\n.\n")
        }
        None => match asked.bound {
            Some(bound) if is_passed(&found) => format!("u{bound}\n2\nb0\n.\n"),
            // Its status of a bounded search that finds nothing is a pass: what is not decided has none.
            Some(_) => return Ok(undecided(&asked)),
            None => "2\n".to_owned(),
        },
    };
    print(&text);
    Ok(0)
}

/// Runs `sby-btor`.
pub(super) fn run_btor(arguments: &BtorArguments) -> Result<u8, Failure> {
    let asked = Asked::read(&arguments.words, Dialect::Btor)?;
    let input = Arc::new(read_circuit(&asked.model)?);
    let CircuitInput::Words(circuit) = &*input else {
        return Err(Failure::input(format!(
            "{}: expected a circuit in BTOR2",
            asked.model.display()
        )));
    };
    let n_bads = circuit.file.bads.len();
    print(&format!("[craig] calling BMC on {n_bads} properties\n"));
    let found = match n_bads {
        0 => Vec::new(),
        _ => decide(&asked, &input, asked.stops_first)?,
    };
    for run in found.iter().filter(|found| found.answer == Answer::Unsafe) {
        print(&run.run);
    }
    let is_reached = found.iter().any(|found| found.answer == Answer::Unsafe);
    let is_answered = is_passed(&found) || asked.stops_first && is_reached;
    if !is_answered {
        return Ok(undecided(&asked));
    }
    if let Some(bound) = asked.bound {
        print(&format!(
            "[craig] bad state properties at bound k = {bound}\n"
        ));
    }
    // The last line that `pono` prints if it finds nothing, and that of `btormc`.
    let end = if asked.is_pono && !is_reached {
        "unknown"
    } else {
        "[craig] deleting model checker:"
    };
    print(&format!("{end}\n"));
    Ok(0)
}

/// A run as the scripts of sby and yosys take it: they want a value of an input where any will do, and pass over the empty
/// line that is the first state of a circuit without registers, for which any number of zeros may stand.
fn for_scripts(run: &str) -> String {
    let line = |(number, line): (usize, &str)| match (number, line) {
        (2, "") => "0\n".to_owned(),
        _ => line.replace('x', "0") + "\n",
    };
    run.lines().enumerate().map(line).collect()
}

/// Whether a search has come to its bound, or to the end of all runs; other limits have the same kind of reason.
fn is_searched(reason: &UnknownReason) -> bool {
    let ends = ["no bad in the first ", "the constraints allow no "];
    matches!(reason, UnknownReason::Bound(text) if ends.iter().any(|end| text.starts_with(end)))
}

/// Whether all are decided, at least up to the bound.
fn is_passed(found: &[Found]) -> bool {
    let is_passed = |found: &Found| found.answer != Answer::Unknown || found.is_bounded;
    found.iter().all(is_passed)
}

fn undecided(asked: &Asked) -> u8 {
    super::terminal::complain(&format!(
        "{}: it is not decided within the limits",
        asked.model.display()
    ));
    30
}

/// Decides all bads as one property, or each property.
fn decide(asked: &Asked, input: &Arc<CircuitInput>, is_any: bool) -> Result<Vec<Found>, Failure> {
    let engines = engines(asked)?;
    let schedule = engines.schedule()?;
    let limits = Limits::new(Instant::now(), engines.timeout, engines.memory);
    let own = Alone::until(limits.stop());
    let (short, stopped, input) = (own.stop.clone(), own.stop.clone(), Arc::clone(input));
    let work = move || match &*input {
        CircuitInput::Bits(circuit) => {
            let all = match is_any {
                true => verify_any(&**circuit, &schedule, own.control()).map(|one| vec![one]),
                false => verify(&**circuit, &schedule, own.control()),
            };
            found(&all?, |finding, output| match finding {
                Finding::Bad(outcome) => match &outcome.verdict {
                    Verdict::Unsafe(trace) => write_trace(trace, output),
                    _ => Ok(()),
                },
                other => write_other(other, output),
            })
        }
        CircuitInput::Words(circuit) => {
            let all = match is_any {
                true => verify_any(&**circuit, &schedule, own.control()).map(|one| vec![one]),
                false => verify(&**circuit, &schedule, own.control()),
            };
            found(&all?, |finding, output| match finding {
                Finding::Bad(outcome) => match &outcome.verdict {
                    Verdict::Unsafe(trace) => {
                        btor2::trace::write(&circuit.file, &circuit.lift(trace), output)
                    }
                    _ => Ok(()),
                },
                other => write_other(other, output),
            })
        }
    };
    let end = watch_with(
        limits,
        move || short.report_memory_short(),
        move |stop: Stop| stop.tell(&stopped),
        work,
    )?;
    match end {
        End::Finished(found) => found,
        End::Abandoned(_) => leave(30),
    }
}

/// The engines: bounded model checking alone, if there is a bound.
fn engines(asked: &Asked) -> Result<EngineArguments, Failure> {
    let bounded = asked.bound.map(|bound| {
        [
            format!("--engine=bmc:max-depth={bound}"),
            "--only".to_owned(),
        ]
    });
    let words = ["craig".to_owned()].into_iter();
    let words = words
        .chain(bounded.into_iter().flatten())
        .chain(asked.engines.iter().cloned());
    let parsed = <Engines as clap::Parser>::try_parse_from(words);
    parsed.map(|it| it.engines).map_err(|error| {
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::input(first.strip_prefix("error: ").unwrap_or(first))
    })
}

/// What is printed about results, with the runs that `write` writes.
fn found<E>(
    all: &[Certified<E>],
    write: impl Fn(&Finding<E>, &mut dyn Write) -> io::Result<()>,
) -> Result<Vec<Found>, Failure> {
    let mut results = Vec::new();
    for certified in all {
        if let Judgement::Invalid(reason) = &certified.judgement {
            let text = format!("the evidence does not hold: {reason}");
            return Err(Failure::internal(text));
        }
        let mut run = Vec::new();
        if certified.answer() == Answer::Unsafe {
            write(&certified.finding, &mut run).map_err(Failure::internal)?;
        }
        results.push(Found {
            answer: certified.answer(),
            is_bounded: certified.finding.reason().is_some_and(is_searched),
            run: String::from_utf8_lossy(&run).into_owned(),
        });
    }
    Ok(results)
}

/// A run against a justice property, or one over words.
fn write_other<E: WordText>(finding: &Finding<E>, output: &mut dyn Write) -> io::Result<()> {
    match finding {
        Finding::Justice(outcome) => match &outcome.verdict {
            LivenessVerdict::Unsafe(lasso) => write_lasso(lasso, output),
            _ => Ok(()),
        },
        Finding::Apart(found) => output.write_all(found.evidence.text()),
        Finding::Bad(_) => Ok(()),
    }
}
