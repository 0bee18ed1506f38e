//! The search about a bad of a system of words: with reads of memories, then large operators as inputs first, then with predicates
//! on words, then with fewer words, or on the circuit of bits of the system.

use craig_mc::word_system::{Blasted, WordSystem, operators, predicates, reads, reduce};
use craig_mc::{Alone, Control};
use craig_model::{Model, Outcome, Verdict};
use craig_program::line_up::StageName;

use crate::error::VerifyError;
use crate::lemmas::Lemmas;
use crate::search::{Decided, Search};

/// The stages that replace terms by inputs, in the order in which they run.
const ABSTRACTIONS: [StageName; 2] = [StageName::Reads, StageName::Operators];

impl Search {
    /// Decides a bad of a system of words. `full` is the circuit of bits of the system, about which the evidence is.
    ///
    /// # Errors
    /// If an engine panics and no other has an answer.
    pub fn check_words(
        &self,
        system: &WordSystem,
        full: &Blasted,
        bad: usize,
        lemmas: &mut Lemmas,
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        if self.schedule().passes.is_some() {
            for stage in ABSTRACTIONS {
                if let Some(found) = self.with_inputs(stage, system, full, bad, control)? {
                    return Ok(found);
                }
            }
            if let Some(found) = self.with_predicates(system, full, bad, control) {
                return Ok(found);
            }
            if let Some(found) = self.with_fewer_words(system, full, bad, control)? {
                return Ok(found);
            }
        }
        self.check_with(&full.model, bad, lemmas, control)
    }

    /// The answer that abstractions of a stage give, if they do.
    fn with_inputs(
        &self,
        name: StageName,
        system: &WordSystem,
        full: &Blasted,
        bad: usize,
        control: Control<'_>,
    ) -> Result<Option<Decided>, VerifyError> {
        let Some(stage) = self.schedule().stages.get(name) else {
            return Ok(None);
        };
        let stop = stage.limit(control.stop);
        let mut search = |model: &Model| -> Result<Outcome, VerifyError> {
            let own = Alone::until(stop.clone());
            Ok(self.check(model, 0, own.control())?.outcome)
        };
        let (found, what) = match name {
            StageName::Reads => (
                reads::decide(system, full, bad, &stop, &mut search)?,
                "reads of memories",
            ),
            _ => {
                let least = operators::LEAST_GATES;
                let found = operators::decide(system, full, bad, least, &stop, &mut search)?;
                (found, "large operations")
            }
        };
        let Some(found) = found else {
            return Ok(None);
        };
        control.listener.note(name.name(), || {
            format!(
                "{} {what} are inputs after {} abstractions",
                found.n_inputs, found.n_rounds
            )
        });
        let decided = Decided::by(name, found.outcome);
        Ok(decided.is_definite().then_some(decided))
    }

    /// The answer that predicates on words give, if they do.
    fn with_predicates(
        &self,
        system: &WordSystem,
        full: &Blasted,
        bad: usize,
        control: Control<'_>,
    ) -> Option<Decided> {
        let name = StageName::Predicates;
        let stage = self.schedule().stages.get(name)?;
        // An engine that was named decides alone.
        if !self.schedule().is_line_up() {
            return None;
        }
        let stop = stage.limit(control.stop);
        let own = Control {
            stop: &stop,
            ..control
        };
        let least_width = predicates::LEAST_WIDTH;
        let found = predicates::decide(system, full, bad, least_width, own)?;
        control.listener.note(name.name(), || {
            let reason = match &found.outcome.verdict {
                Verdict::Unknown(reason) => format!(": {reason}"),
                _ => String::new(),
            };
            let (n_inputs, n_rounds) = (found.n_inputs, found.n_rounds);
            format!("{n_inputs} words are hidden after {n_rounds} abstractions{reason}")
        });
        let decided = Decided::by(name, found.outcome);
        decided.is_definite().then_some(decided)
    }

    /// What the search of the system with fewer words comes to, if it has fewer and the result can be lifted.
    fn with_fewer_words(
        &self,
        system: &WordSystem,
        full: &Blasted,
        bad: usize,
        control: Control<'_>,
    ) -> Result<Option<Decided>, VerifyError> {
        let is_due = self.schedule().stages.get(StageName::Words).is_some();
        // With several bads, lemmas about the latches of the whole circuit go from one to the next.
        if !is_due || system.bads.len() != 1 {
            return Ok(None);
        }
        let Some((derived, own)) = reduce::reduced(system, full, bad, control.stop) else {
            return Ok(None);
        };
        control.listener.note(StageName::Words.name(), || {
            let n_latches = [full, &own].map(|bits| bits.model.latches.len());
            format!("{} latches instead of {}", n_latches[1], n_latches[0])
        });
        let found = self.check(&own.model, 0, control)?;
        let outcome = derived.lift_outcome(system, full, &own, found.outcome);
        Ok(outcome.map(|outcome| Decided {
            outcome,
            phase: found.phase,
        }))
    }
}
