//! One search for several bads: for their disjunction, as long as some of them are open.
//!
//! A proof of the disjunction proves all that are open. A run to it reaches at least one of them, and the search goes on for the
//! others. What a search has learned of the states reached within some steps does not depend on the bad: the next one goes on from
//! its frames, as the reduced model stays the same.

use craig_model::{Model, Outcome, Trace, Verdict, simulate::replay_bads};

use super::reduced::Reduced;

/// A reduced model with all bads of the original, of which some are open.
#[derive(Clone, Debug)]
pub struct Together {
    reduced: Reduced,
    /// The numbers of the open bads, increasing.
    open: Vec<usize>,
}

impl Together {
    /// A model with all bads of the original, of which these are open.
    pub(super) fn new(reduced: Reduced, bads: &[usize]) -> Self {
        let mut open = bads.to_vec();
        open.sort_unstable();
        open.dedup();
        Self { reduced, open }
    }

    /// The numbers of the open bads.
    #[must_use]
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// Takes bads out of the search.
    pub fn close(&mut self, is_closed: impl Fn(usize) -> bool) {
        self.open.retain(|&bad| !is_closed(bad));
    }

    /// The model for the next search. Its only bad is the disjunction of those that are open.
    #[must_use]
    pub fn model(&self) -> Model {
        let mut model = self.reduced.model.clone();
        let open = self.open.iter().map(|&bad| self.reduced.model.bads[bad]);
        model.bads = vec![model.aig.or_all(open)];
        model.names.bads.clear();
        model
    }

    /// For each latch of that model, its number among the original's latches, if it is one of them.
    #[must_use]
    pub fn latches(&self) -> Vec<Option<usize>> {
        self.reduced.lift.latches()
    }

    /// The outcome for the original, from that of a search of [`Together::model`]: a certificate is about all open bads, a run
    /// about one of them.
    ///
    /// # Errors
    /// If a run reaches none of them.
    pub fn lift_outcome(&self, outcome: Outcome) -> Result<Outcome, String> {
        let outcome = match outcome.verdict {
            Verdict::Unsafe(trace) => Outcome {
                verdict: Verdict::Unsafe(self.about_one(&trace)?),
                ..outcome
            },
            _ => outcome,
        };
        Ok(self.reduced.lift_outcome(outcome))
    }

    /// A run to the disjunction as one to the first open bad that it reaches.
    fn about_one(&self, trace: &Trace) -> Result<Trace, String> {
        let replayed =
            replay_bads(&self.reduced.model, trace).map_err(|error| error.to_string())?;
        let reached = self.open.iter();
        let reached = reached.filter_map(|&bad| Some((replayed.bads[bad]?, bad)));
        let first = reached.min().map(|(_, bad)| bad);
        let run = first.and_then(|bad| replayed.run_to(bad, trace));
        run.ok_or_else(|| "the run reaches no open bad".to_owned())
    }
}
