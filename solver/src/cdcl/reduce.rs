//! Reduction of the redundant clauses.
//!
//! Redundant clauses belong to tiers by their glue. The tier determines how many reductions a clause survives
//! after it last took part in a conflict: many, two, or one. A clause that has just been learned counts as
//! used, except in the worst tier. Of the clauses whose count has expired, a fraction of the worst, by glue
//! and then size, is removed (Oh, "Between SAT and UNSAT", SAT 2015; Biere et al., CaDiCaL).

use std::cmp::Reverse;

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::proof::ProofSink;

/// Glue up to which a clause belongs to the first tier.
const TIER_1: u32 = 2;
/// Glue up to which a clause belongs to the second tier.
pub(super) const TIER_2: u32 = 6;
/// By tier: the value of [`Arena::used`](super::arena::Arena::used) after a clause takes part in a conflict.
/// Each reduction decrements it, and only clauses at 0 are removed.
const JUST_USED: [u32; 3] = [31, 2, 1];
/// Conflicts between reductions grow with the square root of the conflicts so far, times this.
const INTERVAL: f64 = 25.0;
/// The fraction of the candidates that is removed, in percent.
const FRACTION: usize = 75;

/// The number of reductions that a clause of this glue survives after it was learned. One more reduction for
/// all of them more than doubles the number of clauses, without fewer conflicts (bench/records/solver.md).
pub(super) fn just_learned(glue: u32) -> u32 {
    if glue > TIER_2 { 0 } else { just_used(glue) }
}

/// The number of reductions that a clause of this glue survives after it took part in a conflict.
pub(super) fn just_used(glue: u32) -> u32 {
    JUST_USED[usize::from(glue > TIER_1) + usize::from(glue > TIER_2)]
}

impl<P: ProofSink> Solver<P> {
    /// Marks a redundant clause as used in a conflict, and updates its glue if it is smaller now.
    #[inline]
    pub(super) fn use_clause(&mut self, clause: ClauseRef) {
        if !self.arena.is_redundant(clause) {
            return;
        }
        if self.arena.is_hyper_binary(clause) {
            return self.arena.set_used(clause, 1);
        }
        let mut glue = self.arena.glue(clause);
        if glue > TIER_1 {
            let now = self.count_levels_of(clause);
            if now < glue {
                self.arena.set_glue(clause, now);
                glue = now;
            }
        }
        self.arena.set_used(clause, just_used(glue));
    }

    /// Whether a reduction is due.
    pub(super) fn is_time_to_reduce(&self) -> bool {
        self.statistics.conflicts >= self.reductions.next
    }

    /// Removes the worst of the redundant clauses. Reasons are kept.
    pub(super) fn reduce(&mut self) {
        self.statistics.reductions += 1;
        if self.base_level == 0 && self.trail.fixed_since(self.inprocessing.simplified) {
            self.backtrack(0);
            self.simplify();
            if self.watches.is_stale {
                return;
            }
        }
        let mut candidates = Vec::new();
        let mut unused = Vec::new();
        for &clause in &self.clauses.redundant {
            let used = self.arena.used(clause);
            if self.arena.is_garbage(clause) {
                continue;
            }
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else if self.is_reason(clause) {
                continue;
            } else if self.arena.is_hyper_binary(clause) {
                unused.push(clause);
            } else {
                let (glue, size) = (self.arena.glue(clause), self.arena.size(clause) as u32);
                candidates.push((glue, size, candidates.len() as u32, clause));
            }
        }
        // The worst first, and among equals the oldest, so that the newest are kept.
        candidates.sort_unstable_by_key(|&(glue, size, age, _)| (Reverse((glue, size)), age));
        let kept = candidates.split_off(candidates.len() * FRACTION / 100);
        self.reductions.last_kept = kept.iter().fold((0, 0), |(glue, size), own| {
            (own.0.max(glue), own.1.max(size))
        });
        let dropped = candidates.into_iter().map(|(.., clause)| clause);
        for clause in dropped.chain(unused) {
            self.remove_clause(clause);
        }
        self.collect_garbage();
        let interval = INTERVAL * (self.statistics.conflicts as f64).sqrt();
        self.reductions.next = self.statistics.conflicts + interval as u64;
    }

    /// Whether some literal on the trail got its value from the clause. Such a literal is one of the two
    /// that watch it.
    fn is_reason(&self, clause: ClauseRef) -> bool {
        (0..2).any(|position| {
            let lit = self.arena.lit(clause, position);
            self.trail.value(lit) > 0 && self.trail.reason(lit.var()) == clause
        })
    }
}
