//! Property directed reachability (IC3).
//!
//! Bradley, "SAT-based model checking without unrolling" (VMCAI 2011); Een, Mishchenko, Brayton,
//! "Efficient implementation of property directed reachability" (FMCAD 2011). One phase a file.

mod activity;
pub mod avy;
mod block;
mod frames;
mod generalise;
mod infinity;
mod lemma;
mod lift;
mod obligations;
mod propagate;
mod shrink;
mod support;
mod transition;

use craig_solver::Lit;
use craig_solver::query::QuerySolver;

use crate::control::Control;
use crate::model::{Model, Reset};
use crate::verdict::{Certificate, Outcome, Trace, UnknownReason, Verdict};
use activity::{Activities, Random};
use block::Blocking;
use frames::Frames;
use lemma::Lemma;
use obligations::{Obligation, Queue};
use transition::Transition;

/// The engine's name.
pub const NAME: &str = "pdr";

/// How hard lemmas are generalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Generalisation {
    /// Literals are dropped one at a time.
    Plain,
    /// Counterexamples to dropping are blocked if that takes one query each.
    Counterexamples,
    /// Counterexamples are blocked with their predecessors.
    Extended,
    /// One of these for each obligation, by how often it has come back.
    #[default]
    Dynamic,
}

/// What may be chosen about the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How lemmas are generalised.
    pub generalisation: Generalisation,
    /// Varies the order in which things are tried.
    pub seed: u64,
}

/// Looks for an inductive invariant that excludes bad number `property`, or a trace to it.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let transition = Transition::new(model, property);
    let mut pdr = Pdr::new(transition, options.clone(), control);
    let verdict = match pdr.run() {
        Ok(End::Invariant(lemmas)) => Verdict::Safe(Box::new(certificate(
            model,
            property,
            &pdr.transition,
            &lemmas,
        ))),
        Ok(End::Reached(obligation)) => {
            Verdict::Unsafe(trace(model, property, &pdr.transition, &obligation))
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
struct Stop(UnknownReason);

enum End {
    Invariant(Vec<Lemma>),
    Reached(std::rc::Rc<Obligation>),
}

struct Pdr<'a> {
    transition: Transition,
    options: Options,
    control: &'a Control,
    frames: Frames,
    /// Knows the logic alone.
    lift_solver: QuerySolver,
    queue: Queue,
    activities: Activities,
    random: Random,
    queries: u64,
    scratch: Vec<Lit>,
}

impl<'a> Pdr<'a> {
    fn new(transition: Transition, options: Options, control: &'a Control) -> Self {
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
            activities: Activities::new(transition.n_latches()),
            random: Random::new(options.seed),
            queries: 0,
            scratch: Vec::new(),
            transition,
            options,
            control,
        }
    }

    fn run(&mut self) -> Result<End, Stop> {
        loop {
            if let Some(reason) = self.control.stop_reason() {
                return Err(Stop(reason));
            }
            match self.block_bad()? {
                Blocking::Reached(obligation) => return Ok(End::Reached(obligation)),
                Blocking::Fixpoint => break,
                Blocking::Done => {}
            }
            self.frames.extend();
            let level = self.frames.level();
            self.control.report_depth(NAME, level);
            self.control.note(NAME, || self.describe());
            if self.propagate()? {
                break;
            }
            self.find_invariants()?;
        }
        let fixpoint = self.frames.fixpoint().unwrap_or(self.frames.level());
        let mut lemmas = self.frames.infinity.clone();
        lemmas.extend(self.frames.lemmas[fixpoint..].iter().flatten().cloned());
        Ok(End::Invariant(self.shrink(lemmas)))
    }

    /// The sizes of the frames.
    fn describe(&self) -> String {
        let sizes: Vec<String> = self.frames.lemmas[1..]
            .iter()
            .map(|lemmas| lemmas.len().to_string())
            .collect();
        format!(
            "{} queries; lemmas by frame: {}, for ever: {}",
            self.queries,
            sizes.join(" "),
            self.frames.infinity.len()
        )
    }
}

/// The witness circuit whose invariant is the conjunction of `lemmas`.
fn certificate(
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
fn trace(
    model: &Model,
    property: usize,
    transition: &Transition,
    obligation: &Obligation,
) -> Trace {
    let mut initial: Vec<Option<bool>> = model
        .latches
        .iter()
        .map(|latch| match latch.reset {
            Reset::Zero => Some(false),
            Reset::One => Some(true),
            Reset::Uninitialised => None,
        })
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
