//! The arrays of which an automaton tracks elements.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_c_exec::symbolic::IndexChoice;
use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Shape;
use craig_word::Term;

/// The arrays of which elements are tracked.
pub(super) struct TrackedArrays {
    /// The object whose words are the prophecy indices.
    pub(super) index: ObjectId,
    /// The shape of an element of each.
    pub(super) tracked: BTreeMap<ObjectId, Arc<Shape>>,
    pub(super) choice: IndexChoice,
    /// How the two indices are related in all runs of the automaton, if they are.
    pub(super) relation: Option<Term>,
    /// The calling context and the slot of those that are local.
    pub(super) slots: BTreeMap<ObjectId, (u32, u32)>,
}
