//! Interpolation sequences made into inductive traces, against enumeration.

use craig_itp::System;
use craig_mc::Control;
use craig_mc::engine::avy::{Options, check};
use craig_mc::engine::pdr::{self, Generalisation};
use craig_solver::aig::Budget;
use proptest::prelude::*;

use crate::support::{judge_engine, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(vec![System::McMillan, System::Symmetric, System::InverseMcMillan]),
        compaction in prop::sample::select(vec![None, Some(Budget::default())]),
        generalisation in prop::sample::select(vec![Generalisation::Plain, Generalisation::Extended]),
        seed in 0..3_u64,
    ) {
        let options = Options {
            system,
            compaction,
            lemmas: pdr::Options { generalisation, seed, ..pdr::Options::default() },
            ..Options::default()
        };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}
