//! PDR, compared with enumeration, and tests of PDR's own features.

use std::time::Instant;

use craig_mc::engine::pdr::{Generalisation, Options, check, check_with_signals};
use craig_mc::{Control, Model, Outcome, Reset, UnknownReason, Verdict};
use craig_solver::aig::{Edge, Random};
use proptest::prelude::*;

use crate::support::{counter, input, judge, judge_engine, large_recipe, latch, recipe};

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
        most_whole in prop::sample::select(vec![0, Options::MOST_WHOLE]),
        is_ahead in any::<bool>(),
    ) {
        let options = Options {
            generalisation, seed, first_turn, most_separate, most_whole, is_ahead, ..Options::default()
        };
        judge_engine(&recipe, false, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}

/// A model with random formulas over its latches in its graph, of which some read an input.
fn with_formulas(model: &Model, random: &mut Random) -> (Model, Vec<Edge>) {
    let mut model = model.clone();
    let mut leaves: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
    let mut found = vec![Edge::TRUE];
    if leaves.is_empty() {
        return (model, found);
    }
    if random.below(4) == 0 {
        leaves.extend(model.inputs.iter().copied());
    }
    for _ in 0..random.below(8) {
        let mut pick = || leaves[random.below(leaves.len())].negate_if(random.flip());
        let (left, right) = (pick(), pick());
        let formula = match random.below(3) {
            0 => model.aig.and(left, right),
            1 => model.aig.iff(left, right),
            _ => model.aig.or(left, right),
        };
        leaves.push(formula);
        found.push(formula);
    }
    (model, found)
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
    ) {
        let options = Options {
            generalisation, seed, first_turn, most_separate, ..Options::default()
        };
        judge_engine(&recipe, false, |model, property| {
            let (extended, formulas) = with_formulas(model, &mut Random::new(formulas));
            // The answer is judged on the model without the formulas.
            check_with_signals(&extended, property, &formulas, &options, &Control::new())
        })?;
    }
}

/// Two counters of which the first never passes the second: one lemma about a signal is enough.
#[test]
fn a_lemma_may_be_about_a_signal() {
    let mut model = Model::default();
    let (enable, both) = (input(&mut model), input(&mut model));
    let states: Vec<Vec<Edge>> = (0..2).map(|_| counter(&mut model, 6, enable)).collect();
    let mut less = Edge::FALSE;
    for (&x, &y) in states[0].iter().zip(&states[1]) {
        let equal = model.aig.iff(x, y);
        let here = model.aig.and(!x, y);
        let kept = model.aig.and(equal, less);
        less = model.aig.or(here, kept);
    }
    let full = model.aig.and_all(states[1].iter().copied());
    let moves = [model.aig.and(less, both), !full];
    for (number, moves) in moves.into_iter().enumerate() {
        for bit in 0..6 {
            let latch = &model.latches[6 * number + bit];
            let (state, next) = (latch.state, latch.next);
            model.latches[6 * number + bit].next = model.aig.ite(moves, next, state);
        }
    }
    let mut greater = Edge::FALSE;
    for (&x, &y) in states[0].iter().zip(&states[1]) {
        let equal = model.aig.iff(x, y);
        let here = model.aig.and(x, !y);
        let kept = model.aig.and(equal, greater);
        greater = model.aig.or(here, kept);
    }
    model.bads.push(greater);
    let options = Options::default();
    let outcome = check_with_signals(&model, 0, &[less, greater], &options, &Control::new());
    judge(&model, 0, &outcome, false).unwrap();
    assert!(outcome.depth <= 2, "depth {}", outcome.depth);
    assert!(run(&model, 0).depth > 2);
}

fn run(model: &Model, property: usize) -> Outcome {
    check(model, property, &Options::default(), &Control::new())
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
        let outcome = check(&model, 0, &options, &Control::new());
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
    let control = Control::new().with_deadline(Instant::now());
    let outcome = check(&model, 0, &Options::default(), &control);
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
    craig_mc::circuit::certify::certify_certificate(&model, 0, &certificate).unwrap();
    // With the invariant "latch 0 is 0" alone, the bad of the witness is the bad of the model.
    let witness = &certificate.witness;
    assert_eq!(witness.bads[0], witness.latches[0].state);
}
