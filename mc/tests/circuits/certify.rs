//! The certifier accepts valid evidence and rejects invalid evidence.

use craig_aig::Edge;
use craig_certify::{CertifyError, Condition, certify_certificate, certify_trace};
use craig_model::{Certificate, Latch, Model, Reset, Trace};
use proptest::prelude::*;

use crate::support::{Truth, characteristic, explore, recipe};

/// A counter modulo 4, counting while the input is set, from 0; bad: the count is 3.
fn counter(constrained: bool) -> Model {
    let mut model = Model::default();
    let enable = model.aig.add_input();
    let low = model.aig.add_input();
    let high = model.aig.add_input();
    let carry = model.aig.and(enable, low);
    let next_low = model.aig.xor(enable, low);
    let next_high = model.aig.xor(carry, high);
    model.inputs = vec![enable];
    for (state, next) in [(low, next_low), (high, next_high)] {
        model.latches.push(Latch {
            state,
            next,
            reset: Reset::Zero,
        });
    }
    model.bads = vec![model.aig.and(low, high)];
    if constrained {
        model.constraints = vec![!enable];
    }
    model
}

fn trace(initial: &str, inputs: &str) -> Trace {
    let value = |character| match character {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    Trace {
        property: 0,
        initial: initial.chars().map(value).collect(),
        inputs: inputs.chars().map(|c| vec![value(c)]).collect(),
    }
}

#[test]
fn traces_are_judged_for_all_values_of_what_they_leave_open() {
    let model = counter(false);
    let judge = |initial, inputs| certify_trace(&model, 0, &trace(initial, inputs));
    assert_eq!(judge("00", "1110"), Ok(3));
    assert_eq!(judge("xx", "111x"), Ok(3));
    assert_eq!(judge("00", "11100"), Ok(3));
    assert_eq!(judge("00", "11x0"), Err(CertifyError::TraceBad));
    // The bad holds in one of the two last steps, whichever value the open input has.
    assert_eq!(judge("00", "11x10"), Ok(4));
    assert_eq!(judge("00", "111"), Err(CertifyError::TraceBad));
    assert_eq!(
        judge("10", "110"),
        Err(CertifyError::TraceReset { latch: 0 })
    );
    assert!(matches!(judge("000", "1"), Err(CertifyError::Shape(_))));
    assert!(matches!(
        certify_trace(&model, 1, &trace("00", "1")),
        Err(CertifyError::Shape(_))
    ));
    let constrained = counter(true);
    assert_eq!(
        certify_trace(&constrained, 0, &trace("00", "1110")),
        Err(CertifyError::TraceBad)
    );
}

#[test]
fn each_condition_can_fail_alone() {
    let model = counter(true);
    let invariant = {
        let [low, high] = [model.latches[0].state, model.latches[1].state];
        let mut model = model.clone();
        let edge = model.aig.and(!low, !high);
        Certificate::from_invariant(&model, 0, edge)
    };
    let fails = |certificate: &Certificate| certify_certificate(&model, 0, certificate);
    assert_eq!(fails(&invariant), Ok(()));

    let mut wrong = invariant.clone();
    wrong.witness.latches[0].reset = Reset::One;
    assert_eq!(
        fails(&wrong),
        Err(CertifyError::Condition(Condition::Reset))
    );

    let mut wrong = invariant.clone();
    wrong.witness.latches[0].next = Edge::TRUE;
    assert_eq!(
        fails(&wrong),
        Err(CertifyError::Condition(Condition::Transition))
    );

    let mut wrong = invariant.clone();
    wrong.witness.bads = vec![Edge::FALSE];
    assert_eq!(
        fails(&wrong),
        Err(CertifyError::Condition(Condition::Safety))
    );

    let mut wrong = invariant.clone();
    wrong.witness.bads = vec![Edge::TRUE];
    assert_eq!(fails(&wrong), Err(CertifyError::Condition(Condition::Base)));

    // True in the initial state and at least as strong as the negated bad, but not preserved by counting.
    let mut wrong = invariant.clone();
    wrong.witness.constraints.clear();
    assert_eq!(
        fails(&wrong),
        Err(CertifyError::Condition(Condition::Inductive))
    );

    let mut wrong = invariant.clone();
    wrong.shared_latches[1] = wrong.shared_latches[0];
    assert!(matches!(fails(&wrong), Err(CertifyError::Shape(_))));
    wrong.shared_latches[1] = Some(7);
    assert!(matches!(fails(&wrong), Err(CertifyError::Shape(_))));
    wrong.shared_latches.pop();
    assert!(matches!(fails(&wrong), Err(CertifyError::Shape(_))));
}

/// A model with more latches, inputs and bads, which have no part in the properties of the given one.
fn widened(model: &Model) -> Model {
    let mut wide = model.clone();
    let input = wide.aig.add_input();
    let state = wide.aig.add_input();
    let own = wide.latches.first().map_or(Edge::TRUE, |latch| latch.state);
    let next = wide.aig.and(input, !state);
    let next = wide.aig.or(next, own);
    wide.inputs.push(input);
    wide.latches.push(Latch {
        state,
        next,
        reset: Reset::Zero,
    });
    wide.bads.push(state);
    wide
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The reachable states are an inductive invariant of a safe model. A set of states that is not closed
    /// under steps, or misses an initial state, or contains a bad one, is rejected. There is no certificate
    /// for an unsafe model. Parts of a circuit on which the bad does not depend change nothing.
    #[test]
    fn invariants_are_judged_as_enumeration_does(recipe in recipe(), drop in 0..16_usize, add in 0..16_u32) {
        let mut model = recipe.build();
        for property in 0..model.bads.len() {
            match explore(&model, property) {
                Truth::Safe(reachable) => {
                    let invariant = characteristic(&mut model, &reachable);
                    let certificate = Certificate::from_invariant(&model, property, invariant);
                    prop_assert_eq!(certify_certificate(&model, property, &certificate), Ok(()));
                    prop_assert_eq!(certify_certificate(&widened(&model), property, &certificate), Ok(()));
                }
                Truth::Unsafe(_) => {
                    let n_states = 1_u32 << model.latches.len();
                    let mut states: Vec<u32> = (0..n_states).collect();
                    states.remove(drop % states.len());
                    states.push(add % n_states);
                    let invariant = characteristic(&mut model, &states);
                    let certificate = Certificate::from_invariant(&model, property, invariant);
                    let judgement = certify_certificate(&model, property, &certificate);
                    prop_assert!(judgement.is_err());
                    prop_assert_eq!(certify_certificate(&widened(&model), property, &certificate), judgement);
                }
            }
        }
    }
}
