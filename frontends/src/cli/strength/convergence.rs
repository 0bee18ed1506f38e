//! What strength does to convergence: the same circuit model checked by each interpolating engine with each
//! system.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use craig_itp::System;
use craig_itp::transform::Raising;
use craig_mc::control::Event;
use craig_mc::engine::imc::{self, Interpolants};
use craig_mc::engine::{isb, tra};
use craig_mc::{Control, Model, Outcome, Verdict};

use crate::cli::Failure;
use crate::cli::itp::decompressed;
use crate::cli::watch::thread_processor_time;

/// One run of the model checker.
pub(super) struct Run {
    pub(super) engine: &'static str,
    pub(super) system: System,
    /// How interpolants were derived: `forward`, `backward`, or forward from proofs that were `reduced` or `raised`.
    pub(super) direction: &'static str,
    /// `SAFE`, `UNSAFE` or `UNKNOWN`.
    pub(super) verdict: &'static str,
    /// The interpolants, in order.
    pub(super) interpolants: Vec<Point>,
    pub(super) depth: usize,
    /// Processor time, where the system tells it, else time on the clock.
    pub(super) time: Duration,
}

/// One interpolant of a run.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// Steps of the instance that it comes from.
    pub(super) bound: usize,
    /// Its number among the interpolants of that bound, counted from 1.
    pub(super) round: usize,
    pub(super) ands: usize,
}

impl Run {
    /// Engine, system and derivation.
    pub(super) fn name(&self) -> String {
        format!("{} {}, {}", self.engine, self.system.name(), self.direction)
    }

    /// How many different bounds were tried.
    pub(super) fn n_bounds(&self) -> usize {
        let mut bounds: Vec<usize> = self.interpolants.iter().map(|point| point.bound).collect();
        bounds.dedup();
        bounds.len()
    }

    /// AND gates of the largest interpolant.
    pub(super) fn largest(&self) -> usize {
        self.interpolants
            .iter()
            .map(|point| point.ands)
            .max()
            .unwrap_or(0)
    }
}

/// An engine with its interpolation system and what else is varied.
#[derive(Clone)]
struct Variant {
    engine: &'static str,
    system: System,
    direction: &'static str,
}

/// All variants: for each engine its systems times the transforms that it can have. Raising needs a cut of its own, as TRA
/// has for each step, but neither a sequence nor IMC's fixpoint; TRA can't use the inverse system. McMillan's system in the plainest engine comes first: the others are held against it.
fn variants() -> Vec<Variant> {
    let of = |engine, direction, systems: &[System]| {
        let variant = |&system: &System| Variant {
            engine,
            system,
            direction,
        };
        systems.iter().map(variant).collect::<Vec<_>>()
    };
    let strong = [System::McMillan, System::Symmetric];
    [
        of(imc::NAME, "forward", &System::ALL),
        of(imc::NAME, "backward", &System::ALL),
        of(imc::NAME, "reduced", &System::ALL),
        of(isb::NAME, "forward", &System::ALL),
        of(isb::NAME, "reduced", &System::ALL),
        of(tra::NAME, "forward", &strong),
        of(tra::NAME, "reduced", &strong),
        of(tra::NAME, "raised", &strong),
    ]
    .concat()
}

impl Variant {
    fn reduction_rounds(&self) -> usize {
        if self.direction == "reduced" { 4 } else { 0 }
    }

    fn check(&self, model: &Model, property: usize, control: &Control) -> Outcome {
        match self.engine {
            tra::NAME => {
                let raising = (self.direction == "raised").then(Raising::default);
                let options = tra::Options {
                    system: self.system,
                    raising,
                    reduction_rounds: self.reduction_rounds(),
                    ..tra::Options::default()
                };
                tra::check(model, property, &options, control)
            }
            isb::NAME => {
                let options = isb::Options {
                    system: self.system,
                    reduction_rounds: self.reduction_rounds(),
                    ..isb::Options::default()
                };
                isb::check(model, property, &options, control)
            }
            _ => {
                let options = imc::Options {
                    system: self.system,
                    interpolants: match self.direction {
                        "backward" => Interpolants::Backward,
                        _ => Interpolants::Forward,
                    },
                    reduction_rounds: self.reduction_rounds(),
                    ..imc::Options::default()
                };
                imc::check(model, property, &options, control)
            }
        }
    }
}

/// Model checks a circuit with each engine and system, until `control` stops it. Nothing for what is no circuit.
pub(super) fn runs(
    file: &Path,
    property: usize,
    time: Duration,
    control: &Control,
) -> Result<Vec<Run>, Failure> {
    let bytes = decompressed(file)?;
    if !(bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")) {
        return Ok(Vec::new());
    }
    let circuit =
        crate::aiger::read(&bytes, &file.display().to_string()).map_err(Failure::input)?;
    let mut runs = Vec::new();
    for variant in variants() {
        if control.stop_reason().is_some() {
            break;
        }
        let points = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&points);
        let own = variant.engine;
        let listener = move |event: Event| {
            // An engine may ask another one for help, whose interpolants are not its own.
            if let Event::Interpolant {
                engine,
                bound,
                round,
                ands,
            } = event
                && engine == own
            {
                let mut points = heard.lock().expect("no listener panics");
                points.push(Point { bound, round, ands });
            }
        };
        let (start, work) = (Instant::now(), thread_processor_time());
        let control = control
            .apart()
            .with_deadline(start + time)
            .with_listener(Arc::new(listener));
        let outcome = variant.check(&circuit.model, property, &control);
        let interpolants = points.lock().expect("no listener panics").clone();
        runs.push(Run {
            engine: variant.engine,
            system: variant.system,
            direction: variant.direction,
            verdict: match outcome.verdict {
                Verdict::Safe(_) => "SAFE",
                Verdict::Unsafe(_) => "UNSAFE",
                Verdict::Unknown(_) => "UNKNOWN",
            },
            interpolants,
            depth: outcome.depth,
            time: thread_processor_time()
                .zip(work)
                .map_or(start.elapsed(), |(now, before)| now.saturating_sub(before)),
        });
    }
    Ok(runs)
}
