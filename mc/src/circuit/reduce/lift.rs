//! The whole way back: what was done to a model, in the order in which it was done.

use super::facts::Facts;
use super::folding::Folding;
use super::inputs::Elimination;
use super::internal::Internal;
use crate::circuit::model::Model;
use crate::circuit::verdict::{Certificate, Trace};

/// Something that was done to a model.
#[derive(Clone, Debug)]
enum Stage {
    Facts(Facts),
    Inputs(Elimination),
    Folding(Folding),
    Internal(Internal),
}

/// From evidence about a reduced model to evidence about the original.
#[derive(Clone, Debug)]
pub struct Lift {
    /// The first was done to the original. Never empty.
    stages: Vec<Stage>,
}

impl Lift {
    /// The way back from the model with no bad but number `property`.
    pub(super) fn new(model: &Model, property: usize) -> Self {
        Self {
            stages: vec![Stage::Facts(Facts::new(model, property))],
        }
    }

    /// The facts that are put to use on the model as it is now; `model` is that.
    pub(super) fn facts(&mut self, model: &Model) -> &mut Facts {
        if !matches!(self.stages.last(), Some(Stage::Facts(_))) {
            self.stages.push(Stage::Facts(Facts::new(model, 0)));
        }
        match self.stages.last_mut() {
            Some(Stage::Facts(facts)) => facts,
            _ => unreachable!("the last stage is one of facts"),
        }
    }

    /// Notes that inputs have taken the places of gates.
    pub(super) fn eliminated(&mut self, elimination: Elimination) {
        self.stages.push(Stage::Inputs(elimination));
    }

    /// Notes that the constraints have been folded.
    pub(super) fn folded(&mut self, folding: Folding) {
        self.stages.push(Stage::Folding(folding));
    }

    /// Notes that gates have got latches of their own.
    pub(super) fn internal(&mut self, internal: Internal) {
        self.stages.push(Stage::Internal(internal));
    }

    /// For each latch of the reduced model, its number among the original's latches, if it is one of them. The numbers increase.
    #[must_use]
    pub fn latches(&self) -> Vec<Option<usize>> {
        let mut numbers: Option<Vec<Option<usize>>> = None;
        for stage in &self.stages {
            let before = |number: usize| match &numbers {
                None => Some(number),
                Some(numbers) => numbers[number],
            };
            match stage {
                Stage::Facts(facts) => {
                    let latches = facts.latches().iter();
                    numbers = Some(latches.map(|&number| before(number)).collect());
                }
                Stage::Inputs(_) => {}
                Stage::Folding(_) => numbers.get_or_insert_default().push(None),
                Stage::Internal(internal) => {
                    let numbers = numbers.get_or_insert_default();
                    numbers.resize(numbers.len() + internal.n_signals(), None);
                }
            }
        }
        numbers.unwrap_or_default()
    }

    /// How many facts have been used.
    #[must_use]
    pub fn n_facts(&self) -> usize {
        let facts = self.stages.iter().map(|stage| match stage {
            Stage::Facts(facts) => facts.n_facts(),
            Stage::Inputs(_) | Stage::Folding(_) | Stage::Internal(_) => 0,
        });
        facts.sum()
    }

    /// A trace of the original model from one of the reduced model. What the reduced model does not depend on
    /// is 0, and latches start at their resets, or at 0 where those are open.
    #[must_use]
    pub fn trace(&self, trace: &Trace) -> Trace {
        self.stages
            .iter()
            .rev()
            .fold(trace.clone(), |trace, stage| match stage {
                Stage::Facts(facts) => facts.trace(&trace),
                Stage::Inputs(elimination) => elimination.trace(&trace),
                Stage::Folding(folding) => folding.trace(&trace),
                Stage::Internal(internal) => internal.trace(&trace),
            })
    }

    /// A certificate for the original model from one for the reduced model.
    ///
    /// # Panics
    /// If the certificate speaks of inputs or latches that the reduced model does not have.
    #[must_use]
    pub fn certificate(&self, certificate: &Certificate) -> Certificate {
        let lift = |certificate: &Certificate, stage: &Stage| match stage {
            Stage::Facts(facts) => facts.certificate(certificate),
            Stage::Inputs(elimination) => elimination.certificate(certificate),
            Stage::Folding(folding) => folding.certificate(certificate),
            Stage::Internal(internal) => internal.certificate(certificate),
        };
        let (last, rest) = self.stages.split_last().expect("there is a first stage");
        (rest.iter().rev()).fold(lift(certificate, last), |certificate, stage| {
            lift(&certificate, stage)
        })
    }
}
