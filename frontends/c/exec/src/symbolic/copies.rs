//! Copies of open length, and the reads behind them (see `copied`).

use std::collections::HashMap;

use craig_word::{Term, Terms};

use super::chain_read::{ChainId, Read};
use super::overlap::split;

/// What is copied.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// The byte at an offset of some contents, each under its condition, and those that follow.
    Bytes(Vec<(Term, ChainId, Term)>),
    /// A byte, everywhere.
    Value(Term),
}

/// A copy: under the condition, `length` bytes from `offset` on, one at least, are those of the source; all others are those before.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Copied {
    pub(crate) before: ChainId,
    pub(crate) condition: Term,
    pub(crate) offset: Term,
    pub(crate) length: Term,
    pub(crate) source: Source,
}

impl Copied {
    /// The contents that those behind the copy consist of.
    pub(crate) fn chains(&self) -> impl Iterator<Item = ChainId> + '_ {
        let sources = match &self.source {
            Source::Bytes(sources) => sources.as_slice(),
            Source::Value(_) => &[],
        };
        let sources = sources.iter().map(|&(_, chain, _)| chain);
        sources.chain([self.before])
    }
}

/// All copies, by the start of the chain behind each.
#[derive(Default)]
pub(crate) struct Copies {
    copies: HashMap<ChainId, Copied>,
    starts: HashMap<Copied, ChainId>,
    /// The reads of starts without a lemma.
    pub(super) open: Vec<Read>,
    /// The values that lemmas give to reads.
    pub(super) values: HashMap<Term, Term>,
}

impl Copies {
    pub(crate) fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    pub(crate) fn at(&self, start: ChainId) -> Option<&Copied> {
        self.copies.get(&start)
    }

    pub(crate) fn start(&self, copied: &Copied) -> Option<ChainId> {
        self.starts.get(copied).copied()
    }

    pub(crate) fn add(&mut self, copied: Copied, start: ChainId) {
        self.starts.insert(copied.clone(), start);
        self.copies.insert(start, copied);
    }

    /// Notes a new read.
    pub(crate) fn note(&mut self, read: Read) {
        if self.copies.contains_key(&read.chain) {
            self.open.push(read);
        }
    }

    /// The value that a lemma gives to a read.
    pub(crate) fn value(&self, read: Term) -> Option<Term> {
        self.values.get(&read).copied()
    }

    /// The contents before a copy, if all bytes of a read stand before those that are copied. A copy does not reach beyond the
    /// end of its object.
    pub(crate) fn passed(
        &self,
        terms: &Terms,
        start: ChainId,
        (offset, bytes): (Term, u32),
    ) -> Option<ChainId> {
        let copied = self.copies.get(&start)?;
        let ((x, from), (y, to)) = (split(terms, offset), split(terms, copied.offset));
        let is_before = x.is_none() && y.is_none() && from + u128::from(bytes) <= to;
        is_before.then_some(copied.before)
    }
}
