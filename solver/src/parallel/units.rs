//! The literals that some search has fixed: all of them are kept, since each is worth more than any clause.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::lit::{Lit, Var};
use crate::proof::Source;

/// A list that only grows. It is locked when a unit is added or taken, which happens rarely, and never to find out
/// that there is nothing new.
#[derive(Debug, Default)]
pub(super) struct Units {
    list: Mutex<List>,
    length: AtomicUsize,
}

#[derive(Debug, Default)]
struct List {
    units: Vec<(Lit, Source)>,
    /// One unit of a variable is enough: who has derived its negation finds the contradiction.
    known: HashSet<Var>,
}

impl Units {
    /// The list. Its two parts agree also after a panic: a variable is added to `known` last.
    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a unit, unless there is one of its variable; then `false`.
    pub(super) fn push(&self, lit: Lit, source: Source) -> bool {
        let mut list = self.lock();
        if list.known.contains(&lit.var()) {
            return false;
        }
        list.units.push((lit, source));
        list.known.insert(lit.var());
        self.length.store(list.units.len(), Ordering::Release);
        true
    }

    /// How many units there are.
    pub(super) fn len(&self) -> usize {
        self.length.load(Ordering::Acquire)
    }

    /// The units from `start` on.
    pub(super) fn since(&self, start: usize) -> Vec<(Lit, Source)> {
        self.lock().units[start..].to_vec()
    }
}
