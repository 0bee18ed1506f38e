//! Unit propagation with two watched literals.

use super::QuerySolver;
use super::values::{FALSE, TRUE};
use crate::clause_ref::{ClauseRef, Watch};
use crate::lit::Lit;

impl QuerySolver {
    /// Propagates the trail; returns a clause that has become false, if any.
    ///
    /// With `EVERYWHERE`, variables outside the domain take part, which is only correct at level 0:
    /// [`QuerySolver::backtrack`] does not restore the value `OUTSIDE`.
    pub(super) fn propagate<const EVERYWHERE: bool>(&mut self) -> Option<ClauseRef> {
        debug_assert!(!EVERYWHERE || self.level() == 0);
        let mut conflict = None;
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            self.statistics.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut index = 0;
            while index < watches.len() {
                let watch = watches[index];
                index += 1;
                let value = self.values[watch.blocker.index()];
                if is_satisfied::<EVERYWHERE>(value) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let clause = watch.clause();
                if watch.is_binary() {
                    if self.clauses.is_deleted(clause) {
                        continue;
                    }
                    watches[kept] = watch;
                    kept += 1;
                    if value == FALSE {
                        conflict = Some(clause);
                        break;
                    }
                    self.assign(watch.blocker, clause);
                    continue;
                }
                if self.clauses.is_deleted(clause) {
                    continue;
                }
                let lits = self.clauses.lits_mut(clause);
                // Keep the falsified literal second.
                if lits[0] == falsified.code() {
                    lits.swap(0, 1);
                }
                let first = Lit::from_stored(lits[0]);
                let value = self.values[first.index()];
                if first != watch.blocker && is_satisfied::<EVERYWHERE>(value) {
                    watches[kept] = Watch::new(first, clause, false);
                    kept += 1;
                    continue;
                }
                let replacement =
                    (2..lits.len()).find(|&other| self.values[lits[other] as usize] != FALSE);
                if let Some(other) = replacement {
                    lits.swap(1, other);
                    let lit = Lit::from_stored(lits[1]);
                    debug_assert_ne!(lit, falsified);
                    self.watches[lit.index()].push(Watch::new(first, clause, false));
                    continue;
                }
                watches[kept] = Watch::new(first, clause, false);
                kept += 1;
                if value == FALSE {
                    conflict = Some(clause);
                    break;
                }
                // A temporary clause that contradicts the facts must not leave a fact about the activation
                // literal after its query: assuming that literal will find the conflict.
                if !EVERYWHERE || first != !self.activation {
                    self.assign(first, clause);
                }
            }
            if kept < index {
                watches.copy_within(index.., kept);
                let rest = watches.len() - index;
                watches.truncate(kept + rest);
            }
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                break;
            }
        }
        conflict
    }
}

#[inline]
fn is_satisfied<const EVERYWHERE: bool>(value: i8) -> bool {
    if EVERYWHERE {
        value == TRUE
    } else {
        // `TRUE` or `OUTSIDE`.
        value > 0
    }
}
