//! Interpolation-based model checking, compared with enumeration.

use craig_itp::System;
use craig_mc::Control;
use craig_mc::engine::imc::{Interpolants, Options, check};
use proptest::prelude::*;

use crate::support::{judge_engine, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(vec![System::McMillan, System::Symmetric, System::InverseMcMillan]),
        interpolants in prop::sample::select(vec![Interpolants::Forward, Interpolants::Backward]),
        reduction_rounds in 0..=2_usize,
    ) {
        let options = Options { reduction_rounds, system, interpolants, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }
}
