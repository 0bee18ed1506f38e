//! Certificates of models that invariants over words strengthen.

use craig_model::Certificate;
use craig_program::words::Strong;

/// The name of invariants over words as an engine.
pub const INVARIANTS: &str = "invariants";

/// The proof of a strengthened model by its invariants alone, if they exclude the bad.
pub(super) fn by_invariants(strong: &Strong) -> Option<Certificate> {
    let model = &strong.model;
    // The constraint is inductive, and it excludes the bad: the model is its own witness.
    strong.is_enough.then(|| Certificate {
        witness: model.clone(),
        shared_inputs: (0..model.inputs.len()).map(Some).collect(),
        shared_latches: (0..model.latches.len()).map(Some).collect(),
    })
}

/// A certificate of a model without constraints from one of the model with a constraint that is an invariant:
/// the constraints of the witness circuit become part of its property.
pub(super) fn without_constraints(certificate: Certificate) -> Certificate {
    let mut certificate = certificate;
    let witness = &mut certificate.witness;
    let constraints = std::mem::take(&mut witness.constraints);
    witness.names.constraints.clear();
    let allowed = witness.aig.and_all(constraints);
    let bad = witness.aig.or_all(witness.bads.iter().copied());
    witness.bads = vec![witness.aig.or(bad, !allowed)];
    certificate
}
