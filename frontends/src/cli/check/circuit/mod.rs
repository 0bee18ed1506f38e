//! Circuits: each property in turn is reduced, searched and checked.

pub(super) mod aiger;
pub(super) mod btor2;
mod evidence;
pub(super) mod file;
mod found;
mod one_by_one;
pub(super) mod reading;
mod shown;
mod together;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use craig_certify::Circuit as CertifiedCircuit;
use craig_mc::liveness::{LivenessOutcome, LivenessVerdict};
use craig_model::{Outcome, UnknownReason, Verdict};

use super::report::{Answer, CircuitReport, ExitCodes, PropertyReport, Subject};
use super::session::{Current, Input, Session};
use super::task::{Task, check_room};
use crate::cli::circuits::{Kind, PropertyId};
use crate::cli::engines::{About, Judgement, Lemmas};
use crate::cli::failure::Failure;
use crate::cli::large_memories::OwnResult;
use crate::cli::watch::Stop;
use evidence::Evidence;
use file::CircuitFile;
use found::Found;
use one_by_one::Known;
use shown::Shown;

/// A circuit, and the properties to check.
pub(super) struct Circuit<F> {
    file: F,
    properties: Vec<PropertyId>,
    /// The name of the requested engine.
    engine: &'static str,
    exit_codes: ExitCodes,
    /// Whether the certifier has found that the model is the file's circuit: it need not compare them for each property.
    is_compared: AtomicBool,
}

impl<F: CircuitFile> Circuit<F> {
    /// The properties of the task.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn new(file: F, task: &Task) -> Result<Self, Failure> {
        let model = file.model();
        let properties = match task.property {
            Some(property) => {
                property.check(model).map_err(Failure::input)?;
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
            engine: task.engines.engine.name(),
            exit_codes: task.exit_codes,
            is_compared: AtomicBool::new(false),
        })
    }

    /// A report without an answer.
    fn report(&self, property: PropertyId) -> CircuitReport {
        let name = property.name(self.file.model());
        CircuitReport::unanswered((property.kind, property.number), name, self.engine)
    }

    /// The circuit against which evidence is judged. When the certifier has found once that the model is the file's circuit, it
    /// need not compare them again.
    fn circuit_to_judge(&self) -> &dyn CertifiedCircuit {
        match self.is_compared.load(Ordering::Relaxed) {
            true => self.file.model(),
            false => self.file.circuit(),
        }
    }

    /// Notes that the model was found to be the file's circuit, if it was.
    fn note_comparison(&self, judgement: &Judgement) {
        if matches!(judgement, Judgement::Valid(_)) {
            self.is_compared.store(true, Ordering::Relaxed);
        }
    }

    /// Checks, writes and reports a result.
    fn end(
        &self,
        session: &Session,
        property: PropertyId,
        begin: Instant,
        result: &Found,
        evidence: &mut Evidence<'_, F>,
    ) -> Result<(), Failure> {
        let seconds = begin.elapsed().as_secs_f64();
        let engines = &session.task.engines;
        let circuit = self.circuit_to_judge();
        let judgement = match result {
            Found::Bad(outcome) => {
                engines.judge(circuit, About::One(property.number), &outcome.verdict)
            }
            Found::Justice(outcome) => {
                engines.judge_live(circuit, property.number, &outcome.verdict)
            }
        };
        self.note_comparison(&judgement);
        let judgement = self.replayed(result, judgement);
        let name = property.name(self.file.model());
        if let Judgement::Valid(seconds) = judgement {
            session.tell(&format!("{name}: evidence judged in {seconds:.2} s"));
        }
        self.report_judged(session, property, seconds, result, judgement, || {
            let witness = match result {
                Found::Bad(outcome) => evidence.write(property.number, &outcome.verdict)?,
                Found::Justice(outcome) => evidence.write_live(property, &outcome.verdict)?,
            };
            if witness.is_some() {
                session.tell(&format!("{name}: evidence written"));
            }
            Ok(witness)
        });
        Ok(())
    }

    /// Reports a result that was found in so many seconds and judged. `write` writes the evidence, and returns its path.
    fn report_judged(
        &self,
        session: &Session,
        property: PropertyId,
        seconds: f64,
        result: &Found,
        judgement: Judgement,
        write: impl FnOnce() -> Result<Option<PathBuf>, Failure>,
    ) {
        let make = |stopped: Option<Stop>| {
            let mut report = CircuitReport {
                answer: result.answer(),
                reason: match (result.reason(), stopped) {
                    (Some(_), Some(stop)) => Some(stop.reason().to_owned()),
                    (Some(reason), None) => Some(reason.to_string()),
                    _ => None,
                },
                engine: result.engine(),
                depth: result.depth(),
                loop_start: result.loop_start(),
                seconds,
                ..self.report(property)
            };
            report.judge(judgement);
            PropertyReport::Circuit(report)
        };
        session.report(make, |report| match report.answer() {
            Answer::Failed => Ok(None),
            _ => write(),
        });
    }
}

impl<F: CircuitFile> Circuit<F> {
    /// Writes and reports a result that was found without the circuit's model.
    fn end_apart(
        &self,
        session: &Session,
        property: PropertyId,
        begin: Instant,
        result: &OwnResult,
        evidence: &mut Evidence<'_, F>,
    ) {
        let seconds = begin.elapsed().as_secs_f64();
        let make = |_| {
            let mut report = CircuitReport {
                answer: match result.is_safe {
                    true => Answer::Safe,
                    false => Answer::Unsafe,
                },
                engine: result.engine,
                depth: result.depth,
                loop_start: result.loop_start,
                seconds,
                ..self.report(property)
            };
            report.judge(result.judgement.clone());
            PropertyReport::Circuit(report)
        };
        session.report(make, |report| match report.answer() {
            Answer::Failed => Ok(None),
            _ => evidence.write_own(property, result),
        });
    }

    /// The judgement about a run, after its replay on the circuit of the file.
    fn replayed(&self, result: &Found, judgement: Judgement) -> Judgement {
        let Judgement::Valid(_) = judgement else {
            return judgement;
        };
        let replay = match result {
            Found::Bad(outcome) => match &outcome.verdict {
                Verdict::Unsafe(trace) => self.file.replay(trace),
                _ => Ok(()),
            },
            Found::Justice(outcome) => match &outcome.verdict {
                LivenessVerdict::Fails(lasso) => self.file.replay_lasso(lasso),
                _ => Ok(()),
            },
        };
        match replay {
            Ok(()) => judgement,
            Err(reason) => Judgement::Invalid(reason),
        }
    }

    /// The result about a property of a circuit that the engines can't search.
    fn refused(property: PropertyId, reason: &str) -> Found {
        let reason = UnknownReason::Unsupported(reason.to_owned());
        let (engine, depth) = ("none", 0);
        match property.kind {
            Kind::Bad => Found::Bad(Outcome {
                verdict: Verdict::Unknown(reason),
                engine,
                depth,
            }),
            Kind::Justice => Found::Justice(LivenessOutcome {
                verdict: LivenessVerdict::Unknown(reason),
                method: engine,
                depth,
                failures: Vec::new(),
            }),
        }
    }
}

impl<F: CircuitFile + 'static> Input for Circuit<F> {
    type Found = ();

    fn subject(&self) -> Subject {
        Subject::Circuit(self.properties.len())
    }

    fn decide(&self, session: &Session) -> Result<(), Failure> {
        let model = self.file.model();
        let task = &session.task;
        session.tell(&format!(
            "read: {} inputs, {} latches, {} ANDs, {} properties",
            model.inputs.len(),
            model.latches.len(),
            model.aig.n_nodes() - 1 - model.aig.n_inputs(),
            self.properties.len()
        ));
        let mut known = Known {
            lemmas: Lemmas::default(),
            shown: Shown::new(model),
            evidence: Evidence::new(&self.file, &self.properties, task.witness.as_deref()),
        };
        let decided = self.decide_together(session, &mut known)?;
        let left = self.properties.iter().copied().enumerate();
        let left = left.filter(|(_, property)| !decided.contains(property));
        self.decide_one_by_one(session, left.collect(), &mut known)?;
        match known.evidence.write_whole_proof(!task.engines.no_certify) {
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
                    current.control.depth(),
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
