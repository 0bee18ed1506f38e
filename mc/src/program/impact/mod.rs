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
//! - A child is only made if the label of its parent allows its action.
//! - A path is refuted together with what the labels on it say already.
//! - Forced covering is tried where paths meet.

mod draw;
mod search;
#[cfg(test)]
mod tests;
pub(super) mod unwinding;

use craig_solver::aig::Edge;

use super::actions::Actions;
use super::answer::{Answer, Invariant, Run};
use super::cfa::Cfa;
use super::drawing::Drawing;
use super::engine::{BLOCKS, ProgramEngine, Query};
use super::labels::{LabelId, Labels};
use super::refutation::{Dial, SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
use crate::control::Control;
use crate::engine::options::{EngineOption, Range, SYSTEM, Settings};
use search::Search;
use unwinding::Unwinding;

/// The engine's name.
pub const NAME: &str = "impact";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The derivation of interpolants.
    pub dial: Dial,
    /// The number of latest vertices of a location that are tried for a forced covering; 0 for none.
    pub cover_candidates: usize,
    /// Whether assignments on which nothing later depends are omitted from paths.
    pub slice: bool,
    /// Whether paths are refuted together with the labels on them.
    pub know_labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dial: Dial::default(),
            cover_candidates: 3,
            slice: true,
            know_labels: true,
        }
    }
}

const NO_FORCE_COVER: EngineOption = EngineOption {
    name: "no-force-cover",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact`: do not strengthen labels so that a vertex is covered (forced covering)",
    is_flag: true,
};

const COVER_CANDIDATES: EngineOption = EngineOption {
    name: "cover-candidates",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("3"),
    text: "For `impact`: try a forced covering with so many of the latest vertices of the same location",
    is_flag: true,
};

const NO_SLICE: EngineOption = EngineOption {
    name: "no-slice",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact`: keep assignments on a path that nothing later on it depends on",
    is_flag: true,
};

const NO_KNOWN_LABELS: EngineOption = EngineOption {
    name: "no-known-labels",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact`: refute paths without what the labels on them say already, as in the paper",
    is_flag: true,
};

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: lazy abstraction with interpolants (McMillan 2006)",
    options: &[
        &SYSTEM,
        &TRANSFORM,
        &SIMPLIFY,
        &BLOCKS,
        &NO_FORCE_COVER,
        &COVER_CANDIDATES,
        &NO_SLICE,
        &NO_KNOWN_LABELS,
    ],
    build: |settings| {
        let options = Options::chosen(settings);
        std::sync::Arc::new(move |cfa, query, control| run(cfa, query, &options, control))
    },
};

impl Options {
    fn chosen(settings: &Settings) -> Self {
        let candidates = settings.count(&COVER_CANDIDATES).unwrap_or_default();
        let force = !settings.switch(&NO_FORCE_COVER);
        Self {
            dial: Dial::chosen(settings),
            cover_candidates: if force { candidates } else { 0 },
            slice: !settings.switch(&NO_SLICE),
            know_labels: !settings.switch(&NO_KNOWN_LABELS),
        }
    }
}

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: &Control) -> Answer {
    let query = Query { bad, draws: false };
    run(cfa, query, options, control).0
}

/// The same, with the final unwinding if it is wanted.
fn run(cfa: &Cfa, query: Query, options: &Options, control: &Control) -> (Answer, Option<Drawing>) {
    let actions = Actions::new(cfa, query.bad);
    let mut search = Search::new(&actions, options, control);
    let found = search.run();
    let (labels, tree) = search.into_parts();
    let drawing = (query.draws).then(|| draw::draw(cfa, &actions, &labels, &tree));
    let answer = match found {
        Err(reason) => Answer::Unknown(reason),
        Ok(Some(found)) => Answer::Unsafe(Run::new(cfa, &actions, &found.path, found.chosen)),
        Ok(None) => Answer::Safe(Box::new(invariant(cfa, &actions, labels, &tree))),
    };
    (answer, drawing)
}

/// The safety invariant of a complete unwinding: at each location the disjunction of the labels of its
/// vertices that are not covered (theorem 1).
fn invariant(cfa: &Cfa, actions: &Actions, mut labels: Labels, tree: &Unwinding) -> Invariant {
    let mut formulas = Vec::new();
    for location in cfa.location_ids() {
        let mut disjuncts: Vec<LabelId> = (tree.at(location).iter())
            .filter(|&&v| !tree.is_covered(v))
            .map(|&v| tree.vertex(v).label)
            .collect();
        disjuncts.sort_unstable();
        disjuncts.dedup();
        let formula = match location {
            Cfa::START => {
                let inputs = labels.aig.inputs();
                let zero = |&bit: &u32| Edge::new(inputs[bit as usize], true);
                let zeros: Vec<Edge> = actions.start_bits().iter().map(zero).collect();
                labels.aig.and_all(zeros)
            }
            _ if !actions.reaches(location) => Edge::TRUE,
            _ => {
                let edges: Vec<Edge> = (disjuncts.into_iter())
                    .map(|label| labels.formula(label))
                    .collect();
                labels.aig.or_all(edges)
            }
        };
        formulas.push(formula);
    }
    Invariant::new(&labels.aig, actions.bits().to_vec(), &formulas)
}
