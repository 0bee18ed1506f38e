//! Continues from the frames of an earlier search on a weaker system.
//!
//! States that a system does not reach in i steps are not reached in i steps by a stronger one, and
//! clauses that are inductive for the former are inductive for the latter.

use craig_model::{Model, Outcome};

use super::answer::outcome;
use super::lemma::Lemma;
use super::options::Options;
use super::state::{End, Pdr};
use super::transition::Transition;
use crate::control::{Control, StateClause};
use crate::exchange::Reached;

/// As [`check`](super::check), starting with the clauses of `reached`, to which it adds its own. It makes one
/// attempt, whatever [`Options::first_turn`] is.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn resume(
    model: &Model,
    property: usize,
    options: &Options,
    reached: &mut Reached,
    control: Control<'_>,
) -> Outcome {
    resume_for_clauses(model, property, options, reached, control).0
}

/// As [`resume`]. With a proof it also returns its clauses, which are inductive together and exclude the bad.
pub(in crate::engine) fn resume_for_clauses(
    model: &Model,
    property: usize,
    options: &Options,
    reached: &mut Reached,
    control: Control<'_>,
) -> (Outcome, Option<Vec<StateClause>>) {
    let transition = Transition::new(model, property, options.recording.as_ref());
    let mut pdr = Pdr::new(transition, options.clone(), control);
    pdr.begin_with(reached);
    let result = pdr.run();
    *reached = pdr.reached();
    let clauses = match &result {
        Ok(End::Invariant(lemmas)) => Some(
            lemmas
                .iter()
                .map(|it| pdr.transition.state_clause(it))
                .collect(),
        ),
        Ok(End::Reached(_)) | Err(_) => None,
    };
    (outcome(model, property, &[], &pdr, result), clauses)
}

impl Pdr<'_> {
    /// Initialises the frames with those of an earlier search of the same model, if all of their clauses can be lemmas: a part of
    /// them need not be closed.
    pub(super) fn begin_with_all(&mut self, reached: &Reached) {
        let clauses = reached.frames.iter().skip(1).flatten();
        let mut clauses = clauses.chain(&reached.forever);
        if clauses.all(|clause| self.lemma(clause).is_some()) {
            self.begin_with(reached);
        }
    }

    /// Initialises the frames with the clauses of an earlier search.
    fn begin_with(&mut self, reached: &Reached) {
        debug_assert_eq!(self.frames.level(), 0);
        for clause in &reached.forever {
            if let Some(lemma) = self.lemma(clause) {
                self.frames.add_forever(lemma);
            }
        }
        for (frame, clauses) in reached.frames.iter().enumerate().skip(1) {
            self.frames.extend();
            for clause in clauses {
                if let Some(lemma) = self.lemma(clause) {
                    self.frames.add(frame, lemma);
                }
            }
        }
    }

    /// The lemmas of all frames.
    pub(super) fn reached(&self) -> Reached {
        let clause = |lemma: &Lemma| self.transition.state_clause(lemma);
        let lemmas = &self.frames.lemmas;
        let frames = 0..=self.frames.level();
        Reached {
            frames: frames
                .map(|frame| lemmas.of(frame).map(clause).collect())
                .collect(),
            forever: lemmas.forever().map(clause).collect(),
        }
    }
}
