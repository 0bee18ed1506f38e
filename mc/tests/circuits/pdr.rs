//! PDR against enumeration, and against the traps that other implementations fell into.

use std::time::Instant;

use craig_mc::engine::pdr::{Generalisation, Options, check};
use craig_mc::{Control, Latch, Model, Outcome, Reset, UnknownReason, Verdict};
use craig_solver::aig::Edge;
use proptest::prelude::*;

use crate::support::{judge, judge_engine, recipe};

fn strategies() -> impl Strategy<Value = Generalisation> {
    prop::sample::select(vec![
        Generalisation::Plain,
        Generalisation::Counterexamples,
        Generalisation::Extended,
        Generalisation::Dynamic,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn decides_as_enumeration_does(recipe in recipe(), generalisation in strategies(), seed in 0..4_u64) {
        let options = Options { generalisation, seed };
        judge_engine(&recipe, false, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}

fn run(model: &Model, property: usize) -> Outcome {
    check(model, property, &Options::default(), &Control::new())
}

fn judged(model: &Model, property: usize) -> Outcome {
    let outcome = run(model, property);
    judge(model, property, &outcome, false).unwrap();
    outcome
}

fn latch(model: &mut Model, reset: Reset) -> Edge {
    let state = model.aig.add_input();
    model.latches.push(Latch {
        state,
        next: state,
        reset,
    });
    state
}

fn input(model: &mut Model) -> Edge {
    let edge = model.aig.add_input();
    model.inputs.push(edge);
    edge
}

/// A counter of `bits` bits that counts where `enable` holds.
fn counter(model: &mut Model, bits: usize, enable: Edge) -> Vec<Edge> {
    let first = model.latches.len();
    let states: Vec<Edge> = (0..bits).map(|_| latch(model, Reset::Zero)).collect();
    let mut carry = enable;
    for (index, &state) in states.iter().enumerate() {
        model.latches[first + index].next = model.aig.xor(state, carry);
        carry = model.aig.and(carry, state);
    }
    states
}

#[test]
fn deep_counterexamples_are_found() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 4, enable);
    let bad = model.aig.and_all(states);
    model.bads.push(bad);
    let Verdict::Unsafe(trace) = judged(&model, 0).verdict else {
        panic!("the counter reaches 15");
    };
    assert!(trace.depth() >= 15);
}

#[test]
fn a_constraint_can_make_the_bad_unreachable() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 3, enable);
    let full = model.aig.and_all(states);
    model.bads.push(full);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Unsafe(_)));
    model.constraints.push(!enable);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));
}

/// The states that may step on are those in which some input satisfies the constraint; a lifted cube that
/// forgets it holds others.
#[test]
fn lifting_keeps_to_the_constraints() {
    let mut model = Model::default();
    let go = input(&mut model);
    let key = latch(&mut model, Reset::Zero);
    let reached = latch(&mut model, Reset::Zero);
    model.latches[1].next = go;
    // To go one needs the key, which nobody ever gets.
    let allowed = model.aig.implies(go, key);
    model.constraints.push(allowed);
    model.bads.push(reached);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));
}

#[test]
fn constraints_bind_up_to_the_bad_step_and_not_beyond() {
    let mut model = Model::default();
    let first = latch(&mut model, Reset::One);
    let second = latch(&mut model, Reset::Zero);
    model.latches[0].next = Edge::FALSE;
    model.latches[1].next = first;
    // Violated in step 2, but the bad holds in step 1.
    let third = model.aig.and(!first, !second);
    model.constraints.push(!third);
    model.bads.push(second);
    let outcome = judged(&model, 0);
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
    // A constraint that fails in the bad step itself does bind.
    model.constraints.push(!second);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));
}

#[test]
fn no_initial_state_means_safe() {
    let mut model = Model::default();
    let state = latch(&mut model, Reset::Zero);
    model.latches[0].next = Edge::TRUE;
    model.constraints.push(state);
    model.bads.push(Edge::TRUE);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));
}

#[test]
fn uninitialised_latches_start_either_way() {
    let mut model = Model::default();
    let free = latch(&mut model, Reset::Uninitialised);
    let seen = latch(&mut model, Reset::Zero);
    model.latches[1].next = free;
    model.bads.push(seen);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Unsafe(_)));
    // A constraint of the first step may relate uninitialised latches.
    let mut model = Model::default();
    let left = latch(&mut model, Reset::Uninitialised);
    let right = latch(&mut model, Reset::Uninitialised);
    let first = latch(&mut model, Reset::One);
    model.latches[2].next = Edge::FALSE;
    let same = model.aig.iff(left, right);
    let constraint = model.aig.implies(first, same);
    model.constraints.push(constraint);
    model.bads.push(!same);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));
}

#[test]
fn models_without_latches_or_inputs_are_decided() {
    let mut model = Model::default();
    let (a, b) = (input(&mut model), input(&mut model));
    let both = model.aig.and(a, b);
    model.bads.extend([both, Edge::FALSE]);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Unsafe(_)));
    assert!(matches!(judged(&model, 1).verdict, Verdict::Safe(_)));
    model.constraints.push(!a);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Safe(_)));

    let mut model = Model::default();
    let states = counter(&mut model, 3, Edge::TRUE);
    let bad = model.aig.and_all(states);
    model.bads.push(bad);
    assert!(matches!(judged(&model, 0).verdict, Verdict::Unsafe(_)));

    let model = Model {
        bads: vec![Edge::TRUE, Edge::FALSE],
        ..Model::default()
    };
    assert!(matches!(judged(&model, 0).verdict, Verdict::Unsafe(_)));
    assert!(matches!(judged(&model, 1).verdict, Verdict::Safe(_)));
}

#[test]
fn a_bad_in_the_first_step_does_not_hide_another() {
    let mut model = Model::default();
    let states = counter(&mut model, 2, Edge::TRUE);
    let never = latch(&mut model, Reset::Zero);
    let zero = model.aig.and(!states[0], !states[1]);
    let three = model.aig.and(states[0], states[1]);
    model.bads.extend([zero, three, never]);
    for (property, depth) in [(0, 0), (1, 3)] {
        let Verdict::Unsafe(trace) = judged(&model, property).verdict else {
            panic!("bad {property} is reachable");
        };
        assert_eq!(trace.depth(), depth);
    }
    assert!(matches!(judged(&model, 2).verdict, Verdict::Safe(_)));
}

#[test]
fn thousands_of_constraints_are_no_trouble() {
    let mut model = Model::default();
    let inputs: Vec<Edge> = (0..4000).map(|_| input(&mut model)).collect();
    let states = counter(&mut model, 3, inputs[0]);
    for pair in inputs.windows(2) {
        // Each input equals the next one.
        let same = model.aig.iff(pair[0], pair[1]);
        model.constraints.push(same);
    }
    let full = model.aig.and_all(states);
    let bad = model.aig.and(full, !inputs[3999]);
    model.bads.push(bad);
    // Too many inputs to enumerate: the trace is judged alone.
    let Verdict::Unsafe(trace) = run(&model, 0).verdict else {
        panic!("the counter fills up");
    };
    craig_mc::certify::certify_trace(&model, 0, &trace).unwrap();
    model.constraints.push(!inputs[2000]);
    let Verdict::Safe(certificate) = run(&model, 0).verdict else {
        panic!("the counter can't move");
    };
    craig_mc::certify::certify_certificate(&model, 0, &certificate).unwrap();
}

/// What a trace leaves open may be anything: the replay must work for all values.
#[test]
fn open_values_in_traces_are_really_open() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let noise = input(&mut model);
    let states = counter(&mut model, 3, enable);
    let junk = latch(&mut model, Reset::Uninitialised);
    model.latches[3].next = model.aig.xor(junk, noise);
    let full = model.aig.and_all(states);
    let noisy = model.aig.or(noise, junk);
    let harmless = model.aig.implies(noisy, noisy);
    model.constraints.push(harmless);
    model.bads.push(full);
    let Verdict::Unsafe(trace) = judged(&model, 0).verdict else {
        panic!("the counter fills up");
    };
    let fill = |value: &Option<bool>, default: bool| Some(value.unwrap_or(default));
    for default in [false, true] {
        let mut filled = trace.clone();
        for values in filled.inputs.iter_mut().chain([&mut filled.initial]) {
            *values = values.iter().map(|value| fill(value, default)).collect();
        }
        craig_mc::certify::certify_trace(&model, 0, &filled).unwrap();
    }
}

#[test]
fn the_engine_stops_when_told() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 40, enable);
    let full = model.aig.and_all(states);
    model.bads.push(full);
    let control = Control::new().with_deadline(Instant::now());
    let outcome = check(&model, 0, &Options::default(), &control);
    assert!(matches!(
        outcome.verdict,
        Verdict::Unknown(UnknownReason::Timeout)
    ));
}

#[test]
fn invariants_are_minimised() {
    // The bad needs one latch of many; the others are stuck as well, but nobody asks.
    let mut model = Model::default();
    let states: Vec<Edge> = (0..20).map(|_| latch(&mut model, Reset::Zero)).collect();
    let any = model.aig.or_all(states.iter().skip(1).copied());
    model.latches[0].next = model.aig.and(any, states[0]);
    model.bads.push(states[0]);
    let outcome = run(&model, 0);
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("latch 0 stays 0");
    };
    craig_mc::certify::certify_certificate(&model, 0, &certificate).unwrap();
    // With "latch 0 is 0" alone the bad of the witness is the bad of the model.
    let witness = &certificate.witness;
    assert_eq!(witness.bads[0], witness.latches[0].state);
}
