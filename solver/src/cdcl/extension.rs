//! Clauses that were removed with an eliminated variable, to extend models to it. A variable that was substituted
//! counts as eliminated; its clauses are the two of the equivalence.
//!
//! Each clause has a witness, its literal over the eliminated variable. To extend a model, the clauses are
//! visited in reverse order of removal: if one is false, its witness is flipped (Järvisalo and Biere,
//! "Reconstructing solutions after blocked clause elimination", SAT 2010).
//!
//! Clauses keep their proof ids here and are not reported as deleted, since they are added again when a new
//! clause or an assumption contains an eliminated variable. Then all clauses are added again. Restoring only
//! those that must be restored (Fazekas, Biere, Scholl, "Incremental inprocessing in SAT solving", SAT 2019)
//! would save time only if this was frequent, and elimination is off by default in incremental use.

use crate::lit::{Lit, Var};
use crate::proof::ClauseId;

/// The clauses in the order of their removal.
#[derive(Clone, Debug, Default)]
pub(super) struct Extension {
    /// The literals of all clauses; the first of each is its witness.
    pub(super) lits: Vec<Lit>,
    pub(super) ends: Vec<usize>,
    pub(super) ids: Vec<ClauseId>,
    /// The variables that were eliminated.
    pub(super) vars: Vec<Var>,
}

impl Extension {
    /// Records an eliminated variable.
    pub(super) fn push_var(&mut self, var: Var) {
        self.vars.push(var);
    }

    /// Adds a clause with its witness.
    pub(super) fn push(&mut self, witness: Lit, lits: impl Iterator<Item = Lit>, id: ClauseId) {
        self.lits.push(witness);
        self.lits.extend(lits.filter(|&lit| lit != witness));
        self.ends.push(self.lits.len());
        self.ids.push(id);
    }
}
