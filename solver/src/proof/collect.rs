//! Garbage collection of the proof log, which bounds its memory in a long search.
//!
//! A search deletes most of its learned clauses. The chain of a deleted clause is needed only while a clause
//! that is not deleted has it among its ancestors. Marking starts from the clauses that are not deleted,
//! since only these can become antecedents; unmarked records are removed in place.

use super::log::{ProofLog, highest, lowest, place};

impl ProofLog {
    /// Sets the size of the records, in words of four bytes, from which the log collects garbage by itself:
    /// each time the size has doubled since the last collection.
    pub fn collect_from(&mut self, words: usize) {
        self.least_collect_at = words;
        self.collect_at = words.max(self.collect_at.min(2 * self.words.len()));
    }

    /// Drops the records of clauses that are deleted and have no descendant that is not deleted.
    /// The numbers of the others stay what they are.
    ///
    /// Linear in the size of the log. The log calls this when it has grown enough.
    pub fn collect_garbage(&mut self) {
        let needed = self.ancestors_of_live();
        self.keep(&needed);
        self.collect_at = self.least_collect_at.max(2 * self.words.len());
    }

    /// All clauses that are not deleted, and their ancestors, as a bit set over clause numbers.
    fn ancestors_of_live(&self) -> Vec<u64> {
        let mut needed: Vec<u64> = self.blocks.iter().map(|block| block.live).collect();
        for block in (0..self.blocks.len()).rev() {
            let original = self.blocks[block].original;
            let mut unseen = u64::MAX;
            while needed[block] & !original & unseen != 0 {
                let (id, bit) = highest(block, needed[block] & !original & unseen);
                unseen = bit - 1;
                for &antecedent in self.record(id) {
                    let (block, bit) = place(antecedent);
                    needed[block] |= bit;
                }
            }
        }
        needed
    }

    /// Moves the records of the given clauses together and removes the others.
    fn keep(&mut self, kept: &[u64]) {
        let (mut rank, mut kept_rank) = (0, 0);
        let (mut start, mut kept_end) = (0, 0);
        for (number, &kept) in kept.iter().enumerate() {
            let block = &mut self.blocks[number];
            debug_assert_eq!(kept & !block.present, 0);
            block.before = kept_rank as u32;
            let mut bits = block.present;
            while bits != 0 {
                let (_, bit) = lowest(number, bits);
                bits &= bits - 1;
                let end = self.ends[rank] as usize;
                rank += 1;
                if kept & bit != 0 {
                    self.words.copy_within(start..end, kept_end);
                    kept_end += end - start;
                    self.ends[kept_rank] = kept_end as u32;
                    kept_rank += 1;
                }
                start = end;
            }
            block.present &= kept;
            block.original &= kept;
        }
        self.words.truncate(kept_end);
        self.ends.truncate(kept_rank);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ProofSink;
    use super::*;
    use crate::lit::{Lit, Var};

    fn lit(number: i64) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    #[test]
    fn ancestors_of_what_is_live_survive() {
        let mut log = ProofLog::new();
        log.original(1, &[lit(1), lit(2)], 8);
        log.original(2, &[lit(-1), lit(2)], 9);
        log.original(3, &[lit(5)], 9);
        log.derived(4, &[lit(2)], &[1, 2]);
        log.derived(90, &[lit(2)], &[1, 2]);
        log.original(91, &[lit(-2), lit(3)], 9);
        log.derived(92, &[lit(3)], &[4, 91]);
        let before = log.trim(92);
        for id in [1, 2, 3, 4, 90, 91] {
            log.deleted(id, &[]);
        }
        log.collect_garbage();
        let kept: Vec<_> = (0..200).filter(|&id| log.contains(id)).collect();
        assert_eq!(kept, [1, 2, 4, 91, 92]);
        assert_eq!(log.antecedents(92), Some(&[4, 91][..]));
        assert_eq!(log.trim(92), before);
        // New numbers continue as before the collection.
        log.original(93, &[lit(-3)], 9);
        log.derived(94, &[], &[93, 92]);
        assert!(log.trim(94).is_refutation());
        log.deleted(92, &[]);
        log.deleted(94, &[]);
        log.collect_garbage();
        assert_eq!((log.n_clauses(), log.contains(93)), (1, true));
    }

    /// A chain of implications with one derived unit after the other, each deleting the previous one: all are
    /// ancestors of the last, while side products are removed.
    #[test]
    fn a_log_that_forgets_stays_small() {
        let mut log = ProofLog::new();
        log.collect_from(1000);
        let x = |index: u32| Var::new(index as usize % 2).positive();
        log.original(1, &[x(0)], 0);
        log.original(2, &[!x(0), x(1)], 0);
        log.original(3, &[!x(1), x(0)], 0);
        let mut largest = 0;
        for round in 0..10_000 {
            let id = 4 + round;
            log.derived(id, &[x(1)], &[1, 2]);
            log.deleted(id, &[x(1)]);
            largest = largest.max(log.words.len());
        }
        assert!(largest <= 1000, "{largest}");
        log.derived(20_000, &[x(1)], &[1, 2]);
        assert_eq!(log.trim(20_000).n_vertices(), 3);
    }
}
