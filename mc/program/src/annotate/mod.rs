//! Lazy annotation (K. L. McMillan, "Lazy annotation for program testing and verification", CAV 2010): the
//! engine `annotate`.
//!
//! Symbolic execution follows one path. Where it fails to reach a goal, it deduces a label for the action at which
//! it failed: a condition on the state under which no goal can be reached from there, which blocks the same
//! failure in other states. The bad locations are the goals.
//!
//! - `symbolic.rs`: the symbolic state at the end of the path, `(P, C, E)` in the paper.
//! - `annotation.rs`: the labels, each justified by a query at its action, and the fuel for which it holds.
//! - `interpolant.rs`: the query whose interpolant is the label of an action, over bits or over words.
//! - `search.rs`: the rules Decide, Conjoin and Learn (figure 2), and Strengthen (figure 3).
//!
//! What differs from the paper:
//! - Fuel, its variable tau, is not a variable of the program. A label has the largest fuel for which it was
//!   justified; a step without fuel is blocked (the paper's labels `tau < 0`). Labels that do not depend on the
//!   bound hold for unbounded fuel at once, and Strengthen tries only the others.
//! - The label of a location is the conjunction over its actions of the disjunction of all labels of the action,
//!   which is weaker than the disjunction of the conjunctions that the rule Conjoin has added.
//! - Justification is tested against the shrinking set in Strengthen (figure 3 prints the old annotation).
//! - A label keeps only those conjuncts of its interpolant that are needed for its justification.
//!
//! `cover.rs` lets the search go on after a goal was reached, until all of several goals are reached or can't be.
//!
//! A safe program has the labels for unbounded fuel as its invariant: they are justified, hold at the start, and
//! are false at the goals.

mod annotation;
mod cover;
mod draw;
mod interpolant;
mod options;
mod search;
mod symbolic;
#[cfg(test)]
mod tests;

use craig_aig::{Aig, Edge};

use super::actions::{ActionId, Actions};
use super::answer::{Answer, ErrorPath, Invariant};
use super::cfa::{Cfa, LocationId};
use super::drawing::Drawing;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query, with_options};
use super::labelling::{self, Labelling};
use super::refutation::{SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
use super::word_labels::LABELS;
use annotation::UNBOUNDED;
pub use cover::{Goal, Rest, cover};
use craig_mc::Control;
use craig_mc::engine::options::{LABELLING, SYSTEM};
use craig_model::UnknownReason;
use options::{FUEL, NO_LEARN};
pub use options::{NAME, Options};
use search::{Outcome, Search};

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: lazy annotation (McMillan 2010)",
    options: &[
        &SYSTEM, &LABELLING, &TRANSFORM, &SIMPLIFY, &LABELS, &BLOCKS, &ARRAYS, &NO_LEARN, &FUEL,
    ],
    build: |settings| with_options(Options::chosen(settings), run),
};

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: Control<'_>) -> Answer {
    run(cfa, Query::of(bad), options, control).0
}

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
        match self.run()? {
            Outcome::Reached(found) => Ok(Some(found)),
            Outcome::Unreachable => Ok(None),
            Outcome::Enumerated => Err(UnknownReason::Bound(
                "all paths were enumerated, and without labels that is no proof".to_owned(),
            )),
        }
    }

    fn pass_counts(&self) {
        self.count();
    }

    fn drawing(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing {
        let Self {
            actions,
            labels,
            annotation,
            refuter,
            ..
        } = self;
        draw::draw(cfa, actions, labels, annotation, refuter, path)
    }

    fn into_invariant(self) -> Invariant {
        invariant(self.actions, self)
    }
}

/// The labels for unbounded fuel.
fn invariant(actions: &Actions, search: Search<'_>) -> Invariant {
    let Search {
        labels,
        mut annotation,
        mut refuter,
        ..
    } = search;
    let mut aig = labels.aig;
    let mut at = |aig: &mut Aig, location: LocationId| match location {
        Cfa::ERROR | Cfa::UNSUPPORTED => Edge::FALSE,
        _ => annotation.at(aig, location, UNBOUNDED),
    };
    let shown: Vec<Edge> = match refuter.counters() {
        Some(_) => (actions.locations())
            .map(|location| at(&mut aig, location))
            .collect(),
        None => Vec::new(),
    };
    // One conjunct, which is split there.
    let words = refuter.invariant(actions, &aig, |location| {
        vec![vec![shown[location.index()]]]
    });
    Invariant::new(actions, &mut aig, at).with_words(words)
}
