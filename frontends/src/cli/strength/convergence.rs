//! The effect of strength on convergence: one model, checked by each interpolating engine with each system.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use craig_itp::System;
use craig_itp::transform::{Raising, Reduction};
use craig_mc::control::Event;
use craig_mc::engine::one_cut::{self, Interpolants};
use craig_mc::engine::{imc, isb, tra};
use craig_mc::{Alone, Control};
use craig_model::{Model, Outcome, Stop, Verdict};

use super::clock::{Deadline, ThreadClock};
use crate::cli::transforms::MAX_LITERALS;

/// One run of the model checker.
pub(super) struct Run {
    pub(super) engine: &'static str,
    pub(super) system: System,
    /// The [name](Derivation::name) of the derivation.
    pub(super) derived: &'static str,
    /// `SAFE`, `UNSAFE` or `UNKNOWN`.
    pub(super) verdict: &'static str,
    /// The interpolants, in order.
    pub(super) interpolants: Vec<Point>,
    pub(super) depth: usize,
    /// Processor time where the system reports it, else wall-clock time.
    pub(super) time: Duration,
}

/// One interpolant of a run.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// The number of steps of the instance that it comes from.
    pub(super) bound: usize,
    /// Its number among the interpolants of that bound, counted from 1.
    pub(super) round: usize,
    pub(super) ands: usize,
}

impl Run {
    /// Engine, system and derivation.
    pub(super) fn name(&self) -> String {
        format!("{} {}, {}", self.engine, self.system.name(), self.derived)
    }

    /// The number of different bounds.
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

/// The engines that interpolate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Engine {
    /// Interpolation-based model checking.
    Imc,
    /// Interpolation sequences.
    Isb,
    /// Transition relation approximation.
    Tra,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Self::Imc => imc::NAME,
            Self::Isb => isb::NAME,
            Self::Tra => tra::NAME,
        }
    }

    /// Whether the engine can use a system: with the inverse one, the interpolants of TRA's steps may be
    /// consistent.
    fn uses(self, system: System) -> bool {
        self != Self::Tra || system != System::InverseMcMillan
    }

    /// Whether the engine has a derivation. Only IMC derives backward. Raising depends on the cut, so each
    /// interpolant of a sequence of ISB would come from another proof. Single reductions are offered for IMC
    /// only.
    fn derives(self, derivation: Derivation) -> bool {
        match derivation {
            Derivation::Forward | Derivation::Reduced => true,
            Derivation::Raised => self != Self::Isb,
            Derivation::Backward
            | Derivation::RecyclePivots
            | Derivation::RecycleUnits
            | Derivation::LowerUnits
            | Derivation::ReducedRaised => self == Self::Imc,
        }
    }
}

/// How interpolants are derived from refutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Derivation {
    /// Itp(A, B), from proofs as they were found.
    Forward,
    /// Not Itp(B, A), from proofs as they were found (IMC only).
    Backward,
    /// From proofs whose pivots were recycled (IMC only).
    RecyclePivots,
    /// From proofs whose units were recycled (IMC only).
    RecycleUnits,
    /// From proofs whose units were lowered (IMC only).
    LowerUnits,
    /// From proofs after at most four rounds of all three reductions.
    Reduced,
    /// From proofs whose local resolutions were raised (IMC and TRA).
    Raised,
    /// Reduced, then raised (IMC only).
    ReducedRaised,
}

impl Derivation {
    /// The name in tables and on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::RecyclePivots => "recycle-pivots",
            Self::RecycleUnits => "recycle-units",
            Self::LowerUnits => "lower-units",
            Self::Reduced => "reduced",
            Self::Raised => "raised",
            Self::ReducedRaised => "reduced-raised",
        }
    }

    fn reductions(self) -> &'static [Reduction] {
        match self {
            Self::Forward | Self::Backward | Self::Raised => &[],
            Self::RecyclePivots => &[Reduction::RecyclePivots],
            Self::RecycleUnits => &[Reduction::RecycleUnits],
            Self::LowerUnits => &[Reduction::LowerUnits],
            Self::Reduced | Self::ReducedRaised => &Reduction::ALL,
        }
    }

    fn reduction_rounds(self) -> usize {
        match self.reductions().len() {
            0 => 0,
            1 => 1,
            _ => 4,
        }
    }

    /// The bound on raising is that of `craig itp`.
    fn raising(self) -> Option<Raising> {
        matches!(self, Self::Raised | Self::ReducedRaised).then(|| Raising {
            max_literals: MAX_LITERALS,
            max_growth: usize::MAX,
            ..Raising::default()
        })
    }
}

/// An engine with its interpolation system and its derivation.
#[derive(Clone, Copy)]
struct Variant {
    engine: Engine,
    system: System,
    derivation: Derivation,
}

/// All variants. The first one, IMC with McMillan's system, is the reference of the comparisons.
fn variants(plan: &Plan<'_>) -> Vec<Variant> {
    let mut variants = Vec::new();
    for &engine in plan.engines {
        for &derivation in plan.derivations {
            for &system in plan.systems {
                if engine.derives(derivation) && engine.uses(system) {
                    variants.push(Variant {
                        engine,
                        system,
                        derivation,
                    });
                }
            }
        }
    }
    variants
}

impl Variant {
    fn check(&self, model: &Model, property: usize, control: Control<'_>) -> Outcome {
        let (system, derivation) = (self.system.into(), self.derivation);
        match self.engine {
            Engine::Tra => {
                let options = tra::Options {
                    system,
                    raising: derivation.raising(),
                    reduction_rounds: derivation.reduction_rounds(),
                    ..tra::Options::default()
                };
                tra::check(model, property, &options, control)
            }
            Engine::Isb => {
                let options = isb::Options {
                    system,
                    strengthen: false,
                    reduction_rounds: derivation.reduction_rounds(),
                    ..isb::Options::default()
                };
                isb::check(model, property, &options, control)
            }
            Engine::Imc => {
                let interpolation = one_cut::Options {
                    system,
                    interpolants: match derivation {
                        Derivation::Backward => Interpolants::Backward,
                        _ => Interpolants::Forward,
                    },
                    reduction_rounds: derivation.reduction_rounds(),
                    reductions: derivation.reductions().to_vec(),
                    raising: derivation.raising(),
                    eliminate: false,
                    ..one_cut::Options::default()
                };
                let options = imc::Options {
                    interpolation,
                    ..imc::Options::default()
                };
                imc::check(model, property, &options, control)
            }
        }
    }
}

/// What to run, and for how long.
pub(super) struct Plan<'a> {
    pub(super) engines: &'a [Engine],
    pub(super) systems: &'a [System],
    pub(super) derivations: &'a [Derivation],
    /// Processor time of each run.
    pub(super) time: Duration,
    /// Stops all of them.
    pub(super) stop: &'a Stop,
}

/// Model checks a transition system with each engine, system and derivation. Passes on each run as soon as it
/// ends.
pub(super) fn run_all(model: &Model, property: usize, plan: &Plan<'_>, tell: &mut dyn FnMut(Run)) {
    for variant in variants(plan) {
        if plan.stop.reason().is_some() {
            break;
        }
        let points = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&points);
        let own = variant.engine.name();
        let listener = move |event: Event| {
            // An engine may run another one, whose interpolants do not count.
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
        let clock = ThreadClock::of_this_thread();
        let start = clock.now();
        let searched = Alone::until(plan.stop.cancelled_apart()).with_receiver(Arc::new(listener));
        let outcome = within(plan, &clock, &searched.stop, || {
            variant.check(model, property, searched.control())
        });
        let interpolants = points.lock().expect("no listener panics").clone();
        tell(Run {
            engine: own,
            system: variant.system,
            derived: variant.derivation.name(),
            verdict: match outcome.verdict {
                Verdict::Safe(_) => "SAFE",
                Verdict::Unsafe(_) => "UNSAFE",
                Verdict::Unknown(_) => "UNKNOWN",
            },
            interpolants,
            depth: outcome.depth,
            time: clock.now().saturating_sub(start),
        });
    }
}

/// The interval between two evaluations of deadline and stop.
const PERIOD: Duration = Duration::from_millis(10);

/// Does some work on this thread, whose clock is given, and cancels its control at the deadline.
fn within<T>(plan: &Plan<'_>, clock: &ThreadClock, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let deadline = Deadline::after(clock, plan.time);
    thread::scope(|scope| {
        let (alive, gone) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = gone.recv_timeout(PERIOD) {
                if deadline.is_over() || plan.stop.reason().is_some() {
                    stop.cancel();
                }
            }
        });
        let result = work();
        // The watching thread ends when its channel is closed.
        drop(alive);
        result
    })
}
