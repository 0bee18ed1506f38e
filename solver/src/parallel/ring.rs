//! A bounded ring of clauses with one writer and any number of readers, none of which ever waits.
//!
//! A record is three words (size, glue, clause number) and the literals. The writer
//! overwrites the oldest records; a reader that was too slow finds its place overwritten, and continues with
//! the oldest record that is left.
//!
//! # Why a reader never takes a torn record
//! Before the writer overwrites words, it moves `tail` past the records that they belong to, and a release
//! fence separates the two. A reader copies the words, and after an acquire fence it reads `tail`. If one
//! of the words it has copied was written by a later record, then the fences synchronise, so that the reader
//! sees a `tail` beyond the record's place and drops the copy. All words are atomic: there is no data race,
//! only values to be dropped.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use crate::lit::Lit;
use crate::proof::ClauseId;

/// The words of a record before its literals: size, glue, number.
const HEADER: u64 = 3;

/// The ring of one writer.
#[derive(Debug)]
pub(super) struct Ring {
    words: Box<[AtomicU32]>,
    /// The number of words ever written; the end of the newest record.
    head: AtomicU64,
    /// Where the oldest record begins that is not overwritten.
    tail: AtomicU64,
}

/// The result of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// A clause with this glue and number; its literals were appended.
    Clause { glue: u32, id: ClauseId },
    /// Records were overwritten; the reader is at the oldest one that is left.
    Missed,
    /// There is no record yet.
    End,
}

impl Ring {
    /// A ring of `n_words` words, at least those of one record of a binary clause.
    pub(super) fn new(n_words: usize) -> Self {
        let n_words = n_words.max(HEADER as usize + 2);
        Self {
            words: (0..n_words).map(|_| AtomicU32::new(0)).collect(),
            head: AtomicU64::new(0),
            tail: AtomicU64::new(0),
        }
    }

    fn word(&self, place: u64) -> &AtomicU32 {
        &self.words[(place % self.words.len() as u64) as usize]
    }

    /// Writes a clause; `false` if it is larger than the ring. Only one thread may call this.
    pub(super) fn push(&self, lits: &[Lit], glue: u32, id: ClauseId) -> bool {
        let capacity = self.words.len() as u64;
        let n_words = HEADER + lits.len() as u64;
        if n_words > capacity {
            return false;
        }
        let start = self.head.load(Ordering::Relaxed);
        let end = start + n_words;
        let mut tail = self.tail.load(Ordering::Relaxed);
        while end - tail > capacity {
            tail += HEADER + u64::from(self.word(tail).load(Ordering::Relaxed));
        }
        self.tail.store(tail, Ordering::Relaxed);
        fence(Ordering::Release);
        let header = [lits.len() as u32, glue, id];
        let words = header.into_iter().chain(lits.iter().map(|lit| lit.code()));
        for (place, word) in (start..).zip(words) {
            self.word(place).store(word, Ordering::Relaxed);
        }
        self.head.store(end, Ordering::Release);
        true
    }

    /// Whether there is a record at or after the reader's place.
    pub(super) fn has_more(&self, cursor: u64) -> bool {
        self.head.load(Ordering::Relaxed) > cursor
    }

    /// Reads the record at the reader's place, which is 0 at first, and moves it.
    pub(super) fn read(&self, cursor: &mut u64, lits: &mut Vec<Lit>) -> Read {
        if self.head.load(Ordering::Acquire) <= *cursor {
            return Read::End;
        }
        let load = |offset: u64| self.word(*cursor + offset).load(Ordering::Relaxed);
        let [size, glue, id] = [0, 1, 2].map(load);
        // A size that was overwritten may be any word.
        let size = u64::from(size).min(self.words.len() as u64);
        let start = lits.len();
        let codes = (HEADER..HEADER + size).map(load);
        let codes: Vec<u32> = codes.collect();
        fence(Ordering::Acquire);
        let tail = self.tail.load(Ordering::Relaxed);
        if tail > *cursor {
            *cursor = tail;
            return Read::Missed;
        }
        lits.extend(codes.into_iter().map(Lit::from_code));
        debug_assert_eq!(lits.len() - start, size as usize);
        *cursor += HEADER + size;
        Read::Clause { glue, id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    /// A clause whose literals, glue and number determine each other.
    fn clause(number: u32) -> Vec<Lit> {
        (0..2 + number % 7)
            .map(|index| Var::new((number.wrapping_mul(7) + index) as usize % 1000).positive())
            .collect()
    }

    fn assert_whole(lits: &[Lit], read: Read) -> u32 {
        let Read::Clause { glue, id } = read else {
            panic!("{read:?}")
        };
        assert_eq!((glue, lits), (id ^ 21, &clause(id)[..]));
        id
    }

    #[test]
    fn records_are_read_in_order_and_the_oldest_are_overwritten() {
        let ring = Ring::new(40);
        let (mut cursor, mut lits) = (0, Vec::new());
        assert_eq!(ring.read(&mut cursor, &mut lits), Read::End);
        assert!(!ring.push(&[Var::new(0).positive(); 38], 1, 1));
        let mut late = 0;
        for number in 1..100 {
            assert!(ring.push(&clause(number), number ^ 21, number));
            assert!(ring.has_more(cursor));
            lits.clear();
            let read = ring.read(&mut cursor, &mut lits);
            assert_eq!(assert_whole(&lits, read), number);
            assert!(!ring.has_more(cursor));
        }
        assert_eq!(ring.read(&mut late, &mut lits), Read::Missed);
        lits.clear();
        let read = ring.read(&mut late, &mut lits);
        let first = assert_whole(&lits, read);
        assert!((90..99).contains(&first), "{first}");
    }

    /// Readers that are slower than the writer get whole records, in increasing order.
    #[test]
    fn no_reader_sees_a_torn_record() {
        let last = if cfg!(miri) { 200 } else { 100_000 };
        let ring = Ring::new(64);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let (mut cursor, mut newest) = (0, 0);
                    let mut lits = Vec::new();
                    while newest < last {
                        lits.clear();
                        match ring.read(&mut cursor, &mut lits) {
                            Read::End => std::thread::yield_now(),
                            Read::Missed => {}
                            read => {
                                let id = assert_whole(&lits, read);
                                assert!(id > newest);
                                newest = id;
                            }
                        }
                    }
                });
            }
            scope.spawn(|| {
                for number in 1..=last {
                    assert!(ring.push(&clause(number), number ^ 21, number));
                }
            });
        });
    }
}
