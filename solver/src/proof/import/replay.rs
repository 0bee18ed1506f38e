//! From unit propagation to resolution.

use crate::lit::Lit;
use crate::proof::check::CheckError;
use crate::proof::{ChainError, ProofDag, VertexId};

use super::error::ImportError;

/// Finds, among clauses that imply another one by unit propagation, the chain that derives it.
#[derive(Clone, Debug, Default)]
pub(super) struct Replay {
    /// By literal: the number of the last step in which it was false.
    falsified: Vec<u32>,
    step: u32,
    /// The hints that were unit, in order, with the literals that they made true.
    reasons: Vec<(VertexId, Lit)>,
    chain: Vec<VertexId>,
}

/// The error for a leaf or chain of reasons that can't be added: reasons always resolve, so it is too large.
pub(super) fn of_reasons(error: &ChainError) -> ImportError {
    debug_assert_eq!(*error, ChainError::TooLarge);
    ImportError::TooLarge
}

/// The state of a clause under the falsified literals.
enum State {
    Conflict,
    Unit(Lit),
    Satisfied,
    Open,
}

impl Replay {
    /// The chain that derives `target` or a subset of it from `hints`. Hints in an order that propagates take
    /// linear time, others a logarithmic factor more. Superfluous hints are skipped.
    ///
    /// On failure, returns the error with the number `id`. A tautology has an empty chain.
    pub(super) fn chain(
        &mut self,
        dag: &ProofDag,
        id: u32,
        target: &[Lit],
        hints: &[VertexId],
    ) -> Result<&[VertexId], CheckError> {
        self.chain.clear();
        if !self.assume(dag, target) {
            return Ok(&[]);
        }
        let conflict = match self.in_order(dag, hints) {
            Some(conflict) => Some(conflict),
            None => {
                self.assume(dag, target);
                self.in_any_order(dag, hints)
            }
        };
        let conflict = conflict.ok_or(CheckError::NoConflict(id))?;
        self.analyse(dag, conflict);
        Ok(&self.chain)
    }

    /// Falsifies the literals of the target and no others; `false` if it is a tautology.
    fn assume(&mut self, dag: &ProofDag, target: &[Lit]) -> bool {
        let n_vars = target.iter().map(|lit| lit.var().index() + 1).max();
        let n_vars = n_vars.unwrap_or(0).max(dag.n_vars());
        if self.falsified.len() < 2 * n_vars {
            self.falsified.resize(2 * n_vars, 0);
        }
        self.forget();
        for &lit in target {
            if self.is_false(!lit) {
                return false;
            }
            self.falsify(lit);
        }
        true
    }

    fn forget(&mut self) {
        self.reasons.clear();
        self.step = self.step.checked_add(1).unwrap_or_else(|| {
            self.falsified.fill(0);
            1
        });
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.falsified[lit.index()] == self.step
    }

    fn falsify(&mut self, lit: Lit) {
        self.falsified[lit.index()] = self.step;
    }

    fn state(&self, clause: &[Lit]) -> State {
        let mut unit = None;
        for &lit in clause {
            if self.is_false(!lit) {
                return State::Satisfied;
            }
            if !self.is_false(lit) && unit.replace(lit).is_some() {
                return State::Open;
            }
        }
        unit.map_or(State::Conflict, State::Unit)
    }

    /// Propagates along the hints, skipping those that are not unit. Returns the hint that becomes false.
    fn in_order(&mut self, dag: &ProofDag, hints: &[VertexId]) -> Option<VertexId> {
        for &hint in hints {
            match self.state(dag.clause(hint)) {
                State::Conflict => return Some(hint),
                State::Unit(lit) => {
                    self.falsify(!lit);
                    self.reasons.push((hint, lit));
                }
                State::Satisfied | State::Open => {}
            }
        }
        None
    }

    /// Propagates to completion, with a count of literals that are not false for each hint.
    fn in_any_order(&mut self, dag: &ProofDag, hints: &[VertexId]) -> Option<VertexId> {
        let mut occurrences: Vec<(Lit, u32)> = Vec::new();
        let mut n_open = Vec::with_capacity(hints.len());
        let mut ready = Vec::new();
        for (index, &hint) in hints.iter().enumerate() {
            let open = dag.clause(hint).iter().filter(|&&lit| !self.is_false(lit));
            let before = occurrences.len();
            occurrences.extend(open.map(|&lit| (lit, index as u32)));
            n_open.push(occurrences.len() - before);
            if n_open[index] <= 1 {
                ready.push(index);
            }
        }
        occurrences.sort_unstable();
        while let Some(index) = ready.pop() {
            match self.state(dag.clause(hints[index])) {
                State::Conflict => return Some(hints[index]),
                State::Satisfied | State::Open => {}
                State::Unit(lit) => {
                    self.falsify(!lit);
                    self.reasons.push((hints[index], lit));
                    let start = occurrences.partition_point(|&(other, _)| other < !lit);
                    let users = occurrences[start..].iter();
                    for &(_, user) in users.take_while(|&&(other, _)| other == !lit) {
                        n_open[user as usize] -= 1;
                        if n_open[user as usize] == 1 || n_open[user as usize] == 0 {
                            ready.push(user as usize);
                        }
                    }
                }
            }
        }
        None
    }

    /// Resolves the conflict with the reasons of its literals, last one first. A reason is used if the
    /// resolvent contains the negation of the literal that it implied.
    fn analyse(&mut self, dag: &ProofDag, conflict: VertexId) {
        let reasons = std::mem::take(&mut self.reasons);
        // All literals of the resolvent are falsified; from here on the marks are those of the resolvent.
        self.forget();
        self.chain.push(conflict);
        for &lit in dag.clause(conflict) {
            self.falsify(lit);
        }
        for &(reason, lit) in reasons.iter().rev() {
            if self.is_false(!lit) {
                self.chain.push(reason);
                for &other in dag.clause(reason) {
                    if other != lit {
                        self.falsify(other);
                    }
                }
            }
        }
        self.reasons = reasons;
    }
}
