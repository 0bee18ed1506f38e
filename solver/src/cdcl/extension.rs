//! Clauses that were removed with an eliminated variable, to extend models to it.
//!
//! Each comes with a witness, the literal of the eliminated variable in it. A model of what is left is
//! extended to the clauses by going through them from the last: if one is false, its witness is flipped
//! (Järvisalo and Biere, "Reconstructing solutions after blocked clause elimination", SAT 2010).
//!
//! Clauses keep their proof ids here and are not reported as deleted, since they are added again when a new
//! clause or an assumption contains an eliminated variable. Then all of them are added: computing which must
//! be (Fazekas, Biere, Scholl, "Incremental inprocessing in SAT solving", SAT 2019) would pay only if that
//! happened often, and elimination is off by default in incremental use.

use crate::lit::{Lit, Var};
use crate::proof::ClauseId;

/// The clauses in the order in which they were taken out.
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
    /// Notes that a variable is gone.
    pub(super) fn push_var(&mut self, var: Var) {
        self.vars.push(var);
    }

    /// Takes a clause with its witness.
    pub(super) fn push(&mut self, witness: Lit, lits: impl Iterator<Item = Lit>, id: ClauseId) {
        self.lits.push(witness);
        self.lits.extend(lits.filter(|&lit| lit != witness));
        self.ends.push(self.lits.len());
        self.ids.push(id);
    }
}
