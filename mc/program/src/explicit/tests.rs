//! The engine on random automata, compared with explicit enumeration of states.

use craig_mc::Alone;
use proptest::prelude::*;

use super::check;
use crate::answer::Answer;
use crate::tests::{judge, small};
use crate::to_model::Bad;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// What is decided is right: runs are followed, certificates are checked.
    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64..) {
        let small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        for (bad, is_reached) in [
            (Bad::Error, error),
            (Bad::ErrorOrUnsupported, error || unsupported),
        ] {
            let answer = check(&small.cfa, bad, Alone::new().control());
            if !matches!(answer, Answer::Unknown(_)) {
                prop_assert_eq!(judge(&small.cfa, bad, answer), !is_reached);
            }
        }
    }
}

/// Most random automata are decided.
#[test]
fn random_automata_are_decided_both_ways() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 1..300 {
        match check(
            &small(seed).cfa,
            Bad::ErrorOrUnsupported,
            Alone::new().control(),
        ) {
            Answer::Safe(_) => n_safe += 1,
            Answer::Unsafe(_) => n_unsafe += 1,
            Answer::Unknown(_) => {}
        }
    }
    assert!(n_safe > 20 && n_unsafe > 100, "{n_safe} {n_unsafe}");
}
