//! Invariants of other engines for engines that have no use of their own for clauses.

use craig_aig::Edge;
use craig_model::{Model, Outcome, UnknownReason, Verdict};

use crate::control::Control;

/// Runs `decide` on the model with the invariants that are shared now as further constraints.
///
/// They hold in all reachable states, so that the model has the same runs. They are inductive together, so that a witness
/// circuit of the model with the constraints is one of the model itself if they become part of its property.
pub(super) fn with_invariants(
    model: &Model,
    control: Control<'_>,
    decide: impl FnOnce(&Model) -> Outcome,
) -> Outcome {
    let clauses = control.board.invariants(0);
    if clauses.is_empty() || model.has_reset_functions() {
        return decide(model);
    }
    let n_own = model.constraints.len();
    let mut strong = model.clone();
    for clause in clauses {
        let literals = clause.into_iter();
        let literals: Vec<Edge> = literals
            .map(|(latch, value)| model.latches[latch].state.negate_if(!value))
            .collect();
        let holds = strong.aig.or_all(literals);
        strong.constraints.push(holds);
    }
    if !strong.names.constraints.is_empty() {
        let n_all = strong.constraints.len();
        strong.names.constraints.resize(n_all, String::new());
    }
    let mut outcome = decide(&strong);
    if let Verdict::Safe(certificate) = &mut outcome.verdict {
        let witness = &mut certificate.witness;
        if witness.constraints.len() != strong.constraints.len() {
            outcome.verdict = Verdict::Unknown(UnknownReason::Bound(
                "the witness circuit has other constraints than the model".into(),
            ));
            return outcome;
        }
        let added = witness.constraints.split_off(n_own);
        witness.names.constraints.truncate(n_own);
        let all = witness.aig.and_all(added);
        let bad = witness.aig.or_all(witness.bads.iter().copied());
        witness.bads = vec![witness.aig.or(bad, !all)];
    }
    outcome
}
