//! The arrays of which elements are tracked, and by what the index of these is chosen.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Shape;
use craig_word::Term;

/// The width of the prophecy index.
pub const INDEX_BITS: u32 = 32;

/// What the prophecy index of a run with an error is chosen by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexChoice {
    /// The read that the error is assigned to.
    Read,
    /// The first store to a tracked array before all cuts. Errors are not gated then.
    Store,
    /// The last two reads that the error depends on: there are two prophecy indices.
    Pair,
    /// As with [`IndexChoice::Read`]; there is a second prophecy index, which is a function of the first one and of the
    /// state in the step of the error: see `automaton/derived_index.rs`.
    Derived,
    /// The first read that changes a word on which an error depends, in any step: see `automaton/first_change.rs`. If
    /// there is none, the read that the error is assigned to.
    Change,
    /// There is no prophecy index: of each array, the elements at this many last indices are tracked, at least one.
    Recent(u32),
}

impl IndexChoice {
    /// The number of prophecy indices.
    pub fn n_indices(self) -> usize {
        match self {
            Self::Read | Self::Store | Self::Change => 1,
            Self::Pair | Self::Derived => 2,
            Self::Recent(_) => 0,
        }
    }

    /// The number of last indices of each array, if there is no prophecy index.
    pub(super) fn n_recent(self) -> Option<usize> {
        match self {
            Self::Recent(n) => Some(n.max(1) as usize),
            _ => None,
        }
    }
}

/// The arrays of which an element is tracked.
pub struct Elements {
    /// The object without bytes whose words are the prophecy indices.
    pub index: ObjectId,
    /// The arrays, each with the shape of an element. Their tracked cells come after the word with their
    /// size, those of the first index before those of the second; see `elements/recent.rs` for those of last indices.
    pub tracked: BTreeMap<ObjectId, Arc<Shape>>,
    /// Arrays with cells that are accessed at an unknown index: the analysis starts again without their
    /// cells.
    pub(super) wanted: BTreeSet<ObjectId>,
    /// Arrays with more elements lose their cells at an unknown index.
    pub(super) most: u64,
    /// The shapes of elements of allocated arrays.
    pub(super) allocated: HashMap<ObjectId, Arc<Shape>>,
    /// Allocated arrays whose first word is the number of their elements, with the size of an element. That of others
    /// is their size in bytes.
    pub lengths: BTreeMap<ObjectId, u64>,
    /// Allocated arrays that had a size which is no multiple of that of an element by its form.
    pub(super) in_bytes: BTreeSet<ObjectId>,
    /// What the prophecy index is chosen by.
    pub choice: IndexChoice,
    /// Whether the next store chooses the prophecy index: it is the first one of an execution from the start of the
    /// program.
    pub(super) chooses: bool,
    /// The inputs for what was read since the last store, by array, offset and number of bytes.
    pub(super) latest: HashMap<(ObjectId, Term, u32), Term>,
}

impl Elements {
    /// No array is tracked yet; those of more elements than `most` may be.
    pub(crate) fn new(index: ObjectId, most: u64, choice: IndexChoice) -> Self {
        Self {
            index,
            choice,
            chooses: false,
            tracked: BTreeMap::new(),
            wanted: BTreeSet::new(),
            most,
            allocated: HashMap::new(),
            lengths: BTreeMap::new(),
            in_bytes: BTreeSet::new(),
            latest: HashMap::new(),
        }
    }

    /// Whether the analysis has to start again.
    pub(crate) fn wants_more(&self) -> bool {
        !self.wanted.is_empty()
    }
}
