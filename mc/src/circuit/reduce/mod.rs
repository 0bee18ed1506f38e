//! Smaller models with the same answer, and the way back for the evidence.
//!
//! A pass finds facts: equalities between signals of the model that hold in every step of every run that
//! counts, and that prove themselves together by induction. The model is then built anew with the
//! facts put to use, and without what the property does not depend on. [`Lift`] remembers the facts over the
//! variables of the model before, so that evidence about the reduced model becomes evidence about the original.
//!
//! A fact may rest on the constraints of earlier steps, but never on those of its own step. Hence
//! constraints can be simplified by facts, too, without anything going round in a circle.

mod combinational;
mod correspondence;
mod facts;
mod folding;
mod implications;
mod inputs;
mod internal;
mod lift;
mod partition;
mod rebuild;
mod ternary;
#[cfg(test)]
mod tests;
mod words;

pub use lift::Lift;

use craig_solver::aig::Edge;

use crate::circuit::model::Model;
use crate::circuit::verdict::{Outcome, Verdict};
use crate::control::Control;
use correspondence::Candidates;
use rebuild::{Scope, Substitution};

/// Which passes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Leave out what the property and the constraints do not depend on.
    pub cone: bool,
    /// Latches that ternary simulation shows to be stuck at a constant.
    pub constants: bool,
    /// Rewriting and SAT sweeping of the next-state functions, the bad and the constraints.
    pub combinational: bool,
    /// Latches that are equal, opposite or constant, by induction.
    pub latch_correspondence: bool,
    /// Signals that are equal, opposite or constant, by induction.
    pub signal_correspondence: bool,
    /// Inputs in the places of gates that other inputs can set to either value.
    pub inputs: bool,
    /// Implications between latches, by induction, as further constraints.
    pub implications: bool,
    /// No constraints, but a latch that remembers whether they have held.
    pub folding: bool,
    /// Gates over latches as latches of their own, for cubes and lemmas to speak of.
    pub internal: bool,
}

impl Passes {
    /// Every pass but those that have not been found to pay.
    pub const ALL: Self = Self {
        cone: true,
        constants: true,
        combinational: true,
        latch_correspondence: true,
        signal_correspondence: true,
        inputs: true,
        implications: false,
        folding: false,
        internal: false,
    };
    /// No pass: the model stays as it is, but for the other bads.
    pub const NONE: Self = Self {
        cone: false,
        constants: false,
        combinational: false,
        latch_correspondence: false,
        signal_correspondence: false,
        inputs: false,
        implications: false,
        folding: false,
        internal: false,
    };
}

impl Default for Passes {
    fn default() -> Self {
        Self::ALL
    }
}

/// A model with one bad, number 0, that is reachable just if that of the original model is, and in the same step.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smaller model.
    pub model: Model,
    /// The way back.
    pub lift: Lift,
}

impl Reduced {
    /// The model with no bad but number `property`, and nothing done to it.
    fn new(model: &Model, property: usize) -> Self {
        let mut single = model.with_single_bad(property);
        single.justice.clear();
        single.fairness.clear();
        single.names.justice.clear();
        single.names.fairness.clear();
        Self {
            model: single,
            lift: Lift::new(model, property),
        }
    }

    /// Puts facts to use.
    fn apply(&mut self, substitution: &Substitution, scope: Scope) {
        let facts = self.lift.facts(&self.model);
        facts.add_facts(&self.model, substitution);
        let rebuilt = rebuild::rebuild(&self.model, substitution, scope);
        facts.keep(&rebuilt.inputs, &rebuilt.latches);
        self.model = rebuilt.model;
    }

    /// States implications that are facts as constraints.
    fn constrain(&mut self, implications: &[[Edge; 2]]) {
        let facts = implications
            .iter()
            .map(|&[from, to]| !self.model.aig.and(from, !to));
        let facts: Vec<Edge> = facts.collect();
        self.lift.facts(&self.model).add(&self.model, &facts);
        if !self.model.names.constraints.is_empty() {
            let names = &mut self.model.names.constraints;
            names.resize(self.model.constraints.len() + facts.len(), String::new());
        }
        self.model.constraints.extend(facts);
    }

    /// What an engine has found out about the reduced model, said of the original.
    #[must_use]
    pub fn lift_outcome(&self, outcome: Outcome) -> Outcome {
        let verdict = match outcome.verdict {
            Verdict::Safe(certificate) => {
                Verdict::Safe(Box::new(self.lift.certificate(&certificate)))
            }
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.lift.trace(&trace)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        };
        Outcome { verdict, ..outcome }
    }
}

/// Reduces `model` to what decides its bad number `property`, by the given passes. Work is bounded by counts, so that
/// the same model gives the same result; `control` only ends it early, in which case what has been
/// found so far is used.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn run(model: &Model, property: usize, passes: &Passes, control: &Control) -> Reduced {
    let mut reduced = Reduced::new(model, property);
    let scope = if passes.cone {
        Scope::Cone
    } else {
        Scope::Everything
    };
    let tell = |pass: &str, reduced: &Reduced| {
        control.note("preprocess", || {
            format!(
                "{pass}: {} inputs, {} latches, {} ANDs",
                reduced.model.inputs.len(),
                reduced.model.latches.len(),
                reduced.model.aig.n_nodes()
                    - 1
                    - reduced.model.inputs.len()
                    - reduced.model.latches.len()
            )
        });
    };
    if passes.cone {
        reduced.apply(&Substitution::identity(&reduced.model), scope);
        tell("cone of influence", &reduced);
    }
    if passes.constants && control.stop_reason().is_none() {
        let constants = ternary::stuck_latches(&reduced.model);
        reduced.apply(&constants, scope);
        tell("stuck latches", &reduced);
    }
    let combinational = |reduced: &mut Reduced| {
        if passes.combinational && control.stop_reason().is_none() {
            reduced.model = combinational::simplify(&reduced.model);
            reduced.apply(&Substitution::identity(&reduced.model), scope);
            tell("rewriting and sweeping", reduced);
        }
    };
    combinational(&mut reduced);
    for (is_on, candidates, name) in [
        (
            passes.latch_correspondence,
            Candidates::Latches,
            "latch correspondence",
        ),
        (
            passes.signal_correspondence,
            Candidates::Signals,
            "signal correspondence",
        ),
    ] {
        if is_on && control.stop_reason().is_none() {
            let equalities = correspondence::find(&reduced.model, candidates, control);
            let found_some = !equalities.is_identity();
            reduced.apply(&equalities, scope);
            tell(name, &reduced);
            if found_some {
                combinational(&mut reduced);
            }
        }
    }
    if passes.inputs
        && control.stop_reason().is_none()
        && let Some((elimination, model)) = inputs::eliminate(&reduced.model)
    {
        reduced.lift.eliminated(elimination);
        reduced.model = model;
        reduced.apply(&Substitution::identity(&reduced.model), scope);
        tell("free gates", &reduced);
    }
    if passes.implications && control.stop_reason().is_none() {
        let implications = implications::find(&reduced.model, control);
        control.note("preprocess", || match &implications {
            Some(implications) => format!("implications: {} more constraints", implications.len()),
            None => "implications: given up".to_string(),
        });
        reduced.constrain(&implications.unwrap_or_default());
    }
    if passes.folding
        && let Some((folding, model)) = folding::fold(&reduced.model)
    {
        reduced.lift.folded(folding);
        reduced.model = model;
        tell("constraint folding", &reduced);
    }
    if passes.internal
        && control.stop_reason().is_none()
        && let Some((internal, model)) = internal::add(&reduced.model)
    {
        reduced.lift.internal(internal);
        reduced.model = model;
        tell("internal signals", &reduced);
    }
    reduced
}
