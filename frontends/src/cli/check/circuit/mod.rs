//! Circuits: each property in turn is reduced, searched and checked.

pub(super) mod aiger;
mod evidence;
pub(super) mod file;
mod shown;

use std::time::Instant;

use craig_mc::{Outcome, Verdict};

use super::report::{Answer, CircuitReport, PropertyReport, Subject};
use super::session::{Current, Input, Session};
use super::task::Task;
use crate::cli::circuits::name_of;
use crate::cli::engines::Lemmas;
use crate::cli::failure::Failure;
use crate::cli::watch::Stop;
use evidence::Evidence;
use file::CircuitFile;
use shown::Shown;

/// A circuit, and the bads to check.
pub(super) struct Circuit<F> {
    file: F,
    properties: Vec<usize>,
    /// The name of the requested engine.
    engine: &'static str,
}

impl<F: CircuitFile> Circuit<F> {
    /// The properties of the task.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn new(file: F, task: &Task) -> Result<Self, Failure> {
        let model = file.model();
        let n_properties = model.bads.len();
        let properties: Vec<usize> = match task.property {
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
                task.file.display(),
                if model.justice.is_empty() {
                    ""
                } else {
                    " (justice properties are read, but not decided)"
                }
            )));
        }
        Ok(Self {
            file,
            properties,
            engine: task.engines.engine.name(),
        })
    }

    fn name(&self, property: usize) -> String {
        name_of(&self.file.model().names.bads, 'b', property)
    }

    /// Checks, writes and reports the result of an engine.
    fn end(
        &self,
        session: &Session,
        property: usize,
        begin: Instant,
        outcome: &Outcome,
        evidence: &mut Evidence<'_, F>,
    ) -> Result<(), Failure> {
        let seconds = begin.elapsed().as_secs_f64();
        let engines = &session.task.engines;
        let judgement = engines.judge(self.file.circuit(), Some(property), &outcome.verdict);
        session.report(|stopped| {
            let mut report = CircuitReport {
                property,
                name: self.name(property),
                answer: match outcome.verdict {
                    Verdict::Safe(_) => Answer::Safe,
                    Verdict::Unsafe(_) => Answer::Unsafe,
                    Verdict::Unknown(_) => Answer::Unknown,
                },
                reason: match (&outcome.verdict, stopped) {
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
            if report.answer != Answer::Failed {
                report.witness = evidence.write(property, &outcome.verdict)?;
            }
            Ok(PropertyReport::Circuit(report))
        })
    }
}

impl<F: CircuitFile + 'static> Input for Circuit<F> {
    type Found = ();

    fn subject(&self) -> Subject {
        Subject::Bads(self.properties.len())
    }

    fn decide(&self, session: &Session) -> Result<(), Failure> {
        let model = self.file.model();
        let task = &session.task;
        let mut lemmas = Lemmas::default();
        let mut shown = Shown::new(model);
        let mut evidence = Evidence::new(&self.file, &self.properties, task.witness.as_deref());
        for (index, &property) in self.properties.iter().enumerate() {
            let begin = Instant::now();
            let n_left = self.properties.len() - index;
            let Some(control) = session.begin(property, &self.name(property), n_left) else {
                break;
            };
            let outcome = match shown.take(property) {
                Some(outcome) => outcome,
                None => task
                    .engines
                    .check_with(model, property, &mut lemmas, &control)?,
            };
            if let Verdict::Unsafe(trace) = &outcome.verdict
                && !task.engines.engine.is_shortest()
            {
                shown.look_for_others(trace, &self.properties);
            }
            self.end(session, property, begin, &outcome, &mut evidence)?;
        }
        evidence.write_whole_proof(!task.engines.no_certify)
    }

    fn conclude(&self, _: &Session, (): ()) -> Result<(), Failure> {
        Ok(())
    }

    /// Every property that has no report yet.
    fn undecided(
        &self,
        reports: &[PropertyReport],
        current: Option<&Current>,
        stop: Stop,
    ) -> Vec<PropertyReport> {
        let reported: Vec<usize> = (reports.iter())
            .filter_map(|report| match report {
                PropertyReport::Circuit(report) => Some(report.property),
                PropertyReport::Program(_) => None,
            })
            .collect();
        let report = |&property: &usize| {
            let (seconds, depth) = match current {
                Some(current) if current.property == property => (
                    current.begin.elapsed().as_secs_f64(),
                    current.control.depth(),
                ),
                _ => (0.0, 0),
            };
            PropertyReport::Circuit(CircuitReport {
                property,
                name: self.name(property),
                answer: Answer::Unknown,
                reason: Some(stop.reason().to_owned()),
                engine: self.engine,
                depth,
                seconds,
                certified: false,
                certify_seconds: None,
                witness: None,
            })
        };
        let left = self.properties.iter();
        left.filter(|property| !reported.contains(property))
            .map(report)
            .collect()
    }

    fn exit_code(&self, answer: Answer) -> u8 {
        match answer {
            Answer::Failed => 1,
            Answer::Unsafe => 10,
            Answer::Safe => 20,
            Answer::Unknown => 30,
        }
    }
}
