//! Invariants of the search for one property as candidates for the next.

use std::collections::HashSet;

use craig_mc::circuit::reduce::Shared;
use craig_mc::engine::pdr::choose_inductive;
use craig_mc::{Board, Control, StateClause};
use craig_model::Model;

/// With more lemmas from other properties than this, trying them is not worth its cost.
const MOST_LEMMAS: usize = 1000;

/// Clauses about a model's latches that were invariants of some reduction of it. For another property they
/// are candidates, which its engine has to prove again.
#[derive(Debug, Default)]
pub struct Lemmas {
    /// The reduction of the model for all its bads together, if there is one.
    pub(crate) shared: Option<Shared>,
    clauses: Vec<StateClause>,
    known: HashSet<StateClause>,
    /// Whether those that are inductive are found and shared before the search: most engines try no candidates.
    are_selected: bool,
}

impl Lemmas {
    /// The candidates of a control.
    pub(crate) fn suggested(control: Control<'_>) -> Self {
        let mut lemmas = Self::default();
        lemmas.extend(control.board.candidates().iter().cloned());
        lemmas.are_selected = true;
        lemmas
    }

    /// The clauses.
    pub(crate) fn clauses(&self) -> &[StateClause] {
        &self.clauses
    }

    /// The board for the search of a model, of which `candidates` are the clauses: this one, with them as hints, or with those
    /// of them that are inductive as invariants.
    pub(crate) fn known_to(
        &self,
        model: &Model,
        property: usize,
        candidates: Vec<StateClause>,
        board: Board,
        control: Control<'_>,
    ) -> Board {
        if self.are_selected && !candidates.is_empty() {
            board.share_invariants(choose_inductive(model, property, &candidates, control));
            return board.with_candidates(Vec::new());
        }
        board.with_candidates(candidates)
    }

    /// Adds invariants of a reduced model, whose latches have these numbers in the original. Clauses over a latch that only the
    /// reduced model has are dropped.
    pub(crate) fn add_reduced(&mut self, clauses: Vec<StateClause>, numbers: &[Option<usize>]) {
        let spread = |clause: StateClause| {
            (clause.into_iter())
                .map(|(latch, value)| Some((numbers[latch]?, value)))
                .collect()
        };
        self.extend(clauses.into_iter().filter_map(spread));
    }

    /// Adds clauses about the model's latches.
    pub(crate) fn extend(&mut self, clauses: impl IntoIterator<Item = StateClause>) {
        for mut clause in clauses {
            clause.sort_unstable();
            if self.clauses.len() < MOST_LEMMAS && self.known.insert(clause.clone()) {
                self.clauses.push(clause);
            }
        }
    }
}
