//! The engine, compared with explicit enumeration of states.

use craig_word::Terms;
use proptest::prelude::*;

use super::*;
use crate::circuit::verdict::UnknownReason;
use crate::program::cfa::Assignment;
use crate::program::tests::{judge, small};

fn judged(cfa: &Cfa, bad: Bad, words: bool) -> bool {
    judge(
        cfa,
        bad,
        check(cfa, bad, Options { words }, &Control::new()),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64.., words: bool) {
        let small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        prop_assert_eq!(judged(&small.cfa, Bad::Error, words), !error);
        let either = error || unsupported;
        prop_assert_eq!(judged(&small.cfa, Bad::ErrorOrUnsupported, words), !either);
    }
}

/// `x` counts to `bound` while `y` follows it; it is bad that they differ, or that `x` is `limit`.
fn counters(width: u32, bound: u128, limit: u128) -> Cfa {
    let mut terms = Terms::new();
    let words = [terms.variable(width), terms.variable(width)];
    let [zero, one, bound, limit] = [0, 1, bound, limit].map(|value| terms.constant(value, width));
    let [x, y] = words;
    let are_equal = terms.eq(x, y);
    let differ = terms.not(are_equal);
    let is_limit = terms.eq(x, limit);
    let is_bad = terms.or(differ, is_limit);
    let is_good = terms.not(is_bad);
    let goes_on = terms.ult(x, bound);
    let again = terms.and(is_good, goes_on);
    let more = words.map(|word| terms.add(word, one));
    let yes = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(y, "y");
    let head = cfa.add_location("head", words.to_vec(), words.to_vec());
    let assign = |values: [_; 2]| {
        let pairs = words.into_iter().zip(values);
        pairs
            .map(|(word, value)| Assignment { word, value })
            .collect::<Vec<_>>()
    };
    cfa.add_edge(Cfa::START, head, yes, assign([zero, zero]));
    cfa.add_edge(head, Cfa::ERROR, is_bad, Vec::new());
    cfa.add_edge(head, head, again, assign(more));
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

/// Comparisons and bounds prove at once what takes as many frames as the loop has iterations otherwise.
#[test]
fn comparisons_and_bounds_prove_long_loops() {
    assert!(judged(&counters(16, 40_000, 40_001), Bad::Error, true));
    assert!(!judged(&counters(6, 20, 13), Bad::Error, true));
    assert!(judged(&counters(6, 20, 21), Bad::Error, false));
}

/// A search that is stopped has no answer.
#[test]
fn a_stopped_search_has_no_answer() {
    let control = Control::new();
    control.cancel();
    let cfa = counters(16, 40_000, 40_001);
    let answer = check(&cfa, Bad::Error, Options::default(), &control);
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Cancelled)));
}
