//! The two orders of decisions, and the domain that restricts them.

use super::ema::Ema;
use super::heap::VarHeap;
use super::queue::Queue;
use crate::lit::Var;

/// The two orders and the domain.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    pub(super) heap: VarHeap,
    pub(super) queue: Queue,
    /// By variable: equal to `domain` if it belongs to the current domain.
    pub(super) domain_stamps: Vec<u32>,
    pub(super) domain: u32,
    pub(super) has_domain: bool,
    /// By variable: whether it must not be decided because it was eliminated.
    pub(super) inactive: Vec<bool>,
    /// Scratch space for the variables to bump.
    pub(super) to_bump: Vec<Var>,
    /// The average number of decisions between two conflicts, and their number at the last one.
    pub(super) per_conflict: Ema,
    pub(super) at_last_conflict: u64,
}

impl Default for Decisions {
    fn default() -> Self {
        Self {
            heap: VarHeap::default(),
            queue: Queue::default(),
            domain_stamps: Vec::new(),
            domain: 0,
            has_domain: false,
            inactive: Vec::new(),
            to_bump: Vec::new(),
            per_conflict: Ema::new(0.01),
            at_last_conflict: 0,
        }
    }
}

impl Decisions {
    /// Adds variables until there are `n_vars`. They don't belong to the current domain, if one is set.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        let before = self.domain_stamps.len();
        self.heap.reserve_vars(n_vars);
        self.queue.reserve_vars(n_vars);
        self.domain_stamps.resize(n_vars, 0);
        self.inactive.resize(n_vars, false);
        if !self.has_domain {
            for index in before..n_vars {
                self.heap.insert(Var::new(index));
            }
        }
    }

    /// Whether decisions are restricted.
    #[inline]
    pub(super) fn has_domain(&self) -> bool {
        self.has_domain
    }

    /// Whether the variable belongs to the domain, given that there is one.
    #[inline]
    pub(super) fn in_domain(&self, var: Var) -> bool {
        self.domain_stamps[var.index()] == self.domain
    }

    /// Restricts decisions. Linear in the sizes of the old and the new domain.
    pub(super) fn set_domain(&mut self, vars: &[Var]) {
        self.heap.clear();
        self.has_domain = true;
        if self.domain == u32::MAX {
            self.domain_stamps.fill(0);
            self.domain = 0;
        }
        self.domain += 1;
        for var in vars {
            self.domain_stamps[var.index()] = self.domain;
            self.heap.insert(*var);
        }
    }

    /// Lifts the restriction.
    pub(super) fn clear_domain(&mut self) {
        if std::mem::take(&mut self.has_domain) {
            for index in 0..self.domain_stamps.len() {
                self.heap.insert(Var::new(index));
            }
        }
    }

    /// Removes variables that must not be decided from the heap. They would be skipped at its top, but most
    /// never get there, and each decision costs time logarithmic in the size of the heap.
    pub(super) fn drop_inactive(&mut self) {
        let inactive = &self.inactive;
        self.heap.retain(|var| !inactive[var.index()]);
    }

    /// Makes an eliminated variable decidable again.
    pub(super) fn activate(&mut self, var: Var) {
        self.inactive[var.index()] = false;
        self.unassigned(var);
    }

    /// Updates both orders for a variable that has become unassigned.
    #[inline]
    pub(super) fn unassigned(&mut self, var: Var) {
        if !self.has_domain || self.in_domain(var) {
            self.heap.insert(var);
        }
        self.queue.unassigned(var);
    }
}
