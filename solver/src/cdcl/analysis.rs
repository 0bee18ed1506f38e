//! The working state of conflict analysis.

use crate::lit::{Lit, Var};

/// Per-variable marks of the analysis.
pub(super) const SEEN: u8 = 1;
/// Minimisation has shown that the literal is implied by the others.
pub(super) const REMOVABLE: u8 = 2;
/// Minimisation has failed to show this.
pub(super) const POISON: u8 = 4;
/// The literal stays in the clause.
pub(super) const KEPT: u8 = 8;
/// Shrinking resolves the literal away, or has failed to.
pub(super) const SHRUNKEN: u8 = 16;

/// The working state of conflict analysis; empty between conflicts.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// By variable.
    pub(super) marks: Vec<u8>,
    /// The variables with a mark, to reset them.
    pub(super) marked: Vec<Var>,
    /// The clause being learned; the first literal is the UIP.
    pub(super) clause: Vec<Lit>,
    /// `clause` before it is minimised.
    pub(super) full_clause: Vec<Lit>,
    /// How many of the marked variables took part in the conflict; the others were visited by minimisation
    /// only.
    pub(super) n_involved: usize,
    /// The variables that shrinking has put into the clause.
    pub(super) shrunken_to: Vec<Var>,
    /// By level: the stamp of the last clause in which it occurred.
    pub(super) level_stamps: Vec<u64>,
    /// By literal: the last stamp that it got, in analysis or in transitive reduction.
    pub(super) lit_stamps: Vec<u64>,
    pub(super) stamp: u64,
    /// Whether the clause was derived with temporary clauses.
    pub(super) tainted: bool,
    /// Work list of minimisation.
    pub(super) stack: Vec<(Var, u32)>,
    /// Work list of shrinking: places on the trail, the last first.
    pub(super) open_places: std::collections::BinaryHeap<u32>,
}

impl Analysis {
    /// Makes room for `n_vars` variables.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        if self.marks.len() < n_vars {
            self.marks.resize(n_vars, 0);
            self.lit_stamps.resize(2 * n_vars, 0);
        }
    }

    /// Makes room for levels up to `level`. There may be more levels than variables: an assumption that is
    /// already true gets a level without a literal.
    pub(super) fn reserve_levels(&mut self, level: usize) {
        if self.level_stamps.len() <= level {
            self.level_stamps.resize(level + 1, 0);
        }
    }

    /// Adds a mark to a variable, and lists it to be reset.
    #[inline]
    pub(super) fn mark(&mut self, var: Var, mark: u8) {
        let marks = &mut self.marks[var.index()];
        if *marks == 0 {
            self.marked.push(var);
        }
        *marks |= mark;
    }

    /// Removes all marks.
    pub(super) fn clear_marks(&mut self) {
        for var in self.marked.drain(..) {
            self.marks[var.index()] = 0;
        }
    }
}
