//! Which variable to decide next.
//!
//! Two orders are kept at all times. In stable mode the next variable is the most active one (the
//! [`VarHeap`]), in focused mode the one that took part in a conflict last (the [`Queue`]). A *domain*
//! restricts decisions to some variables, and then the heap holds just those.

use super::Solver;
use super::analyze::SEEN;
use super::arena::ClauseRef;
use super::ema::Ema;
use super::heap::VarHeap;
use super::queue::Queue;
use crate::lit::Var;
use crate::proof::ProofSink;

/// What bumping multiplies activities' weight by, per conflict.
const DECAY: f64 = 0.95;
/// With more decisions per conflict than this, reasons are not bumped.
const MAX_DECISION_RATE: f64 = 100.0;
/// Reasons are not bumped where this would multiply the number of bumped variables by more than this.
const REASONS_LIMIT: usize = 10;

/// The two orders and the domain.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    pub(super) heap: VarHeap,
    pub(super) queue: Queue,
    /// By variable: `domain` where it belongs to the current domain.
    domain_stamps: Vec<u32>,
    domain: u32,
    has_domain: bool,
    /// By variable: whether it must not be decided because it was eliminated.
    pub(super) inactive: Vec<bool>,
    /// Scratch space for the variables to bump.
    to_bump: Vec<Var>,
    /// The average number of decisions between two conflicts, and their number at the last one.
    per_conflict: Ema,
    at_last_conflict: u64,
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

    /// Takes variables that must not be decided out of the heap. They would go when they come to its top, but most never do, and
    /// the deeper a heap, the more each decision costs.
    pub(super) fn drop_inactive(&mut self) {
        let inactive = &self.inactive;
        self.heap.retain(|var| !inactive[var.index()]);
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

    /// Bumps the variables that took part in the current conflict, and those in the reasons of what was learned.
    pub(super) fn bump_involved(&mut self) {
        let mut vars = std::mem::take(&mut self.decisions.to_bump);
        vars.extend_from_slice(&self.analysis.marked[..self.analysis.n_involved]);
        vars.append(&mut self.analysis.shrunken_to);
        if self.options.bump_reasons {
            self.involve_reasons(&mut vars);
        }
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
        vars.clear();
        self.decisions.to_bump = vars;
    }

    /// Adds the variables in the reasons of the learned clause's literals, unless these are very many: what
    /// is about to imply the clause's literals next time (Liang et al., "Learning rate based branching heuristic", SAT
    /// 2016). In stable mode, the reasons of those variables are looked at too. Where there are many decisions per conflict, it
    /// does harm (Biere and Fleury, POS 2020).
    fn involve_reasons(&mut self, vars: &mut Vec<Var>) {
        let decisions = self.statistics.decisions - self.decisions.at_last_conflict;
        self.decisions.at_last_conflict = self.statistics.decisions;
        self.decisions.per_conflict.update(decisions as f64);
        if self.decisions.per_conflict.value() > MAX_DECISION_RATE {
            return;
        }
        let own = vars.len();
        let limit = own * REASONS_LIMIT;
        for index in 0..self.analysis.clause.len() {
            self.involve_reason(self.analysis.clause[index].var(), vars);
            if vars.len() > limit {
                vars.truncate(own);
                return;
            }
        }
        let direct = vars.len();
        if self.mode.stable {
            for index in own..direct {
                self.involve_reason(vars[index], vars);
                if vars.len() > limit {
                    vars.truncate(direct);
                    return;
                }
            }
        }
    }

    /// Adds the variables in the reason of one that has been added or is in the learned clause.
    fn involve_reason(&mut self, var: Var, vars: &mut Vec<Var>) {
        let reason = self.trail.reason(var);
        if reason == ClauseRef::NONE {
            return;
        }
        for lit in self.arena.lits(reason) {
            let other = lit.var();
            let marks = self.analysis.marks[other.index()];
            if marks & SEEN == 0 && self.trail.level_of(other) > self.base_level {
                self.analysis.mark(other, SEEN);
                vars.push(other);
            }
        }
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
