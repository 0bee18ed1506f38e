//! What a propagator is told and asked, and its clauses in the middle of the search.
//!
//! What has been told is a prefix of the trail. Backtracking does not tell anything by itself: the trail remembers the lowest level it
//! went back to, and the propagator hears of it before the next question.

use super::answer::UnknownReason;
use super::propagator::{Consulted, External, NotConnected, Propagator};
use super::solver::Solver;
use crate::cnf::Label;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Connects a propagator that observes some variables. Its clauses are part of the formula from then on, in the partition
    /// `label`: in a proof they are original clauses. Calls with temporary clauses or with a domain do not ask it.
    ///
    /// # Errors
    /// If the proof can't have such clauses, or there is a propagator.
    pub fn connect_propagator(
        &mut self,
        propagator: Box<dyn Propagator>,
        observed: &[Var],
        label: Label,
    ) -> Result<(), NotConnected> {
        if !P::LATE_ORIGINALS {
            return Err(NotConnected::Proof);
        }
        if self.external.is_connected() {
            return Err(NotConnected::Taken);
        }
        self.backtrack(0);
        for &var in observed {
            self.reserve_vars(var.index() + 1);
            self.restore_eliminated(&[var.positive()]);
        }
        let mut external = External {
            propagator: Some(propagator),
            label,
            observed: vec![false; self.n_vars()],
            vars: observed.to_vec(),
            ..External::default()
        };
        for var in observed {
            external.observed[var.index()] = true;
        }
        self.external = external;
        Ok(())
    }

    /// Takes the propagator back. The clauses that it has added stay.
    pub fn disconnect_propagator(&mut self) -> Option<Box<dyn Propagator>> {
        self.backtrack(0);
        std::mem::take(&mut self.external).propagator
    }

    /// Tells what has changed, and adds the clauses that the propagator has.
    pub(super) fn consult(&mut self) -> Consulted {
        let Some(mut propagator) = self.external.propagator.take() else {
            return Consulted::Unchanged;
        };
        self.tell(&mut *propagator);
        let mut consulted = Consulted::Unchanged;
        while consulted == Consulted::Unchanged
            && let Some(clause) = propagator.clause()
        {
            consulted = self.add_external(&clause);
        }
        self.external.propagator = Some(propagator);
        consulted
    }

    /// Asks whether the assignment is a model.
    pub(super) fn check_external(&mut self) -> Consulted {
        let Some(mut propagator) = self.external.propagator.take() else {
            return Consulted::Unchanged;
        };
        self.tell(&mut *propagator);
        let trail = &self.trail;
        let clauses = propagator.check(&|lit| trail.value(lit) > 0);
        self.external.propagator = Some(propagator);
        let mut consulted = Consulted::Unchanged;
        for clause in clauses {
            match self.add_external(&clause) {
                Consulted::Inconsistent => return Consulted::Inconsistent,
                // Also a clause without effect on the trail may have to be satisfied.
                _ => consulted = Consulted::Changed,
            }
        }
        consulted
    }

    /// The propagator's decision.
    pub(super) fn external_decision(&mut self) -> Option<Lit> {
        let lit = self.external.propagator.as_mut()?.decide()?;
        let is_observed = self.external.observed.get(lit.var().index()) == Some(&true);
        (is_observed && self.trail.value(lit) == 0).then_some(lit)
    }

    /// Tells what has happened since the last time.
    fn tell(&mut self, propagator: &mut dyn Propagator) {
        let external = &mut self.external;
        let lowest = std::mem::replace(&mut self.trail.lowest, u32::MAX);
        if (lowest as usize) < external.starts.len() {
            external.n_told = external.starts[lowest as usize];
            external.starts.truncate(lowest as usize);
            propagator.backtracked(lowest);
        }
        let n_lits = self.trail.lits.len();
        loop {
            let next = self.trail.level_starts.get(external.starts.len());
            let end = next.map_or(n_lits, |&start| start as usize);
            let new = self.trail.lits[external.n_told..end].iter();
            let new: Vec<Lit> = (new.copied())
                .filter(|lit| external.observed.get(lit.var().index()) == Some(&true))
                .collect();
            if !new.is_empty() {
                propagator.assigned(&new);
            }
            external.n_told = end;
            if next.is_none() {
                return;
            }
            external.starts.push(end);
            propagator.new_level();
        }
    }

    /// Adds a clause in the middle of the search.
    ///
    /// # Panics
    /// If a variable of the clause is not observed.
    fn add_external(&mut self, lits: &[Lit]) -> Consulted {
        let is_observed = |lit: &Lit| self.external.observed.get(lit.var().index()) == Some(&true);
        assert!(
            lits.iter().all(is_observed),
            "a clause of the propagator has a variable that it does not observe"
        );
        self.statistics.original_clauses += 1;
        let mut id = self.new_id();
        if !self.chain.is_exhausted {
            self.proof.original(id, lits, self.external.label);
        }
        let mut clause = lits.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || clause.iter().any(|&lit| self.trail.fixed(lit) > 0) {
            self.chain.delete(&mut self.proof, id, lits);
            return Consulted::Unchanged;
        }
        let (falsified, mut rest): (Vec<Lit>, Vec<Lit>) =
            clause.iter().partition(|&&lit| self.trail.fixed(lit) < 0);
        let is_shortened = !falsified.is_empty();
        if is_shortened {
            // Units of level 0 have clauses of their own only after this.
            self.backtrack(0);
            self.derive_units();
            id = self.derive_shorter(id, lits, &falsified, &rest);
        } else if P::ENABLED {
            self.chain.note_original(id, lits, rest.len());
        }
        match rest[..] {
            [] => {
                self.become_inconsistent(id);
                Consulted::Inconsistent
            }
            [lit] => {
                self.backtrack(0);
                match self.fix(lit, id) {
                    true => Consulted::Changed,
                    false => Consulted::Inconsistent,
                }
            }
            _ => match self.attach_external(&mut rest, id) {
                Consulted::Unchanged if is_shortened => Consulted::Changed,
                consulted => consulted,
            },
        }
    }

    /// Watches a clause of at least two literals, none of them known at level 0, after undoing what contradicts it.
    fn attach_external(&mut self, lits: &mut [Lit], id: ClauseId) -> Consulted {
        let level = |lit: Lit| match self.trail.value(lit) {
            ..0 => self.trail.level_of(lit.var()),
            _ => u32::MAX,
        };
        lits.sort_by_key(|&lit| std::cmp::Reverse(level(lit)));
        let (first, second) = (lits[0], lits[1]);
        let (high, low) = (level(first), level(second));
        let Some(clause) = self.arena.alloc(lits, false, 0, id) else {
            self.stop.lacks_clause = true;
            self.stop.reason.get_or_insert(UnknownReason::Memory);
            return Consulted::Changed;
        };
        let is_kept = low == u32::MAX
            || self.trail.value(first) > 0 && self.trail.level_of(first.var()) <= low;
        let mut consulted = Consulted::Changed;
        if is_kept {
            consulted = Consulted::Unchanged;
        } else if high == low {
            // Both are free one level further down: propagation finds the conflict again.
            self.backtrack(low - 1);
        } else {
            self.backtrack(low);
            self.trail.assign(first, clause);
        }
        self.watches.attach(clause, first, second, lits.len());
        self.clauses.irredundant.push(clause);
        consulted
    }
}

#[cfg(test)]
#[path = "propagator_tests.rs"]
mod tests;
