//! Clause numbers of files, mapped to words.

use super::sink::ClauseId;
use std::collections::HashMap;

/// A map from clause numbers to nonzero words.
///
/// Numbers that are about as dense as a solver's index a table directly; outliers are in a hash map. So a
/// number in a file can't make the table larger than a small multiple of the number of entries.
#[derive(Clone, Debug, Default)]
pub(super) struct IdTable {
    dense: Vec<u32>,
    sparse: HashMap<ClauseId, u32>,
    n_entries: usize,
}

impl IdTable {
    /// The word that the number is mapped to, or 0.
    #[inline]
    pub(super) fn get(&self, id: ClauseId) -> u32 {
        match self.dense.get(id as usize) {
            Some(&word) => word,
            None if self.sparse.is_empty() => 0,
            None => self.sparse.get(&id).copied().unwrap_or(0),
        }
    }

    /// Maps a number without an entry.
    pub(super) fn insert(&mut self, id: ClauseId, word: u32) {
        debug_assert!(word != 0 && self.get(id) == 0);
        self.n_entries += 1;
        let index = id as usize;
        if index >= self.dense.len() && index < 8 * self.n_entries + 4096 {
            let len = (index + 1).max(2 * self.dense.len());
            self.dense.resize(len, 0);
            self.adopt_outliers();
        }
        self.set(id, word);
    }

    /// Moves outliers that the table now covers into it.
    fn adopt_outliers(&mut self) {
        let dense = &mut self.dense;
        self.sparse
            .retain(|&id, &mut word| match dense.get_mut(id as usize) {
                Some(entry) => {
                    *entry = word;
                    false
                }
                None => true,
            });
    }

    /// Changes the word of a number; 0 removes the entry.
    pub(super) fn set(&mut self, id: ClauseId, word: u32) {
        match self.dense.get_mut(id as usize) {
            Some(entry) => *entry = word,
            None if word == 0 => {
                self.sparse.remove(&id);
            }
            None => {
                self.sparse.insert(id, word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_number_allocates_nothing_huge() {
        let mut table = IdTable::default();
        for (index, id) in [1, u32::MAX, u32::MAX - 1, 1 << 30, 5000, 100_000]
            .into_iter()
            .enumerate()
        {
            table.insert(id, index as u32 + 1);
        }
        assert!(table.dense.len() < 10_000);
        table.set(1 << 30, 0);
        assert_eq!(table.get(1 << 30), 0);
        assert_eq!(table.get(u32::MAX), 2);
        // The table grows to cover the outlier.
        for id in 10_000..90_000 {
            table.insert(id, id);
        }
        assert_eq!(table.get(100_000), 6);
        assert_eq!(table.get(20_000), 20_000);
        assert!(table.dense.len() > 100_000 && !table.sparse.contains_key(&100_000));
    }
}
