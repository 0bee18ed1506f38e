//! The clauses of a checker, by their numbers.

use super::error::CheckError;
use crate::lit::Lit;
use crate::proof::id_table::IdTable;
use crate::proof::sink::ClauseId;

/// Clauses in one arena; the words of deleted clauses are reclaimed.
#[derive(Clone, Debug)]
pub(super) struct ClauseStore {
    /// For each clause its number, its length, and its literals' codes. The first word belongs to no clause.
    words: Vec<u32>,
    /// By number, where in `words` the clause starts.
    starts: IdTable,
    garbage: usize,
}

impl Default for ClauseStore {
    fn default() -> Self {
        Self {
            words: vec![0],
            starts: IdTable::default(),
            garbage: 0,
        }
    }
}

impl ClauseStore {
    const LEAST_GARBAGE: usize = 1 << 16;

    /// The literals of a clause.
    #[inline]
    pub(super) fn get(&self, id: ClauseId) -> Option<impl ExactSizeIterator<Item = Lit>> {
        let start = self.starts.get(id) as usize;
        (start != 0).then(|| {
            let len = self.words[start + 1] as usize;
            self.words[start + 2..][..len]
                .iter()
                .map(|&code| Lit::from_code(code))
        })
    }

    /// Adds a clause as it is.
    pub(super) fn insert(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        if self.starts.get(id) != 0 {
            return Err(CheckError::DuplicateClause(id));
        }
        if self.garbage > Self::LEAST_GARBAGE && self.garbage > self.words.len() / 2 {
            self.compact();
        }
        let start = u32::try_from(self.words.len()).map_err(|_| CheckError::TooLarge)?;
        self.words.push(id);
        self.words.push(lits.len() as u32);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        self.starts.insert(id, start);
        Ok(())
    }

    /// The numbers of the clauses that contain a literal. Linear in the size of the store.
    pub(super) fn with_literal(&self, lit: Lit) -> Vec<ClauseId> {
        let (mut found, mut start) = (Vec::new(), 1);
        while start < self.words.len() {
            let (id, end) = (
                self.words[start],
                start + 2 + self.words[start + 1] as usize,
            );
            let is_live = self.starts.get(id) as usize == start;
            if is_live && self.words[start + 2..end].contains(&lit.code()) {
                found.push(id);
            }
            start = end;
        }
        found
    }

    /// Deletes a clause.
    pub(super) fn remove(&mut self, id: ClauseId) -> Result<(), CheckError> {
        let start = self.starts.get(id) as usize;
        if start == 0 {
            return Err(CheckError::DeletesUnknownClause(id));
        }
        self.garbage += 2 + self.words[start + 1] as usize;
        self.starts.set(id, 0);
        Ok(())
    }

    /// Moves the remaining clauses together.
    fn compact(&mut self) {
        let (mut from, mut to) = (1, 1);
        while from < self.words.len() {
            let id = self.words[from];
            let len = 2 + self.words[from + 1] as usize;
            if self.starts.get(id) as usize == from {
                self.words.copy_within(from..from + len, to);
                self.starts.set(id, to as u32);
                to += len;
            }
            from += len;
        }
        self.words.truncate(to);
        self.garbage = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    fn clause(seed: u32) -> Vec<Lit> {
        (0..seed % 7)
            .map(|v| Var::new((seed % 50 + v) as usize).lit(v % 2 == 0))
            .collect()
    }

    #[test]
    fn clauses_survive_compaction_and_growth() {
        let mut store = ClauseStore::default();
        let ids: Vec<u32> = (1..60_000u32)
            .map(|n| {
                if n % 97 == 0 {
                    u32::MAX - n
                } else {
                    n * (1 + n / 30_000 * 20)
                }
            })
            .collect();
        for (number, &id) in ids.iter().enumerate() {
            store.insert(id, &clause(id)).unwrap();
            assert_eq!(
                store.insert(id, &[]),
                Err(CheckError::DuplicateClause(id)),
                "{number}"
            );
            if number % 10 != 0 && number >= 100 && !ids[number - 100].is_multiple_of(3) {
                store.remove(ids[number - 100]).unwrap();
                assert!(store.get(ids[number - 100]).is_none());
            }
        }
        assert!(store.words.len() < 200_000, "{}", store.words.len());
        let mut kept = 0;
        for id in ids {
            if let Some(lits) = store.get(id) {
                assert_eq!(lits.collect::<Vec<_>>(), clause(id));
                kept += 1;
            }
        }
        assert!(kept > 20_000, "{kept}");
        assert_eq!(store.remove(0), Err(CheckError::DeletesUnknownClause(0)));
    }
}
