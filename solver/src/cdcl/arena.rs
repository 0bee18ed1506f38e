//! The clause store: one flat vector of 32-bit words.
//!
//! A clause is a header of [`HEADER`] words followed by its literals, and is named by the index of its
//! header. One vector keeps clauses that were allocated together close together in memory, makes a
//! clause reference four bytes instead of eight, and lets the garbage collector work by copying words.
//!
//! Removed clauses stay where they are, marked as garbage, until [`Arena::collect`] compacts the
//! vector and leaves a forwarding address in each old header.

use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ClauseId;

/// Header words: size, flags, proof id, and where to look for a literal to watch.
const HEADER: usize = 4;
const SIZE: usize = 0;
const FLAGS: usize = 1;
const ID: usize = 2;
const SEARCH: usize = 3;

/// The parts of a clause that propagation reads.
pub(super) struct Visited<'a> {
    /// The literals, as codes.
    pub(super) codes: &'a mut [u32],
    /// The position at which the last search for a literal to watch ended: from 2 to the size of the clause.
    /// A search that always started at position 2 would visit the same false literals again and again in long
    /// clauses (Gent, "Optimal implementation of watched literals and more general techniques", JAIR 2013).
    pub(super) search: &'a mut u32,
}

const REDUNDANT: u32 = 1;
const GARBAGE: u32 = 2;
/// A clause that was moved by the collector; its id word holds the new reference.
const MOVED: u32 = 4;
/// A clause that is removed after the current call; see `temporary`.
const TEMPORARY: u32 = 8;
/// A clause that vivification has tried in the current round over all candidates.
const VIVIFIED: u32 = 16;
/// A clause that has been tried as a subsuming one since it last changed.
const SUBSUMPTION_TRIED: u32 = 32;
/// A redundant clause from hyper-binary resolution, to be dropped at the next reduction unless a conflict
/// uses it.
const HYPER_BINARY: u32 = 64;
const USED_SHIFT: u32 = 8;
const USED_MASK: u32 = 0xff << USED_SHIFT;
const GLUE_SHIFT: u32 = 16;
/// Glues above this are stored as this.
const MAX_GLUE: u32 = 0xffff;

/// The clause store.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    words: Vec<u32>,
    garbage_words: usize,
    /// The maximal number of words.
    limit: usize,
}

impl Default for Arena {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            garbage_words: 0,
            limit: ClauseRef::NONE.index(),
        }
    }
}

impl Arena {
    /// Sets the maximal number of words. Clauses already stored stay.
    pub(super) fn set_limit(&mut self, words: usize) {
        self.limit = words.min(ClauseRef::NONE.index());
    }

    /// Whether there is space for `n_clauses` clauses with `n_lits` literals altogether.
    pub(super) fn has_room(&self, n_clauses: usize, n_lits: usize) -> bool {
        self.words.len() + HEADER * n_clauses + n_lits <= self.limit
    }

    /// Stores a clause of at least one literal; `None` if there is no space for it.
    pub(super) fn alloc(
        &mut self,
        lits: &[Lit],
        redundant: bool,
        glue: u32,
        id: ClauseId,
    ) -> Option<ClauseRef> {
        debug_assert!(!lits.is_empty());
        let start = self.words.len();
        if !self.has_room(1, lits.len()) {
            return None;
        }
        self.words.extend_from_slice(&[
            lits.len() as u32,
            u32::from(redundant) | glue.min(MAX_GLUE) << GLUE_SHIFT,
            id,
            2,
        ]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        Some(ClauseRef::from_raw(start as u32))
    }

    /// How many literals the clause has.
    #[inline]
    pub(super) fn size(&self, clause: ClauseRef) -> usize {
        self.words[clause.index() + SIZE] as usize
    }

    /// Literal number `position` of the clause.
    #[inline]
    pub(super) fn lit(&self, clause: ClauseRef, position: usize) -> Lit {
        Lit::from_stored(self.words[clause.index() + HEADER + position])
    }

    /// The clause's literals, as codes.
    #[inline]
    pub(super) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.index() + HEADER;
        &self.words[start..start + self.size(clause)]
    }

    /// The clause's literals, as codes that may be reordered.
    #[inline]
    pub(super) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.index() + HEADER;
        let size = self.size(clause);
        &mut self.words[start..start + size]
    }

    /// The parts of a clause that propagation reads, without bounds checks.
    ///
    /// # Safety
    /// `clause` names a clause of this arena.
    #[inline]
    pub(super) unsafe fn visit_unchecked(&mut self, clause: ClauseRef) -> Visited<'_> {
        let start = clause.index() + HEADER;
        debug_assert!(start + self.size(clause) <= self.words.len());
        // SAFETY: a clause's header and literals lie within the arena, by construction in `alloc`; and the
        // header is HEADER words long.
        unsafe {
            let size = *self.words.get_unchecked(clause.index() + SIZE) as usize;
            let words = self.words.get_unchecked_mut(clause.index()..start + size);
            let (header, codes) = words.split_at_mut_unchecked(HEADER);
            let search = header.get_unchecked_mut(SEARCH);
            Visited { codes, search }
        }
    }

    /// The clause's literals.
    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> impl ExactSizeIterator<Item = Lit> + '_ {
        self.codes(clause)
            .iter()
            .map(|&code| Lit::from_stored(code))
    }

    /// The number of the clause in the proof.
    #[inline]
    pub(super) fn id(&self, clause: ClauseRef) -> ClauseId {
        self.words[clause.index() + ID]
    }

    /// Whether the clause is implied by the irredundant ones, so that it may be removed.
    #[inline]
    pub(super) fn is_redundant(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & REDUNDANT != 0
    }

    /// Marks the clause as irredundant.
    pub(super) fn make_irredundant(&mut self, clause: ClauseRef) {
        self.words[clause.index() + FLAGS] &= !(REDUNDANT | HYPER_BINARY);
    }

    /// Whether the clause has been removed.
    #[inline]
    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & GARBAGE != 0
    }

    /// Removes the clause; its words are reclaimed by [`Arena::collect`].
    pub(super) fn mark_garbage(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_garbage(clause));
        self.words[clause.index() + FLAGS] |= GARBAGE;
        self.garbage_words += HEADER + self.size(clause);
    }

    /// Replaces the clause by some of its literals, under another id. The unused words are garbage.
    pub(super) fn shrink(&mut self, clause: ClauseRef, lits: &[Lit], id: ClauseId) {
        let (start, size) = (clause.index(), self.size(clause));
        debug_assert!(lits.len() <= size);
        self.words[start + SIZE] = lits.len() as u32;
        self.words[start + FLAGS] &= !(SUBSUMPTION_TRIED | HYPER_BINARY);
        self.words[start + ID] = id;
        self.words[start + SEARCH] = 2;
        for (offset, lit) in lits.iter().enumerate() {
            self.words[start + HEADER + offset] = lit.code();
        }
        self.garbage_words += size - lits.len();
        let glue = self.glue(clause).min(lits.len() as u32 - 1);
        self.set_glue(clause, glue);
    }

    /// Whether the clause holds for the current call only.
    #[inline]
    pub(super) fn is_temporary(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & TEMPORARY != 0
    }

    /// Marks the clause as temporary.
    pub(super) fn mark_temporary(&mut self, clause: ClauseRef) {
        self.words[clause.index() + FLAGS] |= TEMPORARY;
    }

    /// Whether the clause is redundant and comes from hyper-binary resolution, so that the next reduction
    /// removes it unless a conflict uses it.
    pub(super) fn is_hyper_binary(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & HYPER_BINARY != 0
    }

    /// Marks the redundant clause as coming from hyper-binary resolution.
    pub(super) fn mark_hyper_binary(&mut self, clause: ClauseRef) {
        debug_assert!(self.is_redundant(clause) && self.size(clause) == 2);
        self.words[clause.index() + FLAGS] |= HYPER_BINARY;
    }

    /// Whether vivification has tried the clause lately.
    pub(super) fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & VIVIFIED != 0
    }

    /// Sets whether vivification has tried the clause lately.
    pub(super) fn set_vivified(&mut self, clause: ClauseRef, vivified: bool) {
        let flags = &mut self.words[clause.index() + FLAGS];
        *flags = *flags & !VIVIFIED | if vivified { VIVIFIED } else { 0 };
    }

    /// Whether the clause has been tried as a subsuming one since it last changed.
    pub(super) fn is_subsumption_tried(&self, clause: ClauseRef) -> bool {
        self.words[clause.index() + FLAGS] & SUBSUMPTION_TRIED != 0
    }

    /// Marks the clause as tried as a subsuming one.
    pub(super) fn set_subsumption_tried(&mut self, clause: ClauseRef) {
        self.words[clause.index() + FLAGS] |= SUBSUMPTION_TRIED;
    }

    /// Whether the garbage alone justifies a collection.
    pub(super) fn is_mostly_garbage(&self) -> bool {
        self.garbage_words > self.words.len() / 2
    }

    /// The number of decision levels among the clause's literals when it was last computed.
    #[inline]
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.index() + FLAGS] >> GLUE_SHIFT
    }

    /// Sets a (smaller) glue.
    #[inline]
    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        let flags = &mut self.words[clause.index() + FLAGS];
        *flags = *flags & ((1 << GLUE_SHIFT) - 1) | glue.min(MAX_GLUE) << GLUE_SHIFT;
    }

    /// How recently the clause took part in a conflict; see `reduce`.
    #[inline]
    pub(super) fn used(&self, clause: ClauseRef) -> u32 {
        (self.words[clause.index() + FLAGS] & USED_MASK) >> USED_SHIFT
    }

    /// Sets what [`Arena::used`] returns; at most 255.
    #[inline]
    pub(super) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        debug_assert!(used <= 0xff);
        let flags = &mut self.words[clause.index() + FLAGS];
        *flags = *flags & !USED_MASK | used << USED_SHIFT;
    }

    /// The bytes in use, those of removed clauses included.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// How many words belong to removed clauses.
    pub(super) fn n_garbage_words(&self) -> usize {
        self.garbage_words
    }

    /// Moves all clauses that are not garbage together. The order of `order` becomes the order in
    /// memory; clauses that it doesn't list are dropped. Returns the old store, to ask
    /// [`OldArena::moved`] where a clause went.
    pub(super) fn collect(&mut self, order: impl Iterator<Item = ClauseRef>) -> OldArena {
        let capacity = self.words.len() - self.garbage_words;
        let mut old = std::mem::replace(&mut self.words, Vec::with_capacity(capacity));
        self.garbage_words = 0;
        for clause in order {
            let start = clause.index();
            if old[start + FLAGS] & (GARBAGE | MOVED) != 0 {
                continue;
            }
            let end = start + HEADER + old[start + SIZE] as usize;
            let new = self.words.len() as u32;
            self.words.extend_from_slice(&old[start..end]);
            old[start + FLAGS] |= MOVED;
            old[start + ID] = new;
        }
        OldArena { words: old }
    }
}

/// What [`Arena::collect`] leaves: forwarding addresses.
pub(super) struct OldArena {
    words: Vec<u32>,
}

impl OldArena {
    /// Where the clause is now; `None` if it was dropped.
    #[inline]
    pub(super) fn moved(&self, clause: ClauseRef) -> Option<ClauseRef> {
        (self.words[clause.index() + FLAGS] & MOVED != 0)
            .then(|| ClauseRef::from_raw(self.words[clause.index() + ID]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    fn lits(numbers: &[i64]) -> Vec<Lit> {
        numbers
            .iter()
            .map(|&number| Lit::from_dimacs(number).unwrap())
            .collect()
    }

    #[test]
    fn header_fields_do_not_disturb_each_other() {
        let mut arena = Arena::default();
        let clause = arena.alloc(&lits(&[1, -2, 3]), true, 3, 7).unwrap();
        arena.set_used(clause, 255);
        arena.set_glue(clause, 100_000);
        assert_eq!(arena.glue(clause), MAX_GLUE);
        arena.set_glue(clause, 2);
        arena.set_used(clause, 31);
        assert_eq!((arena.glue(clause), arena.used(clause)), (2, 31));
        assert!(arena.is_redundant(clause) && !arena.is_garbage(clause));
        assert_eq!((arena.size(clause), arena.id(clause)), (3, 7));
        assert_eq!(arena.lit(clause, 1), Var::new(1).negative());
    }

    #[test]
    fn collecting_keeps_what_is_not_garbage() {
        let mut arena = Arena::default();
        let a = arena.alloc(&lits(&[1, 2]), false, 0, 1).unwrap();
        let b = arena.alloc(&lits(&[1, 2, 3]), false, 0, 2).unwrap();
        let c = arena.alloc(&lits(&[4, 5, 6, 7]), true, 2, 3).unwrap();
        arena.mark_garbage(b);
        assert_eq!(arena.n_garbage_words(), 7);
        let old = arena.collect([c, b, a].into_iter());
        let (a, c) = (old.moved(a).unwrap(), old.moved(c).unwrap());
        assert_eq!(old.moved(b), None);
        assert!(c < a);
        assert_eq!(arena.lits(c).collect::<Vec<_>>(), lits(&[4, 5, 6, 7]));
        assert_eq!((arena.id(a), arena.id(c), arena.glue(c)), (1, 3, 2));
        assert_eq!(arena.words.len(), 14);
    }
}
