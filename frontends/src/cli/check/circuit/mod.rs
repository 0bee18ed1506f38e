//! Circuits: each property is decided by `craig-verify`, and its evidence written.

pub(super) mod aiger;
pub(super) mod btor2;
mod evidence;
mod exports;
pub(super) mod file;
pub(super) mod reading;
pub(super) mod run_format;

use std::collections::HashSet;
use std::ops::ControlFlow;

use craig_mc::{Alone, Listener, portfolio};

use craig_model::Model;
use craig_verify::{Certified, Design, Observer, Schedule, verify_each};

use super::report::{Answer, CircuitReport, ExitCodes, PropertyReport, Subject};
use super::session::{Current, Input, Session};
use super::task::{Task, check_room};
use crate::cli::circuits::{Kind, PropertyId};
use crate::cli::engines::report_failure;
use crate::cli::failure::Failure;
use crate::cli::watch::Stop;
use evidence::Evidence;
use exports::Exporter;
use file::CircuitFile;

/// A circuit, and the properties to check.
pub(super) struct Circuit<F> {
    file: F,
    properties: Vec<PropertyId>,
    schedule: Schedule,
    exit_codes: ExitCodes,
    /// Whether the properties are goals.
    has_goals: bool,
}

/// What is written and reported about the properties.
struct Reports<'a, F: CircuitFile> {
    circuit: &'a Circuit<F>,
    session: &'a Session,
    evidence: Evidence<'a, F>,
    exporter: Exporter<'a, F>,
}

impl<F: CircuitFile> Circuit<F> {
    /// The properties of the task.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn new(file: F, task: &Task) -> Result<Self, Failure> {
        let model = file.design().model();
        let properties = match task.property {
            Some(property) => {
                property.check(model)?;
                vec![property]
            }
            None => PropertyId::all(model),
        };
        if properties.is_empty() {
            return Err(Failure::input(format!(
                "{}: there is nothing to check: no bads, no outputs and no justice properties",
                task.file.display(),
            )));
        }
        let is_live = properties
            .iter()
            .any(|property| property.kind == Kind::Justice);
        if task.engines.liveness.is_some() && !is_live {
            return Err(Failure::input(format!(
                "{}: `--liveness` is for justice properties, and none is asked for",
                task.file.display()
            )));
        }
        if properties.len() > 1
            && let Some(path) = &task.witness
        {
            check_room(path)?;
        }
        Ok(Self {
            file,
            properties,
            exit_codes: task.exit_codes,
            has_goals: task.has_goals,
            schedule: task.engines.schedule()?,
        })
    }

    fn model(&self) -> &Model {
        self.file.design().model()
    }

    /// A report without an answer.
    fn report(&self, property: PropertyId) -> CircuitReport {
        let name = property.name(self.model());
        let engine = self.schedule.engine_name();
        CircuitReport {
            is_goal: self.has_goals,
            ..CircuitReport::unanswered((property.kind, property.number), name, engine)
        }
    }
}

impl<F: CircuitFile> Reports<'_, F> {
    /// Reports a result, and writes its evidence.
    fn report(&mut self, certified: &Certified<EvidenceOf<F>>) {
        let (circuit, session, evidence) = (self.circuit, self.session, &mut self.evidence);
        let exporter = &mut self.exporter;
        let finding = &certified.finding;
        let make = |stopped: Option<Stop>| {
            let mut report = CircuitReport {
                answer: match finding.answer() {
                    craig_verify::Answer::Safe => Answer::Safe,
                    craig_verify::Answer::Unsafe => Answer::Unsafe,
                    craig_verify::Answer::Unknown => Answer::Unknown,
                },
                reason: match (finding.reason(), stopped) {
                    (Some(_), Some(stop)) => Some(stop.reason().to_owned()),
                    (Some(reason), None) => Some(reason.to_string()),
                    _ => None,
                },
                engine: finding.engine(),
                phase: certified.phase,
                depth: finding.depth(),
                loop_start: finding.loop_start(),
                seconds: certified.seconds,
                ..circuit.report(certified.property)
            };
            if session.task.html.is_some() {
                report.waves = circuit.file.waves(finding);
            }
            report.judge(certified.judgement.clone());
            PropertyReport::Circuit(report)
        };
        let name = certified.property.name(circuit.model());
        session.report(make, |report| {
            let mut files = Vec::new();
            if report.answer() != Answer::Failed {
                files.extend(evidence.write(certified)?);
                files.extend(exporter.write(certified)?);
            }
            if !files.is_empty() {
                session.tell(&format!("{name}: evidence written"));
            }
            Ok(files)
        });
    }
}

/// The evidence of answers that are not about the model.
type EvidenceOf<F> = <<F as CircuitFile>::Design as Design>::Evidence;

impl<F: CircuitFile> Observer<EvidenceOf<F>> for Reports<'_, F> {
    fn begin(&mut self, property: PropertyId, name: &str, listener: Listener) -> Listener {
        let properties = &self.circuit.properties;
        let place = properties.iter().position(|&other| other == property);
        self.session
            .begin(place.unwrap_or_default(), name, listener)
    }

    fn note(&mut self, line: &str) {
        self.session.tell(line);
    }

    fn engine_failed(&mut self, failure: &portfolio::Failure) {
        report_failure(failure);
    }

    fn certified(&mut self, certified: Certified<EvidenceOf<F>>) -> ControlFlow<()> {
        self.report(&certified);
        ControlFlow::Continue(())
    }
}

impl<F: CircuitFile + 'static> Input for Circuit<F> {
    type Found = ();

    fn subject(&self) -> Subject {
        Subject::Circuit(self.properties.len())
    }

    fn decide(&self, session: &Session) -> Result<(), Failure> {
        let model = self.model();
        let task = &session.task;
        session.expect(self.properties.len());
        session.tell(&format!(
            "read: {} inputs, {} latches, {} ANDs, {} properties",
            model.inputs.len(),
            model.latches.len(),
            model.aig.n_nodes() - 1 - model.aig.n_inputs(),
            self.properties.len()
        ));
        let mut reports = Reports {
            circuit: self,
            session,
            evidence: Evidence::new(&self.file, &self.properties, task.witness.as_deref()),
            exporter: Exporter::new(&self.file, self.properties.len(), &task.exports),
        };
        let (design, schedule) = (self.file.design(), &self.schedule);
        let own = Alone::until(session.stop.clone());
        let result = verify_each(
            design,
            &self.properties,
            schedule,
            own.control(),
            &mut reports,
        );
        result?;
        match (reports.evidence).write_whole_proof(!task.engines.no_certify) {
            Err(fault @ Failure::Input(_)) => session.note_fault(fault),
            written => written?,
        }
        Ok(())
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
        let reported: HashSet<PropertyId> = (reports.iter())
            .filter_map(|report| match report {
                PropertyReport::Circuit(report) => Some(report.id()),
                PropertyReport::Program(_) => None,
            })
            .collect();
        let report = |(index, &property): (usize, &PropertyId)| {
            let (seconds, depth) = match current {
                Some(current) if current.property == index => (
                    current.begin.elapsed().as_secs_f64(),
                    current.listener.depth(),
                ),
                _ => (0.0, 0),
            };
            PropertyReport::Circuit(CircuitReport {
                reason: Some(stop.reason().to_owned()),
                depth,
                seconds,
                ..self.report(property)
            })
        };
        let left = self.properties.iter().enumerate();
        left.filter(|(_, property)| !reported.contains(property))
            .map(report)
            .collect()
    }

    fn exit_code(&self, answer: Answer) -> u8 {
        self.exit_codes.of(answer)
    }
}
