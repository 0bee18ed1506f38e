//! `craig check`: decides the safety properties of a circuit.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use craig_mc::Values;
use craig_mc::circuit::certify::certify_certificate;
use craig_mc::circuit::simulate::{first_bad_step, replay};
use craig_mc::{Certificate, Control, Outcome, Reset, Trace, Verdict};

use super::check_c;
use super::convert::encoding_of;
use super::engines::{EngineArguments, Lemmas};
use super::output::write_file;
use super::progress::Progress;
use super::report::{Answer, PropertyReport, Reporter};
use super::watch::{End, Limits, Stop, watch_with};
use super::{Failure, name_of, read_model, unite};
use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::witness::{write_certificate, write_trace};

/// Decide the safety properties of a circuit or a C program: can a bad, or an error, be reached?
///
/// Prints `SAFE`, `UNSAFE` or `UNKNOWN` and why, each verdict only after its evidence was judged on the circuit as it
/// was read. Exit codes: 20 if all properties are safe, 10 if any is unsafe, 30 otherwise; 2 if the input is at fault,
/// 1 for an internal failure, evidence that does not hold among them.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER (`-` is standard input), or a C program (`.c`, `.i`).
    file: PathBuf,
    /// Decide just this property, counted from 0. By default, all of them.
    #[arg(long, value_name = "N")]
    property: Option<usize>,
    /// Write the evidence to a file: a trace, or a witness circuit (binary if the name ends in `.aig`, else text). With
    /// several properties, each has a file of its own with `.bN` before the extension; FILE itself then speaks of the
    /// circuit as a whole: the first trace, or one witness circuit for all properties if all are safe. For a C program:
    /// a witness in SV-COMP's format 2.0 (`.yml`, `.yaml`), or the witness circuit of its transition system.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Tell on standard error what the engines do.
    #[arg(short, long)]
    verbose: bool,
    /// Print the verdicts alone.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    c: check_c::CArguments,
}

/// What is said to have found a run that was found on the way to another bad.
const SIMULATION: &str = "simulation";

/// What the thread that searches and the one that watches share.
struct Shared {
    arguments: Arguments,
    circuit: AigerModel,
    properties: Vec<usize>,
    start: Instant,
    progress: Progress,
    state: Mutex<State>,
}

struct State {
    reporter: Reporter,
    /// The property that is being decided, since when, and how to stop it.
    current: Option<(usize, Instant, Control)>,
    /// Set when nothing more is to be begun.
    stopped: Option<Stop>,
    /// What was proved, as long as there may be a proof of all properties to write.
    certificates: Vec<Certificate>,
    /// Whether there is a file that speaks of the circuit as a whole.
    is_whole_written: bool,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if check_c::is_c(&arguments.file) {
        return check_c::run(
            &arguments.file,
            &arguments.c,
            &check_c::Common {
                engines: &arguments.engines,
                witness: arguments.witness.as_deref(),
                json: arguments.json,
                verbose: arguments.verbose,
                quiet: arguments.quiet,
            },
        );
    }
    let start = Instant::now();
    let circuit = read_model(&arguments.file)?;
    let n_properties = circuit.model.bads.len();
    let properties: Vec<usize> = match arguments.property {
        Some(property) if property < n_properties => vec![property],
        Some(property) => {
            return Err(Failure::input(format!(
                "there is no property {property}: the circuit has {n_properties}"
            )));
        }
        None => (0..n_properties).collect(),
    };
    if properties.is_empty() {
        return Err(Failure::input(format!(
            "{}: there is nothing to check: no bads and no outputs{}",
            arguments.file.display(),
            if circuit.model.justice.is_empty() {
                ""
            } else {
                " (justice properties are read, but not decided)"
            }
        )));
    }
    let file = arguments.file.display().to_string();
    let is_alone_quiet = arguments.quiet || arguments.json;
    let shared = Arc::new(Shared {
        progress: Progress::new(arguments.verbose, is_alone_quiet),
        state: Mutex::new(State {
            reporter: Reporter::new(file, arguments.json, arguments.quiet, properties.len()),
            current: None,
            stopped: None,
            certificates: Vec::new(),
            is_whole_written: false,
        }),
        arguments: arguments.clone(),
        circuit,
        properties,
        start,
    });
    let limits = Limits {
        deadline: arguments.engines.timeout.map(|time| start + time),
        memory: arguments.engines.memory.map(|megabytes| megabytes << 20),
    };
    let [wanted, asked, worker] = [0; 3].map(|_| Arc::clone(&shared));
    let end = watch_with(
        limits,
        move || wanted.ask_for_memory(),
        move |stop| asked.stop(stop),
        move || worker.work(),
    )?;
    shared.progress.finish();
    match end {
        End::Finished(result) => {
            result?;
            let state = shared.lock();
            Ok(state.reporter.finish(start.elapsed().as_secs_f64()))
        }
        End::Abandoned(stop) => {
            // The lock is never given back: the search must not print any more.
            let mut state = shared.lock();
            shared.report_rest(&mut state, stop);
            let code = state.reporter.finish(start.elapsed().as_secs_f64());
            std::process::exit(code.into());
        }
    }
}

impl Shared {
    /// The state. A search that panicked while it held the lock leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the search to do with fewer engines.
    fn ask_for_memory(&self) {
        if let Some((_, _, control)) = &self.lock().current {
            control.report_memory_short();
        }
    }

    /// Asks the search to stop.
    fn stop(&self, stop: Stop) {
        let mut state = self.lock();
        state.stopped = Some(stop);
        if let Some((_, _, control)) = &state.current {
            match stop {
                Stop::Memory => control.report_out_of_memory(),
                // An engine sees the deadline by itself.
                Stop::Deadline | Stop::Signal => control.cancel(),
            }
        }
    }

    /// Decides one property after the other.
    fn work(&self) -> Result<(), Failure> {
        let mut lemmas = Lemmas::default();
        // For each property, the run that has shown another one and shows this one as well.
        let mut shown: Vec<Option<Trace>> = vec![None; self.circuit.model.bads.len()];
        for (index, &property) in self.properties.iter().enumerate() {
            let begin = Instant::now();
            let Some(control) = self.begin(index, begin) else {
                break;
            };
            let outcome = match shown[property].take() {
                Some(trace) => Outcome {
                    depth: trace.depth(),
                    engine: SIMULATION,
                    verdict: Verdict::Unsafe(trace),
                },
                None => self.arguments.engines.check_with(
                    &self.circuit.model,
                    property,
                    &mut lemmas,
                    &control,
                )?,
            };
            if let Verdict::Unsafe(trace) = &outcome.verdict
                && !self.arguments.engines.engine.is_shortest()
            {
                self.look_for_others(trace, &mut shown);
            }
            self.end(property, begin, &outcome)?;
        }
        let mut state = self.lock();
        if let Some(stop) = state.stopped {
            self.report_rest(&mut state, stop);
        }
        let certificates = std::mem::take(&mut state.certificates);
        drop(state);
        self.write_whole_proof(&certificates)
    }

    /// Notes which other bads a run shows that nothing else has shown yet, each with the run up to there.
    fn look_for_others(&self, trace: &Trace, shown: &mut [Option<Trace>]) {
        // A run that can't be replayed is told of when it is judged.
        let Ok(steps) = replay(&self.circuit.model, trace) else {
            return;
        };
        for &property in &self.properties {
            if property != trace.property
                && shown[property].is_none()
                && let Some(step) = first_bad_step(&steps, property)
            {
                // The replay has put 0 where the trace leaves a value open.
                let grounded =
                    |values: &Values| values.iter().map(|value| value.or(Some(false))).collect();
                let latches = self.circuit.model.latches.iter();
                let initial = (trace.initial.iter().zip(latches))
                    .map(|(value, latch)| value.or(Some(latch.reset == Reset::One)));
                shown[property] = Some(Trace {
                    property,
                    initial: initial.collect(),
                    inputs: trace.inputs[..=step].iter().map(grounded).collect(),
                });
            }
        }
    }

    /// Writes one witness circuit for all properties of the circuit, if all were asked for and proved.
    fn write_whole_proof(&self, certificates: &[Certificate]) -> Result<(), Failure> {
        let Some(path) = &self.arguments.witness else {
            return Ok(());
        };
        let n_properties = self.circuit.model.bads.len();
        if n_properties == 1 || certificates.len() != n_properties {
            return Ok(());
        }
        let whole = Certificate::conjunction(&self.circuit.model, certificates);
        if !self.arguments.engines.no_certify {
            certify_certificate(&unite(&self.circuit.model), 0, &whole).map_err(|error| {
                Failure::internal(format!(
                    "the evidence for all properties together does not hold: {error}"
                ))
            })?;
        }
        let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
        write_file(path, |output| {
            write_certificate(&whole, &self.circuit, encoding, output)
        })
    }

    /// Makes the control for the next property; `None` if there is to be none.
    fn begin(&self, index: usize, begin: Instant) -> Option<Control> {
        let property = self.properties[index];
        let name = name_of(&self.circuit.model.names.bads, 'b', property);
        let mut control = Control::new();
        if self.arguments.verbose || !self.arguments.quiet {
            control = control.with_listener(self.progress.listener(&name));
        }
        if let Some(time) = self.arguments.engines.timeout {
            // What time is left is shared out equally: one hard property must not starve the rest.
            let left = (self.start + time).saturating_duration_since(begin);
            let n_left = u32::try_from(self.properties.len() - index).unwrap_or(u32::MAX);
            control = control.with_deadline(begin + left / n_left);
        }
        let mut state = self.lock();
        if state.stopped.is_some() {
            return None;
        }
        self.progress.begin(&name);
        state.current = Some((property, begin, control.clone()));
        Some(control)
    }

    /// Judges, writes and reports what an engine has returned.
    fn end(&self, property: usize, begin: Instant, outcome: &Outcome) -> Result<(), Failure> {
        let seconds = begin.elapsed().as_secs_f64();
        let judgement =
            self.arguments
                .engines
                .judge(&self.circuit.model, property, &outcome.verdict);
        let mut state = self.lock();
        state.current = None;
        let mut report = PropertyReport {
            property,
            name: name_of(&self.circuit.model.names.bads, 'b', property),
            verdict: match outcome.verdict {
                Verdict::Safe(_) => Answer::Safe,
                Verdict::Unsafe(_) => Answer::Unsafe,
                Verdict::Unknown(_) => Answer::Unknown,
            },
            reason: match (&outcome.verdict, state.stopped) {
                (Verdict::Unknown(_), Some(stop)) => Some(stop.reason().to_owned()),
                (Verdict::Unknown(reason), None) => Some(reason.to_string()),
                _ => None,
            },
            engine: outcome.engine,
            depth: outcome.depth,
            seconds,
            certified: false,
            certify_seconds: None,
            witness: None,
        };
        report.judge(judgement);
        if report.verdict != Answer::Failed
            && let Some(path) = &self.arguments.witness
        {
            report.witness = self.write_witness(path, property, &outcome.verdict)?;
            match &outcome.verdict {
                Verdict::Safe(certificate) if self.properties.len() > 1 => {
                    state.certificates.push(Certificate::clone(certificate));
                }
                Verdict::Unsafe(trace) if self.properties.len() > 1 && !state.is_whole_written => {
                    write_file(path, |output| write_trace(trace, output))?;
                    state.is_whole_written = true;
                }
                _ => {}
            }
        }
        self.progress.suspend(|| state.reporter.report(report));
        Ok(())
    }

    /// Reports every property that has no verdict yet as unknown.
    fn report_rest(&self, state: &mut State, stop: Stop) {
        for &property in &self.properties {
            if state.reporter.is_reported(property) {
                continue;
            }
            let (seconds, depth) = match &state.current {
                Some((current, begin, control)) if *current == property => {
                    (begin.elapsed().as_secs_f64(), control.depth())
                }
                _ => (0.0, 0),
            };
            let report = PropertyReport {
                property,
                name: name_of(&self.circuit.model.names.bads, 'b', property),
                verdict: Answer::Unknown,
                reason: Some(stop.reason().to_owned()),
                engine: self.arguments.engines.engine.name(),
                depth,
                seconds,
                certified: false,
                certify_seconds: None,
                witness: None,
            };
            self.progress.suspend(|| state.reporter.report(report));
        }
    }

    /// Writes the evidence, and returns where it is.
    fn write_witness(
        &self,
        path: &Path,
        property: usize,
        verdict: &Verdict,
    ) -> Result<Option<PathBuf>, Failure> {
        let path = if self.properties.len() == 1 {
            path.to_owned()
        } else {
            numbered(path, property)
        };
        let encoding = encoding_of(&path).unwrap_or(Encoding::Ascii);
        match verdict {
            Verdict::Unknown(_) => return Ok(None),
            Verdict::Unsafe(trace) => write_file(&path, |output| write_trace(trace, output))?,
            Verdict::Safe(certificate) => write_file(&path, |output| {
                write_certificate(certificate, &self.circuit, encoding, output)
            })?,
        }
        Ok(Some(path))
    }
}

/// The file's name with `.bN` before its extension.
pub(super) fn numbered(path: &Path, property: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".b{property}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_of_several_properties_have_names_of_their_own() {
        assert_eq!(
            numbered(Path::new("out/w.aig"), 3),
            Path::new("out/w.b3.aig")
        );
        assert_eq!(numbered(Path::new("w"), 0), Path::new("w.b0"));
    }
}
