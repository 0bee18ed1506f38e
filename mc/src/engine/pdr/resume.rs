//! Going on where an earlier search ended that was about a weaker system.
//!
//! Whatever can't be reached in so many steps of a system can't be reached in as many steps of a stronger
//! one, and what is inductive for the former is so for the latter.

use super::answer::outcome;
use super::lemma::Lemma;
use super::options::Options;
use super::state::Pdr;
use super::transition::Transition;
use crate::circuit::model::Model;
use crate::circuit::verdict::Outcome;
use crate::control::{Control, StateClause};

/// What is known of the states that can be reached in so many steps.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// At place `i`: clauses that hold of all states that can be reached in up to `i` steps, those at later
    /// places left out.
    frames: Vec<Vec<StateClause>>,
    /// Clauses that hold for ever.
    forever: Vec<StateClause>,
}

impl Reached {
    /// The clauses that hold of all states that can be reached in up to `steps` steps.
    pub(in crate::engine) fn within(&self, steps: usize) -> impl Iterator<Item = &StateClause> {
        let frames = self.frames.iter().skip(steps).flatten();
        frames.chain(&self.forever)
    }
}

/// Does what [`check`](super::check) does, beginning with what is known, and adds to that what it finds out.
/// It makes one attempt, whatever [`Options::first_turn`] is.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn resume(
    model: &Model,
    property: usize,
    options: &Options,
    reached: &mut Reached,
    control: &Control,
) -> Outcome {
    let transition = Transition::new(model, property, options.recording.as_ref());
    let mut pdr = Pdr::new(transition, options.clone(), control);
    pdr.begin_with(reached);
    let result = pdr.run();
    *reached = pdr.reached();
    outcome(model, property, &pdr, result)
}

impl Pdr<'_> {
    /// Begins with the frames of an earlier search.
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

    fn reached(&self) -> Reached {
        let clauses = |lemmas: &[Lemma]| {
            lemmas
                .iter()
                .map(|lemma| self.state_clause(lemma))
                .collect()
        };
        Reached {
            frames: self
                .frames
                .lemmas
                .iter()
                .map(|lemmas| clauses(lemmas))
                .collect(),
            forever: clauses(&self.frames.infinity),
        }
    }
}
