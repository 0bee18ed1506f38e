//! The engines of a line-up on an automaton of a program: the reduction of its circuit, the race, and the way back of the
//! evidence.

use std::sync::Arc;

use craig_aig::Edge;
use craig_mc::circuit::reduce;
use craig_mc::engine::pdr::choose_inductive;
use craig_mc::portfolio::{self, Entry};
use craig_mc::{Board, Control};
use craig_model::{Model, Outcome, Verdict};
use craig_program::line_up::{Predicates, ProgramLineUp};
use craig_program::{Bad, Cfa, Facts};

use crate::error::VerifyError;
use crate::search::lift_raced;

/// What engines decide about an automaton: its circuit with one bad, and where it comes from.
pub struct AutomatonTask<'a> {
    /// The circuit of the automaton, or that with invariants as further constraints.
    pub model: &'a Model,
    /// The automaton.
    pub cfa: &'a Cfa,
    /// Its bad locations.
    pub bad: Bad,
    /// Facts about the words of the automaton, for engines that search it.
    pub facts: Option<Arc<Facts>>,
    /// Predicates over the words of the circuit, formulas of the model over its latches, if engines are to have them.
    pub signals: &'a [Edge],
}

impl AutomatonTask<'_> {
    /// Runs the engines of a line-up on the reduced circuit, and those for automata beside them. Those candidates of the control
    /// that are inductive are known to the engines. The outcome is about the model of the task, or that without the invariants; it
    /// is not certified yet.
    ///
    /// # Errors
    /// If the model is none ([`Model::validate`]), or an engine panics and no other has an answer.
    pub fn race(
        &self,
        line_up: &ProgramLineUp,
        control: Control<'_>,
    ) -> Result<Outcome, VerifyError> {
        self.model.validate()?;
        let reduced = reduce::run(self.model, 0, &line_up.passes, control);
        // Candidates are clauses over the states of the model before its reduction.
        let candidates = reduced.about(control.board.candidates());
        let invariants = choose_inductive(&reduced.model, 0, &candidates, control);
        // The hints were about the model before its reduction.
        let own = Control {
            board: &Board::about(&reduced.model, 0),
            ..control
        };
        let (model, original) = ((&reduced.model, 0), Some((self.model, 0)));
        let entries = self.entries(line_up);
        let report = portfolio::check_strengthened(model, original, invariants, &entries, own)?;
        match (&report.outcome.verdict, report.failures.first()) {
            (Verdict::Unknown(_), Some(failure)) => Err(VerifyError::Internal(format!(
                "the engine {} broke down: {}",
                failure.entry, failure.message
            ))),
            _ => Ok(lift_raced(&reduced, (report.outcome, report.original))),
        }
    }

    fn entries(&self, line_up: &ProgramLineUp) -> Vec<Entry> {
        let predicates = Predicates {
            model: self.model,
            formulas: self.signals,
            passes: line_up.passes,
        };
        let entries = line_up.entries.iter();
        let on = (self.cfa, self.bad);
        entries
            .map(|entry| entry.on(on, self.facts.as_ref(), &predicates))
            .collect()
    }
}
