//! Conversion of the result of a search to a verdict with evidence.

use super::lemma::Lemma;
use super::obligations::Obligation;
use super::state::{End, NAME, Pdr, Stop};
use super::transition::Transition;
use crate::circuit::model::Model;
use crate::circuit::verdict::{Certificate, Outcome, Trace, Verdict};
use crate::control::StateClause;
use crate::engine::up_to_bad;

/// The verdict of a search.
pub(super) fn outcome(
    model: &Model,
    property: usize,
    pdr: &Pdr<'_>,
    result: Result<End, Stop>,
) -> Outcome {
    let verdict = match result {
        Ok(End::Invariant(lemmas)) => Verdict::Safe(Box::new(certificate(
            model,
            property,
            &pdr.transition,
            &lemmas,
        ))),
        Ok(End::Reached(obligation)) => {
            // Lemmas exclude the bad from the frames before the last, but a state of an obligation that
            // waited in the queue may be bad as well.
            let trace = trace(model, property, &pdr.transition, &obligation);
            Verdict::Unsafe(up_to_bad(model, trace))
        }
        Err(Stop(reason)) => Verdict::Unknown(reason),
    };
    let depth = match &verdict {
        Verdict::Unsafe(trace) => trace.depth(),
        _ => pdr.frames.level(),
    };
    Outcome {
        verdict,
        engine: NAME,
        depth,
    }
}

/// The witness circuit whose invariant is the conjunction of `lemmas`.
pub(in crate::engine) fn certificate(
    model: &Model,
    property: usize,
    transition: &Transition,
    lemmas: &[Lemma],
) -> Certificate {
    let clauses = lemmas.iter().map(|lemma| transition.state_clause(lemma));
    certificate_of_clauses(model, property, clauses)
}

/// The witness circuit whose invariant is the conjunction of `clauses`.
pub(in crate::engine) fn certificate_of_clauses(
    model: &Model,
    property: usize,
    clauses: impl IntoIterator<Item = StateClause>,
) -> Certificate {
    let mut model = model.clone();
    let mut edges = Vec::new();
    for clause in clauses {
        let literals = clause.into_iter();
        let literals: Vec<_> = literals
            .map(|(latch, value)| model.latches[latch].state.negate_if(!value))
            .collect();
        edges.push(model.aig.or_all(literals));
    }
    let invariant = model.aig.and_all(edges);
    Certificate::from_invariant(&model, property, invariant)
}

/// The trace along the chain of an obligation that includes an initial state.
pub(in crate::engine) fn trace(
    model: &Model,
    property: usize,
    transition: &Transition,
    obligation: &Obligation,
) -> Trace {
    let mut initial: Vec<Option<bool>> = model
        .latches
        .iter()
        .map(|latch| latch.reset.value())
        .collect();
    for &lit in &obligation.states.cube {
        initial[transition.latch_number(lit)] = Some(!lit.is_negated());
    }
    let mut inputs = Vec::new();
    let mut next = Some(obligation);
    while let Some(obligation) = next {
        let mut values = vec![None; model.inputs.len()];
        for &lit in &obligation.inputs {
            values[transition.input_number(lit)] = Some(!lit.is_negated());
        }
        inputs.push(values);
        next = obligation.successor.as_deref();
    }
    Trace {
        property,
        initial,
        inputs,
    }
}
