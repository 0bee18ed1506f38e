//! Checking clauses by unit propagation over hints, as LRAT does.

use super::error::CheckError;
use super::resolvent::Resolvent;
use super::store::ClauseStore;
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::proof::sink::ClauseId;

/// A clause that a RAT step resolves with, and the hints by which the resolvent follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatHint {
    /// The clause.
    pub clause: ClauseId,
    /// The hints, which may be none: a resolvent that contains a literal and its negation follows by itself.
    pub hints: Vec<ClauseId>,
}

/// A forward checker of clauses with hints (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient
/// Certified RAT Verification, CADE 2017).
///
/// A clause follows if assuming the negations of all its literals and propagating along its hints in order
/// leads to a conflict. Each hint before the conflict must be unit; hints after it are ignored. A clause that does not
/// follow may be added as a resolution asymmetric tautology (RAT) on its first literal, see [`RupChecker::rat`].
#[derive(Clone, Debug, Default)]
pub struct RupChecker {
    clauses: ClauseStore,
    /// The literals that are false in the current step.
    falsified: Resolvent,
    n_vars: usize,
    is_refuted: bool,
}

impl RupChecker {
    /// A checker without clauses for formulas over the first `n_vars` variables.
    #[must_use]
    pub fn new(n_vars: usize) -> Self {
        let mut falsified = Resolvent::default();
        falsified.reserve_vars(n_vars);
        Self {
            falsified,
            n_vars,
            ..Self::default()
        }
    }

    /// A checker with the clauses of `cnf`, numbered from 1 in their order.
    ///
    /// # Errors
    /// If the formula has more literals or clauses than can be numbered.
    pub fn for_cnf(cnf: &Cnf) -> Result<Self, CheckError> {
        let mut checker = Self::new(cnf.n_vars());
        for (index, (clause, _)) in cnf.iter().enumerate() {
            let id = ClauseId::try_from(index + 1).map_err(|_| CheckError::TooLarge)?;
            checker.original(id, clause)?;
        }
        Ok(checker)
    }

    /// Adds a clause of the formula.
    ///
    /// # Errors
    /// If the number is taken or the clause has an unknown variable.
    pub fn original(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        self.know_variables(id, lits)?;
        self.clauses.insert(id, lits)?;
        self.is_refuted |= lits.is_empty();
        Ok(())
    }

    /// Checks a derived clause and adds it.
    ///
    /// # Errors
    /// If the hints do not imply it, the number is taken, or the clause has an unknown variable.
    pub fn derived(
        &mut self,
        id: ClauseId,
        lits: &[Lit],
        hints: impl IntoIterator<Item = ClauseId>,
    ) -> Result<(), CheckError> {
        self.know_variables(id, lits)?;
        self.falsified.clear();
        if !self.falsify(lits) && !self.propagate(id, hints)? {
            return Err(CheckError::NoConflict(id));
        }
        self.clauses.insert(id, lits)?;
        self.is_refuted |= lits.is_empty();
        Ok(())
    }

    /// Checks an added clause of a file, which follows, or is a RAT on its first literal, and adds it.
    ///
    /// # Errors
    /// See [`RupChecker::derived`] and [`RupChecker::rat`].
    pub fn added(
        &mut self,
        id: ClauseId,
        lits: &[Lit],
        hints: &[ClauseId],
        candidates: &[RatHint],
    ) -> Result<(), CheckError> {
        let is_new = |lit: &Lit| lit.var().index() >= self.n_vars;
        if !candidates.is_empty() || lits.first().is_some_and(is_new) {
            return self.rat(id, lits, hints, candidates);
        }
        self.derived(id, lits, hints.iter().copied())
    }

    /// Checks a clause whose addition keeps the formula satisfiable although it need not follow, and adds it: for each
    /// clause with the negation of its first literal, the resolvent of both on it must follow. `hints` propagate for all
    /// of them, and `candidates` name each with the hints that lead to its conflict. Each addition may use one variable
    /// more than the formula and the additions before.
    ///
    /// # Errors
    /// If a resolvent does not follow, a candidate is missing, the number is taken, or there are more new variables than
    /// additions of this kind.
    pub fn rat(
        &mut self,
        id: ClauseId,
        lits: &[Lit],
        hints: &[ClauseId],
        candidates: &[RatHint],
    ) -> Result<(), CheckError> {
        self.n_vars += 1;
        self.falsified.reserve_vars(self.n_vars);
        self.know_variables(id, lits)?;
        let Some(&pivot) = lits.first() else {
            return Err(CheckError::NoConflict(id));
        };
        let resolved = self.clauses.with_literal(!pivot);
        let is_listed = |clause: &ClauseId| candidates.iter().any(|hint| hint.clause == *clause);
        if let Some(&clause) = resolved.iter().find(|&clause| !is_listed(clause)) {
            return Err(CheckError::NoRatHint { step: id, clause });
        }
        for RatHint { clause, hints: own } in candidates {
            self.falsified.clear();
            if self.falsify(lits) || self.propagate(id, hints.iter().copied())? {
                break;
            }
            let other = self.clauses.get(*clause).ok_or(CheckError::UnknownClause {
                step: id,
                clause: *clause,
            })?;
            let other: Vec<Lit> = other.filter(|&lit| lit != !pivot).collect();
            if !self.falsify(&other) && !self.propagate(id, own.iter().copied())? {
                return Err(CheckError::NoConflict(id));
            }
        }
        self.clauses.insert(id, lits)
    }

    /// Deletes a clause.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn deleted(&mut self, id: ClauseId) -> Result<(), CheckError> {
        self.clauses.remove(id)
    }

    /// Whether the empty clause was derived: the formula is unsatisfiable.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    fn know_variables(&self, clause: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        match lits.iter().find(|lit| lit.var().index() >= self.n_vars) {
            Some(&lit) => Err(CheckError::UnknownVariable { clause, lit }),
            None => Ok(()),
        }
    }

    /// Falsifies literals; `true` if one of them is true, so that their clause is a tautology under the assignment.
    fn falsify(&mut self, lits: &[Lit]) -> bool {
        for &lit in lits {
            if self.falsified.contains(!lit) {
                return true;
            }
            self.falsified.insert(lit);
        }
        false
    }

    /// Propagates along hints; `true` if one of them is false.
    fn propagate(
        &mut self,
        step: ClauseId,
        hints: impl IntoIterator<Item = ClauseId>,
    ) -> Result<bool, CheckError> {
        for hint in hints {
            let clause = self
                .clauses
                .get(hint)
                .ok_or(CheckError::UnknownClause { step, clause: hint })?;
            let mut unit = None;
            for lit in clause {
                if !self.falsified.contains(lit) && unit.replace(lit).is_some_and(|old| old != lit)
                {
                    return Err(CheckError::NotUnit { step, hint });
                }
            }
            match unit {
                None => return Ok(true),
                Some(lit) if self.falsified.contains(!lit) => {
                    return Err(CheckError::NotUnit { step, hint });
                }
                Some(lit) => {
                    self.falsified.insert(!lit);
                }
            }
        }
        Ok(false)
    }
}
