//! Hyper-binary resolution: a binary clause for what a literal implies through longer ones.
//!
//! When a probed literal has propagated without a conflict, each literal implied by a longer clause has a
//! *dominator*: a literal on all implication paths from the probe to it. The implication from the dominator
//! to the literal is a binary clause, which follows by resolution of the longer clause with the reasons in
//! between (Bacchus and Winter, "Effective preprocessing with hyper-resolution and equality reduction", SAT
//! 2003; dominators: Heule, Järvisalo, Biere, "Revisiting hyper binary resolution", CPAIOR 2013). It becomes
//! the reason of the literal, so that the implications of the probe form a tree of binary clauses.
//!
//! If the longer clause contains the negation of the dominator, the binary clause subsumes and replaces it.
//! The other binary clauses strengthen propagation, but they are many, so the next reductions remove those
//! that no conflict has used.

use crate::cdcl::analysis::KEPT;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Gives each literal at level 1 a binary clause as reason, in the order of the trail, until the ticks
    /// reach `limit`. `parents`, by variable, is scratch space.
    pub(super) fn resolve_hyper_binaries(&mut self, parents: &mut [Lit], limit: u64) {
        debug_assert_eq!(self.trail.level(), 1);
        let root = self.trail.level_starts[0] as usize;
        for place in root + 1..self.trail.lits.len() {
            if self.statistics.ticks >= limit || self.stop.is_due(1) {
                return;
            }
            let lit = self.trail.lits[place];
            let reason = self.trail.reason(lit.var());
            let mut others = 0;
            let mut dominator = None;
            for index in 0..self.arena.size(reason) {
                let other = self.arena.lit(reason, index);
                if other != lit && self.trail.level_of(other.var()) > 0 {
                    others += 1;
                    dominator = Some(match dominator {
                        None => !other,
                        Some(before) => self.common_ancestor(before, !other, parents),
                    });
                }
            }
            let dominator = dominator.expect("something at level 1 implies the literal");
            parents[lit.var().index()] = dominator;
            if others > 1 {
                self.resolve_hyper_binary(lit, reason, dominator);
            }
        }
    }

    /// The last literal that is an ancestor of both, or one of them.
    fn common_ancestor(&mut self, mut left: Lit, mut right: Lit, parents: &[Lit]) -> Lit {
        while left != right {
            self.statistics.ticks += 1;
            if self.trail.position(left.var()) > self.trail.position(right.var()) {
                left = parents[left.var().index()];
            } else {
                right = parents[right.var().index()];
            }
        }
        left
    }

    /// Derives a binary clause and makes it the reason of a literal implied by a longer one.
    fn resolve_hyper_binary(&mut self, lit: Lit, reason: ClauseRef, dominator: Lit) {
        let is_it = |watch: &&crate::clause_ref::Watch| watch.is_binary() && watch.blocker == lit;
        // Eight watches to a cache line.
        self.statistics.ticks += 1 + self.watches.of(!dominator).len() as u64 / 8;
        if let Some(watch) = self.watches.of(!dominator).iter().find(is_it) {
            self.trail.assigned[lit.var().index()].reason = watch.clause();
            return;
        }
        self.statistics.hyper_binaries += 1;
        let subsumes = self.arena.lits(reason).any(|other| other == !dominator);
        let redundant = !subsumes || self.arena.is_redundant(reason);
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(reason));
            self.analysis.mark(dominator.var(), KEPT);
            for index in 0..self.arena.size(reason) {
                let other = self.arena.lit(reason, index).var();
                if other == lit.var() || other == dominator.var() {
                    continue;
                }
                if self.trail.level_of(other) == 0 {
                    self.chain.add_unit(other);
                } else {
                    self.resolve_away(other);
                }
            }
            self.analysis.clear_marks();
        }
        let lits = [lit, !dominator];
        let Some(clause) = self.add_resolvent(&lits, redundant) else {
            return;
        };
        self.trail.assigned[lit.var().index()].reason = clause;
        if redundant {
            self.arena.set_used(clause, 1);
        } else {
            self.touch(clause);
        }
        if subsumes {
            self.detach(reason);
            self.remove_clause(reason);
        } else {
            self.arena.mark_hyper_binary(clause);
        }
    }
}
