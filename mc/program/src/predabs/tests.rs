//! The engine against explicit enumeration of states.

use craig_mc::Alone;
use craig_model::UnknownReason;
use proptest::prelude::*;

use super::*;
use crate::tests::engines::{agrees_with_enumeration, strong_dial};
use crate::tests::{judge, small};
use crate::word_labels::LabelKind;

fn options(choice: usize) -> Options {
    Options {
        dial: strong_dial(choice),
        labels: [LabelKind::Bits, LabelKind::Words][choice / 96 % 2],
        image: [Image::Approximate, Image::Hybrid, Image::Exact][choice / 16 % 3],
        refinement: [Refinement::Interpolants, Refinement::DasDill][choice / 48 % 2],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64.., choice in 0usize..192) {
        let options = options(choice);
        agrees_with_enumeration(seed, |cfa, bad| check(cfa, bad, &options, Alone::new().control()))?;
    }

    /// The Cartesian image alone may give up, and is right where it does not.
    #[test]
    fn cartesian_verdicts_are_right(seed in 1u64.., choice in 0usize..192) {
        let small = small(seed);
        let error = small.reached(&small.cfa)[0];
        let options = Options {
            image: Image::Cartesian,
            ..options(choice)
        };
        let answer = check(&small.cfa, Bad::Error, &options, Alone::new().control());
        if !matches!(answer, Answer::Unknown(UnknownReason::Unsupported(_))) {
            prop_assert_eq!(judge(&small.cfa, Bad::Error, answer), !error);
        }
    }
}

/// A stopped search reports that it was stopped.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let small = small(1);
    let answer = check(&small.cfa, Bad::Error, &Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(_)));
}
