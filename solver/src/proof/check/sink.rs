//! Checking during the search.

use super::dag::failed;
use super::error::CheckError;
use super::resolvent::Resolvent;
use super::store::ClauseStore;
use crate::cnf::Label;
use crate::lit::{Lit, Var};
use crate::proof::sink::{ClauseId, ProofSink};
use std::collections::HashSet;

/// A sink that replays every derivation when it is reported, and checks the whole contract of [`ProofSink`]:
/// numbers increase, antecedents exist, each step clashes once, the chain derives exactly the stated clause,
/// a defined variable is new, and a deleted clause existed with the stated literals.
///
/// It ignores all reports after the first error, which [`CheckingSink::finish`] returns.
#[derive(Clone, Debug, Default)]
pub struct CheckingSink {
    clauses: ClauseStore,
    /// Original clauses that contain a literal and its negation: they can't be antecedents.
    tautologies: HashSet<ClauseId>,
    resolvent: Resolvent,
    largest: ClauseId,
    /// One more than the largest variable of a clause so far.
    n_vars: usize,
    n_derived: u64,
    n_resolutions: u64,
    error: Option<CheckError>,
}

impl CheckingSink {
    /// A sink without clauses.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of derived clauses checked.
    #[must_use]
    pub fn n_derived(&self) -> u64 {
        self.n_derived
    }

    /// The number of resolutions of the derived clauses.
    #[must_use]
    pub fn n_resolutions(&self) -> u64 {
        self.n_resolutions
    }

    /// Whether clause number `id` exists and has no literals, as the end of a refutation must.
    #[must_use]
    pub fn is_empty_clause(&self, id: ClauseId) -> bool {
        self.clauses
            .get(id)
            .is_some_and(|mut lits| lits.next().is_none())
    }

    /// Whether clause number `id` exists and consists of these literals, as the end of a proof under assumptions must
    /// consist of the negations of those that failed.
    #[must_use]
    pub fn is_clause(&self, id: ClauseId, lits: &[Lit]) -> bool {
        let sorted = |mut lits: Vec<Lit>| {
            lits.sort_unstable();
            lits.dedup();
            lits
        };
        (self.clauses.get(id))
            .is_some_and(|clause| sorted(clause.collect()) == sorted(lits.to_vec()))
    }

    /// The result so far.
    ///
    /// # Errors
    /// The first error.
    pub fn finish(&self) -> Result<(), CheckError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Runs a check unless there was an error, and stores its error.
    fn unless_failed(&mut self, check: impl FnOnce(&mut Self) -> Result<(), CheckError>) {
        if self.error.is_none() {
            self.error = check(self).err();
        }
    }

    fn number(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        if id <= self.largest {
            return Err(CheckError::DuplicateClause(id));
        }
        self.largest = id;
        self.n_vars = self.n_vars.max(n_vars(lits));
        self.resolvent.reserve_vars(n_vars(lits));
        Ok(())
    }

    fn check_original(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        self.number(id, lits)?;
        self.resolvent.clear();
        let mut set = Vec::with_capacity(lits.len());
        for &lit in lits {
            if self.resolvent.contains(!lit) {
                self.tautologies.insert(id);
            }
            if self.resolvent.insert(lit) {
                set.push(lit);
            }
        }
        self.clauses.insert(id, &set)
    }

    fn check_derived(
        &mut self,
        id: ClauseId,
        lits: &[Lit],
        antecedents: &[ClauseId],
    ) -> Result<(), CheckError> {
        self.number(id, lits)?;
        let Some((&first, rest)) = antecedents.split_first() else {
            return Err(CheckError::NoAntecedent(id));
        };
        self.resolvent.clear();
        for lit in usable(&self.clauses, &self.tautologies, id, first)? {
            self.resolvent.insert(lit);
        }
        for &antecedent in rest {
            let clause = usable(&self.clauses, &self.tautologies, id, antecedent)?;
            self.resolvent
                .resolve(clause)
                .map_err(|failure| failed(id, antecedent, failure))?;
        }
        if !self.resolvent.is(lits.iter().copied()) {
            return Err(CheckError::OtherClause(id));
        }
        self.n_derived += 1;
        self.n_resolutions += rest.len() as u64;
        self.clauses.insert(id, lits)
    }

    /// A definition adds no constraint on the variables so far, if the defined one is none of them.
    fn check_definition(
        &mut self,
        first: ClauseId,
        defined: Lit,
        factors: &[Lit],
    ) -> Result<(), CheckError> {
        let mut vars: Vec<Var> = factors.iter().map(|lit| lit.var()).collect();
        vars.sort_unstable();
        let is_new = defined.var().index() >= self.n_vars && !vars.contains(&defined.var());
        if !is_new || vars.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(CheckError::NoDefinition(first));
        }
        let negated = factors.iter().map(|&lit| !lit);
        let long: Vec<Lit> = std::iter::once(!defined).chain(negated).collect();
        let short = factors.iter().map(|&factor| vec![defined, factor]);
        for (id, clause) in (first..).zip(short.chain([long])) {
            self.number(id, &clause)?;
            self.clauses.insert(id, &clause)?;
        }
        Ok(())
    }

    fn check_deleted(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), CheckError> {
        let clause = self.clauses.get(id);
        let clause = clause.ok_or(CheckError::DeletesUnknownClause(id))?;
        self.resolvent.reserve_vars(n_vars(lits));
        self.resolvent.clear();
        for lit in clause {
            self.resolvent.insert(lit);
        }
        // Originals may have repeated literals, so a repetition is not an error here.
        let all_there = lits.iter().all(|&lit| self.resolvent.contains(lit));
        if !all_there || !self.resolvent.is_covered_by(lits) {
            return Err(CheckError::DeletesOtherLiterals(id));
        }
        self.tautologies.remove(&id);
        self.clauses.remove(id)
    }
}

/// One more than the largest variable of a clause.
fn n_vars(lits: &[Lit]) -> usize {
    let after = lits.iter().map(|lit| lit.var().index() + 1);
    after.max().unwrap_or(0)
}

/// The literals of an antecedent, unless it is unknown or a tautology.
fn usable<'a>(
    clauses: &'a ClauseStore,
    tautologies: &HashSet<ClauseId>,
    step: ClauseId,
    antecedent: ClauseId,
) -> Result<impl Iterator<Item = Lit> + use<'a>, CheckError> {
    if !tautologies.is_empty() && tautologies.contains(&antecedent) {
        return Err(CheckError::Tautology { step, antecedent });
    }
    clauses.get(antecedent).ok_or(CheckError::UnknownClause {
        step,
        clause: antecedent,
    })
}

impl ProofSink for CheckingSink {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn has_definitions(&self) -> bool {
        true
    }

    fn original(&mut self, id: ClauseId, lits: &[Lit], _: Label) {
        self.unless_failed(|sink| sink.check_original(id, lits));
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.unless_failed(|sink| sink.check_derived(id, lits, antecedents));
    }

    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        self.unless_failed(|sink| sink.check_definition(first, defined, factors));
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.unless_failed(|sink| sink.check_deleted(id, lits));
    }
}
