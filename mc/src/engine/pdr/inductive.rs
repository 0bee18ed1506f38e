//! Which of some clauses over states are invariants.

use super::options::Options;
use super::state::Pdr;
use super::transition::Transition;
use crate::circuit::model::Model;
use crate::control::{Control, StateClause};

/// The largest subset of some clauses that holds in all reset states and is preserved by every step under the
/// constraints; none if the control ends the search for it, or the model has reset functions. Clauses over latches on
/// which bad number `property` does not depend are left out.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn inductive_clauses(
    model: &Model,
    property: usize,
    clauses: Vec<StateClause>,
    control: &Control,
) -> Vec<StateClause> {
    if clauses.is_empty() || model.has_reset_functions() {
        return Vec::new();
    }
    let own = control.apart().with_candidates(clauses);
    let transition = Transition::new(model, property, None);
    let mut pdr = Pdr::new(transition, Options::default(), &own);
    match pdr.try_candidates() {
        Ok(()) => own.invariants(0),
        Err(_) => Vec::new(),
    }
}
