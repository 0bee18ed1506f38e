//! The check of the first steps, compared with enumeration.

use craig_aig::Edge;
use craig_mc::circuit::reduce::{self, Passes};
use craig_mc::engine::bmc::{self, Limits};
use craig_mc::engine::first_steps::{self, Effort};
use craig_mc::{Alone, Control};
use craig_model::{Model, Outcome, Reset, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{Truth, counter, explore, input, judge_trace, latch, recipe};

/// The check of a model's cone of influence.
fn look(model: &Model, property: usize, effort: &Effort, control: Control<'_>) -> Option<Outcome> {
    let cone = Passes::NONE.with("cone");
    let reduced = reduce::begin(model, property, &cone, control);
    first_steps::search_reduced(&reduced, effort, control)
}

/// Checks models of any size.
fn eager() -> Effort {
    Effort {
        least_ands: 0,
        evaluations: Some(10_000),
        ..Effort::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Runs that are found are valid, and shortest ones unless they were simulated; a run is found if and
    /// only if there is a short one.
    #[test]
    fn what_is_seen_is_there(recipe in recipe(), simulate in any::<bool>(), last in 0..5_usize) {
        let model = recipe.build();
        let mut effort = eager().up_to(last);
        if !simulate {
            effort.evaluations = None;
        }
        for property in 0..model.bads.len() {
            let seen = look(&model, property, &effort, Alone::new().control());
            match (explore(&model, property), seen.map(|outcome| outcome.verdict)) {
                (Truth::Unsafe(depth), Some(Verdict::Unsafe(trace))) => {
                    prop_assert!(trace.depth() <= last);
                    prop_assert_eq!(judge_trace(&model, property, &trace, Some(depth)), Ok(()));
                }
                (Truth::Unsafe(depth), None) => prop_assert!(depth > last),
                (Truth::Safe(_), None) => {}
                (truth, seen) => prop_assert!(false, "{seen:?} but {truth:?}"),
            }
        }
    }
}

/// A bad in step `2^bits - 1`, and a latch on which the bad does not depend.
fn countdown(bits: usize) -> Model {
    let mut model = Model::default();
    let states = counter(&mut model, bits, Edge::TRUE);
    let noise = input(&mut model);
    latch(&mut model, Reset::Uninitialised);
    model.latches[bits].next = noise;
    let full = model.aig.and_all(states);
    model.bads.push(full);
    model
}

#[test]
fn the_look_reports_nothing_but_the_bad() {
    let alone = Alone::new();
    let control = alone.control();
    let seen = look(&countdown(3), 0, &eager(), control).expect("seven steps are in sight");
    assert_eq!(seen.depth, 7);
    // An unsuccessful check proves nothing about its steps.
    assert!(look(&countdown(5), 0, &eager().up_to(9), control).is_none());
    assert_eq!(control.listener.depth(), 0);
    // Simulation reaches deeper steps, and small models are skipped.
    assert!(look(&countdown(5), 0, &eager(), control).is_some());
    assert!(look(&countdown(3), 0, &Effort::default(), control).is_none());
}

#[test]
fn a_bounded_search_ends_at_its_limits() {
    // Two equal counters with different structures.
    let mut model = Model::default();
    let (x, y) = (input(&mut model), input(&mut model));
    let [only_x, only_y] = [(x, !y), (y, !x)].map(|(left, right)| model.aig.and(left, right));
    let enable = model.aig.or(only_x, only_y);
    let [neither, both] = [(!x, !y), (x, y)].map(|(left, right)| model.aig.and(left, right));
    let same = model.aig.and(!neither, !both);
    let left = counter(&mut model, 4, enable);
    let right = counter(&mut model, 4, same);
    let pairs: Vec<Edge> = (left.iter().zip(&right))
        .map(|(&left, &right)| model.aig.xor(left, right))
        .collect();
    let different = model.aig.or_all(pairs);
    model.bads.push(different);
    for limits in [
        Limits {
            nodes: Some(200),
            ..Limits::default()
        },
        Limits {
            propagations: Some(200),
            ..Limits::default()
        },
    ] {
        let options = bmc::Options {
            max_depth: Some(500),
            limits,
            ..bmc::Options::default()
        };
        let outcome = bmc::check(&model, 0, &options, Alone::new().control());
        let Verdict::Unknown(UnknownReason::Bound(text)) = &outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert!(text.contains("limits were reached"), "{text}");
        assert!(outcome.depth < 500);
    }
}
