//! The search for summaries that prove the program.

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};

use super::call_tree::{CallTree, Refuted};
use super::fitted;
use super::inductive::Inductive;
use super::templates::{self, Guards};
use super::{Procedures, Summary};

/// The result of a step of the search.
#[derive(Clone, Debug)]
pub enum Found {
    /// Summaries of the procedures that prove the program, as far as its bodies are complete.
    Summaries(Vec<Summary>),
    /// A run fails that has calls nested so deep.
    Failure(usize),
    /// All candidates were tried.
    Nothing,
}

/// The sources of candidates, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// None: calls return anything.
    Weakest,
    /// Conditions on single words, and on pairs of words.
    Plain,
    /// Equalities that are fitted to samples.
    Fitted,
    /// As `Plain`, under a comparison in the body.
    Guarded,
    /// As `Plain`, under any condition on the entry.
    Conditional,
    /// Tree interpolants of the call tree of this depth.
    Tree(usize),
}

/// The number of candidates at which the search ends.
const MAX_CANDIDATES: usize = 40_000;

/// A search for summaries.
pub struct Search {
    inductive: Inductive,
    next: Stage,
    uses_templates: bool,
    max_depth: usize,
    /// The name under which it reports.
    name: &'static str,
}

impl Search {
    /// The search at its start. Call trees are at most `max_depth` deep; it reports under `name`.
    #[must_use]
    pub fn new(problem: &Procedures, name: &'static str, max_depth: usize, stop: &Stop) -> Self {
        Self {
            inductive: Inductive::new(problem, stop),
            next: Stage::Weakest,
            uses_templates: true,
            max_depth,
            name,
        }
    }

    /// This search without templates: all candidates are interpolants.
    #[must_use]
    pub fn without_templates(mut self) -> Self {
        self.uses_templates = false;
        self
    }

    /// The next summaries that are inductive and exclude all failures. Each call has more candidates than the one
    /// before.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn step(
        &mut self,
        problem: &mut Procedures,
        control: Control<'_>,
    ) -> Result<Found, UnknownReason> {
        loop {
            let stage = self.next;
            self.next = match stage {
                Stage::Weakest => Stage::Tree(1),
                Stage::Tree(1) => Stage::Fitted,
                Stage::Fitted => Stage::Plain,
                Stage::Plain => Stage::Guarded,
                Stage::Guarded => Stage::Tree(2),
                Stage::Tree(2) => Stage::Conditional,
                Stage::Conditional => Stage::Tree(3),
                Stage::Tree(depth) => Stage::Tree(depth + 1),
            };
            match stage {
                Stage::Weakest => {}
                Stage::Plain | Stage::Fitted | Stage::Guarded | Stage::Conditional
                    if !self.uses_templates =>
                {
                    continue;
                }
                Stage::Plain => self.add_templates(problem, Guards::None, control.stop)?,
                Stage::Fitted => {
                    for candidate in fitted::candidates(problem, control.stop) {
                        self.inductive.add(problem, candidate);
                    }
                    if let Some(reason) = control.stop.reason() {
                        return Err(reason);
                    }
                }
                Stage::Guarded => self.add_templates(problem, Guards::OfBody, control.stop)?,
                Stage::Conditional => self.add_templates(problem, Guards::All, control.stop)?,
                Stage::Tree(depth) => {
                    if depth > self.max_depth || self.inductive.n_candidates() > MAX_CANDIDATES {
                        return Ok(Found::Nothing);
                    }
                    let Some(tree) = CallTree::new(problem, depth) else {
                        return Ok(Found::Nothing);
                    };
                    match tree.refute(problem, control.stop)? {
                        Refuted::Run => return Ok(Found::Failure(depth)),
                        Refuted::TooLarge => return Ok(Found::Nothing),
                        Refuted::Candidates(candidates) => {
                            for candidate in candidates {
                                self.inductive.add(problem, candidate);
                            }
                        }
                    }
                }
            }
            self.inductive.shrink(control.stop)?;
            let found = self.inductive.proof(problem, control.stop)?;
            control.listener.note(self.name, || {
                format!(
                    "{stage:?}: {} candidates, {}",
                    self.inductive.n_candidates(),
                    match found {
                        Some(_) => "a proof",
                        None => "no proof",
                    }
                )
            });
            if let Some(summaries) = found {
                return Ok(Found::Summaries(summaries));
            }
        }
    }

    fn add_templates(
        &mut self,
        problem: &mut Procedures,
        guards: Guards,
        stop: &Stop,
    ) -> Result<(), UnknownReason> {
        for candidate in templates::candidates(problem, guards) {
            if let Some(reason) = stop.reason() {
                return Err(reason);
            }
            self.inductive.add(problem, candidate);
        }
        Ok(())
    }
}
