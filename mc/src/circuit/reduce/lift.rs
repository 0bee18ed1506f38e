//! Lifting of evidence through the stages of a reduction, in the order in which they were applied.

use std::sync::Arc;

use craig_model::{Certificate, Model, Trace};

use super::facts::Facts;
use super::stage::{Replacement, Stage};
use crate::control::StateClause;

/// From evidence about a reduced model to evidence about the original.
#[derive(Clone, Debug)]
pub struct Lift {
    /// The first was applied to the original.
    stages: Vec<Arc<dyn Stage>>,
    /// The facts used since the last of these stages.
    open: Option<Facts>,
    /// Whether the reduced model has all bads of the original.
    has_all_bads: bool,
}

impl Lift {
    /// The identity on the model with no bad but number `property`, or with all bads.
    pub(super) fn new(model: Arc<Model>, property: Option<usize>) -> Self {
        Self {
            stages: Vec::new(),
            open: Some(Facts::new(model, property)),
            has_all_bads: property.is_none(),
        }
    }

    /// The facts used on the current reduced model, `model`. Facts of successive passes form one stage.
    pub(super) fn facts(&mut self, model: &Model) -> &mut Facts {
        let property = if self.has_all_bads { None } else { Some(0) };
        self.open
            .get_or_insert_with(|| Facts::new(Arc::new(model.clone()), property))
    }

    /// This lift, followed by the restriction of the reduced model, `model`, to its bad number `property`.
    pub(super) fn restricted(&self, model: Arc<Model>, property: usize) -> Self {
        let mut lift = self.clone();
        if let Some(facts) = lift.open.take() {
            lift.stages.push(Arc::new(facts.for_bad(property)));
        }
        lift.open = Some(Facts::new(model, Some(property)));
        lift.has_all_bads = false;
        lift
    }

    /// Appends a stage.
    pub(super) fn push(&mut self, stage: impl Stage + 'static) {
        if let Some(facts) = self.open.take() {
            self.stages.push(Arc::new(facts));
        }
        self.stages.push(Arc::new(stage));
    }

    /// The stages, the first of which was applied to the original. There is at least one.
    fn stages(&self) -> impl DoubleEndedIterator<Item = &dyn Stage> {
        let closed = self.stages.iter().map(|stage| &**stage as &dyn Stage);
        closed.chain(self.open.iter().map(|facts| facts as &dyn Stage))
    }

    /// For each latch of the reduced model, its number among the original's latches, if it is one of them.
    /// The numbers increase.
    #[must_use]
    pub fn latches(&self) -> Vec<Option<usize>> {
        let mut stages = self.stages();
        let first = stages.next().expect("there is a first stage");
        stages.fold(first.latches(), |numbers, stage| {
            let latches = stage.latches().into_iter();
            latches.map(|before| numbers[before?]).collect()
        })
    }

    /// For clauses over the states of the original model, clauses over those of the reduced one that are equal to them under
    /// the facts; those that are always true, or are about other latches, are left out.
    pub(super) fn images(&self, clauses: &[StateClause]) -> Vec<StateClause> {
        let mut images = clauses.to_vec();
        for stage in self.stages() {
            if images.is_empty() {
                break;
            }
            let numbers = stage.latches();
            let n_before = numbers.iter().flatten().max().map_or(0, |&last| last + 1);
            let mut places = vec![None; n_before];
            for (place, number) in numbers.into_iter().enumerate() {
                if let Some(number) = number {
                    places[number] = Some(place);
                }
            }
            let image = |clause: StateClause| image(stage, &places, clause);
            images = images.into_iter().filter_map(image).collect();
        }
        images
    }

    /// The number of facts used.
    #[must_use]
    pub fn n_facts(&self) -> usize {
        self.stages().map(Stage::n_facts).sum()
    }

    /// A trace of the original model from one of the reduced model. Inputs on which the reduced model does
    /// not depend are 0, and latches start at their resets, or at 0 if they have none.
    #[must_use]
    pub fn trace(&self, trace: &Trace) -> Trace {
        let stages = self.stages().rev();
        stages.fold(trace.clone(), |trace, stage| stage.trace(&trace))
    }

    /// A certificate for the original model from one for the reduced model.
    ///
    /// # Panics
    /// If the certificate shares inputs or latches that the reduced model does not have.
    #[must_use]
    pub fn certificate(&self, certificate: &Certificate) -> Certificate {
        let mut stages = self.stages().rev();
        let last = stages.next().expect("there is a first stage");
        stages.fold(last.certificate(certificate), |certificate, stage| {
            stage.certificate(&certificate)
        })
    }
}

/// The clause over the latches of the model after a stage; `places` has their numbers there by those before. `None` if it is
/// always true or always false, or if a latch is gone.
fn image(stage: &dyn Stage, places: &[Option<usize>], clause: StateClause) -> Option<StateClause> {
    let mut found = StateClause::new();
    for (mut latch, mut value) in clause {
        // A replacement is a latch that was there when the other one was removed: this ends.
        loop {
            if let Some(&Some(place)) = places.get(latch) {
                found.push((place, value));
                break;
            }
            match stage.replacement(latch)? {
                Replacement::Constant(constant) if constant == value => return None,
                Replacement::Constant(_) => break,
                Replacement::Latch { number, is_negated } => {
                    latch = number;
                    value ^= is_negated;
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let is_proper = found.windows(2).all(|pair| pair[0].0 != pair[1].0);
    (is_proper && !found.is_empty()).then_some(found)
}
