//! Predicate abstraction with one transition relation of the whole system (R. Jhala and K. L. McMillan,
//! "Interpolant-based transition relation approximation", LMCS 2007, section 5): the engine `predabs-whole`.
//!
//! The program counter is part of the state, as bits beside the values of the predicates. A relation between two such
//! states approximates all steps of the program together, and is true at first. Decision diagrams tell whether an error is
//! reached in it, and after how many steps. All runs of that number of steps of the exact abstraction are one formula, with a part
//! for the initial states, one for each step, and one for the error (section 4):
//!
//! - Contradictory, its symmetric interpolant says something of each step, which all steps satisfy: the relation is made
//!   smaller by these, and has no run of that length any more.
//! - Else the predicates do not suffice. The path of a model is a run of the program, or makes new ones.
//!
//! A predicate belongs to a location. Variable i of a state is the value of predicate number i of the location at which the
//! program counter is, and says nothing at a location with fewer.

mod states;
mod steps;
#[cfg(test)]
mod tests;

use craig_aig::Edge;
use craig_mc::Control;
use craig_mc::engine::options::{LABELLING, SYSTEM};
use craig_model::UnknownReason;

use super::discovery::{Discovery, Tried};
use super::options::Options;
use crate::actions::Actions;
use crate::answer::{Answer, ErrorPath, Invariant, Run};
use crate::cfa::{Cfa, LocationId};
use crate::engine::{ARRAYS, BLOCKS, ProgramEngine};
use crate::refutation::{SIMPLIFY, TRANSFORM};
use crate::to_model::Bad;
use crate::word_labels::LABELS;
use states::States;
use steps::Outcome;

/// The engine's name.
pub const NAME: &str = "predabs-whole";

/// The engine for users to choose.
pub(crate) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: predicate abstraction with one transition relation of the whole program (Jhala and McMillan 2007)",
    options: &[
        &SYSTEM, &LABELLING, &TRANSFORM, &SIMPLIFY, &LABELS, &BLOCKS, &ARRAYS,
    ],
    build: |settings| {
        let options = Options::chosen(settings);
        std::sync::Arc::new(move |cfa, query, control| {
            (check(cfa, query.bad, &options, control), None)
        })
    },
};

/// Decides whether what is bad can be reached. Of the options, images and the refinement of actions play no part.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: Control<'_>) -> Answer {
    let actions = Actions::new(cfa, bad);
    let mut search = Search {
        known: Discovery::new(&actions, &options.dial, options.labels, control),
        states: States::new(&actions, control.stop),
        options,
        control,
        n_runs: 0,
        n_refinements: 0,
    };
    let found = search.run();
    search.count();
    match found {
        Err(reason) => Answer::Unknown(reason),
        Ok(Some(found)) => Answer::Unsafe(Run::new(cfa, &actions, found)),
        Ok(None) => match search.into_invariant(&actions) {
            Ok(invariant) => Answer::Safe(Box::new(invariant)),
            Err(reason) => Answer::Unknown(reason),
        },
    }
}

struct Search<'a> {
    known: Discovery<'a>,
    states: States<'a>,
    options: &'a Options,
    control: Control<'a>,
    n_runs: usize,
    /// How often the relation was refined.
    n_refinements: usize,
}

impl Search<'_> {
    /// `None` if no error is reached in the approximation.
    fn run(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        if !self.options.dial.rule().is_at_least_symmetric() {
            return Err(UnknownReason::Unsupported(
                "symmetric interpolants need a system no weaker than the symmetric one".to_string(),
            ));
        }
        loop {
            self.states.reserve(&self.known.predicates);
            let reached = self.states.distance_to_error()?;
            self.report();
            let Some(length) = reached else {
                return Ok(None);
            };
            self.n_runs += 1;
            let known = &self.known;
            let (predicates, aig) = (&known.predicates, &known.labels.aig);
            let pc = self.states.pc();
            let dial = &self.options.dial;
            match steps::ask(
                known.actions,
                aig,
                predicates,
                (pc, length),
                dial,
                self.control,
            )? {
                Outcome::Refuted(interpolants) => {
                    self.n_refinements += 1;
                    for found in interpolants {
                        self.states.restrict(&found)?;
                    }
                }
                Outcome::Path(path) => {
                    if let Tried::Run(path) = self.known.try_path(path)? {
                        return Ok(Some(path));
                    }
                }
            }
        }
    }

    fn report(&self) {
        self.control.listener.note(NAME, || {
            format!(
                "{} predicates, at most {} at a location; {} abstract runs, {} refinements of the relation{}",
                self.known.predicates.len(),
                self.known.predicates.most(),
                self.n_runs,
                self.n_refinements,
                self.known.refuter.report(),
            )
        });
    }

    fn count(&self) {
        self.known.count();
        let listener = self.control.listener;
        listener.count("refinements", self.n_runs);
        listener.count("refinements_of_relations", self.n_refinements);
    }

    /// What is reached at each location.
    fn into_invariant(self, actions: &Actions) -> Result<Invariant, UnknownReason> {
        let mut aig = self.known.labels.aig;
        let mut reached: Vec<Edge> = Vec::new();
        for location in actions.locations() {
            let list = self.known.predicates.at(location);
            reached.push(self.states.at(location, list, &mut aig)?);
        }
        let mut refuter = self.known.refuter;
        let at = |location: LocationId| vec![vec![reached[location.index()]]];
        let words = refuter.invariant(actions, &aig, at);
        let invariant = Invariant::new(actions, &mut aig, |_, location| reached[location.index()]);
        Ok(invariant.with_words(words))
    }
}
