//! The state of a search between queries.

use std::rc::Rc;

use craig_solver::Lit;

use super::activity::{Activities, Random};
use super::effort::Effort;
use super::frames::Frames;
use super::lemma::Lemma;
use super::logic::ConeSolver;
use super::obligations::{Obligation, Queue};
use super::options::Options;
use super::transition::Transition;
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;

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
}

/// The state of a search.
pub(in crate::engine) struct Pdr<'a> {
    pub(in crate::engine) transition: Transition,
    pub(in crate::engine) options: Options,
    pub(in crate::engine) control: &'a Control,
    pub(in crate::engine) frames: Frames,
    /// The solver with the clauses of the logic alone.
    pub(super) lift_solver: ConeSolver,
    pub(super) queue: Queue,
    pub(super) activities: Activities,
    pub(super) random: Random,
    pub(super) imports: Imports,
    pub(super) queries: u64,
    pub(super) effort: Effort,
    /// The number of propagations at which the other attempt at the same proof continues.
    pub(super) end_of_turn: Option<u64>,
    pub(super) scratch: Vec<Lit>,
}

impl<'a> Pdr<'a> {
    pub(in crate::engine) fn new(
        transition: Transition,
        options: Options,
        control: &'a Control,
    ) -> Self {
        let mut constrained = transition.logic.clone();
        for &constraint in &transition.constraints {
            constrained.add_clause(&[constraint]);
        }
        let initial = constrained
            .clone()
            .with_facts(transition.initial().collect());
        Self {
            frames: Frames::new(initial, constrained),
            lift_solver: transition.logic.clone(),
            queue: Queue::default(),
            activities: Activities::new(transition.n_latches(), options.seed),
            random: Random::new(options.seed),
            imports: Imports::default(),
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
        let sizes: Vec<String> = self.frames.lemmas[1..]
            .iter()
            .map(|lemmas| lemmas.len().to_string())
            .collect();
        format!(
            "{} queries, {}; lemmas by frame: {}, infinity frame: {}",
            self.queries,
            self.effort,
            sizes.join(" "),
            self.frames.infinity.len()
        )
    }
}
