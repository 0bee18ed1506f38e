//! Which variable to decide next.
//!
//! Two orders are kept at all times. In stable mode the next variable is the most active one (the
//! [`VarHeap`]), in focused mode the one that took part in a conflict last (the [`Queue`]). A *domain*
//! restricts decisions to some variables, and then the heap holds just those.

use super::Solver;
use super::heap::VarHeap;
use super::queue::Queue;
use crate::lit::Var;
use crate::proof::ProofSink;

/// What bumping multiplies activities' weight by, per conflict.
const DECAY: f64 = 0.95;

/// The two orders and the domain.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    pub(super) heap: VarHeap,
    pub(super) queue: Queue,
    /// By variable: `domain` where it belongs to the current domain.
    domain_stamps: Vec<u32>,
    domain: u32,
    has_domain: bool,
    /// By variable: whether it must not be decided because it was eliminated or substituted.
    pub(super) inactive: Vec<bool>,
}

impl Decisions {
    /// Adds variables until there are `n_vars`. They don't belong to a domain that is set.
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

    /// Restricts decisions. Costs as much as the old and the new domain are large.
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

    /// Lets a variable be decided again that was eliminated.
    pub(super) fn activate(&mut self, var: Var) {
        self.inactive[var.index()] = false;
        self.unassigned(var);
    }

    /// Notes that a variable has lost its value.
    #[inline]
    pub(super) fn unassigned(&mut self, var: Var) {
        if !self.has_domain || self.in_domain(var) {
            self.heap.insert(var);
        }
        self.queue.unassigned(var);
    }
}

impl<P: ProofSink> Solver<P> {
    /// Whether decisions and bumps go by activity.
    #[inline]
    fn uses_heap(&self) -> bool {
        self.mode.stable || self.decisions.has_domain
    }

    /// The next variable to decide; `None` if all that may be decided have a value.
    pub(super) fn next_variable(&mut self) -> Option<Var> {
        let uses_heap = self.uses_heap();
        let trail = &self.trail;
        let Decisions {
            heap,
            queue,
            inactive,
            ..
        } = &mut self.decisions;
        let is_done = |var: Var| trail.value(var.positive()) != 0 || inactive[var.index()];
        if uses_heap {
            loop {
                let var = heap.peek()?;
                if !is_done(var) {
                    return Some(var);
                }
                heap.pop();
            }
        }
        queue.next(is_done)
    }

    /// Bumps the variables that took part in the current conflict: those that carry a mark.
    pub(super) fn bump_marked(&mut self) {
        let mut vars = std::mem::take(&mut self.analysis.marked);
        if self.uses_heap() {
            for &var in &vars {
                self.decisions.heap.bump(var);
            }
            self.decisions.heap.decay(DECAY);
        } else {
            // In the order of the queue, so that bumping keeps the order among those bumped.
            vars.sort_unstable_by_key(|&var| self.decisions.queue.stamp(var));
            for &var in &vars {
                let is_assigned = self.trail.value(var.positive()) != 0;
                self.decisions.queue.bump(var, is_assigned);
            }
        }
        self.analysis.marked = vars;
    }

    /// The highest level such that restarting would only decide what was decided up to there once
    /// more (van der Tak, Ramos, Heule, "Reusing the assignment trail in CDCL solvers", JSAT 2011).
    pub(super) fn reusable_level(&mut self, lowest: u32) -> u32 {
        let Some(next) = self.next_variable() else {
            return lowest;
        };
        let heap = self.uses_heap();
        let is_before = |var: Var| {
            if heap {
                self.decisions.heap.is_before(var, next)
            } else {
                self.decisions.queue.stamp(var) > self.decisions.queue.stamp(next)
            }
        };
        let mut level = lowest;
        while level < self.trail.level() {
            let start = self.trail.level_starts[level as usize] as usize;
            if !self
                .trail
                .lits
                .get(start)
                .is_some_and(|lit| is_before(lit.var()))
            {
                break;
            }
            level += 1;
        }
        level
    }
}
