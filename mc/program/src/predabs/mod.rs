//! Predicate abstraction with transition interpolants (R. Jhala and K. L. McMillan, "Interpolant-based
//! transition relation approximation", LMCS 2007, section 6): the engine `predabs`.
//!
//! Each location has a list of predicates over its words, and each action a relation between the predicates
//! at its source and those at its target, which approximates the action from above and is true at first.
//! Decision diagrams tell which combinations of values of the predicates are reachable in this Boolean
//! program. A path of it to what is bad leads to one of three ends (section 6.1):
//!
//! - The path is infeasible, and the predicates suffice to see that: the relations of its actions are made
//!   smaller, by symmetric interpolants of one refutation, or by the method of Das and Dill.
//! - It is infeasible, but the predicates do not suffice: the interpolants of its refutation over the words
//!   become predicates.
//! - It is a run of the program.
//!
//! Actions are functions, so that a predicate behind an action is its weakest precondition before it, and no
//! variables for the words behind the action are needed (section 6.2). `--image` chooses what is known of an
//! image besides the relation (section 6.3).

mod action_queries;
mod boolean_program;
mod discovery;
mod draw;
mod options;
mod predicates;
mod refine;
mod search;
#[cfg(test)]
mod tests;
pub mod whole;

use craig_mc::Control;
use craig_mc::engine::options::{LABELLING, SYSTEM};
use craig_model::UnknownReason;

use super::actions::{ActionId, Actions};
use super::answer::{Answer, ErrorPath, Invariant};
use super::cfa::{Cfa, LocationId};
use super::drawing::Drawing;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query, with_options};
use super::labelling::{self, Labelling};
use super::refutation::{SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
use super::word_labels::LABELS;
use options::{IMAGE, REFINE};
pub use options::{Image, NAME, Options, Refinement};
use search::Search;

/// The engine for users to choose.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: predicate abstraction with transition interpolants (Jhala and McMillan 2007)",
    options: &[
        &SYSTEM, &LABELLING, &TRANSFORM, &SIMPLIFY, &LABELS, &BLOCKS, &ARRAYS, &IMAGE, &REFINE,
    ],
    build: |settings| with_options(Options::chosen(settings), run),
};

/// Decides whether what is bad can be reached.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: Control<'_>) -> Answer {
    run(cfa, Query::of(bad), options, control).0
}

/// As [`check`], with the final abstract reachability graph if it is wanted.
fn run(
    cfa: &Cfa,
    query: Query,
    options: &Options,
    control: Control<'_>,
) -> (Answer, Option<Drawing>) {
    let actions = Actions::new(cfa, query.bad);
    let search = Search::new(&actions, options, control);
    labelling::decide(cfa, &actions, query, search)
}

impl Labelling for Search<'_> {
    fn find_path(&mut self, _may_give_up: bool) -> Result<Option<ErrorPath>, UnknownReason> {
        self.run()
    }

    fn pass_counts(&self) {
        self.count();
    }

    fn drawing(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing {
        self.draw(cfa, path)
    }

    fn into_invariant(self) -> Invariant {
        let actions = self.actions;
        let (mut aig, reached, mut refuter) = self.concretise();
        let at = |location: LocationId| vec![vec![reached[location.index()]]];
        let words = refuter.invariant(actions, &aig, at);
        let invariant = Invariant::new(actions, &mut aig, |_, location| reached[location.index()]);
        invariant.with_words(words)
    }
}
