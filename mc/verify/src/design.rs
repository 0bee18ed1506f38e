//! What a question is about.

use craig_certify::Circuit;
use craig_mc::Control;
use craig_model::{Lasso, Model, Outcome, Stop, Trace, UnknownReason};

use crate::answer::Answer;
use crate::error::VerifyError;
use crate::judge::Judgement;
use crate::lemmas::Lemmas;
use crate::property::PropertyId;
use crate::search::{Decided, Search};

/// A transition system: a [`Model`], or what a front end has read, of which a model is the circuit of bits.
pub trait Design: Send + Sync {
    /// The evidence of answers that are not about the model ([`Design::decide_apart`]).
    type Evidence: Send + Sync;

    /// The model that the engines search.
    fn model(&self) -> &Model;

    /// The circuit against which evidence is certified: with the gates of the input as it was read.
    fn circuit(&self) -> &dyn Circuit;

    /// Why there is no model for the engines; then the model has the properties, but nothing else.
    fn refusal(&self) -> Option<&str> {
        None
    }

    /// If the model has only some of the runs of the input: why a proof of it proves nothing.
    fn restriction(&self) -> Option<&str> {
        None
    }

    /// Decides a property by models of its own, if [`Design::model`] can't prove anything about it, or is not what is to be
    /// searched. `None` if it is, or if there is no answer.
    ///
    /// # Errors
    /// Those of the search.
    fn decide_apart(
        &self,
        _search: &Search,
        _property: PropertyId,
        _control: Control<'_>,
    ) -> Result<Option<Apart<Self::Evidence>>, VerifyError> {
        Ok(None)
    }

    /// The time that the engines have for a property before [`Design::decide_late`] is asked; `None` if it is not.
    fn first(&self, _search: &Search, _property: PropertyId, _stop: &Stop) -> Option<Stop> {
        None
    }

    /// Decides a property by models of its own, if the engines have not in the time of [`Design::first`]. `None` if there is
    /// no answer.
    ///
    /// # Errors
    /// Those of the search.
    fn decide_late(
        &self,
        _search: &Search,
        _property: PropertyId,
        _control: Control<'_>,
    ) -> Result<Option<Apart<Self::Evidence>>, VerifyError> {
        Ok(None)
    }

    /// As [`Design::decide_apart`], for the question whether any bad is reachable.
    ///
    /// # Errors
    /// Those of the search.
    fn decide_any_apart(
        &self,
        _search: &Search,
        _control: Control<'_>,
    ) -> Result<Option<Apart<Self::Evidence>>, VerifyError> {
        Ok(None)
    }

    /// Decides a bad of the model.
    ///
    /// # Errors
    /// Those of the search.
    fn check(
        &self,
        search: &Search,
        bad: usize,
        lemmas: &mut Lemmas,
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        search.check_with(self.model(), bad, lemmas, control)
    }

    /// Decides whether any bad of the model is reachable. The evidence is about the disjunction of all, as bad 0.
    ///
    /// # Errors
    /// Those of the search.
    fn check_any(&self, search: &Search, control: Control<'_>) -> Result<Decided, VerifyError> {
        search.check(&unite(self.model()), 0, control)
    }

    /// Replays a run to a bad on the input, if that is not the model.
    ///
    /// # Errors
    /// If the bad does not hold.
    fn replay(&self, _run: &Trace) -> Result<(), String> {
        Ok(())
    }

    /// As [`Design::replay`], for a run against a justice property.
    ///
    /// # Errors
    /// If the property does not fail.
    fn replay_lasso(&self, _run: &Lasso) -> Result<(), String> {
        Ok(())
    }
}

impl Design for Model {
    /// Every answer is about the model.
    type Evidence = std::convert::Infallible;

    fn model(&self) -> &Model {
        self
    }

    fn circuit(&self) -> &dyn Circuit {
        self
    }
}

/// An answer that is not about the model of a design, but about the design itself. It has been certified there.
#[derive(Clone, Debug)]
pub struct Apart<E> {
    /// Safe or unsafe; unknown if there is a reason.
    pub answer: Answer,
    /// Why there is no answer: what was searched in vain.
    pub reason: Option<UnknownReason>,
    /// The engine.
    pub engine: &'static str,
    /// The stage of the schedule.
    pub phase: &'static str,
    /// The depth reached, or the length of the run.
    pub depth: usize,
    /// The step at which the loop of a run against a justice property begins.
    pub loop_start: Option<usize>,
    /// Of the evidence, on the design.
    pub judgement: Judgement,
    /// The evidence.
    pub evidence: E,
}

/// The model with a single bad: the disjunction of its bads.
#[must_use]
pub fn unite(model: &Model) -> Model {
    let mut united = model.clone();
    let any = united.aig.or_all(model.bads.iter().copied());
    united.bads = vec![any];
    united.names.bads.clear();
    united
}

/// The outcome about a property that the engines can't search.
pub(crate) fn refused(reason: &str) -> Outcome {
    Outcome {
        verdict: craig_model::Verdict::Unknown(craig_model::UnknownReason::Unsupported(
            reason.to_owned(),
        )),
        engine: "none",
        depth: 0,
    }
}
