//! Local search for phases.
//!
//! From the saved phases, variables of falsified clauses are flipped until no clause is falsified or the
//! effort is used up. The variable of the clause to flip is drawn at random, with a probability that
//! decreases with the number of clauses that it *breaks*, that is, falsifies (Balint and Schöning, "Choosing
//! probability distributions for stochastic local search and the role of make versus break", SAT 2012; the
//! variant with an exponential in the break count). The best assignment found becomes the saved phases (Cai
//! and Zhang, "Deep cooperation of CDCL and local search for SAT", SAT 2021).
//!
//! Only irredundant clauses count. Fixed and assumed variables are not flipped. Nothing is derived, so the
//! proof does not change.

use craig_aig::Random;

use super::solver::Solver;
use super::state::ROUND_WORK;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// The share of the search's ticks that walking may use, in percent.
const SHARE: u64 = 5;

/// The base of the exponential by the average size of the clauses: the values that the authors found best for
/// clauses of 3, 5 and 7 literals, interpolated linearly; formulas with many binary clauses get the value of
/// the smallest size.
const BASES: [(f64, f64); 4] = [(2.0, 2.0), (3.0, 2.5), (5.0, 3.7), (7.0, 5.4)];

/// Larger break counts get the same weight.
const MAX_BREAKS: usize = 64;

/// The `position` of a clause that is not falsified.
const NOT_BROKEN: u32 = u32::MAX;

/// How many literals are counted between two polls.
const LITS_PER_LOOK: usize = 10_000;

/// The state of a clause.
#[derive(Clone, Copy)]
struct State {
    n_true: u32,
    /// The exclusive or of the codes of the true literals; with one true literal, its code.
    true_codes: u32,
    /// Its position in the list of falsified clauses.
    position: u32,
}

/// An assignment of all variables, with the number of true literals of each clause.
struct Walk {
    /// By variable: 1 true, -1 false.
    values: Vec<i8>,
    /// By variable: whether it may be flipped.
    is_free: Vec<bool>,
    lits: Vec<Lit>,
    /// By clause, and one more: where its literals begin.
    starts: Vec<u32>,
    states: Vec<State>,
    /// By literal, and one more: where its clauses begin in `occurrences`.
    occurrence_starts: Vec<u32>,
    occurrences: Vec<u32>,
    /// By variable: how many clauses flipping it would falsify.
    breaks: Vec<u32>,
    broken: Vec<u32>,
    /// The fewest falsified clauses so far, and the variables that were flipped since.
    minimum: usize,
    flipped: Vec<Var>,
    /// By break count: the relative probability of a flip.
    weights: [f64; MAX_BREAKS],
    scores: Vec<f64>,
    random: Random,
    steps: u64,
}

/// The base for an average clause size.
fn base(average: f64) -> f64 {
    let (mut below, mut value) = BASES[0];
    for (size, base) in BASES {
        if average < size {
            let part = ((average - below) / (size - below)).max(0.0);
            return value + part * (base - value);
        }
        (below, value) = (size, base);
    }
    value
}

impl Walk {
    /// `None` if `is_due` returns `true`; its argument is the number of clauses visited since its last call.
    fn new(
        values: Vec<i8>,
        is_free: Vec<bool>,
        lits: Vec<Lit>,
        starts: Vec<u32>,
        mut is_due: impl FnMut(u64) -> bool,
    ) -> Option<Self> {
        let n_vars = values.len();
        let n_clauses = starts.len() - 1;
        let mut occurrence_starts = vec![0u32; 2 * n_vars + 1];
        for lits in lits.chunks(LITS_PER_LOOK) {
            if is_due(lits.len() as u64 / 2) {
                return None;
            }
            for lit in lits {
                occurrence_starts[lit.index() + 1] += 1;
            }
        }
        for index in 0..2 * n_vars {
            occurrence_starts[index + 1] += occurrence_starts[index];
        }
        let mut next = occurrence_starts.clone();
        let mut occurrences = vec![0u32; lits.len()];
        for clause in 0..n_clauses {
            if is_due(1) {
                return None;
            }
            for lit in &lits[starts[clause] as usize..starts[clause + 1] as usize] {
                let place = &mut next[lit.index()];
                occurrences[*place as usize] = clause as u32;
                *place += 1;
            }
        }
        let average = lits.len() as f64 / n_clauses.max(1) as f64;
        let base = base(average);
        let mut weights = [1.0; MAX_BREAKS];
        for index in 1..MAX_BREAKS {
            weights[index] = weights[index - 1] / base;
        }
        let steps = (lits.len() / 4) as u64;
        let mut walk = Self {
            values,
            is_free,
            lits,
            starts,
            states: Vec::with_capacity(n_clauses),
            occurrence_starts,
            occurrences,
            breaks: vec![0; n_vars],
            broken: Vec::new(),
            minimum: 0,
            flipped: Vec::new(),
            weights,
            scores: Vec::new(),
            random: Random::new(0),
            steps,
        };
        for clause in 0..n_clauses {
            if is_due(1) {
                return None;
            }
            walk.count(clause);
        }
        walk.minimum = walk.broken.len();
        Some(walk)
    }

    fn is_true(&self, lit: Lit) -> bool {
        (self.values[lit.var().index()] < 0) == lit.is_negated()
    }

    /// Counts the true literals of a clause.
    fn count(&mut self, clause: usize) {
        let mut state = State {
            n_true: 0,
            true_codes: 0,
            position: NOT_BROKEN,
        };
        for index in self.starts[clause]..self.starts[clause + 1] {
            let lit = self.lits[index as usize];
            if self.is_true(lit) {
                state.n_true += 1;
                state.true_codes ^= lit.code();
            }
        }
        match state.n_true {
            0 => {
                state.position = self.broken.len() as u32;
                self.broken.push(clause as u32);
            }
            1 => self.breaks[Lit::from_code(state.true_codes).var().index()] += 1,
            _ => {}
        }
        self.states.push(state);
    }

    /// The clauses of a literal, as a range of `occurrences`.
    fn occurrences_of(&self, lit: Lit) -> std::ops::Range<usize> {
        let starts = &self.occurrence_starts;
        starts[lit.index()] as usize..starts[lit.index() + 1] as usize
    }

    /// Flips the variable of a false literal.
    fn flip(&mut self, lit: Lit) {
        debug_assert!(!self.is_true(lit));
        let var = lit.var();
        self.values[var.index()] = -self.values[var.index()];
        let (gaining, losing) = (self.occurrences_of(lit), self.occurrences_of(!lit));
        self.steps += 1 + (gaining.len() + losing.len()) as u64;
        for index in gaining {
            let clause = self.occurrences[index];
            let state = &mut self.states[clause as usize];
            match state.n_true {
                0 => {
                    let position = std::mem::replace(&mut state.position, NOT_BROKEN);
                    self.breaks[var.index()] += 1;
                    self.broken.swap_remove(position as usize);
                    if let Some(&moved) = self.broken.get(position as usize) {
                        self.states[moved as usize].position = position;
                    }
                }
                1 => {
                    let other = Lit::from_code(state.true_codes);
                    self.breaks[other.var().index()] -= 1;
                }
                _ => {}
            }
            let state = &mut self.states[clause as usize];
            state.n_true += 1;
            state.true_codes ^= lit.code();
        }
        for index in losing {
            let clause = self.occurrences[index];
            let state = &mut self.states[clause as usize];
            state.n_true -= 1;
            state.true_codes ^= (!lit).code();
            match state.n_true {
                0 => {
                    state.position = self.broken.len() as u32;
                    self.broken.push(clause);
                    self.breaks[var.index()] -= 1;
                }
                1 => {
                    let other = Lit::from_code(state.true_codes);
                    self.breaks[other.var().index()] += 1;
                }
                _ => {}
            }
        }
    }

    /// A literal of a falsified clause, drawn by its break count; `None` if none may be flipped.
    fn pick(&mut self, clause: u32) -> Option<Lit> {
        let range = self.starts[clause as usize]..self.starts[clause as usize + 1];
        self.scores.clear();
        let mut sum = 0.0;
        for index in range.clone() {
            let var = self.lits[index as usize].var();
            if self.is_free[var.index()] {
                let breaks = self.breaks[var.index()] as usize;
                sum += self.weights[breaks.min(MAX_BREAKS - 1)];
            }
            self.scores.push(sum);
        }
        if sum == 0.0 {
            return None;
        }
        // 53 random bits make a number from 0 to below 1; less than the sum even after rounding, as the last
        // one is skipped.
        let drawn = (self.random.word() >> 11) as f64 / (1u64 << 53) as f64 * sum;
        let offset = self.scores.iter().position(|&score| score > drawn);
        Some(self.lits[range.start as usize + offset?])
    }

    /// Flips until no clause is falsified or the steps are used up. The argument of `is_due` is the number of
    /// steps since its last call; it returns whether to end.
    fn run(&mut self, limit: u64, mut is_due: impl FnMut(u64) -> bool) {
        let mut counted = self.steps;
        while !self.broken.is_empty() && self.steps < limit {
            if is_due(self.steps - std::mem::replace(&mut counted, self.steps)) {
                break;
            }
            let index = ((self.random.word() >> 32) * self.broken.len() as u64) >> 32;
            let clause = self.broken[index as usize];
            self.steps += 1;
            let Some(lit) = self.pick(clause) else {
                continue;
            };
            self.flip(lit);
            self.flipped.push(lit.var());
            if self.broken.len() < self.minimum {
                self.minimum = self.broken.len();
                self.flipped.clear();
            }
        }
        // Restores the best assignment.
        while let Some(var) = self.flipped.pop() {
            self.values[var.index()] = -self.values[var.index()];
        }
    }
}

impl<P: ProofSink> Solver<P> {
    /// Walks from the saved phases to better ones; `false` if the call has no walk. Called at the base level.
    pub(super) fn walk(&mut self) -> bool {
        if !self.options.walk
            || self.base_level > 0
            || self.decisions.has_domain()
            || self.stop.is_due(ROUND_WORK)
        {
            return false;
        }
        debug_assert_eq!(self.trail.level(), 0);
        let ticks = self.statistics.ticks - self.phases.walk_ticks;
        self.phases.walk_ticks = self.statistics.ticks;
        let mut values = self.phases.saved().to_vec();
        let mut is_free = vec![true; self.n_vars()];
        for &lit in self.trail.lits.iter().chain(&self.assumptions) {
            values[lit.var().index()] = if lit.is_negated() { -1 } else { 1 };
            is_free[lit.var().index()] = false;
        }
        let (mut lits, mut starts) = (Vec::new(), vec![0]);
        for &clause in &self.clauses.irredundant {
            if self.stop.is_due(1) {
                return false;
            }
            let is_satisfied = |lit: Lit| self.trail.value(lit) > 0;
            if self.arena.is_garbage(clause) || self.arena.lits(clause).any(is_satisfied) {
                continue;
            }
            lits.extend(self.arena.lits(clause));
            starts.push(lits.len() as u32);
        }
        let stop = &mut self.stop;
        let Some(mut walk) = Walk::new(values, is_free, lits, starts, |work| stop.is_due(work))
        else {
            return false;
        };
        walk.random = Random::new(self.phases.random.word());
        let before = walk.minimum;
        let limit = self.options.walk_steps.max(ticks * SHARE / 100);
        walk.run(limit, |work| self.stop.is_due(work));
        self.statistics.walks += 1;
        self.statistics.walk_steps += walk.steps;
        self.statistics.walk_minimum = walk.minimum as u64;
        if walk.minimum < before {
            self.phases.set_saved(walk.values);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_walk(values: Vec<i8>, is_free: Vec<bool>, lits: Vec<Lit>, starts: Vec<u32>) -> Walk {
        Walk::new(values, is_free, lits, starts, |_| false).expect("nothing ends it")
    }

    /// A walk over random clauses of three literals, whose values are all false at first.
    fn random_walk(n_vars: usize, n_clauses: usize, seed: u64) -> Walk {
        let mut source = new_walk(Vec::new(), Vec::new(), Vec::new(), vec![0]);
        source.random = Random::new(seed);
        let (mut lits, mut starts) = (Vec::new(), vec![0]);
        for _ in 0..n_clauses {
            let first = source.random.word() as usize;
            for offset in 0..3 {
                let var = Var::new((first + offset * (1 + first % 3)) % n_vars);
                lits.push(var.lit(source.random.word() & 1 == 0));
            }
            starts.push(lits.len() as u32);
        }
        let mut walk = new_walk(vec![-1; n_vars], vec![true; n_vars], lits, starts);
        walk.random = Random::new(seed);
        walk
    }

    fn n_falsified(walk: &Walk) -> usize {
        (walk.starts.windows(2))
            .filter(|ends| {
                let clause = &walk.lits[ends[0] as usize..ends[1] as usize];
                !clause.iter().any(|&lit| walk.is_true(lit))
            })
            .count()
    }

    #[test]
    fn counts_are_right_after_flips() {
        for seed in 0..20 {
            let mut walk = random_walk(20, 85, seed);
            for _ in 0..50 {
                let var = Var::new(walk.random.word() as usize % 20);
                let lit = var.lit(walk.is_true(var.positive()));
                walk.flip(lit);
            }
            assert_eq!(walk.broken.len(), n_falsified(&walk));
            for index in 0..20 {
                let lit = Var::new(index).lit(walk.is_true(Var::new(index).positive()));
                let (broken, made) = (walk.broken.clone(), walk.breaks[index] as usize);
                walk.flip(lit);
                let newly = walk.broken.iter().filter(|clause| !broken.contains(clause));
                assert_eq!(newly.count(), made);
                walk.flip(!lit);
            }
        }
    }

    #[test]
    fn the_best_assignment_is_kept() {
        for seed in 0..20 {
            let mut walk = random_walk(30, 140, seed);
            let before = walk.minimum;
            walk.run(3000, |_| false);
            assert!(walk.minimum <= before);
            assert_eq!(n_falsified(&walk), walk.minimum, "seed {seed}");
        }
    }

    #[test]
    fn an_easy_formula_is_solved_and_what_is_fixed_stays() {
        let mut walk = random_walk(100, 200, 3);
        walk.is_free[7] = false;
        walk.run(1_000_000, |_| false);
        assert_eq!((walk.minimum, walk.values[7]), (0, -1));
    }

    #[test]
    fn a_model_that_a_walk_finds_needs_no_conflict() {
        for seed in 0..10 {
            let found = random_walk(100, 150, seed);
            let mut solver = Solver::new();
            for ends in found.starts.windows(2) {
                solver.add_clause(&found.lits[ends[0] as usize..ends[1] as usize]);
            }
            let assumptions = [Var::new(7).negative(), Var::new(8).positive()];
            solver.assumptions = assumptions.to_vec();
            assert!(solver.walk());
            assert_eq!(solver.statistics().walk_minimum, 0, "seed {seed}");
            assert_eq!(solver.solve(&assumptions), crate::Answer::Satisfiable);
            assert_eq!(solver.statistics().conflicts, 0);
        }
    }

    #[test]
    fn the_base_grows_with_the_size() {
        assert_eq!([1.0, 2.0, 4.0, 9.0].map(base), [2.0, 2.0, 3.1, 5.4]);
    }
}
