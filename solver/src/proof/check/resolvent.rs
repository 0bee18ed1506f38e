//! The clause that a chain of resolutions has derived so far.

use crate::lit::Lit;

/// Why the resolvent of two clauses does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    NoClash,
    TwoClashes(Lit),
}

/// A set of literals. Marks hold the number of the chain, so that starting a new chain takes constant time.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolvent {
    /// By literal: the number of the last chain whose resolvent contains it, or 0.
    marks: Vec<u32>,
    chain: u32,
    len: usize,
}

impl Resolvent {
    /// Makes room for literals of the first `n_vars` variables.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        if self.marks.len() < 2 * n_vars {
            self.marks.resize(2 * n_vars, 0);
        }
    }

    /// Starts a chain with the empty set.
    pub(super) fn clear(&mut self) {
        self.chain = self.chain.checked_add(1).unwrap_or_else(|| {
            self.marks.fill(0);
            1
        });
        self.len = 0;
    }

    #[inline]
    pub(super) fn contains(&self, lit: Lit) -> bool {
        self.marks[lit.index()] == self.chain
    }

    /// Adds a literal; `false` if it was present.
    #[inline]
    pub(super) fn insert(&mut self, lit: Lit) -> bool {
        let is_new = !self.contains(lit);
        self.marks[lit.index()] = self.chain;
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes a literal; `false` if it was not present.
    #[inline]
    pub(super) fn remove(&mut self, lit: Lit) -> bool {
        let was_there = self.contains(lit);
        if was_there {
            self.marks[lit.index()] = 0;
            self.len -= 1;
        }
        was_there
    }

    /// Resolves with a clause, which must not be a tautology nor contain a literal twice. Returns the literal
    /// of the resolvent that was resolved away.
    #[inline]
    pub(super) fn resolve(&mut self, clause: impl Iterator<Item = Lit>) -> Result<Lit, Failure> {
        let mut pivot = None;
        for lit in clause {
            if self.contains(!lit) {
                if pivot.is_some() {
                    return Err(Failure::TwoClashes(lit));
                }
                pivot = Some(!lit);
            } else {
                self.insert(lit);
            }
        }
        let pivot = pivot.ok_or(Failure::NoClash)?;
        self.remove(pivot);
        Ok(pivot)
    }

    /// Whether the resolvent is the given clause, as a set without repetition. Empties the resolvent.
    pub(super) fn is(&mut self, clause: impl Iterator<Item = Lit>) -> bool {
        let mut all_there = true;
        for lit in clause {
            all_there &= self.remove(lit);
        }
        all_there && self.len == 0
    }

    /// Whether `lits`, which may repeat, contains every literal of the resolvent. Empties the resolvent.
    pub(super) fn is_covered_by(&mut self, lits: &[Lit]) -> bool {
        for &lit in lits {
            self.remove(lit);
        }
        self.len == 0
    }
}
