//! The proof log: a compact record of the derivations of a search in memory.
//!
//! Only data that can't be recomputed are stored: the literals and label of an original clause, and the
//! numbers of the antecedents of a derived clause. Literals and pivots of derived clauses are recomputed by
//! replaying the chains that a refutation needs, see [`ProofLog::trim`].
//!
//! Clause numbers never change, although [`ProofLog::collect_garbage`] drops clauses: a bit set over
//! all numbers, with a count per 64 of them, turns a number into the rank of its record.

use super::sink::{ClauseId, ProofSink};
use crate::cnf::Label;
use crate::lit::Lit;

/// A proof in memory, extended during the search.
///
/// # Memory
/// A derived clause with `n` antecedents takes `4 n + 4` bytes, an original clause with `n` literals
/// takes `4 n + 8`. On top of that every 64 clause numbers that were ever given out take 32 bytes,
/// half a byte each, whether their clauses are still there or not. [`ProofLog::bytes`] is the
/// sum; the vectors behind it may have reserved up to twice as much, as growing vectors do.
#[derive(Clone, Debug)]
pub struct ProofLog {
    pub(super) blocks: Vec<Block>,
    /// For the clause of each rank, one past its last word.
    pub(super) ends: Vec<u32>,
    /// Records in the order of their clauses: label and literals of originals, antecedents of the others.
    pub(super) words: Vec<u32>,
    pub(super) collect_at: usize,
    pub(super) least_collect_at: usize,
    /// The maximal number of words.
    limit: usize,
    /// Whether a record did not fit. Nothing is recorded from then on.
    is_full: bool,
}

/// The state of 64 successive clause numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// Those that have a record.
    pub(super) present: u64,
    /// Those that are original clauses.
    pub(super) original: u64,
    /// Those that the search has not deleted.
    pub(super) live: u64,
    /// How many records precede those of this block.
    pub(super) before: u32,
}

/// The index of the word of a clause number in a bit set over clause numbers, and its bit.
#[inline]
pub(super) fn place(id: ClauseId) -> (usize, u64) {
    (id as usize / 64, 1 << (id % 64))
}

/// The number whose bit is the highest of a word, with the bit: the inverse of [`place`].
#[inline]
pub(super) fn highest(block: usize, bits: u64) -> (ClauseId, u64) {
    let position = bits.ilog2();
    ((block * 64) as ClauseId + position, 1 << position)
}

/// The number whose bit is the lowest of a word, with the bit.
#[inline]
pub(super) fn lowest(block: usize, bits: u64) -> (ClauseId, u64) {
    let position = bits.trailing_zeros();
    ((block * 64) as ClauseId + position, 1 << position)
}

impl Default for ProofLog {
    fn default() -> Self {
        Self::new()
    }
}

impl ProofLog {
    /// Below this many words garbage is not collected.
    const LEAST_COLLECT_AT: usize = 1 << 22;
    /// Records are delimited by words of 32 bits.
    const MAX_WORDS: usize = u32::MAX as usize;

    /// The log without clauses.
    #[must_use]
    pub fn new() -> Self {
        Self {
            blocks: Vec::new(),
            ends: Vec::new(),
            words: Vec::new(),
            collect_at: Self::LEAST_COLLECT_AT,
            least_collect_at: Self::LEAST_COLLECT_AT,
            limit: Self::MAX_WORDS,
            is_full: false,
        }
    }

    /// Limits the size of the records in words of four bytes; by default to 2^32 - 1, the largest number that
    /// can be addressed. If a record does not fit even after a garbage collection, or a collection frees
    /// hardly any words, then the log is full permanently: it records nothing more, and
    /// [`ProofSink::is_full`] returns `true`.
    pub fn limit_words(&mut self, words: usize) {
        self.limit = words.min(Self::MAX_WORDS);
    }

    /// How many clauses have a record.
    #[must_use]
    pub fn n_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The bytes that the records and their index take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.ends[..]) + size_of_val(&self.words[..])
    }

    /// Whether the log has a record of the clause: it was reported, and not dropped since.
    #[must_use]
    pub fn contains(&self, id: ClauseId) -> bool {
        let (block, bit) = place(id);
        self.blocks
            .get(block)
            .is_some_and(|block| block.present & bit != 0)
    }

    /// The antecedents of a derived clause, as they were reported. `None` for original and unknown clauses.
    #[must_use]
    pub fn antecedents(&self, id: ClauseId) -> Option<&[ClauseId]> {
        let (block, bit) = place(id);
        let known = self.blocks.get(block)?;
        (known.present & !known.original & bit != 0).then(|| self.record(id))
    }

    /// The words of a clause that has a record.
    #[inline]
    pub(super) fn record(&self, id: ClauseId) -> &[u32] {
        let (block, bit) = place(id);
        let block = self.blocks[block];
        debug_assert!(block.present & bit != 0);
        let rank = block.before as usize + (block.present & (bit - 1)).count_ones() as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.words[start as usize..self.ends[rank] as usize]
    }

    /// Assigns the words pushed last to a new clause.
    #[inline]
    fn close(&mut self, id: ClauseId, is_original: bool) {
        let (block, bit) = place(id);
        if block >= self.blocks.len() {
            let before = u32::try_from(self.ends.len()).expect("as many clauses as numbers");
            self.blocks.resize(
                block + 1,
                Block {
                    before,
                    ..Block::default()
                },
            );
        }
        debug_assert!(block + 1 == self.blocks.len() && self.blocks[block].present < bit);
        let entry = &mut self.blocks[block];
        entry.present |= bit;
        entry.live |= bit;
        if is_original {
            entry.original |= bit;
        }
        debug_assert!(self.words.len() <= self.limit);
        self.ends.push(self.words.len() as u32);
    }

    /// Whether `n_words` more words fit. Collects garbage if that makes them fit; if not, the log is full.
    #[inline]
    fn has_room(&mut self, n_words: usize) -> bool {
        if self.words.len() + n_words <= self.limit {
            return !self.is_full;
        }
        self.make_room(n_words)
    }

    #[cold]
    fn make_room(&mut self, n_words: usize) -> bool {
        if !self.is_full {
            self.collect_garbage();
            // With less than a sixteenth free, collections would be too frequent.
            self.is_full = self.words.len() + n_words > self.limit - self.limit / 16;
        }
        !self.is_full
    }
}

impl ProofSink for ProofLog {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    #[inline]
    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        if !self.has_room(1 + lits.len()) {
            return;
        }
        self.words.push(label);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        self.close(id, true);
    }

    /// May collect garbage first, so that the log stays below twice the size of the needed records.
    #[inline]
    fn derived(&mut self, id: ClauseId, _: &[Lit], antecedents: &[ClauseId]) {
        if !self.has_room(antecedents.len()) {
            return;
        }
        debug_assert!(
            antecedents.iter().all(|&antecedent| {
                let (block, bit) = place(antecedent);
                antecedent < id && self.blocks[block].live & bit != 0
            }),
            "clause {id} has an antecedent that was deleted or never reported"
        );
        self.words.extend_from_slice(antecedents);
        self.close(id, false);
        if self.words.len() >= self.collect_at {
            self.collect_garbage();
        }
    }

    #[inline]
    fn deleted(&mut self, id: ClauseId, _: &[Lit]) {
        let (block, bit) = place(id);
        match self.blocks.get_mut(block) {
            Some(block) => block.live &= !bit,
            None => debug_assert!(self.is_full, "clause {id} was never reported"),
        }
    }

    fn is_full(&self) -> bool {
        self.is_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    #[test]
    fn a_learned_clause_takes_four_bytes_and_four_an_antecedent() {
        let lits: Vec<_> = (0..3).map(|v| Var::new(v).positive()).collect();
        let mut log = ProofLog::new();
        log.original(1, &lits, 0);
        log.original(2, &lits[..1], 0);
        assert_eq!(log.bytes(), 32 + (8 + 4 * 3) + (8 + 4));
        for id in 3..64 {
            let before = log.bytes();
            log.derived(id, &lits, &[1, 2]);
            assert_eq!(log.bytes() - before, 4 + 4 * 2);
        }
        // One more number than a block has; the length of the clause is irrelevant.
        let before = log.bytes();
        log.derived(64, &lits[..1], &[1, 2, 3, 4, 5]);
        assert_eq!(log.bytes() - before, 32 + 4 + 4 * 5);
    }

    #[test]
    fn a_full_log_says_so_and_keeps_what_it_has() {
        let lits: Vec<_> = (0..3).map(|v| Var::new(v).positive()).collect();
        let mut log = ProofLog::new();
        log.limit_words(160);
        log.original(1, &lits, 0);
        log.original(2, &lits, 0);
        // Each clause is deleted at once, so that a collection always frees words.
        for id in 3..1000 {
            log.derived(id, &lits, &[1, 2]);
            log.deleted(id, &lits);
            assert!(!log.is_full() && log.words.len() <= 160);
        }
        // No clause is deleted.
        for id in 1000..2000 {
            log.derived(id, &lits, &[1, 2]);
            assert!(log.words.len() <= 160);
        }
        assert!(log.is_full() && log.contains(1000) && !log.contains(1999));
        log.deleted(1999, &lits);
        log.deleted(1000, &lits);
        log.original(2000, &lits, 0);
        log.derived(2001, &lits, &[1999, 2000]);
        assert!(log.is_full() && !log.contains(2001));
        assert!(log.try_trim(2001).is_err());
        assert_eq!(log.trim(1001).n_vertices(), 2);
    }

    #[test]
    fn records_are_found_across_gaps_in_the_numbering() {
        let lits = [Var::new(0).positive()];
        let mut log = ProofLog::new();
        log.original(3, &lits, 7);
        log.derived(5, &lits, &[3]);
        log.derived(200, &lits, &[5, 3]);
        log.derived(201, &[], &[]);
        assert_eq!(log.n_clauses(), 4);
        assert_eq!(log.antecedents(3), None);
        assert_eq!(log.antecedents(4), None);
        assert_eq!(log.antecedents(5), Some(&[3][..]));
        assert_eq!(log.antecedents(200), Some(&[5, 3][..]));
        assert_eq!(log.antecedents(201), Some(&[][..]));
        assert_eq!(log.antecedents(202), None);
        assert_eq!(log.antecedents(9999), None);
        assert_eq!(log.record(3), [7, lits[0].code()]);
        assert!(log.contains(3) && !log.contains(4) && log.contains(201));
    }
}
