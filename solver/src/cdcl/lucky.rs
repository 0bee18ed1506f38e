//! Lucky phases: simple assignments, each tried once before the search.
//!
//! Many hand-written formulas have a model that a simple rule finds: all variables false, or true, as far as
//! propagation allows, in increasing or decreasing order of their numbers; or each clause satisfied by a
//! positive literal and all other variables false, or the same with signs exchanged, which decides Horn
//! formulas (Biere, Fazekas, Fleury and Heisinger, "CaDiCaL, Kissat, Paracooba, Plingeling and Treengeling",
//! SAT Competition 2020). An attempt ends at its first conflict, so it costs at most one full propagation.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Tries each rule, and leaves all variables assigned if one succeeds. Called at level 0, which has been
    /// propagated.
    pub(super) fn try_lucky_phases(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        if !self.options.lucky {
            return;
        }
        // The ticks of lucky phases do not count as search, by which other techniques are scheduled.
        let ticks = self.statistics.ticks;
        for negated in [true, false] {
            if self.is_lucky(|solver| solver.assume_clauses(negated))
                || self.is_lucky(|solver| solver.assume_all(negated, false))
                || self.is_lucky(|solver| solver.assume_all(negated, true))
            {
                self.statistics.lucky += 1;
                break;
            }
        }
        self.statistics.ticks = ticks;
    }

    /// Whether an attempt ends without a conflict; if not, it is undone.
    fn is_lucky(&mut self, try_it: impl Fn(&mut Self) -> bool) -> bool {
        let lucky = try_it(self);
        if !lucky {
            self.undo(0);
        }
        lucky
    }

    /// Decides a literal unless it has a value, and propagates; `false` if there is a conflict or the call
    /// has to end.
    fn assume_lucky(&mut self, lit: Lit) -> bool {
        if self.trail.value(lit) != 0 || self.decisions.inactive[lit.var().index()] {
            return true;
        }
        self.trail.new_level();
        self.trail.assign(lit, ClauseRef::NONE);
        let before = self.statistics.ticks;
        let is_open = self.propagate().is_none();
        !self.stop.is_due(self.statistics.ticks - before) && is_open
    }

    /// Gives all variables the same value, in increasing or decreasing order of their numbers.
    fn assume_all(&mut self, negated: bool, backwards: bool) -> bool {
        let n_vars = self.n_vars();
        (0..n_vars).all(|index| {
            let index = if backwards { n_vars - 1 - index } else { index };
            self.assume_lucky(Var::new(index).lit(negated))
        })
    }

    /// Satisfies each clause by its first literal that has the sign and no value, and then makes all other
    /// literals of that sign false.
    fn assume_clauses(&mut self, negated: bool) -> bool {
        for index in 0..self.clauses.irredundant.len() {
            let clause = self.clauses.irredundant[index];
            if self.stop.is_due(1) {
                return false;
            }
            let is_true = |lit: Lit| self.trail.value(lit) > 0;
            if self.arena.is_garbage(clause) || self.arena.lits(clause).any(is_true) {
                continue;
            }
            let is_open = |lit: &Lit| lit.is_negated() == negated && self.trail.value(*lit) == 0;
            let first = self.arena.lits(clause).find(is_open);
            if first.is_none_or(|lit| !self.assume_lucky(lit)) {
                return false;
            }
        }
        self.assume_all(!negated, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    fn solve(clauses: &[&[i32]]) -> Solver {
        let mut solver = Solver::new();
        for clause in clauses {
            let lits = clause.iter().map(|&number| Lit::from_dimacs(number.into()));
            solver.add_clause(&lits.map(Option::unwrap).collect::<Vec<_>>());
        }
        assert_eq!(solver.solve(&[]), Answer::Satisfiable);
        for clause in clauses {
            assert!(clause.iter().any(|&number| {
                solver.value(Lit::from_dimacs(number.into()).unwrap()) == Some(true)
            }));
        }
        solver
    }

    #[test]
    fn constant_assignments_are_found() {
        for sign in [1, -1] {
            let solver = solve(&[&[sign, 2 * -sign], &[2 * sign, -sign], &[3 * sign, -sign]]);
            assert_eq!(solver.statistics().lucky, 1);
            assert_eq!(solver.statistics().conflicts, 0);
        }
    }

    #[test]
    fn propagation_may_set_others() {
        let solver = solve(&[&[1, 2], &[-2, -3], &[3, 4], &[-4, -1, -2]]);
        assert_eq!(solver.statistics().lucky, 1);
    }

    #[test]
    fn without_luck_the_search_begins_at_level_0() {
        // Exactly one of 1 and 2 is true, and so of 7 and 8, so neither order of the variables succeeds. The
        // first two clauses have literals of one sign only.
        let solver = solve(&[
            &[1, 2, 3],
            &[-7, -8, -6],
            &[1, 2, -3],
            &[-1, -2, 4],
            &[-1, -2, -4],
            &[7, 8, 5],
            &[7, 8, -5],
            &[-7, -8, 6],
        ]);
        assert_eq!(solver.statistics().lucky, 0);
    }
}
