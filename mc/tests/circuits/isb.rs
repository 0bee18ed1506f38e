//! Interpolation sequences, compared with enumeration.

use craig_mc::Alone;
use craig_mc::engine::isb::{Options, check};
use proptest::prelude::*;

use crate::support::{judge_engine, labellings, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(labellings()),
        strengthen in any::<bool>(),
    ) {
        let options = Options { system, strengthen, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}
