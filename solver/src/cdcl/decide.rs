//! Which variable to decide next.
//!
//! Two orders are maintained. In stable mode the next variable is the most active one (the
//! [`VarHeap`](super::heap::VarHeap)), in focused mode the most recently bumped one (the
//! [`Queue`](super::queue::Queue)). A *domain* restricts decisions to some variables; the heap then contains
//! only these.

use super::analysis::SEEN;
use super::decisions::Decisions;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Var;
use crate::proof::ProofSink;

/// The factor by which older bumps are decayed at each conflict.
const DECAY: f64 = 0.95;
/// With more decisions per conflict than this, reasons are not bumped.
const MAX_DECISION_RATE: f64 = 100.0;
/// Reasons are not bumped where this would multiply the number of bumped variables by more than this.
const REASONS_LIMIT: usize = 10;

impl<P: ProofSink> Solver<P> {
    /// Whether decisions and bumps go by activity.
    #[inline]
    fn uses_heap(&self) -> bool {
        self.mode.stable || self.decisions.has_domain
    }

    /// The next variable to decide; `None` if all variables that may be decided have a value.
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

    /// Bumps the variables that took part in the current conflict, and those in the reasons of the learned
    /// clause's literals.
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
            // Sorted by the order of the queue, so that bumping keeps their relative order.
            vars.sort_unstable_by_key(|&var| self.decisions.queue.stamp(var));
            for &var in &vars {
                let is_assigned = self.trail.value(var.positive()) != 0;
                self.decisions.queue.bump(var, is_assigned);
            }
        }
        vars.clear();
        self.decisions.to_bump = vars;
    }

    /// Adds the variables in the reasons of the learned clause's literals, unless these are very many (Liang
    /// et al., "Learning rate based branching heuristic", SAT 2016). In stable mode, the reasons of those
    /// variables are added too. With many decisions per conflict it does harm (Biere and Fleury, POS 2020).
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

    /// The highest level up to which a restart would make the same decisions again (van der Tak, Ramos,
    /// Heule, "Reusing the assignment trail in CDCL solvers", JSAT 2011).
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
