//! Dual approximated reachability, compared with enumeration.

use craig_itp::System;
use craig_mc::Alone;
use craig_mc::engine::dar::{Options, check};
use proptest::prelude::*;

use crate::support::{judge_engine, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(vec![System::McMillan, System::Symmetric, System::InverseMcMillan]),
        local in any::<bool>(),
    ) {
        let options = Options { system, local, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}
