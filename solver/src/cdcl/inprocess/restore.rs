//! Models extended to eliminated variables, and eliminated variables restored; see [`Extension`].

use crate::cdcl::extension::Extension;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Assigns the eliminated variables in the model that has just been saved.
    pub(in crate::cdcl) fn extend_model(&mut self) {
        let is_false = 2 * self.model.number;
        for var in &self.extension.vars {
            self.model.values[var.index()] = is_false;
        }
        let Extension { lits, ends, .. } = &self.extension;
        let mut end = lits.len();
        for index in (0..ends.len()).rev() {
            let start = if index == 0 { 0 } else { ends[index - 1] };
            let clause = &lits[start..end];
            end = start;
            let is_true = |lit: &Lit| {
                self.model.values[lit.var().index()] == is_false + u64::from(!lit.is_negated())
            };
            if !clause.iter().any(is_true) {
                let witness = clause[0];
                self.model.values[witness.var().index()] =
                    is_false + u64::from(!witness.is_negated());
            }
        }
    }

    /// Restores all eliminated variables if one of them occurs among the literals.
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
            self.inprocessing.touched[var.index()] = true;
        }
        let mut start = 0;
        for (&end, &id) in extension.ends.iter().zip(&extension.ids) {
            let clause = &extension.lits[start..end];
            start = end;
            if clause.iter().any(|&lit| self.trail.value(lit) > 0) {
                self.chain.delete(&mut self.proof, id, clause);
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
