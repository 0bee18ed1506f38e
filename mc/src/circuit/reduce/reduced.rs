//! A model during its reduction.

use std::sync::Arc;

use craig_model::{Model, Outcome, Stop, Verdict};

use super::lift::Lift;
use super::rebuild::{Scope, Substitution, rebuild, rebuild_for};
use super::stage::Stage;
use crate::control::StateClause;

/// A model with one bad, number 0, that is reachable iff that of the original model is, and in the same step; or
/// with all bads of the original, for each of which that holds.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smaller model.
    pub model: Model,
    /// The lifting of evidence.
    pub lift: Lift,
}

impl Reduced {
    /// The model with no bad but number `property`, or with all bads, otherwise unchanged.
    pub(super) fn new(model: &Model, property: Option<usize>) -> Self {
        let mut single = match property {
            Some(property) => model.with_single_bad(property),
            None => model.clone(),
        };
        single.justice.clear();
        single.fairness.clear();
        single.names.justice.clear();
        single.names.fairness.clear();
        Self {
            model: single,
            lift: Lift::new(Arc::new(model.clone()), property),
        }
    }

    /// The part of a reduced model with several bads, `model`, that decides bad number `property`.
    pub(super) fn restricted(
        model: &Arc<Model>,
        lift: &Lift,
        property: usize,
        scope: Scope,
    ) -> Self {
        let mut lift = lift.restricted(Arc::clone(model), property);
        let rebuilt = rebuild_for(model, &[property], scope);
        (lift.facts(&rebuilt.model)).keep(&rebuilt.inputs, &rebuilt.latches);
        Self {
            model: rebuilt.model,
            lift,
        }
    }

    /// Replaces nodes by equal ones. The equalities must be facts. Returns whether it was done: if `control` ends it,
    /// nothing has changed.
    pub(super) fn apply(&mut self, substitution: &Substitution, scope: Scope, stop: &Stop) -> bool {
        let poll = &mut stop.poll();
        let Some(rebuilt) = rebuild(&self.model, substitution, scope, poll) else {
            return false;
        };
        let facts = self.lift.facts(&self.model);
        if facts.add_facts(&self.model, substitution, poll).is_none() {
            return false;
        }
        facts.keep(&rebuilt.inputs, &rebuilt.latches);
        self.model = rebuilt.model;
        true
    }

    /// Rebuilds the model, without the parts outside the scope, unless `control` ends it.
    pub(super) fn clean(&mut self, scope: Scope, stop: &Stop) -> bool {
        self.apply(&Substitution::identity(&self.model), scope, stop)
    }

    /// Replaces the model, with a stage that lifts evidence.
    pub(super) fn replace(&mut self, model: Model, stage: impl Stage + 'static) {
        self.lift.push(stage);
        self.model = model;
    }

    /// For clauses over the states of the original model, clauses over those of the reduced one that are equal to them under
    /// the facts of the reduction. Those that are about other latches are left out. Invariants stay invariants, but need not
    /// be inductive any more.
    #[must_use]
    pub fn about(&self, clauses: &[StateClause]) -> Vec<StateClause> {
        self.lift.images(clauses)
    }

    /// The outcome for the original model, from an engine's outcome for the reduced one.
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
