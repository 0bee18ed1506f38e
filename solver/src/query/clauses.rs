//! The arena that holds all clauses of a query solver.

use crate::clause_ref::ClauseRef;
use crate::lit::Lit;

const LEARNED: u32 = 1;
const TEMPORARY: u32 = 2;
const DELETED: u32 = 4;
const LENGTH_SHIFT: u32 = 3;
const HEADER: usize = 2;

/// The kind of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Permanent clause of the caller.
    Original,
    /// Derived from permanent clauses alone.
    Learned,
    /// Clause for the next queries only, or derived from such a clause.
    Temporary,
}

/// Clauses in one vector of words: two words of header (length and flags, activity), then the literals.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    words: Vec<u32>,
    wasted: usize,
    /// The maximal number of words.
    limit: usize,
}

const MAX_WORDS: usize = ClauseRef::NONE.index();

impl Default for Clauses {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            wasted: 0,
            limit: MAX_WORDS,
        }
    }
}

impl Clauses {
    /// Sets the maximal number of words. Clauses already stored stay.
    pub(super) fn set_limit(&mut self, words: usize) {
        self.limit = words.min(MAX_WORDS);
    }

    /// Adds a clause; `None` if there is no space for it.
    pub(super) fn push(&mut self, lits: &[Lit], kind: Kind) -> Option<ClauseRef> {
        if self.words.len() + lits.len() + HEADER > self.limit {
            return None;
        }
        let clause = ClauseRef::from_raw(self.words.len() as u32);
        let flags = match kind {
            Kind::Original => 0,
            Kind::Learned => LEARNED,
            Kind::Temporary => TEMPORARY,
        };
        self.words.push((lits.len() as u32) << LENGTH_SHIFT | flags);
        self.words.push(0f32.to_bits());
        self.words.extend(lits.iter().map(|lit| lit.code()));
        Some(clause)
    }

    #[inline]
    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        (self.words[clause.index()] >> LENGTH_SHIFT) as usize
    }

    #[inline]
    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.index()] & DELETED != 0
    }

    pub(super) fn kind(&self, clause: ClauseRef) -> Kind {
        match self.words[clause.index()] & (LEARNED | TEMPORARY) {
            0 => Kind::Original,
            LEARNED => Kind::Learned,
            _ => Kind::Temporary,
        }
    }

    /// The literals, as codes.
    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.index() + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.index() + HEADER;
        let end = start + self.len(clause);
        &mut self.words[start..end]
    }

    pub(super) fn activity(&self, clause: ClauseRef) -> f32 {
        f32::from_bits(self.words[clause.index() + 1])
    }

    pub(super) fn set_activity(&mut self, clause: ClauseRef, activity: f32) {
        self.words[clause.index() + 1] = activity.to_bits();
    }

    /// Marks a clause as deleted; watches of it are removed when they are next visited.
    pub(super) fn delete(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_deleted(clause));
        self.words[clause.index()] |= DELETED;
        self.wasted += HEADER + self.len(clause);
    }

    /// How many words deleted clauses take.
    pub(super) fn wasted(&self) -> usize {
        self.wasted
    }

    /// How many words there are.
    pub(super) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// The clause at or after a position of the arena, if there is one, deleted ones included.
    pub(super) fn first(&self) -> Option<ClauseRef> {
        (!self.words.is_empty()).then_some(ClauseRef::from_raw(0))
    }

    /// The clause that follows another in the arena.
    pub(super) fn following(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let next = clause.index() + HEADER + self.len(clause);
        (next < self.words.len()).then_some(ClauseRef::from_raw(next as u32))
    }

    /// Removes the deleted clauses. References into the arena become invalid.
    pub(super) fn compact(&mut self) {
        let mut write = 0;
        let mut read = 0;
        while read < self.words.len() {
            let size = HEADER + (self.words[read] >> LENGTH_SHIFT) as usize;
            if self.words[read] & DELETED == 0 {
                self.words.copy_within(read..read + size, write);
                write += size;
            }
            read += size;
        }
        self.words.truncate(write);
        self.wasted = 0;
    }
}
