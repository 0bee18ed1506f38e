//! Antecedent chains in resolution order.
//!
//! # Why reverse trail order is a resolution
//!
//! Start from a clause all of whose literals are false. Take its literal that was falsified last, and resolve
//! with the reason of that literal's negation: the reason's other literals are false too and earlier on the
//! trail. So all literals of the resolvent are false again, the two clauses clash in the pivot alone (one
//! literal is true, all others are false), and no variable is a pivot twice, since the trail positions of
//! pivots decrease. Hence any *set* of implied variables, sorted by decreasing trail position, gives a
//! regular input resolution. Level 0 comes last: each of its literals is resolved with a unit clause, in any
//! order.
//!
//! First-UIP analysis traverses the trail backwards; its pivots (all of the conflict's level) are later on
//! the trail than those of minimisation (lower levels), so the two lists are concatenated.

use std::collections::HashMap;

use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// The chain under construction. Unused if the sink takes no antecedents.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The number of the last clause.
    pub(super) last_id: ClauseId,
    /// How many of the largest numbers must not be used. 0 unless a caller limits them.
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

    /// Adds the unit clause of a literal fixed at level 0 to the chain.
    pub(super) fn add_unit(&mut self, var: Var) {
        if !std::mem::replace(&mut self.marked[var.index()], true) {
            self.units.push(var);
        }
    }

    /// Records the literals of an original clause as it was added, if the solver's clause has fewer: a DRAT
    /// checker identifies the clause to delete by its literals.
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

    /// Adds the reason of a variable to the chain; `false` if it was added already.
    pub(super) fn add_pivot(&mut self, var: Var) -> bool {
        let new = !std::mem::replace(&mut self.marked[var.index()], true);
        if new {
            self.pivots.push(var);
        }
        new
    }
}

/// The proof ids of the unit clauses of the literals that are true at level 0.
///
/// Every literal implied at level 0 gets a derived unit clause, so that later chains cite one id for it.
/// Empty if no proof is recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    /// By variable; 0 where there is none.
    pub(super) ids: Vec<ClauseId>,
    /// How many literals of the trail have a unit clause.
    pub(super) derived: usize,
}
