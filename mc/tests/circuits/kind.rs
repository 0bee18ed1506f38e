//! k-induction, compared with enumeration.

use craig_aig::Edge;
use craig_mc::Alone;
use craig_mc::engine::bmc::Stride;
use craig_mc::engine::kind::{Options, check};
use craig_model::{Latch, Model, Reset, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{Truth, explore, judge, judge_engine, judge_trace, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(recipe in recipe()) {
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &Options::default(), Alone::new().control())
        })?;
    }

    /// With several steps in one query of the base case and limits of the step: what is decided is right, and has evidence.
    #[test]
    fn strides_and_limits_of_the_step_decide_nothing_wrong(
        recipe in recipe(),
        stride in prop::sample::select(vec![Stride::One, Stride::Doubling, Stride::Fixed(3)]),
        fresh in any::<bool>(),
        step_share in prop::sample::select(vec![None, Some(0), Some(20)]),
        step_depth in prop::sample::select(vec![None, Some(0), Some(2)]),
    ) {
        let model = recipe.build();
        let options = Options {
            // No run of a model of 4 latches visits more than 16 states.
            max_depth: Some(16),
            simple_path: step_share.is_none(),
            stride,
            fresh,
            step_share,
            step_depth,
        };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            match (explore(&model, property), &outcome.verdict) {
                (Truth::Unsafe(depth), Verdict::Unsafe(trace)) => {
                    prop_assert!(trace.depth() >= depth);
                    prop_assert_eq!(judge_trace(&model, property, trace, None), Ok(()));
                }
                (Truth::Safe(_), Verdict::Safe(_)) => {
                    prop_assert_eq!(judge(&model, property, &outcome, false), Ok(()));
                }
                (Truth::Safe(_), Verdict::Unknown(UnknownReason::Bound(_))) => {}
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }
}

/// Where the base case goes ahead by strides, the certificate is that of the smallest k.
#[test]
fn the_certificate_after_a_stride_is_that_of_the_smallest_k() {
    for n in 1..9 {
        let model = chain(n);
        let shortest = Options {
            simple_path: false,
            ..Options::default()
        };
        let doubling = Options {
            stride: Stride::Doubling,
            step_share: Some(20),
            ..shortest.clone()
        };
        let [shortest, doubling] =
            [shortest, doubling].map(|options| check(&model, 0, &options, Alone::new().control()));
        judge(&model, 0, &doubling, true).unwrap();
        assert_eq!(doubling.depth, n.next_power_of_two());
        let (Verdict::Safe(shortest), Verdict::Safe(doubling)) =
            (shortest.verdict, doubling.verdict)
        else {
            panic!("k-induction proves a chain of {n} latches");
        };
        assert_eq!(
            doubling.witness.latches.len(),
            shortest.witness.latches.len(),
            "n = {n}"
        );
    }
}

/// Constraints that allow no second step: the search ends, also where no limit is given and the step may not prove it.
#[test]
fn constraints_that_end_all_runs_end_the_search() {
    let mut model = needs_simple_paths();
    let first = model.aig.add_input();
    model.latches.push(Latch {
        state: first,
        next: Edge::FALSE,
        reset: Reset::One,
    });
    model.constraints.push(first);
    model.latches[0].next = Edge::TRUE;
    for fresh in [false, true] {
        let options = Options {
            simple_path: false,
            fresh,
            stride: Stride::Doubling,
            step_share: Some(0),
            step_depth: Some(0),
            ..Options::default()
        };
        let outcome = check(&model, 0, &options, Alone::new().control());
        let Verdict::Unknown(UnknownReason::Bound(reason)) = outcome.verdict else {
            panic!("{outcome:?}");
        };
        assert!(reason.contains("allow no run of more than"), "{reason}");
    }
}

/// The step has no more effort than its share, but the base case finds a run all the same.
#[test]
fn the_base_case_goes_on_where_the_step_may_go_no_further() {
    let mut model = chain(6);
    model.latches[0].next = Edge::TRUE;
    let options = Options {
        simple_path: false,
        step_share: Some(0),
        step_depth: Some(1),
        ..Options::default()
    };
    let outcome = check(&model, 0, &options, Alone::new().control());
    judge(&model, 0, &outcome, false).unwrap();
    assert_eq!(outcome.depth, 6);
}

/// A token that moves at each step along `n` latches cyclically, and a second chain of latches that is never
/// set, with the bad at its end. Inductive over as many steps as that chain has latches.
fn chain(n: usize) -> Model {
    let mut model = Model::default();
    let states: Vec<Edge> = (0..n).map(|_| model.aig.add_input()).collect();
    for (index, &state) in states.iter().enumerate() {
        let next = if index == 0 {
            Edge::FALSE
        } else {
            states[index - 1]
        };
        model.latches.push(Latch {
            state,
            next,
            reset: Reset::Zero,
        });
    }
    model.bads.push(states[n - 1]);
    model
}

#[test]
fn a_proof_over_several_steps_has_a_certificate_without_pdr() {
    for n in 1..6 {
        let model = chain(n);
        let options = Options {
            simple_path: false,
            ..Options::default()
        };
        let outcome = check(&model, 0, &options, Alone::new().control());
        judge(&model, 0, &outcome, true).unwrap();
        assert_eq!(outcome.depth, n);
        let Verdict::Safe(certificate) = &outcome.verdict else {
            panic!("{outcome:?}");
        };
        // The history of n - 1 steps: a copy of each latch and a validity bit.
        assert_eq!(
            certificate.witness.latches.len(),
            n + (n - 1) * (n + 1),
            "n = {n}"
        );
    }
}

/// Two latches that alternate between unreachable states forever: not k-inductive for any k without
/// simple-path constraints.
fn needs_simple_paths() -> Model {
    let mut model = Model::default();
    let hold = model.aig.add_input();
    let [wrong, armed] = [(); 2].map(|()| model.aig.add_input());
    model.inputs.push(hold);
    // An armed system may wait arbitrarily long before it goes wrong; it is never armed.
    let leaves = model.aig.and(armed, !hold);
    let stays = model.aig.and(armed, hold);
    for (state, next) in [(wrong, leaves), (armed, stays)] {
        model.latches.push(Latch {
            state,
            next,
            reset: Reset::Zero,
        });
    }
    model.bads.push(wrong);
    model
}

#[test]
fn a_proof_over_simple_paths_is_certified_by_an_invariant() {
    let model = needs_simple_paths();
    let outcome = check(&model, 0, &Options::default(), Alone::new().control());
    judge(&model, 0, &outcome, false).unwrap();
}

#[test]
fn without_simple_paths_some_proofs_do_not_exist() {
    let options = Options {
        max_depth: Some(8),
        simple_path: false,
        ..Options::default()
    };
    let outcome = check(&needs_simple_paths(), 0, &options, Alone::new().control());
    assert!(matches!(
        outcome.verdict,
        Verdict::Unknown(UnknownReason::Bound(_))
    ));
}

/// Shared invariants replace simple-path constraints, and become part of the certificate.
#[test]
fn shared_invariants_strengthen_the_step() {
    let mut model = needs_simple_paths();
    // The bad holds one step after the latch that goes wrong.
    let late = model.aig.add_input();
    model.latches.push(Latch {
        state: late,
        next: model.latches[0].state,
        reset: Reset::Zero,
    });
    model.bads.push(late);
    let options = Options {
        max_depth: Some(8),
        simple_path: false,
        ..Options::default()
    };
    for property in 0..2 {
        let alone = Alone::new();
        let control = alone.control();
        control.board.share_invariants([vec![(1, false)]]);
        let outcome = check(&model, property, &options, control);
        judge(&model, property, &outcome, true).unwrap();
        assert_eq!(outcome.depth, property + 1);
    }
}

/// The base case skips exactly the steps that other engines have proved.
#[test]
fn shared_depths_save_the_base_case() {
    let mut model = chain(4);
    model.latches[0].next = Edge::TRUE;
    for depth in 0..=4 {
        let alone = Alone::new();
        let control = alone.control();
        control.report_depth("test", depth);
        let outcome = check(&model, 0, &Options::default(), control);
        judge(&model, 0, &outcome, true).unwrap();
    }
}
