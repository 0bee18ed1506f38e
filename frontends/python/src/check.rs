//! Verdicts about circuits, in this process.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use craig_hardware::aiger::{AigerModel, Encoding};
use craig_hardware::btor2::{WordCircuit, trace, write as write_words};
use craig_hardware::witness::{
    write_certificate, write_lasso, write_liveness_certificate, write_trace,
};
use craig_mc::control::{Control, Event};
use craig_mc::engine::entry::Engine;
use craig_mc::engine::options::Settings;
use craig_mc::engine::registry;
use craig_mc::{Board, Listener};
use craig_model::{Model, Stop, Verdict};
use craig_verify::{
    Answer, Certified, Design, Engines, Finding, Judgement, PropertyId, Schedule, VerifyError,
    verify_each,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors::{Error, InternalError, Stopped, argument, input};
use crate::model::{Circuit, Content};
use crate::proof::time_limit;
use crate::runs::{Run, unreplayed};
use crate::watch::run_beside;

/// A verdict with its evidence as bytes.
struct Found {
    property: PropertyId,
    name: String,
    answer: Answer,
    reason: Option<String>,
    engine: &'static str,
    phase: &'static str,
    depth: usize,
    loop_start: Option<usize>,
    seconds: f64,
    certify_seconds: Option<f64>,
    evidence: Option<Vec<u8>>,
    /// What the evidence is about, if that is not the input.
    about: Option<Vec<u8>>,
    run: Option<Run>,
}

/// What `Model.check` says about a search: the keys of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    properties: Option<Vec<String>>,
    engine: String,
    threads: Option<usize>,
    seed: u64,
    max_depth: Option<usize>,
    time: Option<f64>,
    progress: Option<Py<PyAny>>,
    cancelled: Option<Py<PyAny>>,
}

impl Asked {
    fn properties(&self, model: &Model) -> PyResult<Vec<PropertyId>> {
        let asked: Vec<PropertyId> = match &self.properties {
            None => PropertyId::all(model),
            Some(names) => {
                let property = |name: &String| {
                    let parsed = name.parse::<PropertyId>();
                    let parsed =
                        parsed.map_err(|error| argument(&format!("property {name:?}: {error}")))?;
                    parsed.check(model).map_err(|error| argument(&error))?;
                    Ok(parsed)
                };
                names.iter().map(property).collect::<PyResult<_>>()?
            }
        };
        match asked.is_empty() {
            true => Err(Error::new_err(
                "there is nothing to check: no bads and no justice properties",
            )),
            false => Ok(asked),
        }
    }

    fn schedule(&self) -> PyResult<Schedule> {
        if self.threads == Some(0) {
            return Err(argument("threads=0: expected at least 1"));
        }
        let usual = Schedule::default();
        Ok(Schedule {
            engines: engines(&self.engine)?,
            seed: self.seed,
            max_depth: self.max_depth,
            threads: self.threads.unwrap_or(usual.threads),
            ..usual
        })
    }

    fn stop(&self) -> PyResult<Stop> {
        let limit = time_limit(self.time)?;
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        Ok(match deadline {
            Some(deadline) => Stop::new().with_deadline(deadline),
            None => Stop::new(),
        })
    }

    /// Calls the callbacks: that of progress with each line that was told.
    fn hear(&self, py: Python<'_>, told: &Receiver<String>) -> PyResult<()> {
        if let Some(progress) = &self.progress {
            while let Ok(line) = told.try_recv() {
                progress.call1(py, (line,))?;
            }
        }
        match &self.cancelled {
            Some(cancelled) if cancelled.call0(py)?.is_truthy(py)? => {
                Err(Stopped::new_err("the search was cancelled"))
            }
            _ => Ok(()),
        }
    }

    /// Decides properties on threads of their own; callbacks are called on this one.
    fn decide<D: Input>(self, py: Python<'_>, design: &D) -> PyResult<Vec<Found>> {
        let (properties, schedule) = (self.properties(design.model())?, self.schedule()?);
        let stop = self.stop()?;
        let (tell, told) = mpsc::channel::<String>();
        let board = Board::default();
        let listener = match &self.progress {
            Some(_) => listener(tell),
            None => Listener::silent(),
        };
        let control = Control::new(&stop, &board, &listener);
        let search = || {
            let mut found = Vec::new();
            let mut keep = |certified: Certified<D::Evidence>| {
                found.push(certified);
                ControlFlow::Continue(())
            };
            verify_each(design, &properties, &schedule, control, &mut keep).map(|()| found)
        };
        let certified = run_beside(py, &|| stop.cancel(), &mut || self.hear(py, &told), search)?;
        let mut certified = certified.map_err(|error| match error {
            VerifyError::Model(_) | VerifyError::NoProperty { .. } => input(&error),
            _ => InternalError::new_err(error.to_string()),
        })?;
        certified.sort_by_key(|one| properties.iter().position(|&asked| asked == one.property));
        certified.iter().map(|one| found(design, one)).collect()
    }
}

/// Decides properties of a circuit: all of them, or those that are named.
#[pyfunction]
pub(crate) fn check<'py>(
    py: Python<'py>,
    circuit: &Circuit,
    asked: Asked,
) -> PyResult<Bound<'py, PyList>> {
    let found = match circuit.content() {
        Content::Bits(_) => asked.decide(py, &circuit.numbered())?,
        Content::Words(words) => asked.decide(py, &**words)?,
    };
    let reports = PyList::empty(py);
    for found in found {
        reports.append(found.to_python(py)?)?;
    }
    Ok(reports)
}

/// The engines of a name, with options behind a colon as in the command.
fn engines(text: &str) -> PyResult<Engines> {
    if text == "portfolio" {
        return Ok(Schedule::default().engines);
    }
    let (name, list) = text
        .split_once(':')
        .map_or((text, None), |(name, list)| (name, Some(list)));
    let Some(engine) = registry::find(name) else {
        let names: Vec<&str> = registry::ENGINES.iter().map(|engine| engine.name).collect();
        let names = names.join(", ");
        return Err(argument(&format!(
            "there is no engine {name:?}: expected portfolio or one of {names}"
        )));
    };
    let mut settings = Settings::default();
    for item in list.iter().flat_map(|list| list.split(',')) {
        set_option(engine, &mut settings, item)?;
    }
    Ok(Engines::One(engine, settings))
}

/// Sets an option of an engine, as in `max-depth=20`.
fn set_option(engine: &'static Engine, settings: &mut Settings, item: &str) -> PyResult<()> {
    let (name, value) = item.split_once('=').unwrap_or((item, "true"));
    let mut options = engine.options.iter().filter(|option| option.is_flag);
    let Some(option) = options.find(|option| option.name == name) else {
        return Err(argument(&format!(
            "the engine {} has no option {name:?}",
            engine.name
        )));
    };
    let value = option
        .parse(value)
        .map_err(|error| argument(&format!("{item}: {error}")))?;
    settings.set(option, value);
    Ok(())
}

/// Writing evidence about a circuit.
trait Input: Design {
    fn evidence(&self, certified: &Certified<Self::Evidence>) -> Result<Evidence, String>;
}

/// Evidence as bytes, and the run that it is.
#[derive(Default)]
struct Evidence {
    bytes: Option<Vec<u8>>,
    about: Option<Vec<u8>>,
    run: Option<Run>,
}

/// What is written to a vector.
fn bytes_of(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// The evidence of a finding about the bits of a circuit.
fn evidence_of_bits<E>(circuit: &AigerModel, finding: &Finding<E>) -> Result<Evidence, String> {
    let mut evidence = Evidence::default();
    match finding {
        Finding::Bad(outcome) => match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let write = |output: &mut Vec<u8>| {
                    write_certificate(certificate, circuit, Encoding::Ascii, output)
                };
                evidence.bytes = Some(bytes_of(write)?);
            }
            Verdict::Unsafe(run) => {
                evidence.bytes = Some(bytes_of(|output| write_trace(run, output))?);
                evidence.run = Some(Run::of_bits(&circuit.model, &run.initial, &run.inputs)?);
            }
            Verdict::Unknown(_) => {}
        },
        Finding::Justice(outcome) => match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let write = |output: &mut Vec<u8>| {
                    write_liveness_certificate(certificate, circuit, Encoding::Ascii, output)
                };
                evidence.bytes = Some(bytes_of(write)?);
            }
            Verdict::Unsafe(lasso) => {
                evidence.bytes = Some(bytes_of(|output| write_lasso(lasso, output))?);
                evidence.run = Some(Run::of_bits(&circuit.model, &lasso.initial, &lasso.inputs)?);
            }
            Verdict::Unknown(_) => {}
        },
        Finding::Apart(_) => {}
    }
    Ok(evidence)
}

impl Input for AigerModel {
    fn evidence(&self, certified: &Certified<Self::Evidence>) -> Result<Evidence, String> {
        evidence_of_bits(self, &certified.finding)
    }
}

impl Input for WordCircuit {
    fn evidence(&self, certified: &Certified<Self::Evidence>) -> Result<Evidence, String> {
        match &*certified.finding {
            Finding::Bad(outcome) => match &outcome.verdict {
                Verdict::Unsafe(run) => {
                    let run = self.lift(run);
                    Ok(Evidence {
                        bytes: Some(bytes_of(|output| trace::write(&self.file, &run, output))?),
                        run: Some(Run::of_words(&self.file, &run)?),
                        about: None,
                    })
                }
                Verdict::Safe(certificate) => Ok(Evidence {
                    bytes: Some(bytes_of(|output| {
                        write_words(&self.word_witness(certificate), output)
                    })?),
                    ..Evidence::default()
                }),
                Verdict::Unknown(_) => Ok(Evidence::default()),
            },
            finding @ Finding::Justice(_) => {
                let about =
                    bytes_of(|output| craig_hardware::aiger::write_ascii(&self.bits, output))?;
                let evidence = evidence_of_bits(&self.bits, finding)?;
                let about = evidence.bytes.is_some().then_some(about);
                Ok(Evidence { about, ..evidence })
            }
            Finding::Apart(found) => {
                let text = &found.evidence.text;
                let run = match found.answer {
                    Answer::Unsafe => {
                        let run = trace::read(text, "the run", &self.file)
                            .map_err(|error| error.to_string())?;
                        Some(Run::of_words(&self.file, &run)?)
                    }
                    Answer::Safe | Answer::Unknown => None,
                };
                Ok(Evidence {
                    bytes: Some(text.clone()),
                    about: found.evidence.model.clone(),
                    run,
                })
            }
        }
    }
}

/// A listener that passes on what engines tell, as lines.
fn listener(tell: mpsc::Sender<String>) -> Listener {
    let tell = Mutex::new(tell);
    Listener::silent().with_receiver(Arc::new(move |event| {
        let line = match event {
            Event::Depth { engine, depth } => format!("{engine}: depth {depth}"),
            Event::Interpolant {
                engine,
                bound,
                round,
                ands,
            } => {
                format!("{engine}: bound {bound}, interpolant {round}, {ands} gates")
            }
            Event::Note { engine, text } => format!("{engine}: {text}"),
        };
        // Nobody listens once the search is over.
        let _ = tell
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .send(line);
    }))
}

/// A verdict with its evidence.
fn found<D: Input>(design: &D, certified: &Certified<D::Evidence>) -> PyResult<Found> {
    let name = certified.property.name(design.model());
    let certify_seconds = match &certified.judgement {
        Judgement::None => None,
        Judgement::Valid(seconds) => Some(*seconds),
        Judgement::Invalid(reason) => {
            return Err(InternalError::new_err(format!(
                "{name}: the evidence does not hold: {reason}"
            )));
        }
    };
    let finding = &certified.finding;
    let evidence = design
        .evidence(certified)
        .map_err(|message| unreplayed(&message))?;
    Ok(Found {
        property: certified.property,
        name,
        answer: finding.answer(),
        reason: finding.reason().map(ToString::to_string),
        engine: finding.engine(),
        phase: certified.phase,
        depth: finding.depth(),
        loop_start: finding.loop_start(),
        seconds: certified.seconds,
        certify_seconds,
        evidence: evidence.bytes,
        about: evidence.about,
        run: evidence.run,
    })
}

impl Found {
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = PyDict::new(py);
        report.set_item("property", self.property.to_string())?;
        report.set_item("name", &self.name)?;
        let verdict = match self.answer {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Unknown => "unknown",
        };
        report.set_item("verdict", verdict)?;
        report.set_item("reason", &self.reason)?;
        report.set_item("engine", self.engine)?;
        report.set_item("phase", self.phase)?;
        report.set_item("depth", self.depth)?;
        report.set_item("loop_start", self.loop_start)?;
        report.set_item("seconds", self.seconds)?;
        report.set_item("certified", self.certify_seconds.is_some())?;
        report.set_item("certify_seconds", self.certify_seconds)?;
        let bytes = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| PyBytes::new(py, bytes));
        report.set_item("evidence", bytes(&self.evidence))?;
        report.set_item("evidence_model", bytes(&self.about))?;
        report.set_item(
            "trace",
            self.run.as_ref().map(|run| run.to_python(py)).transpose()?,
        )?;
        Ok(report)
    }
}
