//! The engine against explicit enumeration of states.

use craig_mc::Alone;
use proptest::prelude::*;

use super::super::options::{Image, Refinement};
use super::*;
use crate::refutation::Dial;
use crate::tests::engines::{agrees_with_enumeration, strong_dial};
use crate::tests::small;
use crate::word_labels::LabelKind;
use craig_itp::System;

fn options(choice: usize) -> Options {
    Options {
        dial: strong_dial(choice),
        labels: [LabelKind::Bits, LabelKind::Words][choice / 16 % 2],
        image: Image::Approximate,
        refinement: Refinement::Interpolants,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64.., choice in 0usize..32) {
        let options = options(choice);
        agrees_with_enumeration(seed, |cfa, bad| check(cfa, bad, &options, Alone::new().control()))?;
    }
}

/// Interpolants of steps in the weakest system need not contradict each other.
#[test]
fn the_weakest_system_is_refused() {
    let options = Options {
        dial: Dial {
            system: System::InverseMcMillan,
            labelling: None,
            ..Dial::default()
        },
        ..Options::default()
    };
    let answer = check(&small(1).cfa, Bad::Error, &options, Alone::new().control());
    assert!(matches!(answer, Answer::Unknown(_)));
}

/// A stopped search reports that it was stopped.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let answer = check(&small(1).cfa, Bad::Error, &Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(_)));
}
