//! PDR, compared with enumeration, and tests of PDR's own features.

use std::time::Instant;

use craig_aig::{Edge, Random};
use craig_mc::Alone;
use craig_mc::engine::pdr::{Generalisation, Options, check, check_with_signals};
use craig_model::{Model, Outcome, Reset, Stop, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{
    counter, input, judge, judge_engine, large_recipe, latch, ordered_counters, recipe,
    with_formulas,
};

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
    fn decides_as_enumeration_does(
        recipe in recipe(),
        generalisation in strategies(),
        seed in 0..4_u64,
        first_turn in prop::option::of(1..2000_u64),
        most_separate in prop::sample::select(vec![0, Options::MOST_SEPARATE]),
        most_loaded in prop_oneof![0..200_usize, Just(Options::MOST_LOADED)],
        most_whole in prop::sample::select(vec![0, Options::MOST_WHOLE]),
        is_ahead in any::<bool>(),
    ) {
        let options = Options {
            generalisation, seed, first_turn, most_separate, most_loaded, most_whole, is_ahead, ..Options::default()
        };
        judge_engine(&recipe, false, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn decides_with_signals_as_enumeration_does(
        recipe in prop_oneof![recipe(), large_recipe()],
        generalisation in strategies(),
        formulas in any::<u64>(),
        seed in 0..4_u64,
        first_turn in prop::option::of(1..2000_u64),
        most_separate in prop::sample::select(vec![0, Options::MOST_SEPARATE]),
        most_loaded in prop_oneof![0..200_usize, Just(Options::MOST_LOADED)],
    ) {
        let options = Options {
            generalisation, seed, first_turn, most_separate, most_loaded, ..Options::default()
        };
        judge_engine(&recipe, false, |model, property| {
            let (extended, formulas) = with_formulas(model, &mut Random::new(formulas));
            // The answer is judged on the model without the formulas.
            check_with_signals(&extended, property, &formulas, &options, Alone::new().control())
        })?;
    }
}

/// One lemma about a signal is enough.
#[test]
fn a_lemma_may_be_about_a_signal() {
    let (model, formulas) = ordered_counters(6);
    let options = Options::default();
    let outcome = check_with_signals(&model, 0, &formulas, &options, Alone::new().control());
    judge(&model, 0, &outcome, false).unwrap();
    assert!(outcome.depth <= 2, "depth {}", outcome.depth);
    assert!(run(&model, 0).depth > 2);
}

fn run(model: &Model, property: usize) -> Outcome {
    check(model, property, &Options::default(), Alone::new().control())
}

fn judged(model: &Model, property: usize) -> Outcome {
    let outcome = run(model, property);
    judge(model, property, &outcome, false).unwrap();
    outcome
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
fn attempts_that_take_turns_go_on_where_they_were() {
    // A turn of one propagation ends at the first poll; without resuming, the search would never end.
    for depth in [4, 7] {
        let mut model = Model::default();
        let enable = input(&mut model);
        let states = counter(&mut model, depth, enable);
        let bad = model.aig.and_all(states);
        model.bads.push(bad);
        let options = Options {
            first_turn: Some(1),
            ..Options::default()
        };
        let outcome = check(&model, 0, &options, Alone::new().control());
        judge(&model, 0, &outcome, false).unwrap();
        assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
    }
}

#[test]
fn the_engine_stops_when_told() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 40, enable);
    let full = model.aig.and_all(states);
    model.bads.push(full);
    let alone = Alone::until(Stop::new().with_deadline(Instant::now()));
    let control = alone.control();
    let outcome = check(&model, 0, &Options::default(), control);
    assert!(matches!(
        outcome.verdict,
        Verdict::Unknown(UnknownReason::Timeout)
    ));
}

#[test]
fn invariants_are_minimised() {
    // The bad depends on one latch of many; the others are constant as well, but irrelevant.
    let mut model = Model::default();
    let states: Vec<Edge> = (0..20).map(|_| latch(&mut model, Reset::Zero)).collect();
    let any = model.aig.or_all(states.iter().skip(1).copied());
    model.latches[0].next = model.aig.and(any, states[0]);
    model.bads.push(states[0]);
    let outcome = run(&model, 0);
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("latch 0 stays 0");
    };
    craig_certify::certify_certificate(&model, 0, &certificate).unwrap();
    // With the invariant "latch 0 is 0" alone, the bad of the witness is the bad of the model.
    let witness = &certificate.witness;
    assert_eq!(witness.bads[0], witness.latches[0].state);
}
