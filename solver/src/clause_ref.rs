//! References to clauses of a store, and watches.

use crate::lit::Lit;

/// The index of a clause's first word in the vector that holds all clauses. The stores are kept below 2^31
/// words, so that the top bit is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClauseRef(u32);

impl ClauseRef {
    /// The reference that names no clause: "no reason", "no conflict".
    pub(crate) const NONE: Self = Self(u32::MAX >> 1);

    /// The reference whose word is `raw`.
    #[inline]
    pub(crate) fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The word of the reference.
    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    /// The index in the store.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

const BINARY: u32 = 1 << 31;

/// An entry of the watch list of a literal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// A literal of the clause other than the watching one; in a binary clause, the other one.
    pub(crate) blocker: Lit,
    /// The clause, with the top bit set if it has just two literals.
    clause: u32,
}

impl Watch {
    /// A watch for `clause`.
    #[inline]
    pub(crate) fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Self {
        debug_assert!(clause.raw() & BINARY == 0);
        Self {
            blocker,
            clause: clause.raw() | if binary { BINARY } else { 0 },
        }
    }

    /// Whether the clause consists of just the watching literal and the blocker.
    #[inline]
    pub(crate) fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }

    /// The clause.
    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        ClauseRef::from_raw(self.clause & !BINARY)
    }
}
