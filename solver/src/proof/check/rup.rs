//! Checking clauses by unit propagation over hints, as LRAT does.

use super::error::CheckError;
use super::resolvent::Resolvent;
use super::store::ClauseStore;
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::proof::sink::ClauseId;

/// A forward checker of clauses with hints (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient
/// Certified RAT Verification, CADE 2017). RAT steps are not supported, as they are not resolutions.
///
/// A clause follows if assuming the negations of all its literals and propagating along its hints in order
/// leads to a conflict. Each hint before the conflict must be unit; hints after it are ignored.
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
        self.follows(id, lits, hints)?;
        self.clauses.insert(id, lits)?;
        self.is_refuted |= lits.is_empty();
        Ok(())
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

    fn follows(
        &mut self,
        step: ClauseId,
        lits: &[Lit],
        hints: impl IntoIterator<Item = ClauseId>,
    ) -> Result<(), CheckError> {
        self.falsified.clear();
        for &lit in lits {
            if self.falsified.contains(!lit) {
                return Ok(());
            }
            self.falsified.insert(lit);
        }
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
                None => return Ok(()),
                Some(lit) if self.falsified.contains(!lit) => {
                    return Err(CheckError::NotUnit { step, hint });
                }
                Some(lit) => {
                    self.falsified.insert(!lit);
                }
            }
        }
        Err(CheckError::NoConflict(step))
    }
}
