//! Maintenance between queries: reduction of learned clauses, removal of satisfied ones, garbage collection.

use super::QuerySolver;
use super::clauses::Kind;
use super::values::TRUE;
use crate::lit::Lit;

/// Half of the learned clauses are removed when there are more than this, plus a share of the permanent ones.
const LEARNED_BASE: usize = 500;
/// That share, as a divisor.
const LEARNED_SHARE: usize = 15;
/// Satisfied clauses are removed every this many queries, if there are new facts, and if since the last time there was
/// a query for each [`WORDS_PER_QUERY`] words of clauses: that takes time for all clauses.
const SIMPLIFY_INTERVAL: u64 = 100;
const WORDS_PER_QUERY: u64 = 5000;

impl QuerySolver {
    /// Called between queries, at level 0 and fully propagated.
    pub(super) fn maintain(&mut self) {
        debug_assert_eq!(self.level(), 0);
        if self.learned.len() > LEARNED_BASE + self.n_original / LEARNED_SHARE {
            self.forget();
        }
        if self.statistics.queries.is_multiple_of(SIMPLIFY_INTERVAL)
            && self.simplified_facts < self.trail.len()
            && self.is_time_to_simplify()
        {
            self.drop_satisfied();
            self.simplified_facts = self.trail.len();
            self.simplified_at = self.statistics.queries;
        }
        if self.clauses.wasted() > self.clauses.n_words() / 4 {
            self.collect_garbage();
        }
    }

    fn is_time_to_simplify(&self) -> bool {
        let n_queries = self.statistics.queries - self.simplified_at;
        self.clauses.n_words() as u64 <= WORDS_PER_QUERY * n_queries
    }

    /// Removes the half of the learned clauses that took part in the fewest conflicts; binary ones are kept.
    fn forget(&mut self) {
        let mut learned = std::mem::take(&mut self.learned);
        let clauses = &mut self.clauses;
        learned.sort_by(|&left, &right| {
            let key = |clause| (clauses.len(clause) == 2, clauses.activity(clause));
            let (left, right) = (key(left), key(right));
            right.0.cmp(&left.0).then(right.1.total_cmp(&left.1))
        });
        let keep = learned.len() / 2;
        let mut index = 0;
        learned.retain(|&clause| {
            index += 1;
            let stays = index <= keep || clauses.len(clause) == 2;
            if !stays {
                clauses.delete(clause);
            }
            stays
        });
        self.learned = learned;
    }

    fn drop_satisfied(&mut self) {
        let mut next = self.clauses.first();
        while let Some(clause) = next {
            next = self.clauses.following(clause);
            if self.clauses.is_deleted(clause) || self.clauses.kind(clause) == Kind::Temporary {
                continue;
            }
            let lits = self.clauses.lits(clause);
            if lits.iter().any(|&code| self.values[code as usize] == TRUE) {
                if self.clauses.kind(clause) == Kind::Original {
                    self.n_original -= 1;
                }
                self.clauses.delete(clause);
            }
        }
        let clauses = &self.clauses;
        self.learned.retain(|&clause| !clauses.is_deleted(clause));
    }

    /// Reclaims the memory of deleted clauses and attaches the others again. There are no reasons above level
    /// 0 now, and the reasons of facts are never used.
    fn collect_garbage(&mut self) {
        self.clauses.compact();
        for watches in &mut self.watches {
            watches.clear();
        }
        for clauses in &mut self.guarded {
            clauses.clear();
        }
        self.learned.clear();
        self.temporary.clear();
        let mut next = self.clauses.first();
        while let Some(clause) = next {
            next = self.clauses.following(clause);
            let kind = self.clauses.kind(clause);
            let lits = self.clauses.lits(clause);
            let (length, first, second) = (lits.len(), lits[0], lits[1]);
            let watched = [first, second].map(Lit::from_stored);
            self.watch(clause, watched, length, kind);
            match kind {
                Kind::Original => {}
                Kind::Learned => self.learned.push(clause),
                Kind::Temporary => self.temporary.push(clause),
            }
        }
    }
}
