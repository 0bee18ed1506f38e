//! The engines that decide the circuits of automata, as an option of a check.

use std::fmt;
use std::sync::Arc;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::{Model, Outcome};
use craig_program::line_up::{LineUp, ProgramEntry, ProgramLineUp, StageName, Stages};

use super::task::AutomatonTask;

/// Decides a transition system; the outcome is about that model, or that without the invariants. The candidates of the
/// control are clauses over its states that may be inductive.
type Decide = dyn Fn(&AutomatonTask<'_>, Control<'_>) -> Result<Outcome, String> + Send + Sync;

/// The engines that decide the circuit of an automaton, and what comes before them.
#[derive(Clone)]
pub struct AutomatonSearch {
    pub(super) decide: Arc<Decide>,
    pub(super) stages: Stages,
    /// What the engines are given.
    needs: Needs,
}

/// What engines for programs are given.
#[derive(Clone, Copy, Default)]
struct Needs {
    /// Whether some get predicates over words as latches.
    signals: bool,
    /// Whether some search the automaton, and not its circuit.
    automata: bool,
}

impl Needs {
    fn of(line_up: &ProgramLineUp) -> Self {
        Self {
            signals: line_up.entries.iter().any(|entry| entry.signals),
            automata: line_up.entries.iter().any(ProgramEntry::is_for_automata),
        }
    }
}

impl AutomatonSearch {
    /// A function that decides bad number 0 of a model, with formulas over its latches that may be signals: none without
    /// [`AutomatonSearch::with_signal_latches`]. An error is an internal failure. The stages are those of a line-up that count
    /// for an engine that is named.
    #[must_use]
    pub fn new(
        line_up: &LineUp,
        decide: impl Fn(&Model, &[Edge], Control<'_>) -> Result<Outcome, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            decide: Arc::new(move |task, control| decide(task.model, task.signals, control)),
            stages: line_up.program_stages().for_named(),
            needs: Needs::default(),
        }
    }

    /// This search, after a search for word-level invariants of the loops, as its row in a line-up says.
    #[must_use]
    pub fn with_invariants(mut self, line_up: &LineUp) -> Self {
        let row = line_up.program_stages().row(StageName::Invariants);
        self.stages = self.stages.with(row);
        self
    }

    /// This search, whose engines get predicates over the words of the program as latches.
    #[must_use]
    pub fn with_signal_latches(mut self) -> Self {
        self.needs.signals = true;
        self
    }

    /// This search, without a stage before or beside the engines.
    #[must_use]
    pub fn without(mut self, stage: StageName) -> Self {
        self.stages = self.stages.without(stage);
        self
    }

    /// The default line-up for `threads` threads, with invariants, on the reduced model.
    #[must_use]
    pub fn portfolio(threads: usize) -> Self {
        Self::line_up(&LineUp::default(), threads, 0)
    }

    /// The engines of a line-up for `threads` threads, with invariants, on the reduced model. `seed` determines
    /// their random choices.
    #[must_use]
    pub fn line_up(line_up: &LineUp, threads: usize, seed: u64) -> Self {
        let stages = line_up.program_stages().clone();
        let engines = line_up.for_program(threads, seed);
        let needs = Needs::of(&engines);
        let decide = move |task: &AutomatonTask<'_>, control: Control<'_>| {
            let raced = task.race(&engines, control);
            raced.map_err(|error| error.to_string())
        };
        Self {
            decide: Arc::new(decide),
            stages,
            needs,
        }
    }
}

impl AutomatonSearch {
    /// What comes before these engines, and beside them.
    #[must_use]
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Whether engines get predicates.
    pub(super) fn wants_signals(&self) -> bool {
        self.needs.signals
    }

    /// Whether an engine searches the automaton.
    pub(super) fn searches_automata(&self) -> bool {
        self.needs.automata
    }
}

impl fmt::Debug for AutomatonSearch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AutomatonSearch")
    }
}
