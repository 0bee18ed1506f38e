//! Transition relation approximation against enumeration.

use craig_itp::System;
use craig_itp::transform::Raising;
use craig_mc::Control;
use craig_mc::engine::tra::{Options, check};
use proptest::prelude::*;

use crate::support::{judge_engine, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(vec![System::McMillan, System::Symmetric]),
        raising in prop::sample::select(vec![None, Some(Raising::default())]),
    ) {
        let options = Options { system, raising, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}
