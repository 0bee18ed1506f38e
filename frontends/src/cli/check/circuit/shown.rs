//! Bads that hold on a run to another bad.

use craig_mc::circuit::simulate::replay_bads;

use crate::cli::circuits::{Kind, PropertyId};
use craig_mc::{Model, Outcome, Trace, Values, Verdict};

/// The engine name for a run that was found for another bad.
const SIMULATION: &str = "simulation";

/// For each bad, a run to it that was found for another one.
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

    /// The run to a bad, as the outcome of a search.
    pub(super) fn take(&mut self, property: PropertyId) -> Option<Outcome> {
        if property.kind != Kind::Bad {
            return None;
        }
        let trace = self.runs[property.number].take()?;
        Some(Outcome {
            depth: trace.depth(),
            engine: SIMULATION,
            verdict: Verdict::Unsafe(trace),
        })
    }

    /// Stores, for each other bad among `properties` that the run reaches and no earlier run has reached, the
    /// prefix of the run up to it.
    pub(super) fn look_for_others(&mut self, trace: &Trace, properties: &[PropertyId]) {
        // A run that can't be replayed is reported when it is checked.
        let Ok(replayed) = replay_bads(self.model, trace) else {
            return;
        };
        let bads = properties
            .iter()
            .filter(|property| property.kind == Kind::Bad);
        for property in bads.map(|property| property.number) {
            if property != trace.property
                && self.runs[property].is_none()
                && let Some(step) = replayed.bads[property]
            {
                // The replay has set values that the trace leaves open to 0.
                let grounded =
                    |values: &Values| values.iter().map(|value| value.or(Some(false))).collect();
                let initial = replayed.initial.iter().map(|&value| Some(value));
                self.runs[property] = Some(Trace {
                    property,
                    initial: initial.collect(),
                    inputs: trace.inputs[..=step].iter().map(grounded).collect(),
                });
            }
        }
    }
}
