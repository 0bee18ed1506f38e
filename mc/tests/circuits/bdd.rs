//! Decision diagrams against enumeration.

use craig_mc::engine::bdd::{Direction, Options, check};
use craig_mc::{Control, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{judge, judge_engine, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        direction in prop::sample::select(vec![Direction::Forward, Direction::Backward, Direction::Both]),
    ) {
        let options = Options { direction, nodes: 1 << 12, ..Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, &Control::new())
        })?;
    }

    /// With hardly any nodes it may give up, but what it says is right.
    #[test]
    fn running_out_of_nodes_is_no_answer(recipe in recipe(), nodes in 1..40_usize) {
        let model = recipe.build();
        let options = Options { nodes, ..Options::default() };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, &Control::new());
            if !matches!(outcome.verdict, Verdict::Unknown(UnknownReason::Bound(_))) {
                prop_assert_eq!(judge(&model, property, &outcome, true), Ok(()));
            }
        }
    }
}
