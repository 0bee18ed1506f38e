//! Which of some clauses over states are invariants.

use crate::board::Board;
use crate::control::{Alone, Control, StateClause};
use std::time::Duration;

use craig_model::Model;

use super::options::Options;
use super::state::Pdr;
use super::transition::Transition;

/// The clauses of the first attempt.
const FEWEST: usize = 16;

/// The largest subset of some clauses that holds in all reset states and is preserved by every step under the
/// constraints; none if the model has reset functions. If the control ends the search for it, that of fewer clauses: the
/// first ones of the list. Clauses over latches on which bad number `property` does not depend are left out.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn inductive_clauses(
    model: &Model,
    property: usize,
    clauses: &[StateClause],
    control: Control<'_>,
) -> Vec<StateClause> {
    let mut found = Vec::new();
    if clauses.is_empty() || model.has_reset_functions() {
        return found;
    }
    let mut n_tried = FEWEST;
    // Each attempt has twice as many clauses, so that all together take about twice as long as the last one.
    loop {
        let first = clauses[..n_tried.min(clauses.len())].to_vec();
        match inductive_part(model, property, first, control) {
            Some(part) => found = part,
            None => return found,
        }
        if n_tried >= clauses.len() {
            return found;
        }
        n_tried *= 2;
    }
}

/// The share of the time that is left, in percent, for the choice of those clauses that are inductive, and the most of it.
const CHOICE_PERCENT: u32 = 5;
const CHOICE_PATIENCE: Duration = Duration::from_secs(1);

/// Those of some candidates that [`inductive_clauses`] finds in a small part of the time that is left.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn choose_inductive(
    model: &Model,
    property: usize,
    candidates: &[StateClause],
    control: Control<'_>,
) -> Vec<StateClause> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let stop = control.stop.clone();
    let own = Alone::until(stop.within(CHOICE_PERCENT, CHOICE_PATIENCE));
    let found = inductive_clauses(model, property, candidates, own.control());
    control.listener.note("lemmas", || {
        let n_candidates = candidates.len();
        format!("{} of {n_candidates} clauses are inductive", found.len())
    });
    found
}

/// The largest inductive subset of some clauses; `None` if the control ends the search for it.
fn inductive_part(
    model: &Model,
    property: usize,
    clauses: Vec<StateClause>,
    control: Control<'_>,
) -> Option<Vec<StateClause>> {
    let own = Alone {
        board: Board::about(model, property).with_candidates(clauses),
        ..Alone::until(control.stop.clone())
    };
    let transition = Transition::new(model, property, None);
    let mut pdr = Pdr::new(transition, Options::default(), own.control());
    pdr.try_candidates().ok()?;
    Some(own.board.invariants(0))
}
