//! Lazy abstraction with interpolants (K. L. McMillan, "Lazy abstraction with interpolants", CAV 2006): the
//! engine `impact`.
//!
//! The program is unwound into a tree whose vertices are labelled with formulas over the words of their
//! locations. A path to the error is refuted, and its interpolants strengthen the labels on it. A vertex
//! whose label implies that of an older one of the same location is covered, and not unwound further.
//!
//! Section 2 of the paper has the steps Expand, Refine and Cover (figure 4), their order (figure 5) and
//! forced covering (figure 6). Beyond the paper:
//! - Labels are bit-precise: conjuncts over the bits of words, with SAT as the decision procedure.
//! - Edges from one location to the error and to what is not supported are one action.
//! - A child is only made if the label of its parent allows its action (but with `--no-expand-queries`).
//! - A path is refuted together with what the labels on it say already, and its ends before the whole of it.
//! - Forced covering is tried where paths meet.

mod search;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use craig_aig::Edge;

use super::actions::{ActionId, Actions};
use super::answer::{Answer, ErrorPath, Invariant};
use super::cfa::{Cfa, LocationId};
use super::drawing::Drawing;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query, with_options};
use super::labelling::{self, Labelling};
use super::labels::{LabelId, Labels};
use super::refutation::{SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
pub use super::unwinding::Options;
use super::unwinding::{
    COVER_CANDIDATES, COVER_CONFLICTS, COVER_LOSSES, NO_EXPAND_QUERIES, NO_FORCE_COVER,
    NO_KNOWN_LABELS, NO_SLICE, Unwinding, WHOLE_PATHS,
};
use super::word_labels::{LABELS, Refuter};
use craig_mc::Control;
use craig_mc::engine::options::{LABELLING, SYSTEM};
use craig_model::UnknownReason;
use search::Search;

/// The engine's name.
pub const NAME: &str = "impact";

/// More labels of one location than this are not compared for their text.
const MAX_COMPARED: usize = 24;

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: lazy abstraction with interpolants (McMillan 2006)",
    options: &[
        &SYSTEM,
        &LABELLING,
        &TRANSFORM,
        &SIMPLIFY,
        &LABELS,
        &BLOCKS,
        &ARRAYS,
        &NO_FORCE_COVER,
        &COVER_CANDIDATES,
        &COVER_CONFLICTS,
        &COVER_LOSSES,
        &NO_EXPAND_QUERIES,
        &NO_SLICE,
        &NO_KNOWN_LABELS,
        &WHOLE_PATHS,
    ],
    build: |settings| with_options(Options::chosen(settings), run),
};

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: Control<'_>) -> Answer {
    run(cfa, Query::of(bad), options, control).0
}

/// As [`check`], with the final unwinding if it is wanted.
fn run(
    cfa: &Cfa,
    query: Query,
    options: &Options,
    control: Control<'_>,
) -> (Answer, Option<Drawing>) {
    let actions = Actions::new(cfa, query.bad);
    let mut options = options.clone();
    loop {
        let mut search = Search::new(&actions, &options, control);
        let found = search.find_path(query.may_give_up);
        let larger = match search.unwinding.refuter.left_language() {
            true => options.labels.larger(),
            false => None,
        };
        match larger {
            None => return labelling::conclude(cfa, &actions, query, search, found),
            // Unwind(L) has aborted: the next language (section 3, "A weak notion of completeness").
            Some(larger) => {
                control.listener.count("larger_languages", 1);
                options.labels = larger;
            }
        }
    }
}

impl Labelling for Search<'_> {
    fn find_path(&mut self, may_give_up: bool) -> Result<Option<ErrorPath>, UnknownReason> {
        self.run(may_give_up)
    }

    fn pass_counts(&self) {
        self.unwinding.count();
    }

    fn drawing(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing {
        self.unwinding.draw(cfa, path)
    }

    fn into_invariant(self) -> Invariant {
        let actions = self.unwinding.actions;
        let (mut labels, tree, mut refuter) = self.into_parts();
        invariant(actions, &mut labels, &tree, &mut refuter)
    }
}

/// The safety invariant of a complete unwinding: at each location the disjunction of the labels of its
/// vertices that are not covered (theorem 1).
fn invariant(
    actions: &Actions,
    labels: &mut Labels,
    tree: &Unwinding,
    refuter: &mut Refuter,
) -> Invariant {
    let mut aig = labels.aig.clone();
    let disjuncts = |location: LocationId| {
        let mut disjuncts: Vec<LabelId> = (tree.at(location).iter())
            .filter(|&&v| !tree.is_covered(v))
            .map(|&v| tree.vertex(v).label)
            .collect();
        disjuncts.sort_unstable();
        disjuncts.dedup();
        disjuncts
    };
    let mut shown: HashMap<LocationId, Vec<Vec<Edge>>> = HashMap::new();
    if refuter.counters().is_some() {
        for location in actions.locations() {
            let kept = weakest(labels, location, disjuncts(location));
            let conjuncts = kept.iter().map(|&label| labels.conjuncts(label).to_vec());
            shown.insert(location, conjuncts.collect());
        }
    }
    let at = |location: LocationId| shown.remove(&location).unwrap_or_default();
    let words = refuter.invariant(actions, &labels.aig, at);
    let invariant = Invariant::new(actions, &mut aig, |aig, location| {
        let edges: Vec<Edge> = (disjuncts(location).into_iter())
            .map(|label| aig.and_all(labels.conjuncts(label).to_vec()))
            .collect();
        aig.or_all(edges)
    });
    invariant.with_words(words)
}

/// Labels without those that entail another one, as far as that is found out.
fn weakest(labels: &mut Labels, location: LocationId, all: Vec<LabelId>) -> Vec<LabelId> {
    if all.len() > MAX_COMPARED {
        return all;
    }
    let mut kept: Vec<LabelId> = Vec::new();
    for (index, &label) in all.iter().enumerate() {
        let others = kept.iter().chain(&all[index + 1..]);
        let mut others = others.copied();
        let is_covered = others.any(|other| labels.entails(location, label, other) == Ok(true));
        if !is_covered {
            kept.push(label);
        }
    }
    kept
}
