//! Bounded model checking, compared with enumeration.

use craig_mc::Alone;
use craig_mc::engine::bmc::{Options, Stride, check};
use craig_mc::engine::sim;
use craig_model::{UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{Truth, explore, judge_trace, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The shortest run to each bad, and none where enumeration finds none.
    #[test]
    fn finds_the_shortest_runs(recipe in recipe()) {
        let model = recipe.build();
        // No run of a model of 4 latches visits more than 16 states.
        let options = Options { max_depth: Some(16), ..Options::default() };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            match (explore(&model, property), outcome.verdict) {
                (Truth::Unsafe(depth), Verdict::Unsafe(trace)) => {
                    prop_assert_eq!(outcome.depth, depth);
                    prop_assert_eq!(judge_trace(&model, property, &trace, Some(depth)), Ok(()));
                }
                (Truth::Safe(_), Verdict::Unknown(UnknownReason::Bound(_))) => {}
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }

    /// With several steps per query, with a solver for each, and with simulation first: finds some run to each bad that enumeration
    /// finds.
    #[test]
    fn finds_runs_by_strides_and_by_simulation(
        recipe in recipe(),
        stride in prop::sample::select(vec![Stride::One, Stride::Doubling, Stride::Fixed(3), Stride::Fixed(0)]),
        fresh in any::<bool>(),
        simulate in any::<bool>(),
    ) {
        let model = recipe.build();
        let simulation = simulate.then(|| sim::Options {
            evaluations: Some(10_000),
            ..sim::Options::default()
        });
        let options = Options { max_depth: Some(16), stride, fresh, simulation, ..Options::default() };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            match (explore(&model, property), outcome.verdict) {
                (Truth::Unsafe(depth), Verdict::Unsafe(trace)) => {
                    prop_assert!(trace.depth() >= depth);
                    prop_assert_eq!(outcome.depth, trace.depth());
                    prop_assert_eq!(judge_trace(&model, property, &trace, None), Ok(()));
                }
                (Truth::Safe(_), Verdict::Unknown(UnknownReason::Bound(_))) => {}
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }
}
