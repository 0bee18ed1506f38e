//! The state of a search between queries.

use std::rc::Rc;

use craig_model::UnknownReason;
use craig_solver::Lit;

use super::activity::{Activities, Random};
use super::effort::Effort;
use super::frames::Frames;
use super::lemma::Lemma;
use super::logic::ConeSolver;
use super::obligations::{Obligation, Queue};
use super::options::Options;
use super::ternary::Ternary;
use super::transition::Transition;
use crate::control::Control;

/// A bad that is a disjunction of at least `FEWEST_PARTS` parts is asked about part by part.
const FEWEST_PARTS: usize = 32;

/// The engine's name.
pub const NAME: &str = "pdr";

/// The search ends without an answer, for this reason.
pub(in crate::engine) struct Stop(pub(in crate::engine) UnknownReason);

/// The result of a search.
pub(super) enum End {
    /// The lemmas of an inductive frame.
    Invariant(Vec<Lemma>),
    /// An obligation whose states include an initial one.
    Reached(Rc<Obligation>),
}

/// The state of the import of other engines' lemmas.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// The number of shared invariants read.
    pub(super) seen: usize,
    /// Whether one could not be used. Later ones may depend on it, so they can't be used either.
    pub(super) broken: bool,
    /// The number of suggestions read.
    pub(super) suggestions: usize,
}

/// The state of a search.
pub(in crate::engine) struct Pdr<'a> {
    pub(in crate::engine) transition: Transition,
    pub(in crate::engine) options: Options,
    pub(in crate::engine) control: Control<'a>,
    pub(in crate::engine) frames: Frames,
    /// Whether solvers for each purpose would take too much memory: frames share one, and steps are lifted without.
    pub(super) is_large: bool,
    /// Literals whose disjunction is the bad: they are asked about one by one, so that the questions are about small
    /// cones.
    pub(super) bad_parts: Vec<Lit>,
    /// The number of first parts that are excluded by the last frame.
    pub(super) n_parts_excluded: usize,
    /// The solver with the clauses of the logic alone.
    pub(super) lift_solver: ConeSolver,
    /// Three-valued simulation; made when it is first used.
    pub(super) ternary: Option<Ternary>,
    pub(super) queue: Queue,
    pub(super) activities: Activities,
    pub(super) random: Random,
    pub(super) imports: Imports,
    /// The number of obligations that might have been shared, and the largest depth of one that was.
    pub(super) n_targets: u64,
    pub(super) farthest_target: usize,
    pub(super) queries: u64,
    pub(super) effort: Effort,
    /// The number of propagations at which the other attempt at the same proof continues.
    pub(super) end_of_turn: Option<u64>,
    pub(super) scratch: Vec<Lit>,
}

impl<'a> Pdr<'a> {
    pub(in crate::engine) fn new(
        mut transition: Transition,
        options: Options,
        control: Control<'a>,
    ) -> Self {
        if transition.n_vars() > options.most_whole {
            transition.logic.set_local();
        }
        let mut constrained = transition.logic.clone();
        for &constraint in &transition.constraints {
            constrained.add_clause(&[constraint]);
        }
        // Each step that is found has values of all signals.
        for signal in transition.signals() {
            constrained.include(signal);
        }
        let initial = constrained
            .clone()
            .with_facts(transition.initial().collect());
        let mut bad_parts = transition.bad_parts();
        if bad_parts.len() < FEWEST_PARTS {
            bad_parts = vec![transition.bad];
        }
        let is_large = transition.n_vars() > options.most_separate;
        Self {
            is_large,
            bad_parts,
            n_parts_excluded: 0,
            frames: Frames::new(initial, constrained, is_large, options.most_loaded),
            lift_solver: transition.logic.clone(),
            ternary: None,
            queue: Queue::default(),
            activities: Activities::new(transition.n_latches(), options.seed),
            random: Random::new(options.seed),
            imports: Imports::default(),
            n_targets: 0,
            farthest_target: 0,
            queries: 0,
            effort: Effort::default(),
            end_of_turn: None,
            scratch: Vec::new(),
            transition,
            options,
            control,
        }
    }

    /// Sorts latch literals, least active first.
    pub(in crate::engine) fn sort_by_activity(&self, lits: &mut [Lit]) {
        self.activities.sort(lits, &self.transition);
    }

    /// The sizes of the frames.
    pub(in crate::engine) fn describe(&self) -> String {
        let lemmas = &self.frames.lemmas;
        let sizes = (1..=self.frames.level()).map(|frame| lemmas.n_of(frame).to_string());
        let sizes: Vec<String> = sizes.collect();
        format!(
            "{} queries, {}; lemmas by frame: {}, infinity frame: {}",
            self.queries,
            self.effort,
            sizes.join(" "),
            lemmas.n_forever()
        )
    }
}
