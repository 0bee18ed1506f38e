//! Transition relation approximation against enumeration.

use craig_itp::System;
use craig_itp::transform::Raising;
use craig_mc::Control;
use craig_mc::engine::tra::{Inner, Options, check};
use craig_mc::engine::{bdd, imc, pdr};
use proptest::prelude::*;

use crate::support::{judge_engine, recipe};

/// The engine among [`INNER`] whose runs need not be the shortest.
const PDR: usize = 1;
const INNER: [Inner; 3] = [
    |model, control| imc::check(model, 0, &imc::Options::default(), control),
    |model, control| pdr::check(model, 0, &pdr::Options::default(), control),
    |model, control| {
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
        system in prop::sample::select(vec![System::McMillan, System::Symmetric]),
        raising in prop::sample::select(vec![None, Some(Raising::default())]),
        inner in 0..INNER.len(),
    ) {
        let options = Options { system, raising, inner: INNER[inner], ..Options::default() };
        judge_engine(&recipe, inner != PDR, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}
