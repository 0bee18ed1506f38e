//! Transitive reduction of the binary implications.
//!
//! A binary clause whose implication follows from other binary clauses by transitivity is removed: a
//! redundant one if any other binary clauses imply it, an irredundant one only if irredundant ones do (Heule,
//! Järvisalo, Biere, "Efficient CNF simplification based on binary implication graphs", SAT 2011; Aho, Garey,
//! Ullman, "The transitive reduction of a directed graph", SIAM J. Comput. 1972). Propagation then visits
//! fewer watches, and variables have fewer clauses when they are eliminated. Hyper-binary resolution adds
//! many such clauses. Nothing is derived.

use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The watches that may be visited, in percent of the ticks that the search has spent since the last time.
const SHARE: u64 = 2;
/// The least watches that may be visited.
const MIN_STEPS: u64 = 1000;

impl<P: ProofSink> Solver<P> {
    /// Removes binary clauses that others imply; `ticks` are those of the search since the last time. Always
    /// returns `true`, since nothing is derived.
    pub(super) fn reduce_transitively(&mut self, ticks: u64) -> bool {
        if !self.options.transitive {
            return true;
        }
        let mut budget = (ticks * SHARE / 100).max(MIN_STEPS);
        let clauses: Vec<ClauseRef> = (self
            .clauses
            .redundant
            .iter()
            .chain(&self.clauses.irredundant)
            .copied())
        .filter(|&clause| self.arena.size(clause) == 2 && !self.arena.is_garbage(clause))
        .collect();
        let start = self.inprocessing.next_transitive.min(clauses.len());
        let mut work = Vec::new();
        for index in (start..clauses.len()).chain(0..start) {
            if budget == 0 || self.stop.is_due(1) {
                self.inprocessing.next_transitive = index;
                break;
            }
            if self.is_transitive(clauses[index], &mut work, &mut budget) {
                self.statistics.transitive_clauses += 1;
                self.remove_clause(clauses[index]);
            }
        }
        self.collect_garbage();
        true
    }

    /// Whether other binary clauses, irredundant ones if this is one, lead from the negation of one of the
    /// clause's literals to the other. Each visited watch is subtracted from the budget; `false` when it is
    /// exhausted. `work` is scratch space.
    fn is_transitive(&mut self, clause: ClauseRef, work: &mut Vec<Lit>, budget: &mut u64) -> bool {
        let (first, goal) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        let redundant = self.arena.is_redundant(clause);
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        self.analysis.lit_stamps[(!first).index()] = stamp;
        work.clear();
        work.push(!first);
        while let Some(lit) = work.pop() {
            for watch in self.watches.of(!lit) {
                if *budget == 0 || self.stop.is_due(1) {
                    return false;
                }
                *budget -= 1;
                let other = watch.clause();
                if !watch.is_binary()
                    || other == clause
                    || self.arena.is_garbage(other)
                    || !redundant && self.arena.is_redundant(other)
                {
                    continue;
                }
                let implied = watch.blocker;
                if implied == goal {
                    return true;
                }
                let seen = &mut self.analysis.lit_stamps[implied.index()];
                if std::mem::replace(seen, stamp) != stamp {
                    work.push(implied);
                }
            }
        }
        false
    }
}
