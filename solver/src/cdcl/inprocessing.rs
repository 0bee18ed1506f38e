//! The state of the schedule of inprocessing.

use crate::lit::{Lit, Var};

/// The most rounds in a row that [`Delay`] leaves out.
const MOST_LEFT_OUT: u32 = 31;

/// The state of inprocessing from one round to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Inprocessing {
    pub(super) rounds: u64,
    pub(super) next: u64,
    /// The ticks of the search when the last round ended.
    pub(super) ticks: u64,
    /// The propagations of the search when clauses were last subsumed or variables eliminated.
    pub(super) propagations: u64,
    /// Rounds with subsumption and elimination, and the number of conflicts at which the next one is due.
    pub(super) eliminations: u64,
    pub(super) next_elimination: u64,
    /// Whether gates have been found to define at least half of the variables.
    pub(super) is_circuit: bool,
    /// Whether factoring may add variables.
    pub(super) is_closed: bool,
    /// By variable, up to the last one that factoring has added: whether it has.
    pub(super) added: Vec<bool>,
    /// The literal at which probing continues.
    pub(super) next_probe: usize,
    /// The binary clause at which transitive reduction continues, redundant ones first.
    pub(super) next_transitive: usize,
    /// The variable at which sweeping continues.
    pub(super) next_swept: usize,
    pub(super) sweep_delay: Delay,
    /// How many literals were fixed at level 0 when the clauses were last simplified.
    pub(super) simplified: usize,
    /// By variable: whether it must not be eliminated now.
    pub(super) frozen: Vec<bool>,
    /// By variable: whether its irredundant clauses have changed since its elimination was last tried.
    pub(super) touched: Vec<bool>,
    /// By literal: one more than the number of fixed literals when it was last probed, or 0.
    pub(super) probed: Vec<u32>,
}

/// Rounds of a technique that are left out, since rounds before found nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delay {
    /// How many of the next rounds are left out.
    pub(super) rounds: u32,
    /// How many were after the last one.
    last: u32,
}

impl Delay {
    /// Records whether a round has found something.
    pub(super) fn note(&mut self, is_fruitful: bool) {
        self.last = match is_fruitful {
            true => 0,
            false => (2 * self.last + 1).min(MOST_LEFT_OUT),
        };
        self.rounds = self.last;
    }
}

impl Inprocessing {
    /// Records that factoring has added a variable.
    pub(super) fn note_added(&mut self, var: Var) {
        self.added.resize(var.index() + 1, false);
        self.added[var.index()] = true;
    }

    /// Checks that literals of a caller belong to none of the variables that factoring has added.
    ///
    /// # Panics
    /// If one does.
    pub(super) fn expect_own(&self, lits: &[Lit]) {
        let is_added = |lit: &Lit| self.added.get(lit.var().index()) == Some(&true);
        assert!(
            !lits.iter().any(is_added),
            "a variable of the caller was added by factoring"
        );
    }

    /// Makes room for `n_vars` variables.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        self.frozen.resize(n_vars, false);
        self.touched.resize(n_vars, true);
        self.probed.resize(2 * n_vars, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fruitless_rounds_become_rare() {
        let mut delay = Delay::default();
        let mut left_out = Vec::new();
        for is_fruitful in [false, false, false, true, false] {
            delay.note(is_fruitful);
            left_out.push(delay.rounds);
        }
        assert_eq!(left_out, [1, 3, 7, 0, 1]);
        for _ in 0..100 {
            delay.note(false);
        }
        assert_eq!(delay.rounds, MOST_LEFT_OUT);
    }
}
