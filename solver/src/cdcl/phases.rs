//! Which value to try first for a variable.
//!
//! * *Saved* phases: the last value the variable had (Pipatsrisawat and Darwiche, SAT 2007).
//! * *Target* phases: the values on the longest trail without a conflict since the last rephasing. In stable
//!   mode they have precedence over the saved ones, so that the search stays close to a near-model.
//! * *Best* phases: the values on the longest such trail since the last rephasing to best phases.
//!
//! *Rephasing* regularly replaces all saved phases (Biere and Fleury, "Chasing target phases", POS 2020; Cai
//! and Zhang, SAT 2021).

use craig_aig::Random;

use crate::lit::{Lit, Var};

/// The phases, by variable: 1 true, -1 false, 0 none known.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    pub(super) saved: Vec<i8>,
    pub(super) target: Vec<i8>,
    pub(super) best: Vec<i8>,
    /// The length of the trail that `target` and `best` come from.
    pub(super) target_assigned: usize,
    pub(super) best_assigned: usize,
    pub(super) rephased: u64,
    pub(super) next_rephase: u64,
    /// The ticks of the search at the last walk.
    pub(super) walk_ticks: u64,
    pub(super) random: Random,
}

impl Phases {
    /// No variables yet; rephasing draws random numbers from `seed`, and is first due after `interval`
    /// conflicts.
    pub(super) fn new(seed: u64, interval: u64) -> Self {
        Self {
            next_rephase: interval,
            random: Random::new(seed),
            ..Self::default()
        }
    }

    /// Makes room for `n_vars` variables, which start with `initial`.
    pub(super) fn reserve_vars(&mut self, n_vars: usize, initial: bool) {
        self.saved.resize(n_vars, if initial { 1 } else { -1 });
        self.target.resize(n_vars, 0);
        self.best.resize(n_vars, 0);
    }

    /// Saves the value that a variable has just lost.
    #[inline]
    pub(super) fn save(&mut self, lit: Lit) {
        self.saved[lit.var().index()] = if lit.is_negated() { -1 } else { 1 };
    }

    /// Sets the saved phase of a variable.
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

    /// Resets the trail lengths: after variables were removed, all trails are shorter.
    pub(super) fn forget_lengths(&mut self) {
        self.target_assigned = 0;
        self.best_assigned = 0;
    }

    /// Updates target and best phases from a trail without conflict. Variables that are not on it take their
    /// saved phases; otherwise phases of different trails would mix.
    pub(super) fn note_trail(&mut self, lits: &[Lit]) {
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

    /// Whether the next rephasing uses a walk, or random flips if walks are off.
    pub(super) fn is_time_to_walk(&self) -> bool {
        self.rephased > 1 && matches!(self.rephased % 6, 3 | 0)
    }

    /// Replaces the saved phases: the initial ones, their opposites, the best ones and others in turn. With
    /// `walked`, a walk has already replaced them.
    pub(super) fn rephase(&mut self, initial: bool, walked: bool) {
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
                    // Best phases are reset only from here on. A reset at other rephasings would let
                    // the first short trail replace them.
                    self.best_assigned = 0;
                }
                3 | 0 if walked => {}
                3 | 0 => {
                    for index in 0..self.saved.len() {
                        // Flip one in sixteen, a random perturbation of the saved phases.
                        if self.random.word() & 15 == 0 {
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
