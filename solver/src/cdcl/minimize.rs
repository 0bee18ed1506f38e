//! Shorter learned clauses by self-subsumption with reasons.
//!
//! A literal of the learned clause is redundant if its negation follows by unit propagation from the
//! negations of other literals of the clause; that is, if its reasons, followed recursively, end in literals
//! of the clause (Sörensson and Biere, "Minimizing learned clauses", SAT 2009). The result for each variable,
//! positive or negative, is cached in its marks until the end of the analysis. The recursion has an explicit
//! stack, since implication chains may be as long as the trail.
//!
//! If several literals of one level remain, a common implication point may replace them; see `shrink`.

use super::analysis::{KEPT, POISON, REMOVABLE, SEEN};
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Removes redundant literals from the learned clause, or replaces those of a level by one, and adds the
    /// reasons used to the chain.
    pub(super) fn minimize(&mut self) {
        let mut full = std::mem::take(&mut self.analysis.full_clause);
        std::mem::swap(&mut full, &mut self.analysis.clause);
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        for lit in &full {
            let level = self.trail.level_of(lit.var()) as usize;
            self.analysis.level_stamps[level] = stamp;
        }
        let trail = &self.trail;
        full[1..].sort_unstable_by_key(|lit| std::cmp::Reverse(trail.position(lit.var())));
        self.analysis.clause.push(full[0]);
        let mut rest = &full[1..];
        while let Some(&first) = rest.first() {
            let level = self.trail.level_of(first.var());
            let is_of_level = |lit: &&Lit| self.trail.level_of(lit.var()) == level;
            let (block, others) = rest.split_at(rest.iter().take_while(is_of_level).count());
            rest = others;
            if block.len() > 1
                && self.options.shrink
                && let Some(uip) = self.shrink(block, stamp)
            {
                self.statistics.shrunken_literals += block.len() as u64 - 1;
                self.analysis.clause.push(uip);
                self.involve_shrunken(uip.var());
                continue;
            }
            for &lit in block {
                if self.is_redundant(lit.var(), stamp) {
                    self.statistics.minimized_literals += 1;
                } else {
                    self.analysis.clause.push(lit);
                }
            }
        }
        if Self::CHAINS && self.analysis.clause != full {
            for index in 0..self.analysis.clause.len() {
                let lit = self.analysis.clause[index];
                self.analysis.mark(lit.var(), KEPT);
            }
            for lit in &full {
                if self.analysis.marks[lit.var().index()] & KEPT == 0 {
                    self.resolve_away(lit.var());
                }
            }
        }
        full.clear();
        self.analysis.full_clause = full;
    }

    /// Whether the variable's literal may be omitted without making an untainted clause depend on temporary
    /// ones.
    pub(super) fn is_ground(&self, var: Var) -> bool {
        let level = self.trail.level_of(var);
        level == 0 || self.analysis.tainted && level <= self.base_level
    }

    /// Whether resolving with the variable's reason would make an untainted clause temporary.
    pub(super) fn is_tainted(&self, var: Var) -> bool {
        let reason = self.trail.reason(var);
        self.base_level > 0
            && !self.analysis.tainted
            && reason != ClauseRef::NONE
            && self.arena.is_temporary(reason)
    }

    /// Whether the reasons of `root` lead back to literals of the clause. Only levels stamped with `stamp`
    /// occur in the clause; a literal of any other level is not implied by it.
    pub(super) fn is_redundant(&mut self, root: Var, stamp: u64) -> bool {
        let marks = self.analysis.marks[root.index()];
        if marks & (REMOVABLE | POISON) != 0 {
            return marks & REMOVABLE != 0;
        }
        if self.trail.reason(root) == ClauseRef::NONE || self.is_tainted(root) {
            return false;
        }
        debug_assert!(self.analysis.stack.is_empty());
        self.analysis.stack.push((root, 0));
        while let Some((var, next)) = self.analysis.stack.pop() {
            let reason = self.trail.reason(var);
            let Some(&code) = self.arena.codes(reason).get(next as usize) else {
                self.analysis.mark(var, REMOVABLE);
                continue;
            };
            self.analysis.stack.push((var, next + 1));
            let other = Lit::from_code(code).var();
            if other == var || self.is_ground(other) {
                continue;
            }
            let marks = self.analysis.marks[other.index()];
            if marks & (SEEN | REMOVABLE) != 0 {
                continue;
            }
            let level = self.trail.level_of(other) as usize;
            if marks & POISON != 0
                || self.is_tainted(other)
                || self.trail.reason(other) == ClauseRef::NONE
                || self.analysis.level_stamps[level] != stamp
            {
                // All variables on the stack depend on this one, so none of them can be shown redundant.
                while let Some((var, _)) = self.analysis.stack.pop() {
                    self.analysis.mark(var, POISON);
                }
                return false;
            }
            self.analysis.stack.push((other, 0));
        }
        true
    }

    /// Adds all reasons to the chain that resolve `root` away in favour of kept literals.
    pub(super) fn resolve_away(&mut self, root: Var) {
        if !self.chain.add_pivot(root) {
            return;
        }
        let mut next = self.chain.pivots.len() - 1;
        while next < self.chain.pivots.len() {
            let var = self.chain.pivots[next];
            next += 1;
            let reason = self.trail.reason(var);
            debug_assert!(reason != ClauseRef::NONE);
            for lit in self.arena.lits(reason) {
                let other = lit.var();
                if other == var || self.analysis.marks[other.index()] & KEPT != 0 {
                    continue;
                }
                if self.trail.level_of(other) == 0 {
                    self.chain.add_unit(other);
                } else {
                    self.chain.add_pivot(other);
                }
            }
        }
    }
}
