//! Bads that hold on a run to another bad.

use craig_model::simulate::replay_bads;
use craig_model::{Model, Outcome, Trace, Verdict};

use crate::property::{Kind, PropertyId};

/// The engine name for a run that was found for another bad.
const SIMULATION: &str = "simulation";

/// For each bad, a run to it that was found for another one.
pub(crate) struct Shown<'a> {
    model: &'a Model,
    runs: Vec<Option<Trace>>,
    /// By bad: whether a run to it is known, used or not.
    is_reached: Vec<bool>,
    /// How many replays in a row have shown nothing.
    n_fruitless: usize,
    /// The number of runs that are not replayed any more.
    n_to_skip: usize,
}

impl<'a> Shown<'a> {
    /// No runs yet.
    pub(crate) fn new(model: &'a Model) -> Self {
        Self {
            model,
            runs: vec![None; model.bads.len()],
            is_reached: vec![false; model.bads.len()],
            n_fruitless: 0,
            n_to_skip: 0,
        }
    }

    /// The run to a bad, as the outcome of a search.
    pub(crate) fn take(&mut self, property: PropertyId) -> Option<Outcome> {
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

    /// As [`Shown::look_for_others`], if the replays of the last runs have shown something. A replay steps through the whole
    /// circuit: where it shows nothing again and again, more and more runs are left out.
    pub(crate) fn look_for_others_at_times(&mut self, trace: &Trace, properties: &[PropertyId]) {
        self.is_reached[trace.property] = true;
        match self.n_to_skip.checked_sub(1) {
            Some(left) => self.n_to_skip = left,
            None if self.look_for_others(trace, properties) => self.n_fruitless = 0,
            None => {
                self.n_fruitless += 1;
                self.n_to_skip = self.n_fruitless;
            }
        }
    }

    /// Stores, for each other bad among `properties` that the run reaches and no earlier run has reached, the
    /// prefix of the run up to it. Returns whether there is one.
    pub(crate) fn look_for_others(&mut self, trace: &Trace, properties: &[PropertyId]) -> bool {
        self.is_reached[trace.property] = true;
        // A run that can't be replayed is reported when it is checked.
        let Ok(replayed) = replay_bads(self.model, trace) else {
            return false;
        };
        let mut has_found = false;
        let bads = properties
            .iter()
            .filter(|property| property.kind == Kind::Bad);
        for property in bads.map(|property| property.number) {
            if !self.is_reached[property]
                && let Some(run) = replayed.run_to(property, trace)
            {
                has_found = true;
                self.is_reached[property] = true;
                self.runs[property] = Some(run);
            }
        }
        has_found
    }
}
