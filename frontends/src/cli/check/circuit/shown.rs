//! Bads that were met on a run to another bad.

use craig_mc::circuit::simulate::{first_bad_step, replay};

use craig_mc::{Model, Outcome, Reset, Trace, Values, Verdict};

/// The engine that is named for a run that was found on the way to another bad.
const SIMULATION: &str = "simulation";

/// For each bad, a run that shows it and was found for another one.
pub(super) struct Shown<'a> {
    model: &'a Model,
    runs: Vec<Option<Trace>>,
}

impl<'a> Shown<'a> {
    /// No runs yet.
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            runs: vec![None; model.bads.len()],
        }
    }

    /// The run that shows a bad, as the outcome of a search.
    pub(super) fn take(&mut self, property: usize) -> Option<Outcome> {
        let trace = self.runs[property].take()?;
        Some(Outcome {
            depth: trace.depth(),
            engine: SIMULATION,
            verdict: Verdict::Unsafe(trace),
        })
    }

    /// Keeps which other bads among `properties` a run shows that no run has shown yet, each with the run up
    /// to there.
    pub(super) fn look_for_others(&mut self, trace: &Trace, properties: &[usize]) {
        // A run that can't be replayed is reported when it is judged.
        let Ok(steps) = replay(self.model, trace) else {
            return;
        };
        for &property in properties {
            if property != trace.property
                && self.runs[property].is_none()
                && let Some(step) = first_bad_step(&steps, property)
            {
                // The replay has put 0 where the trace leaves a value open.
                let grounded =
                    |values: &Values| values.iter().map(|value| value.or(Some(false))).collect();
                let initial = (trace.initial.iter().zip(&self.model.latches))
                    .map(|(value, latch)| value.or(Some(latch.reset == Reset::One)));
                self.runs[property] = Some(Trace {
                    property,
                    initial: initial.collect(),
                    inputs: trace.inputs[..=step].iter().map(grounded).collect(),
                });
            }
        }
    }
}
