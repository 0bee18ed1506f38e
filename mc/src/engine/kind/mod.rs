//! k-induction (M. Sheeran, S. Singh, G. Stålmarck, "Checking safety properties using induction and a
//! SAT-solver", FMCAD 2000), incremental in the base case and in the step (N. Eén, N. Sörensson, "Temporal
//! induction by incremental SAT solving", 2003), with simple-path constraints added where a model of
//! the step repeats a state.
//!
//! A proof without simple-path constraints has a witness circuit: the model with a history of its last k
//! steps. Invariants shared by other engines strengthen the step; if the proof depends on them, their
//! negation is added to the bad of the witness circuit. For proofs that need simple-path constraints no such
//! circuit is known; then PDR computes an invariant, and its answer is the result.

mod history;
mod step;

use std::sync::Arc;

use craig_model::{Certificate, Model, Outcome, UnknownReason, Verdict};

pub(super) use self::history::certificate;

use self::step::{InductionStep, Step};
use super::bounded::{Bounds, FRESH, Limits, STRIDE, Search, Stride, contradictory, stride};
use super::entry::Engine;
use super::options::{EngineOption, MAX_DEPTH, Range};
use super::{pdr, why_stopped};
use crate::control::Control;
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "kind";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The last step that the base case checks, counted from 0, and the largest k; `None` for no limit.
    pub max_depth: Option<usize>,
    /// Whether simple-path constraints may be added.
    pub simple_path: bool,
    /// The number of steps in one query of the base case. With more than one, a run need not be a shortest one.
    pub stride: Stride,
    /// Whether each query of the base case has a solver of its own, which can eliminate variables.
    pub fresh: bool,
    /// The propagations of the induction step at most, in percent of those of the base case; `None` for no limit.
    pub step_share: Option<usize>,
    /// The largest k that the induction step tries, while the base case goes on; `None` for no limit.
    pub step_depth: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_depth: None,
            simple_path: true,
            stride: Stride::One,
            fresh: false,
            step_share: None,
            step_depth: None,
        }
    }
}

const STEP_SHARE: EngineOption = EngineOption {
    name: "kind-step-share",
    placeholder: "PERCENT",
    range: Range::Number(0),
    default: None,
    text: "For `kind`: the effort of induction steps at most, in percent of that of the base case. No simple paths then",
    is_flag: true,
};

const STEP_DEPTH: EngineOption = EngineOption {
    name: "kind-step-depth",
    placeholder: "K",
    range: Range::Number(0),
    default: None,
    text: "For `kind`: the largest k of induction steps. The base case goes on behind it",
    is_flag: true,
};

/// The propagations that the induction step has at least where its effort is limited: small models need no share.
const LEAST_EFFORT: u64 = 200_000;

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "k-induction with simple paths",
    is_shortest: true,
    options: &[&MAX_DEPTH, &STRIDE, &FRESH, &STEP_SHARE, &STEP_DEPTH],
    build: |settings| {
        let step_share = settings.count(&STEP_SHARE);
        let options = Options {
            max_depth: settings.count(&MAX_DEPTH),
            simple_path: step_share.is_none(),
            stride: stride(settings),
            fresh: settings.switch(&FRESH),
            step_share,
            step_depth: settings.count(&STEP_DEPTH),
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Tries to prove by k-induction for growing k that bad number `property` is unreachable, or finds the
/// shortest run to it.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    posed((model, property), control, |model, control| {
        decide(model, property, options, control)
    })
}

/// As `check`, for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    let mut search = Induction {
        subject: (model, property),
        options,
        control,
        base: Search::new(model, property, options.bounds(), control),
        step: InductionStep::new(model, property, options.simple_path, control),
        tried: None,
    };
    let verdict = search.run().unwrap_or_else(Verdict::Unknown);
    Outcome {
        verdict,
        engine: NAME,
        depth: search.base.depth(),
    }
}

impl Options {
    fn bounds(&self) -> Bounds {
        Bounds {
            engine: NAME,
            max_depth: self.max_depth,
            stride: self.stride,
            fresh: self.fresh,
            limits: Limits::default(),
        }
    }
}

/// The base case and the induction step in turns.
struct Induction<'a> {
    subject: (&'a Model, usize),
    options: &'a Options,
    control: Control<'a>,
    base: Search<'a>,
    step: InductionStep<'a>,
    /// The last k that was tried, without a proof.
    tried: Option<usize>,
}

impl Induction<'_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        loop {
            // The bad is unreachable in all steps before this one. Does that imply it for all later steps?
            let depth = self.base.depth();
            if (self.options.max_depth).is_some_and(|last| depth > last) {
                return Err(UnknownReason::Bound(format!(
                    "not inductive over {depth} steps"
                )));
            }
            if let Some(reason) = self.control.stop.reason() {
                return Err(reason);
            }
            if let Some(verdict) = self.try_step(depth)? {
                return Ok(verdict);
            }
            if let Some(trace) = self.base.advance()? {
                return Ok(Verdict::Unsafe(trace));
            }
        }
    }

    /// The verdict, if the bad is inductive over `depth` steps, or as many as the options allow.
    fn try_step(&mut self, depth: usize) -> Result<Option<Verdict>, UnknownReason> {
        let k = (self.options.step_depth).map_or(depth, |most| depth.min(most));
        let effort = self.effort();
        match self.step.prove(k, effort) {
            Step::Proved { leaning } => {
                let certificate = self.shortest(k, leaning);
                Ok(Some(Verdict::Safe(Box::new(certificate))))
            }
            Step::ProvedOnSimplePaths => {
                self.control.listener.note(NAME, || {
                    format!("proved over simple paths of {k} steps; PDR computes the certificate")
                });
                let (model, property) = self.subject;
                let options = pdr::Options::default();
                let outcome = pdr::check(model, property, &options, self.control);
                Ok(Some(outcome.verdict))
            }
            Step::Stopped => Err(why_stopped(self.control.stop)),
            Step::Open => {
                self.tried = Some(k);
                match (self.base.end(), effort) {
                    // The base case has nothing left to search, and the step without simple paths may hold for no k.
                    (Some(end), None) if !self.options.simple_path => Err(contradictory(end)),
                    _ => Ok(None),
                }
            }
        }
    }

    /// The propagations that the induction step may have now; `None` for no limit, as where the base case has ended.
    fn effort(&self) -> Option<u64> {
        let share = self.options.step_share? as u64;
        if self.base.end().is_some() {
            return None;
        }
        let (_, propagations) = self.base.spent();
        let most = LEAST_EFFORT.max(propagations.saturating_mul(share) / 100);
        Some(most.saturating_sub(self.step.propagations()))
    }

    /// The certificate for the smallest k behind the last one that was tried, since its size grows with k. The bad is inductive
    /// over `k` steps, and so over more.
    fn shortest(&self, k: usize, leaning: bool) -> Certificate {
        let (model, property) = self.subject;
        let effort = LEAST_EFFORT + 4 * self.step.propagations();
        let mut not = self.tried;
        let mut proved = (k, leaning.then(|| self.step.invariants().to_vec()));
        loop {
            let least = not.map_or(0, |not| not + 1);
            if least >= proved.0 {
                break;
            }
            let middle = usize::midpoint(least, proved.0);
            let mut step = InductionStep::new(model, property, false, self.control);
            match step.prove(middle, Some(effort)) {
                Step::Proved { leaning } => {
                    proved = (middle, leaning.then(|| step.invariants().to_vec()));
                }
                Step::Stopped => break,
                Step::Open | Step::ProvedOnSimplePaths => not = Some(middle),
            }
        }
        let (k, invariants) = proved;
        certificate(model, property, k, &invariants.unwrap_or_default())
    }
}
