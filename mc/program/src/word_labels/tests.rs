//! Sequences over words are judged step by step, and make loops converge on which bits diverge.

use craig_aig::Edge;
use craig_mc::Alone;
use craig_word::{Term, Terms};
use proptest::prelude::*;

use super::*;
use crate::actions::ActionId;
use crate::cfa::Assignment;
use crate::refutation::From;
use crate::tests::engines::dial;
use crate::tests::small;
use crate::to_model::Bad;

fn question(path: &[ActionId], slice: bool) -> Question<'_> {
    Question {
        from: From::Start,
        path,
        known: &[],
        outside: None,
        observed: &[],
        slice,
        conflicts: None,
    }
}

/// All paths of at most `most` actions from the start to the error.
fn error_paths(actions: &Actions, most: usize) -> Vec<Vec<ActionId>> {
    let mut found = Vec::new();
    let mut work: Vec<Vec<ActionId>> = vec![Vec::new()];
    while let Some(path) = work.pop() {
        let end = path
            .last()
            .map_or(Cfa::START, |&last| actions.action(last).target);
        if end == Cfa::ERROR {
            found.push(path);
        } else if path.len() < most {
            for &action in actions.outgoing(end) {
                work.push(path.iter().copied().chain([action]).collect());
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Each formula of a sequence is an interpolant at its cut, and implies the next one along the action
    /// between them. Paths are refuted by words if and only if they are by bits.
    #[test]
    fn sequences_over_words_are_inductive(seed in 1u64.., choice in 0usize..36) {
        let small = small(seed);
        let actions = Actions::new(&small.cfa, Bad::ErrorOrUnsupported);
        let alone = Alone::new();
        let control = alone.control();
        let mut labels = Labels::new(&actions, control.stop);
        let mut words = Refuter::new(&actions, &mut labels, LabelKind::Words);
        let mut bits = Refuter::new(&actions, &mut labels, LabelKind::Bits);
        let dial = dial(choice);
        for path in error_paths(&actions, 4).iter().take(12) {
            let question = question(path, choice < 18);
            let found = words.ask(&actions, &mut labels, &question, &dial, control);
            let other = bits.ask(&actions, &mut labels, &question, &dial, control);
            match (found, other) {
                (Ok(Found::Sequence(formulas)), Ok(Found::Sequence(_))) => {
                    prop_assert_eq!(judge::judge(&actions, &labels, &question, &formulas), Ok(()));
                }
                (Ok(Found::Run(..)), Ok(Found::Run(..))) => {}
                _ => prop_assert!(false, "words and bits disagree on a path"),
            }
        }
    }
}

/// Counts `x` from 0 in steps to where it is not below the bound, which then has to be the exact limit.
/// The bound is an input that the loop keeps, if it is not given.
fn chain(step: u128, bound: Option<u128>) -> (Cfa, [Term; 2]) {
    let mut terms = Terms::new();
    let (x, n, input) = (terms.variable(32), terms.variable(32), terms.variable(32));
    let zero = terms.constant(0, 32);
    let initial = bound.map_or(input, |bound| terms.constant(bound, 32));
    let step = terms.constant(step, 32);
    let goes_on = terms.slt(x, n);
    let ends = terms.not(goes_on);
    let equal = terms.eq(x, n);
    let differs = terms.not(equal);
    let is_wrong = terms.and(ends, differs);
    let next = terms.add(x, step);
    let negative = terms.slt(initial, zero);
    let positive = terms.not(negative);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(n, "n");
    let head = cfa.add_location("head", vec![x, n], vec![x, n]);
    let assign = |word, value| Assignment { word, value };
    cfa.add_edge(
        Cfa::START,
        head,
        positive,
        vec![assign(x, zero), assign(n, initial)],
    );
    cfa.add_edge(head, Cfa::ERROR, is_wrong, Vec::new());
    cfa.add_edge(head, head, goes_on, vec![assign(x, next)]);
    (cfa, [x, n])
}

/// The path that goes round the loop `n` times.
fn rounds(actions: &Actions, n: usize) -> Vec<ActionId> {
    let [enter] = actions.outgoing(Cfa::START) else {
        panic!("one action from the start");
    };
    let head = actions.action(*enter).target;
    let [fail, step] = actions.outgoing(head) else {
        panic!("two actions from the head");
    };
    let mut path = vec![*enter];
    path.extend(std::iter::repeat_n(*step, n));
    path.push(*fail);
    path
}

/// Bits say which value the counter has in each round; words say that it is at most the bound.
#[test]
fn a_chain_of_values_becomes_one_comparison() {
    let (cfa, [x, n]) = chain(1, None);
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut labels = Labels::new(&actions, control.stop);
    let mut refuter = Refuter::new(&actions, &mut labels, LabelKind::Words);
    let path = rounds(&actions, 5);
    let found = refuter.ask(
        &actions,
        &mut labels,
        &question(&path, true),
        &Dial::default(),
        control,
    );
    let Ok(Found::Sequence(formulas)) = found else {
        panic!("the path is infeasible");
    };
    let words = refuter.words.as_mut().unwrap();
    let expected = words.table.terms.sle(x, n);
    // The guard of the last round implies the last formula, so that earlier cuts need none.
    let n = formulas.len();
    for &formula in &formulas[..n - 2] {
        assert_eq!(formula, Edge::TRUE);
    }
    let last = words
        .shadow
        .term(&mut words.table, &actions, &labels.aig, formulas[n - 2]);
    assert_eq!(last, Some(expected));
    assert_eq!(words.text(expected), "x <= n");
    assert_eq!(formulas.last(), Some(&Edge::FALSE));
    let counters = refuter.counters().unwrap();
    assert_eq!((counters.paths, counters.bit_cuts), (1, 0));
    assert!(counters.word_cuts > 0);
}

/// `x` becomes a product of two inputs below 16; the error is that it is the prime 127.
fn product() -> Cfa {
    let mut terms = Terms::new();
    let (x, p, q) = (terms.variable(8), terms.variable(8), terms.variable(8));
    let (low, prime) = (terms.constant(15, 8), terms.constant(127, 8));
    let (p, q) = (terms.and(p, low), terms.and(q, low));
    let value = terms.mul(p, q);
    let is_prime = terms.eq(x, prime);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    let one = cfa.add_location("one", vec![x], Vec::new());
    let assignment = Assignment { word: x, value };
    cfa.add_edge(Cfa::START, one, always, vec![assignment]);
    cfa.add_edge(one, Cfa::ERROR, is_prime, Vec::new());
    cfa
}

/// A limit on conflicts leaves a query open, over bits and over words; it is no refutation and no run.
#[test]
fn queries_beyond_their_limit_stay_open() {
    let cfa = product();
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    for kind in [LabelKind::Bits, LabelKind::Words] {
        let mut labels = Labels::new(&actions, control.stop);
        let mut refuter = Refuter::new(&actions, &mut labels, kind);
        for (conflicts, is_open) in [(Some(0), true), (None, false)] {
            let path = &error_paths(&actions, 2)[0];
            let limited = Question {
                conflicts,
                ..question(path, true)
            };
            let dial = Dial::default();
            let found = refuter.ask(&actions, &mut labels, &limited, &dial, control);
            match found {
                Ok(Found::Open) => assert!(is_open, "{kind:?}"),
                Ok(Found::Sequence(_)) => assert!(!is_open, "{kind:?}"),
                _ => panic!("the path is infeasible"),
            }
        }
    }
}

/// Where no template tells why a path is infeasible, the bits of words are linked, and this is counted: here
/// the square of a word.
#[test]
fn cuts_without_templates_use_bits() {
    let mut terms = Terms::new();
    let (x, input) = (terms.variable(8), terms.variable(8));
    let square = terms.mul(input, input);
    let (two, three) = (terms.constant(2, 8), terms.constant(3, 8));
    // No square is 2 or 3 modulo 4, and nothing compares the word itself.
    let product = terms.mul(x, x);
    let again = terms.mul(product, x);
    let sum = terms.add(again, product);
    let low = terms.and(x, three);
    let is_two = terms.eq(low, two);
    let odd = terms.extract(sum, 3, 1);
    let is_wrong = terms.and(is_two, odd);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    let one = cfa.add_location("one", vec![x], Vec::new());
    let assignment = Assignment {
        word: x,
        value: square,
    };
    cfa.add_edge(Cfa::START, one, always, vec![assignment]);
    cfa.add_edge(one, Cfa::ERROR, is_wrong, Vec::new());
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut labels = Labels::new(&actions, control.stop);
    let mut refuter = Refuter::new(&actions, &mut labels, LabelKind::Words);
    for path in error_paths(&actions, 2) {
        let found = refuter.ask(
            &actions,
            &mut labels,
            &question(&path, true),
            &Dial::default(),
            control,
        );
        assert!(matches!(found, Ok(Found::Sequence(_))));
    }
    let counters = refuter.counters().unwrap();
    assert_eq!(counters.paths, 1);
    assert_eq!(counters.word_cuts + counters.bit_cuts, 1);
}
