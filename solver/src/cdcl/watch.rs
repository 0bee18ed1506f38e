//! Watched literals: the clauses to visit when a literal becomes false.
//!
//! Every clause is watched by its first two literals (Moskewicz et al., Chaff, DAC 2001), and is in the lists
//! of both. The invariant after propagation without a conflict: if a watched literal is false, then the other
//! one, or the blocker, is true and was assigned no later.
//!
//! A watch has a *blocker*, some literal of the clause: if it is true, the clause need not be visited. For
//! binary clauses the blocker is the other literal, and a bit marks them, so that propagation never reads
//! their words.

use super::arena::OldArena;
use crate::clause_ref::{ClauseRef, Watch};
use crate::lit::Lit;

/// The watch lists, one per literal: the list of a literal names the clauses to visit when it becomes FALSE.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    lists: Vec<Vec<Watch>>,
    /// Whether a call ended while the clauses or the lists were changed. Then the lists are empty, and the
    /// next call rebuilds them before it propagates.
    pub(super) is_stale: bool,
}

impl Watches {
    /// Makes room for `n_lits` literals.
    pub(super) fn reserve_lits(&mut self, n_lits: usize) {
        if self.lists.len() < n_lits {
            self.lists.resize_with(n_lits, Vec::new);
        }
    }

    /// The list of `lit`.
    #[inline]
    pub(super) fn of(&self, lit: Lit) -> &[Watch] {
        &self.lists[lit.index()]
    }

    /// The list of `lit`, to be changed.
    #[inline]
    pub(super) fn of_mut(&mut self, lit: Lit) -> &mut Vec<Watch> {
        &mut self.lists[lit.index()]
    }

    /// Whether the literal occurs in a binary clause.
    pub(super) fn has_binary(&self, lit: Lit) -> bool {
        self.lists[lit.index()]
            .iter()
            .any(|watch| watch.is_binary())
    }

    /// Watches a clause by its first two literals.
    pub(super) fn attach(&mut self, clause: ClauseRef, first: Lit, second: Lit, size: usize) {
        let binary = size == 2;
        self.of_mut(first).push(Watch::new(second, clause, binary));
        self.of_mut(second).push(Watch::new(first, clause, binary));
    }

    /// Takes a clause out of the list of one of the literals that watch it.
    pub(super) fn detach(&mut self, lit: Lit, clause: ClauseRef) {
        let list = self.of_mut(lit);
        let position = list.iter().position(|watch| watch.clause() == clause);
        list.remove(position.expect("the clause is watched by the literal"));
    }

    /// The bytes of all watches.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|list| size_of_val(&list[..])).sum()
    }

    /// Empties all lists.
    pub(super) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
    }

    /// Empties all lists and marks them as stale.
    pub(super) fn make_stale(&mut self) {
        self.clear();
        self.is_stale = true;
    }

    /// Updates the watches to the new positions of clauses after a collection; removes those of removed
    /// clauses. The argument of `is_due` is the work since its last call; if it returns `true`, the lists
    /// become stale.
    pub(super) fn retain_moved(&mut self, old: &OldArena, mut is_due: impl FnMut(u64) -> bool) {
        for index in 0..self.lists.len() {
            let list = &mut self.lists[index];
            if is_due(1 + list.len() as u64) {
                return self.make_stale();
            }
            list.retain_mut(|watch| match old.moved(watch.clause()) {
                Some(new) => {
                    *watch = Watch::new(watch.blocker, new, watch.is_binary());
                    true
                }
                None => false,
            });
        }
    }
}
