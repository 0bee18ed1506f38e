//! The engines that unroll the automaton, compared with explicit enumeration of states.

use craig_itp::System;
use craig_mc::{Alone, Control};
use craig_model::UnknownReason;
use craig_word::Terms;
use proptest::prelude::*;

use super::cfa::Assignment;
use super::tests::{judge, small};
use super::{Answer, Bad, Cfa, Dial, Transform, dual, sequences};

type Check = fn(&Cfa, Bad, Dial, Control<'_>) -> Answer;

const ENGINES: [Check; 2] = [sequences::check, dual::check];

fn judged(check: Check, cfa: &Cfa, bad: Bad, dial: Dial) -> bool {
    judge(cfa, bad, check(cfa, bad, dial, Alone::new().control()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 700, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(
        seed in 1u64..,
        engine in 0..2usize,
        system in prop::sample::select(&System::ALL[..]),
        transform in prop::sample::select(&[Transform::None, Transform::Reduce, Transform::RaiseLocal][..]),
        simplify: bool,
    ) {
        let small = small(seed);
        let dial = Dial { system, transform, simplify, ..Dial::default() };
        let check = ENGINES[engine];
        let [error, unsupported] = small.reached(&small.cfa);
        prop_assert_eq!(judged(check, &small.cfa, Bad::Error, dial), !error);
        let either = error || unsupported;
        prop_assert_eq!(judged(check, &small.cfa, Bad::ErrorOrUnsupported, dial), !either);
    }
}

/// Two loops in turn, of which the second one counts the first word down, and then compares.
fn two_loops(width: u32, bound: u128, wrong: u128) -> Cfa {
    let mut terms = Terms::new();
    let words = [terms.variable(width), terms.variable(width)];
    let [x, y] = words;
    let [zero, one, bound, wrong] = [0, 1, bound, wrong].map(|value| terms.constant(value, width));
    let goes_up = terms.ult(x, bound);
    let ends_up = terms.not(goes_up);
    let goes_down = terms.ult(zero, x);
    let ends_down = terms.not(goes_down);
    let is_wrong = terms.eq(y, wrong);
    let is_bad = terms.and(ends_down, is_wrong);
    let (more, less) = (terms.add(x, one), terms.sub(x, one));
    let counted = terms.add(y, one);
    let yes = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(y, "y");
    let up = cfa.add_location("up", words.to_vec(), words.to_vec());
    let down = cfa.add_location("down", words.to_vec(), words.to_vec());
    let assign = |word, value| Assignment { word, value };
    cfa.add_edge(Cfa::START, up, yes, vec![assign(x, zero), assign(y, zero)]);
    cfa.add_edge(up, up, goes_up, vec![assign(x, more), assign(y, counted)]);
    cfa.add_edge(up, down, ends_up, Vec::new());
    cfa.add_edge(down, Cfa::ERROR, is_bad, Vec::new());
    let down_again = vec![assign(x, less), assign(y, counted)];
    cfa.add_edge(down, down, goes_down, down_again);
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

#[test]
fn loops_in_turn_are_decided() {
    for check in ENGINES {
        assert!(judged(
            check,
            &two_loops(5, 6, 13),
            Bad::Error,
            Dial::default()
        ));
        assert!(!judged(
            check,
            &two_loops(5, 6, 12),
            Bad::Error,
            Dial::default()
        ));
    }
}

/// A search that is stopped has no answer.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    for check in ENGINES {
        let answer = check(&two_loops(8, 90, 7), Bad::Error, Dial::default(), control);
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Cancelled)));
    }
}
