//! Antecedent chains in resolution order.
//!
//! # Why reverse trail order is a resolution
//!
//! Start from a clause all of whose literals are false. Take its literal that was falsified
//! last, and resolve with the reason of that literal's negation: the reason's other literals are false
//! too and stand earlier on the trail. So all literals of the resolvent are false
//! again, the two clauses clash in the pivot alone (one is true, all others false), and no variable
//! is a pivot twice, since the trail positions of pivots decrease. Any *set* of implied
//! variables that is to be resolved away therefore gives a regular input resolution
//! once it is sorted by falling trail position. Level 0 comes last of all, where each
//! literal has a unit clause to be resolved with, in any order.
//!
//! First-UIP analysis walks the trail backwards anyhow; what it resolves (all of the conflict's level)
//! stands later on the trail than what minimisation resolves (levels below), so the two
//! lists can simply be joined.

use super::Solver;
use super::arena::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// The chain under construction. Never touched where no antecedents are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The antecedents so far, in resolution order.
    pub(super) ids: Vec<ClauseId>,
    /// Variables to resolve away with their reasons; sorted before they are used.
    pub(super) pivots: Vec<Var>,
    /// Variables to resolve away with their unit clauses.
    pub(super) units: Vec<Var>,
    /// By variable: whether it is in one of the two lists.
    marked: Vec<bool>,
}

impl Chain {
    /// Makes room for `n_vars` variables.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        if self.marked.len() < n_vars {
            self.marked.resize(n_vars, false);
        }
    }

    /// Notes that the unit clause of a literal fixed at level 0 takes part.
    pub(super) fn add_unit(&mut self, var: Var) {
        if !std::mem::replace(&mut self.marked[var.index()], true) {
            self.units.push(var);
        }
    }

    /// Notes that the reason of a variable takes part; `false` if it was noted already.
    pub(super) fn add_pivot(&mut self, var: Var) -> bool {
        let new = !std::mem::replace(&mut self.marked[var.index()], true);
        if new {
            self.pivots.push(var);
        }
        new
    }
}

impl<P: ProofSink> Solver<P> {
    /// Whether antecedents have to be collected.
    pub(super) const CHAINS: bool = P::ENABLED && P::ANTECEDENTS;

    /// The next clause number.
    pub(super) fn new_id(&mut self) -> ClauseId {
        if P::ENABLED {
            self.last_id = self
                .last_id
                .checked_add(1)
                .expect("a proof numbers at most 2^32 - 1 clauses");
        }
        self.last_id
    }

    /// Forgets a chain that nothing is derived with after all.
    pub(super) fn drop_chain(&mut self) {
        let Chain {
            ids,
            pivots,
            units,
            marked,
        } = &mut self.chain;
        ids.clear();
        for var in pivots.drain(..).chain(units.drain(..)) {
            marked[var.index()] = false;
        }
    }

    /// Appends the noted pivots and units to the chain, and reports the clause `lits` with it.
    /// Leaves the chain empty.
    pub(super) fn derive(&mut self, lits: &[Lit]) -> ClauseId {
        let id = self.new_id();
        if P::ENABLED {
            let Chain {
                ids,
                pivots,
                units,
                marked,
            } = &mut self.chain;
            let trail = &self.trail;
            pivots.sort_unstable_by_key(|&var| std::cmp::Reverse(trail.position(var)));
            for var in pivots.drain(..) {
                marked[var.index()] = false;
                ids.push(self.arena.id(trail.reason(var)));
            }
            for var in units.drain(..) {
                marked[var.index()] = false;
                ids.push(self.units.ids[var.index()]);
            }
            self.proof.derived(id, lits, ids);
            ids.clear();
        }
        id
    }

    /// Tells the proof that a clause of the arena is gone.
    pub(super) fn report_deleted(&mut self, clause: ClauseRef) {
        if P::ENABLED {
            self.clause_lits.clear();
            self.clause_lits.extend(self.arena.lits(clause));
            self.proof.deleted(self.arena.id(clause), &self.clause_lits);
        }
    }

    /// Gives each literal that was assigned at level 0 since the last call a unit clause of its own, and
    /// drops its reason, so that the reason's clause may be removed.
    ///
    /// The units of the literals that a reason mentions stand earlier on the trail, so they are there.
    pub(super) fn derive_units(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        while self.units.derived < self.trail.lits.len() {
            let lit = self.trail.lits[self.units.derived];
            let reason = self.trail.reason(lit.var());
            self.units.derived += 1;
            self.trail.assigned[lit.var().index()].reason = ClauseRef::NONE;
            if !P::ENABLED || reason == ClauseRef::NONE {
                continue;
            }
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(reason));
                for other in self.arena.lits(reason).filter(|&other| other != lit) {
                    self.chain.add_unit(other.var());
                }
            }
            let id = self.derive(&[lit]);
            self.units.ids[lit.var().index()] = id;
        }
    }

    /// Derives the empty clause from a clause that is false at level 0.
    pub(super) fn derive_empty(&mut self, conflict: ClauseRef) {
        self.derive_units();
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(conflict));
            for lit in self.arena.lits(conflict) {
                self.chain.add_unit(lit.var());
            }
        }
        let id = self.derive(&[]);
        self.become_inconsistent(id);
    }

    /// Notes that the clauses alone are unsatisfiable; `id` is the empty clause.
    pub(super) fn become_inconsistent(&mut self, id: ClauseId) {
        self.inconsistent = true;
        self.empty_clause = id;
    }
}
