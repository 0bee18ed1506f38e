//! Decision diagrams, compared with enumeration.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use craig_aig::Edge;
use craig_mc::control::{Alone, Event};
use craig_mc::engine::bdd::{Direction, Options, check};
use craig_model::{Model, Reset, Stop, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{counter, input, judge, judge_engine, latch, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        direction in prop::sample::select(vec![Direction::Forward, Direction::Backward, Direction::Both]),
    ) {
        let options = Options { direction, nodes: 1 << 12, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }

    /// With very few nodes it may give up, but every definite answer is right.
    #[test]
    fn running_out_of_nodes_is_no_answer(recipe in recipe(), nodes in 1..40_usize) {
        let model = recipe.build();
        let options = Options { nodes, ..Options::default() };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            if !matches!(outcome.verdict, Verdict::Unknown(UnknownReason::Bound(_))) {
                prop_assert_eq!(judge(&model, property, &outcome, true), Ok(()));
            }
        }
    }
}

/// Two counters with equal steps; the bad is that they differ.
fn twins(bits: usize) -> Model {
    let mut model = Model::default();
    let enable = input(&mut model);
    let left = counter(&mut model, bits, enable);
    let right = counter(&mut model, bits, enable);
    let differ: Vec<Edge> = (left.iter().zip(&right))
        .map(|(&left, &right)| model.aig.xor(left, right))
        .collect();
    let bad = model.aig.or_all(differ);
    model.bads.push(bad);
    model
}

#[test]
fn a_cancelled_search_ends_before_its_first_operation() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let outcome = check(&twins(4), 0, &Options::default(), control);
    assert!(
        matches!(outcome.verdict, Verdict::Unknown(UnknownReason::Cancelled)),
        "{:?}",
        outcome.verdict
    );
}

/// Cancelled by the listener at the first report, in the middle of the search.
#[test]
fn a_search_ends_between_two_steps() {
    let slot: Arc<OnceLock<Stop>> = Arc::default();
    let inner = slot.clone();
    let alone = Alone::new().with_receiver(Arc::new(move |_| {
        inner.get().expect("the stop is in its place").cancel();
    }));
    let control = alone.control();
    assert!(slot.set(alone.stop.clone()).is_ok());
    let outcome = check(&twins(12), 0, &Options::default(), control);
    assert!(
        matches!(outcome.verdict, Verdict::Unknown(UnknownReason::Cancelled)),
        "{:?}",
        outcome.verdict
    );
    assert!(outcome.depth <= 1);
}

/// Needs more nodes than the first attempts have; later attempts succeed.
#[test]
fn attempts_go_on_with_more_nodes() {
    let attempts = Arc::new(AtomicUsize::new(0));
    let counted = attempts.clone();
    let alone = Alone::new().with_receiver(Arc::new(move |event| {
        if matches!(&event, Event::Note { text, .. } if text.contains("do not suffice")) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let control = alone.control();
    // The bad compares the bits of one number with another's in opposite order: every variable order is bad
    // for some of them.
    let mut model = Model::default();
    let left: Vec<Edge> = (0..13)
        .map(|_| latch(&mut model, Reset::Uninitialised))
        .collect();
    let right: Vec<Edge> = (0..13)
        .map(|_| latch(&mut model, Reset::Uninitialised))
        .collect();
    let mut bads = Vec::new();
    for shift in 0..3 {
        let same: Vec<Edge> = (0..13)
            .map(|bit| model.aig.iff(left[bit], right[(bit * 5 + shift * 4) % 13]))
            .collect();
        bads.push(model.aig.and_all(same));
    }
    let all = model.aig.and_all(bads);
    let odd = model.aig.xor(left[0], right[0]);
    let bad = model.aig.and(all, odd);
    model.bads.push(bad);
    let options = Options {
        nodes: 1 << 20,
        ..Options::default()
    };
    let outcome = check(&model, 0, &options, control);
    assert!(
        !matches!(outcome.verdict, Verdict::Unknown(_)),
        "{:?}",
        outcome.verdict
    );
    assert!(attempts.load(Ordering::Relaxed) > 0);
}
