//! Reachability, safety and error interpolants (C. Tian, Z. Duan, Z. Duan and C.-H. L. Ong, "More effective
//! interpolations in software model checking", ASE 2017): the engine `rse`.
//!
//! An abstract reachability tree is unwound and refined as by [`super::impact`]: sequences of interpolants of
//! refuted paths label its vertices (*reachability interpolants*), and a vertex whose label implies that of
//! another one of its location is covered. Two more kinds of interpolants, one kind of label for all
//! visits of a location, make the tree smaller:
//!
//! - *Safety interpolants*: states from which no run reaches an error. A vertex whose path implies that of its
//!   location is *blocked*: not unwound further.
//! - *Error interpolants*: states from which a suffix of a refuted path may lead to an error. Where the path
//!   to a vertex implies that of its location, the suffix is tried at once.
//!
//! A reachability interpolant is a label of the vertex at which it was found. With [`Options::location_predicates`] it belongs to the
//! location as well, as in the paper (`reachability.rs`).
//!
//! Locations that cannot reach an error are removed first (section IV.A of the paper), and weights choose the
//! branch that completes a safety interpolant (section IV.B).
//!
//! # What is different from the paper
//!
//! Its safety interpolants are unsound as printed. The interpolant of the last reachable location of a refuted
//! path counts as full after *one* of its edges is refuted, so that a vertex may be cut off although another
//! edge leads to an error. And the interpolant of a location is only conjoined to: predecessors whose
//! interpolants were computed from the old one are stale, which in loops proves wrong statements. Here safety
//! interpolants are kept as in lazy annotation (K. L. McMillan, "Lazy annotation for program testing and
//! verification", CAV 2010): `safety.rs` has a disjunction of labels for each action, each of them
//! justified by a query at its action, and the label of a location is the conjunction over *all* its outgoing
//! actions. Weaker labels leave others justified.
//!
//! Labels of actions come from the tree. If a child is closed (its label is false, or it is blocked), the
//! conjuncts of its parent's label that imply, with the action, the safety label of the child's location are
//! a label of the action. A vertex whose label implies the label of its location is blocked, so that this
//! continues with its parent. Loops are closed together: if nothing below a vertex is open, and every cover below
//! it stays below it, the labels of the vertices below it justify each other.
//!
//! Error interpolants approximate the pre-image of a suffix from above, so that reporting an error where a path
//! implies them (the paper's rule) is wrong in general. Here they only say where to look: an error is reported
//! for a path that can be taken, and is replayed.
//!
//! # The invariant of a safe program
//!
//! `Inv(l)` is `A(l)`, the safety label of the location, or the label of one of the vertices of `l` that are
//! neither covered nor closed. It is inductive and excludes errors if no leaf is open:
//! - A step from `A(l)` ends in `A(l')`, and `A` of an error is false (see `safety.rs`).
//! - A step along an action from the label of such a vertex `v`: `v` is expanded. If there is no child along the
//!   action, the label of `v` excludes it. Otherwise the label of the child holds after the step, and the
//!   child is not covered or closed, so that its label is part of `Inv(l')`; or its label is false; or it is
//!   blocked, and its label implies `A(l')`; or it is covered by a vertex that is neither covered nor closed,
//!   whose label is part of `Inv(l')`. A child at an error has a false label: otherwise it would be open.
//! - The start is the root of the tree, which is expanded, or blocked: then the start is in `A(start)`.
//!
//! The certificate of this invariant is judged as those of other engines are.

mod errors;
mod options;
mod reachability;
mod safety;
mod search;
#[cfg(test)]
mod tests;
mod weights;

use craig_aig::Edge;
use craig_mc::Control;
use craig_mc::engine::options::{INTERPOLANTS, LABELLING, SYSTEM};
use craig_model::UnknownReason;

use super::actions::{ActionId, Actions};
use super::answer::{Answer, ErrorPath, Invariant};
use super::cfa::{Cfa, LocationId};
use super::drawing::Drawing;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query, with_options};
use super::labelling::{self, Labelling};
use super::labels::LabelId;
use super::refutation::{SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
use super::unwinding::{
    COVER_CANDIDATES, COVER_CONFLICTS, COVER_LOSSES, NO_EXPAND_QUERIES, NO_FORCE_COVER,
    NO_KNOWN_LABELS, NO_SLICE, WHOLE_PATHS,
};
use super::word_labels::LABELS;
use options::{LOCATION_PREDICATES, PROBE_INTERVAL, PROBES, SUFFIXES, WEIGHTS};
pub use options::{NAME, Options};
use search::Search;

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: reachability, safety and error interpolants (Tian, Duan, Duan and Ong 2017)",
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
        &INTERPOLANTS,
        &LOCATION_PREDICATES,
        &WEIGHTS,
        &SUFFIXES,
        &PROBES,
        &PROBE_INTERVAL,
    ],
    build: |settings| with_options(Options::chosen(settings), run),
};

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: Control<'_>) -> Answer {
    run(cfa, Query::of(bad), options, control).0
}

/// As [`check`], with the final tree if it is wanted.
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
        self.unwinding.draw(cfa, path)
    }

    fn into_invariant(self) -> Invariant {
        invariant(self.unwinding.actions, self)
    }
}

/// The invariant `Inv` of a complete tree.
fn invariant(actions: &Actions, search: Search<'_>) -> Invariant {
    let (labels, tree, mut refuter, safety) = search.into_parts();
    let uncovered = |location: LocationId| {
        let vertices = tree.at(location).iter();
        vertices.filter(|&&v| !tree.is_covered(v))
    };
    let distinct = |mut all: Vec<LabelId>| {
        all.sort_unstable();
        all.dedup();
        all
    };
    // The label of a closed vertex is false, or implies the safety label of its location.
    let words = refuter.invariant(actions, &labels.aig, |location| {
        let open = uncovered(location).filter(|&&v| !tree.vertex(v).is_closed());
        let open = distinct(open.map(|&v| tree.vertex(v).label).collect());
        let conjuncts = open.iter().map(|&label| labels.conjuncts(label).to_vec());
        let safe = safety.is_full(location).then(|| safety.conjuncts(location));
        conjuncts.chain(safe).collect()
    });
    let mut aig = labels.aig.clone();
    let invariant = Invariant::new(actions, &mut aig, |aig, location| {
        let all = distinct(uncovered(location).map(|&v| tree.vertex(v).label).collect());
        let mut edges: Vec<Edge> = (all.into_iter())
            .map(|label| aig.and_all(labels.conjuncts(label).to_vec()))
            .collect();
        edges.push(safety.formula(aig, location));
        aig.or_all(edges)
    });
    invariant.with_words(words)
}
