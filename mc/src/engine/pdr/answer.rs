//! Conversion of the result of a search to a verdict with evidence.

use craig_model::{Certificate, Model, Outcome, Trace, Verdict};

use super::lemma::Lemma;
use super::obligations::Obligation;
use super::signals::Signal;
use super::state::{End, NAME, Pdr, Stop};
use super::transition::Transition;
use crate::control::StateClause;
use crate::engine::up_to_bad;

/// The verdict of a search.
pub(super) fn outcome(
    model: &Model,
    property: usize,
    signals: &[Signal],
    pdr: &Pdr<'_>,
    result: Result<End, Stop>,
) -> Outcome {
    let verdict = match result {
        Ok(End::Invariant(lemmas)) => {
            let lemmas = lemmas.iter();
            let clauses = lemmas.map(|lemma| pdr.transition.state_clause(lemma));
            let certificate = certificate_with_signals(model, property, signals, clauses);
            Verdict::Safe(Box::new(certificate))
        }
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
    certificate_with_signals(model, property, &[], clauses)
}

/// As `certificate_of_clauses`, for clauses over latches and signals, whose formulas take their places.
fn certificate_with_signals(
    model: &Model,
    property: usize,
    signals: &[Signal],
    clauses: impl IntoIterator<Item = StateClause>,
) -> Certificate {
    let mut model = model.clone();
    let n_latches = model.latches.len();
    let mut edges = Vec::new();
    for clause in clauses {
        let literals = clause.into_iter();
        let formula = |number: usize| match number.checked_sub(n_latches) {
            None => model.latches[number].state,
            Some(signal) => signals[signal].now,
        };
        let literals: Vec<_> = literals
            .map(|(number, value)| formula(number).negate_if(!value))
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
        // The values of signals are those of their formulas.
        if let Some(value) = initial.get_mut(transition.latch_number(lit)) {
            *value = Some(!lit.is_negated());
        }
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
