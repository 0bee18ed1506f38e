//! The current assignment, with levels and reasons.

use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};

/// The level, reason and place of an assigned variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    /// The number of decisions before it.
    pub(super) level: u32,
    /// The clause that implied it, or [`ClauseRef::NONE`] for decisions and at level 0.
    pub(super) reason: ClauseRef,
    /// Its place on the trail.
    pub(super) position: u32,
}

/// The assigned literals in order, with their values, levels and reasons.
///
/// Invariants: `values[l] == -values[!l]`; a literal is on the trail exactly when it is true; the
/// other literals of a reason are false and stand earlier on the trail.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// 1 true, -1 false, 0 unassigned; by literal, so that a look-up needs no sign arithmetic.
    pub(super) values: Vec<i8>,
    pub(super) assigned: Vec<Assigned>,
    pub(super) lits: Vec<Lit>,
    /// Where each level starts: level `i + 1` begins at `level_starts[i]` with its decision.
    pub(super) level_starts: Vec<u32>,
    /// How much of the trail has been propagated.
    pub(super) propagated: usize,
    /// The lowest level that was returned to since this was set to the largest number.
    pub(super) lowest: u32,
}

impl Trail {
    /// Makes room for `n_vars` variables.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        if self.assigned.len() < n_vars {
            self.values.resize(2 * n_vars, 0);
            self.assigned.resize(
                n_vars,
                Assigned {
                    level: 0,
                    reason: ClauseRef::NONE,
                    position: 0,
                },
            );
        }
    }

    /// 1 if the literal is true, -1 if it is false, 0 if it has no value.
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    /// [`Trail::value`] without a bounds check.
    ///
    /// # Safety
    /// The literal's variable has been reserved.
    #[inline]
    pub(super) unsafe fn value_unchecked(&self, lit: Lit) -> i8 {
        debug_assert!(lit.index() < self.values.len());
        // SAFETY: there are two values for each reserved variable.
        unsafe { *self.values.get_unchecked(lit.index()) }
    }

    /// The current decision level.
    #[inline]
    pub(super) fn level(&self) -> u32 {
        self.level_starts.len() as u32
    }

    /// The level at which an assigned variable got its value.
    #[inline]
    pub(super) fn level_of(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }

    /// The clause that implied an assigned variable.
    #[inline]
    pub(super) fn reason(&self, var: Var) -> ClauseRef {
        self.assigned[var.index()].reason
    }

    /// Where an assigned variable stands on the trail.
    #[inline]
    pub(super) fn position(&self, var: Var) -> u32 {
        self.assigned[var.index()].position
    }

    /// The value at level 0, or 0 if the literal has none there.
    #[inline]
    pub(super) fn fixed(&self, lit: Lit) -> i8 {
        let value = self.value(lit);
        if value != 0 && self.level_of(lit.var()) == 0 {
            value
        } else {
            0
        }
    }

    /// Whether there are more literals at level 0 than `n`.
    pub(super) fn fixed_since(&self, n: usize) -> bool {
        let fixed = self
            .level_starts
            .first()
            .map_or(self.lits.len(), |&start| start as usize);
        fixed > n
    }

    /// Starts a new decision level.
    pub(super) fn new_level(&mut self) {
        self.level_starts.push(self.lits.len() as u32);
    }

    /// Makes an unassigned literal true at the current level.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assigned[lit.var().index()] = Assigned {
            level: self.level_starts.len() as u32,
            reason,
            position: self.lits.len() as u32,
        };
        self.lits.push(lit);
    }

    /// Undoes all levels above `level`, and calls `undone` for each literal from the newest on.
    pub(super) fn backtrack(&mut self, level: u32, mut undone: impl FnMut(Lit)) {
        self.lowest = self.lowest.min(level);
        if level >= self.level() {
            return;
        }
        let start = self.level_starts[level as usize] as usize;
        for &lit in self.lits[start..].iter().rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            undone(lit);
        }
        self.lits.truncate(start);
        self.level_starts.truncate(level as usize);
        self.propagated = self.propagated.min(start);
    }
}
