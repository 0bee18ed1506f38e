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

use std::collections::HashMap;

use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// The chain under construction. Never touched where no antecedents are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The number of the last clause.
    pub(super) last_id: ClauseId,
    /// How many numbers must not be given out. 0 unless a caller limits them.
    pub(super) withheld: ClauseId,
    /// Whether a clause was left without a number. Nothing is reported to the proof from then on.
    pub(super) is_exhausted: bool,
    /// The antecedents so far, in resolution order.
    pub(super) ids: Vec<ClauseId>,
    /// Variables to resolve away with their reasons; sorted before they are used.
    pub(super) pivots: Vec<Var>,
    /// Variables to resolve away with their unit clauses.
    pub(super) units: Vec<Var>,
    /// By variable: whether it is in one of the two lists.
    pub(super) marked: Vec<bool>,
    /// The literals of original clauses that were added with a repeated literal, as they were added.
    repeated: HashMap<ClauseId, Box<[Lit]>>,
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

    /// Notes the literals of an original clause as it was added, where the solver's clause has fewer: a
    /// checker finds the clause to delete by its text.
    pub(super) fn note_original(&mut self, id: ClauseId, added: &[Lit], kept: usize) {
        if added.len() > kept {
            self.repeated.insert(id, added.into());
        }
    }

    /// Reports a deletion with the literals that the clause was added with.
    pub(super) fn delete(&mut self, proof: &mut impl ProofSink, id: ClauseId, lits: &[Lit]) {
        if self.is_exhausted {
            return;
        }
        if !self.repeated.is_empty()
            && let Some(added) = self.repeated.remove(&id)
        {
            proof.deleted(id, &added);
        } else {
            proof.deleted(id, lits);
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

/// The proof ids of the unit clauses behind the literals that hold at level 0.
///
/// Every literal implied at level 0 gets a derived unit clause of its own, so that later
/// chains cite one id for it. Empty where no proof is recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    /// By variable; 0 where there is none.
    pub(super) ids: Vec<ClauseId>,
    /// How many literals of the trail have been given their unit clause.
    pub(super) derived: usize,
}
