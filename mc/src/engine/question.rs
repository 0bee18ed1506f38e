//! The property and depth of an engine that uses one step from any state.

use craig_model::{Model, Outcome, UnknownReason, Verdict};

use crate::circuit::unroll::{Start, Unrolling};
use crate::control::Control;
use crate::engine::posed;

/// The reachability problem of one bad of a model.
pub(super) struct Question<'a> {
    /// The engine that works on it.
    name: &'static str,
    pub(super) model: &'a Model,
    pub(super) property: usize,
    pub(super) control: Control<'a>,
    /// One step from any state.
    pub(super) any: &'a Unrolling<'a>,
    /// The bad is unreachable in all steps before this one.
    depth: usize,
}

impl Question<'_> {
    /// Runs `work` on the problem of bad number `property`.
    ///
    /// # Panics
    /// If the model has no such bad.
    pub(super) fn pose<T>(
        name: &'static str,
        model: &Model,
        property: usize,
        control: Control<'_>,
        work: impl FnOnce(&mut Question<'_>) -> T,
    ) -> T {
        let mut any = Unrolling::new(model, property, Start::Free);
        any.push_frame();
        work(&mut Question {
            name,
            model,
            property,
            control,
            any: &any,
            depth: 0,
        })
    }

    /// Decides the problem. The outcome's depth is that of the run, if there is one.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    pub(super) fn decide(
        name: &'static str,
        model: &Model,
        property: usize,
        control: Control<'_>,
        engine: impl FnOnce(&mut Question<'_>) -> Result<Verdict, UnknownReason>,
    ) -> Outcome {
        posed((model, property), control, |model, control| {
            Question::pose(name, model, property, control, |question| {
                let verdict = engine(question).unwrap_or_else(Verdict::Unknown);
                let depth = match &verdict {
                    Verdict::Unsafe(trace) => trace.depth(),
                    Verdict::Safe(_) | Verdict::Unknown(_) => question.depth,
                };
                Outcome {
                    verdict,
                    engine: name,
                    depth,
                }
            })
        })
    }

    /// The bad is known to be unreachable in all steps before this one.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The number of steps of the next sequences, unless that is more than `last` or the search has to stop.
    pub(super) fn next_bound(&self, last: Option<usize>) -> Result<usize, UnknownReason> {
        let bound = self.depth;
        if last.is_some_and(|last| bound > last) {
            return Err(UnknownReason::Bound(format!(
                "no fixed point in the sequences of up to {} steps",
                bound - 1
            )));
        }
        match self.control.stop.reason() {
            Some(reason) => Err(reason),
            None => Ok(bound),
        }
    }

    /// Records that the bad is unreachable in all steps before `depth`, and reports it if it is new.
    pub(super) fn safe_before(&mut self, depth: usize) {
        if depth > self.depth {
            self.depth = depth;
            self.control.report_depth(self.name, depth);
        }
    }
}
