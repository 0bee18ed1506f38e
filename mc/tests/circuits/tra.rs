//! Transition relation approximation, compared with enumeration.

use craig_aig::Edge;
use craig_itp::transform::Raising;
use craig_mc::Alone;
use craig_mc::engine::tra::{Inner, Options, check};
use craig_mc::engine::{bdd, imc, pdr};
use craig_model::Model;
use proptest::prelude::*;

use crate::support::{counter, input, judge, judge_engine, recipe, strong_labellings};

const INNER: [Inner; 4] = [
    |model, _, control| imc::check(model, 0, &imc::Options::default(), control),
    |model, _, control| pdr::check(model, 0, &pdr::Options::default(), control),
    |model, reached, control| pdr::resume(model, 0, &pdr::Options::default(), reached, control),
    |model, _, control| {
        let options = bdd::Options {
            nodes: 1 << 12,
            ..bdd::Options::default()
        };
        bdd::check(model, 0, &options, control)
    },
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(strong_labellings()),
        raising in prop::sample::select(vec![None, Some(Raising::default()), Some(Raising::PAPER)]),
        inner in prop::sample::select(INNER.to_vec()),
        whole_runs: bool,
    ) {
        let options = Options { system, raising, inner, whole_runs, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}

/// Steps proved on the approximate system count, too.
#[test]
fn the_depth_is_told() {
    // A counter of two bits that skips the last of its values.
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 2, enable);
    let last = model.aig.and(!states[0], states[1]);
    for (number, &state) in states.iter().enumerate() {
        let next = model.latches[number].next;
        let wraps = model.aig.and(last, enable);
        model.latches[number].next = model.aig.ite(wraps, Edge::FALSE, next);
        assert_eq!(model.latches[number].state, state);
    }
    let bad = model.aig.and_all(states);
    model.bads.push(bad);
    for inner in INNER {
        let options = Options {
            inner,
            ..Options::default()
        };
        let alone = Alone::new();
        let control = alone.control();
        let outcome = check(&model, 0, &options, control);
        assert_eq!(judge(&model, 0, &outcome, true), Ok(()));
        assert!(outcome.depth >= 2, "{}", outcome.depth);
        assert_eq!(control.listener.depth(), outcome.depth);
    }
}
