//! Which value to try first for a variable.
//!
//! * *Saved* phases: the last value the variable had (Pipatsrisawat and Darwiche, SAT 2007).
//! * *Target* phases: the values on the longest trail without a conflict since the last rephasing. In stable
//!   mode they go before the saved ones, which pulls the search back to what nearly was a model.
//! * *Best* phases: the same over a longer time, to return to.
//!
//! Every now and then the saved phases are replaced altogether: *rephasing* (Biere and Fleury, "Chasing
//! target phases", POS 2020; Cai and Zhang, SAT 2021).

use super::Solver;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// Conflicts between the first two rephasings; the gap grows by as much each time.
const REPHASE_INTERVAL: u64 = 1000;

/// The phases, by variable: 1 true, -1 false, 0 none known.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    saved: Vec<i8>,
    target: Vec<i8>,
    best: Vec<i8>,
    /// The length of the trail that `target` and `best` come from.
    target_assigned: usize,
    best_assigned: usize,
    rephased: u64,
    next_rephase: u64,
    /// The ticks of the search at the last walk.
    pub(super) walk_ticks: u64,
    random: u64,
}

impl Phases {
    /// No variables yet; rephasing draws from `seed`.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            next_rephase: REPHASE_INTERVAL,
            random: seed,
            ..Self::default()
        }
    }

    /// Makes room for `n_vars` variables, which start with `initial`.
    pub(super) fn reserve_vars(&mut self, n_vars: usize, initial: bool) {
        self.saved.resize(n_vars, if initial { 1 } else { -1 });
        self.target.resize(n_vars, 0);
        self.best.resize(n_vars, 0);
    }

    /// Remembers the value that a variable has just lost.
    #[inline]
    pub(super) fn save(&mut self, lit: Lit) {
        self.saved[lit.var().index()] = if lit.is_negated() { -1 } else { 1 };
    }

    /// Sets what is tried first for a variable.
    pub(super) fn set(&mut self, lit: Lit) {
        self.save(lit);
        self.target[lit.var().index()] = 0;
    }

    /// The literal to decide for a variable.
    #[inline]
    pub(super) fn choose(&self, var: Var, stable: bool) -> Lit {
        let target = self.target[var.index()];
        let phase = if stable && target != 0 {
            target
        } else {
            self.saved[var.index()]
        };
        var.lit(phase < 0)
    }

    /// Lets any trail be the longest once more: those to come are shorter because there are fewer variables.
    pub(super) fn forget_lengths(&mut self) {
        self.target_assigned = 0;
        self.best_assigned = 0;
    }

    /// Takes note of a trail that has no conflict. Of variables that are not on it, the saved phases are what it would have gone on
    /// with; without them, target phases of different trails would mix.
    fn note_trail(&mut self, lits: &[Lit]) {
        let saved = &self.saved;
        let store = |phases: &mut [i8]| {
            phases.copy_from_slice(saved);
            for lit in lits {
                phases[lit.var().index()] = if lit.is_negated() { -1 } else { 1 };
            }
        };
        if lits.len() > self.target_assigned {
            self.target_assigned = lits.len();
            store(&mut self.target);
        }
        if lits.len() > self.best_assigned {
            self.best_assigned = lits.len();
            store(&mut self.best);
        }
    }

    /// The saved phases, by variable.
    pub(super) fn saved(&self) -> &[i8] {
        &self.saved
    }

    /// Replaces the saved phases.
    pub(super) fn set_saved(&mut self, saved: Vec<i8>) {
        debug_assert_eq!(saved.len(), self.saved.len());
        self.saved = saved;
    }

    /// The next word of a sequence of random ones.
    pub(super) fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Whether the next phases are to come from a walk, or from chance where there is none.
    fn is_time_to_walk(&self) -> bool {
        self.rephased > 1 && matches!(self.rephased % 6, 3 | 0)
    }

    /// Replaces the saved phases: the initial ones, their opposites, the best ones and others in turn. `walked` says that
    /// the others are there already.
    fn rephase(&mut self, initial: bool, walked: bool) {
        let initial = if initial { 1 } else { -1 };
        match self.rephased {
            0 => self.saved.fill(initial),
            1 => self.saved.fill(-initial),
            n => match n % 6 {
                2 | 5 => {
                    for (saved, &best) in self.saved.iter_mut().zip(&self.best) {
                        if best != 0 {
                            *saved = best;
                        }
                    }
                    // From here on, the best of what comes. Other rephasings leave it what it is, or the
                    // first short trail after each would take its place.
                    self.best_assigned = 0;
                }
                3 | 0 if walked => {}
                3 | 0 => {
                    for index in 0..self.saved.len() {
                        // Flip one in sixteen: a random walk away from what is known.
                        if self.next_random() & 15 == 0 {
                            self.saved[index] = -self.saved[index];
                        }
                    }
                }
                4 => self.saved.fill(initial),
                _ => self.saved.fill(-initial),
            },
        }
        self.rephased += 1;
        self.target.fill(0);
        self.target_assigned = 0;
    }
}

impl<P: ProofSink> Solver<P> {
    /// Before a jump back: the trail up to the level of the conflict was without one.
    pub(super) fn update_target_and_best(&mut self, conflict: bool) {
        if !self.mode.stable {
            return;
        }
        let end = match self.trail.level_starts.last() {
            Some(&start) if conflict => start as usize,
            _ => self.trail.propagated,
        };
        self.phases.note_trail(&self.trail.lits[..end]);
    }

    /// Whether it is time for other phases.
    pub(super) fn wants_to_rephase(&self) -> bool {
        self.statistics.conflicts >= self.phases.next_rephase
    }

    /// Changes all saved phases, and starts over from them.
    pub(super) fn rephase(&mut self) {
        self.update_target_and_best(false);
        self.backtrack(self.base_level);
        let walked = self.phases.is_time_to_walk() && self.walk();
        self.phases.rephase(self.options.initial_phase, walked);
        self.statistics.rephasings += 1;
        self.phases.next_rephase =
            self.statistics.conflicts + REPHASE_INTERVAL * (self.phases.rephased + 1);
    }
}
