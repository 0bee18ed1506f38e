//! Certificates of an automaton's circuit from labels of its locations.

use craig_aig::{Aig, Edge as AigEdge};
use craig_model::Certificate;

use super::cfa::{Cfa, LocationId};
use super::part::{certificate_for, is_value};
use super::to_model::CfaModel;

impl CfaModel {
    /// The certificate for the invariant that at each location the location's label holds. `label` builds the
    /// label of a location in the given graph, over the state edges of the circuit's latches (see
    /// [`CfaModel::state`]). It may not read inputs.
    ///
    /// The certificate is valid if the labels are inductive and exclude the bad: the start's label holds if
    /// all words are 0; each edge leads from the label of its source to that of its target; and no edge to a
    /// bad location can be taken from a state in its source's label. It is not checked here.
    #[must_use]
    pub fn certificate(
        &self,
        cfa: &Cfa,
        mut label: impl FnMut(&mut Aig, LocationId) -> AigEdge,
    ) -> Certificate {
        let mut witness = self.model.clone();
        let counter: Vec<AigEdge> = (self.counter().iter())
            .map(|&latch| witness.latches[latch].state)
            .collect();
        let aig = &mut witness.aig;
        // After the end of a run, the invariant claims nothing.
        let mut claims = vec![is_value(aig, &counter, self.halted())];
        for location in cfa.sources() {
            if let Some(code) = self.code(location) {
                let here = is_value(aig, &counter, code);
                let label = label(aig, location);
                claims.push(aig.and(here, label));
            }
        }
        let claim = aig.or_all(claims);
        let bad = witness.aig.or_all(witness.bads.iter().copied());
        witness.bads = vec![witness.aig.or(bad, !claim)];
        witness.names.bads.clear();
        certificate_for(&self.model, witness)
    }
}
