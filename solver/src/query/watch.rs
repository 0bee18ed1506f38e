//! Which clauses to visit when a literal becomes false.

use super::clauses::ClauseRef;
use crate::lit::Lit;

/// An entry of a watch list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// The clause, with the top bit set if it has just two literals.
    tagged: u32,
    /// Another literal of the clause; in a binary clause, the other one.
    pub(super) blocker: Lit,
}

const BINARY: u32 = 1 << 31;

impl Watch {
    /// A watch of `clause`, whose other watched literal or any other one is `blocker`.
    #[inline]
    pub(super) fn new(clause: ClauseRef, blocker: Lit, binary: bool) -> Self {
        debug_assert!(clause < BINARY);
        Self {
            tagged: if binary { clause | BINARY } else { clause },
            blocker,
        }
    }

    /// The clause.
    #[inline]
    pub(super) fn clause(self) -> ClauseRef {
        self.tagged & !BINARY
    }

    /// Whether the clause has just two literals.
    #[inline]
    pub(super) fn is_binary(self) -> bool {
        self.tagged & BINARY != 0
    }
}
