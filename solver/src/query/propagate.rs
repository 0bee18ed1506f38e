//! Unit propagation with two watched literals.

use super::QuerySolver;
use super::values::{FALSE, OUTSIDE, TRUE};
use crate::clause_ref::{ClauseRef, Watch};
use crate::lit::Lit;

/// The values of this number of variables fit into a cache. Tests have both cases with few variables.
const FEW_VARS: usize = if cfg!(test) { 12 } else { 1 << 16 };

impl QuerySolver {
    /// Propagates the trail; returns a clause that has become false, if any.
    ///
    /// With `EVERYWHERE`, variables outside the domain take part, which is only correct at level 0:
    /// [`QuerySolver::backtrack`] does not restore the value `OUTSIDE`.
    pub(super) fn propagate<const EVERYWHERE: bool>(&mut self) -> Option<ClauseRef> {
        match !EVERYWHERE && self.n_vars() > FEW_VARS {
            true => self.propagate_with::<EVERYWHERE, true>(),
            false => self.propagate_with::<EVERYWHERE, false>(),
        }
    }

    /// As `propagate`; with `BITS`, whether a blocker is outside of the domain is looked up before its value.
    fn propagate_with<const EVERYWHERE: bool, const BITS: bool>(&mut self) -> Option<ClauseRef> {
        debug_assert!(!EVERYWHERE || self.level() == 0);
        debug_assert!(!EVERYWHERE || !BITS);
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
                if BITS && !self.domain.is_near(watch.blocker.var()) {
                    debug_assert_eq!(self.values[watch.blocker.index()], OUTSIDE);
                    // Nearly all watches are of this kind: what stays in its place is not written.
                    if kept + 1 < index {
                        watches[kept] = watch;
                    }
                    kept += 1;
                    continue;
                }
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
