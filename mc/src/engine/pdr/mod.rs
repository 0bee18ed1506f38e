//! Property directed reachability (IC3).
//!
//! Bradley, "SAT-based model checking without unrolling" (VMCAI 2011); Een, Mishchenko, Brayton,
//! "Efficient implementation of property directed reachability" (FMCAD 2011). One phase a file.

mod activity;
pub(super) mod block;
mod effort;
pub(super) mod frames;
pub(super) mod generalise;
mod infinity;
pub(super) mod lemma;
mod lift;
mod obligations;
mod options;
mod propagate;
mod resume;
mod sharing;
mod shrink;
mod support;
pub(super) mod transition;
mod turns;

use std::sync::Arc;

use craig_solver::Lit;
use craig_solver::query::QuerySolver;

use super::entry::Engine;
use super::options::{MAX_DEPTH, SEED};
use super::up_to_bad;
use crate::circuit::model::Model;
use crate::circuit::verdict::{Certificate, Outcome, Trace, UnknownReason, Verdict};
use crate::control::Control;
use activity::{Activities, Random};
use block::Blocking;
use effort::Effort;
use frames::Frames;
use lemma::Lemma;
use obligations::{Obligation, Queue};
use sharing::Imports;
use transition::Transition;

pub use options::{Generalisation, Options, Techniques};
pub use resume::{Reached, resume};

/// The engine's name.
pub const NAME: &str = "pdr";

/// The engine for users to choose.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Property-directed reachability, also known as IC3",
    is_shortest: false,
    options: &[
        &options::GENERALISATION,
        &options::WITHOUT,
        &SEED,
        &MAX_DEPTH,
    ],
    build: |settings| {
        let options = Options::from_settings(settings);
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Looks for an inductive invariant that excludes bad number `property`, or a trace to it.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let (pdr, result) = turns::decide(model, property, options, control);
    outcome(model, property, &pdr, result)
}

/// What came of a search.
fn outcome(model: &Model, property: usize, pdr: &Pdr<'_>, result: Result<End, Stop>) -> Outcome {
    let verdict = match result {
        Ok(End::Invariant(lemmas)) => Verdict::Safe(Box::new(certificate(
            model,
            property,
            &pdr.transition,
            &lemmas,
        ))),
        Ok(End::Reached(obligation)) => {
            // Lemmas exclude the bad from the frames before the last, but not from the way of an obligation that has
            // waited in the queue: one of its states may be bad as well.
            let trace = trace(model, property, &pdr.transition, &obligation);
            Verdict::Unsafe(up_to_bad(model, trace))
        }
        Err(Stop(reason)) => Verdict::Unknown(reason),
    };
    let depth = match &verdict {
        Verdict::Unsafe(trace) => trace.depth(),
        _ => pdr.frames.level(),
    };
    Outcome {
        verdict,
        engine: NAME,
        depth,
    }
}

/// The engine was told to stop.
pub(super) struct Stop(pub(super) UnknownReason);

enum End {
    Invariant(Vec<Lemma>),
    Reached(std::rc::Rc<Obligation>),
}

pub(super) struct Pdr<'a> {
    pub(super) transition: Transition,
    pub(super) options: Options,
    pub(super) control: &'a Control,
    pub(super) frames: Frames,
    /// Knows the logic alone.
    lift_solver: QuerySolver,
    queue: Queue,
    activities: Activities,
    random: Random,
    imports: Imports,
    queries: u64,
    effort: Effort,
    /// When to make way for another attempt at the same proof, as propagations.
    end_of_turn: Option<u64>,
    scratch: Vec<Lit>,
}

impl<'a> Pdr<'a> {
    pub(super) fn new(transition: Transition, options: Options, control: &'a Control) -> Self {
        let mut constrained = transition.logic.clone();
        for &constraint in &transition.constraints {
            constrained.add_clause(&[constraint]);
        }
        let mut initial = constrained.clone();
        for lit in transition.initial() {
            initial.add_clause(&[lit]);
        }
        Self {
            frames: Frames::new(initial, constrained),
            lift_solver: transition.logic.clone(),
            queue: Queue::default(),
            activities: Activities::new(transition.n_latches(), options.seed),
            random: Random::new(options.seed),
            imports: Imports::default(),
            queries: 0,
            effort: Effort::default(),
            end_of_turn: None,
            scratch: Vec::new(),
            transition,
            options,
            control,
        }
    }

    /// Goes on until the question is decided, somebody stops it, or the turn is over; after that it may be called again.
    fn run(&mut self) -> Result<End, Stop> {
        if self.queries == 0 {
            self.try_candidates()?;
        }
        loop {
            if let Some(reason) = self.control.stop_reason() {
                return Err(Stop(reason));
            }
            match self.block_bad()? {
                Blocking::Reached(obligation) => return Ok(End::Reached(obligation)),
                Blocking::Fixpoint => break,
                Blocking::Done => {}
            }
            if self
                .options
                .max_frames
                .is_some_and(|most| self.frames.level() >= most)
            {
                return Err(Stop(UnknownReason::Bound(format!(
                    "no frame up to number {} is inductive",
                    self.frames.level()
                ))));
            }
            self.import();
            self.frames.extend();
            let level = self.frames.level();
            self.control.report_depth(NAME, level);
            self.control.note(NAME, || self.describe());
            if self.propagate()? {
                break;
            }
            if self.options.techniques.invariants {
                self.find_invariants()?;
            }
        }
        let fixpoint = self.frames.fixpoint().unwrap_or(self.frames.level());
        let mut lemmas = self.frames.infinity.clone();
        lemmas.extend(self.frames.lemmas[fixpoint..].iter().flatten().cloned());
        self.share(&lemmas);
        if self.options.techniques.shrink {
            lemmas = self.shrink(lemmas);
        }
        Ok(End::Invariant(lemmas))
    }

    /// The sizes of the frames.
    pub(super) fn describe(&self) -> String {
        let sizes: Vec<String> = self.frames.lemmas[1..]
            .iter()
            .map(|lemmas| lemmas.len().to_string())
            .collect();
        format!(
            "{} queries, {}; lemmas by frame: {}, for ever: {}",
            self.queries,
            self.effort,
            sizes.join(" "),
            self.frames.infinity.len()
        )
    }
}

/// The witness circuit whose invariant is the conjunction of `lemmas`.
pub(super) fn certificate(
    model: &Model,
    property: usize,
    transition: &Transition,
    lemmas: &[Lemma],
) -> Certificate {
    let mut model = model.clone();
    let mut clauses = Vec::new();
    for lemma in lemmas {
        let edges: Vec<_> = lemma
            .cube
            .iter()
            .map(|&lit| {
                let state = model.latches[transition.latch_number(lit)].state;
                state.negate_if(!lit.is_negated())
            })
            .collect();
        clauses.push(model.aig.or_all(edges));
    }
    let invariant = model.aig.and_all(clauses);
    Certificate::from_invariant(&model, property, invariant)
}

/// The trace along the chain of an obligation that includes an initial state.
pub(super) fn trace(
    model: &Model,
    property: usize,
    transition: &Transition,
    obligation: &Obligation,
) -> Trace {
    let mut initial: Vec<Option<bool>> = model
        .latches
        .iter()
        .map(|latch| latch.reset.value())
        .collect();
    for &lit in &obligation.states.cube {
        initial[transition.latch_number(lit)] = Some(!lit.is_negated());
    }
    let mut inputs = Vec::new();
    let mut next = Some(obligation);
    while let Some(obligation) = next {
        let mut values = vec![None; model.inputs.len()];
        for &lit in &obligation.inputs {
            values[transition.input_number(lit)] = Some(!lit.is_negated());
        }
        inputs.push(values);
        next = obligation.successor.as_deref();
    }
    Trace {
        property,
        initial,
        inputs,
    }
}
