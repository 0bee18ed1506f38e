//! Clauses that were taken out together with a variable, and how models get over it.
//!
//! Each comes with a witness, the literal of the eliminated variable in it. A model of what is left is extended to the
//! clauses by going through them from the last: if one is false, its witness is flipped (Järvisalo and Biere,
//! "Reconstructing solutions after blocked clause elimination", SAT 2010).
//!
//! Clauses keep their proof ids here and are not reported as deleted, since they come back when somebody
//! mentions an eliminated variable again, in a new clause or as an assumption. Then all of them come
//! back: finding out which must (Fazekas, Biere, Scholl, "Incremental inprocessing in SAT solving", SAT
//! 2019) would pay only if that happened often, and elimination is off by default in incremental use.

use crate::cdcl::Solver;
use crate::cdcl::arena::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// The clauses in the order in which they were taken out.
#[derive(Clone, Debug, Default)]
pub(in crate::cdcl) struct Extension {
    /// The literals of all clauses; the first of each is its witness.
    lits: Vec<Lit>,
    ends: Vec<usize>,
    ids: Vec<ClauseId>,
    /// The variables that were eliminated.
    vars: Vec<Var>,
}

impl Extension {
    /// Notes that a variable is gone.
    pub(in crate::cdcl) fn push_var(&mut self, var: Var) {
        self.vars.push(var);
    }

    /// Takes a clause with its witness.
    pub(in crate::cdcl) fn push(
        &mut self,
        witness: Lit,
        lits: impl Iterator<Item = Lit>,
        id: ClauseId,
    ) {
        self.lits.push(witness);
        self.lits.extend(lits.filter(|&lit| lit != witness));
        self.ends.push(self.lits.len());
        self.ids.push(id);
    }
}

impl<P: ProofSink> Solver<P> {
    /// Gives values to the eliminated variables in the model that has just been saved.
    pub(in crate::cdcl) fn extend_model(&mut self) {
        let is_false = 2 * self.model_number;
        for var in &self.extension.vars {
            self.model[var.index()] = is_false;
        }
        let Extension { lits, ends, .. } = &self.extension;
        let mut end = lits.len();
        for index in (0..ends.len()).rev() {
            let start = if index == 0 { 0 } else { ends[index - 1] };
            let clause = &lits[start..end];
            end = start;
            let is_true = |lit: &Lit| {
                self.model[lit.var().index()] == is_false + u64::from(!lit.is_negated())
            };
            if !clause.iter().any(is_true) {
                let witness = clause[0];
                self.model[witness.var().index()] = is_false + u64::from(!witness.is_negated());
            }
        }
    }

    /// Brings all eliminated variables back if one of them occurs among the literals.
    pub(in crate::cdcl) fn restore_eliminated(&mut self, lits: &[Lit]) {
        let inactive = &self.decisions.inactive;
        if self.extension.vars.is_empty() || !lits.iter().any(|lit| inactive[lit.var().index()]) {
            return;
        }
        self.backtrack(0);
        self.statistics.restorations += 1;
        let extension = std::mem::take(&mut self.extension);
        for &var in &extension.vars {
            self.decisions.activate(var);
            self.touched[var.index()] = true;
        }
        let mut start = 0;
        for (&end, &id) in extension.ends.iter().zip(&extension.ids) {
            let clause = &extension.lits[start..end];
            start = end;
            if clause.iter().any(|&lit| self.trail.value(lit) > 0) {
                self.proof.deleted(id, clause);
            } else {
                self.add_normalized(clause, id);
            }
        }
    }

    /// Whether the clause mentions an eliminated variable.
    pub(in crate::cdcl) fn is_eliminated_in(&self, clause: ClauseRef) -> bool {
        let inactive = &self.decisions.inactive;
        self.arena
            .lits(clause)
            .any(|lit| inactive[lit.var().index()])
    }
}
