//! The engine, compared with explicit enumeration of states.

use std::collections::HashSet;
use std::sync::Arc;

use craig_aig::Edge;
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::control::{Alone, Control, Event};
use craig_mc::engine::{dar, imc, isb, kind, pdr};
use craig_model::{Model, Outcome, Stop, UnknownReason, Verdict};
use craig_word::Terms;
use proptest::prelude::*;

use super::*;
use crate::actions::position;
use crate::cfa::Assignment;
use crate::tests::{judge, small};

fn judged(cfa: &Cfa, bad: Bad, words: bool) -> bool {
    judge(
        cfa,
        bad,
        check(cfa, bad, Options { words }, Alone::new().control()),
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
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let cfa = counters(16, 40_000, 40_001);
    let answer = check(&cfa, Bad::Error, Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Cancelled)));
}

/// The engines for circuits that import invariants, each with few steps for what needs lemmas.
type Importer = fn(&Model, Control<'_>) -> Outcome;

const IMPORTERS: [Importer; 4] = [
    |model, control| {
        let options = kind::Options {
            max_depth: Some(12),
            simple_path: false,
        };
        kind::check(model, 0, &options, control)
    },
    |model, control| imc::check(model, 0, &imc::Options::default(), control),
    |model, control| isb::check(model, 0, &isb::Options::default(), control),
    |model, control| dar::check(model, 0, &dar::Options::default(), control),
];

/// What an importer says with the lemmas of this engine, and the number of these; its evidence is judged on the circuit
/// without them. `None` if it gives up.
fn with_lemmas(cfa: &Cfa, bad: Bad, import: Importer, has_lemmas: bool) -> (Option<bool>, usize) {
    let mut cfa = cfa.clone();
    let encoded = cfa.to_model(bad);
    let alone = Alone::new();
    let control = alone.control();
    let found = check_for_lemmas(&cfa, bad, Options::default(), &encoded, control).1;
    let proved = pdr::inductive_clauses(&encoded.model, 0, &found, control);
    let n_lemmas = proved.len();
    if has_lemmas {
        control.board.share_invariants(proved);
    }
    let is_safe = match import(&encoded.model, control).verdict {
        Verdict::Safe(certificate) => {
            assert_eq!(
                certify_certificate(&encoded.model, 0, &certificate),
                Ok(()),
                "{cfa}"
            );
            Some(true)
        }
        Verdict::Unsafe(trace) => {
            assert!(certify_trace(&encoded.model, 0, &trace).is_ok(), "{cfa}");
            Some(false)
        }
        Verdict::Unknown(_) => None,
    };
    (is_safe, n_lemmas)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Lemmas make no engine wrong, and all of their evidence is accepted.
    #[test]
    fn importers_of_lemmas_agree_with_enumeration(seed in 1u64.., importer in 0..4usize) {
        let small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        for (bad, is_reached) in [(Bad::Error, error), (Bad::ErrorOrUnsupported, error || unsupported)] {
            let (found, _) = with_lemmas(&small.cfa, bad, IMPORTERS[importer], true);
            if let Some(is_safe) = found {
                prop_assert_eq!(is_safe, !is_reached);
            }
        }
    }
}

/// The states that a circuit reaches: the values of its latches.
fn reached(model: &Model) -> HashSet<Vec<bool>> {
    let nexts: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    let place = |edge: &Edge| position(&model.aig, edge.node()) as usize;
    let first = vec![false; model.latches.len()];
    let mut found = HashSet::from([first.clone()]);
    let mut work = vec![first];
    while let Some(state) = work.pop() {
        let mut values = vec![false; model.aig.inputs().len()];
        for (latch, &value) in model.latches.iter().zip(&state) {
            values[place(&latch.state)] = value;
        }
        for choice in 0..1u32 << model.inputs.len() {
            for (bit, input) in model.inputs.iter().enumerate() {
                values[place(input)] = choice >> bit & 1 == 1;
            }
            let next = model.aig.evaluate(&values, &nexts);
            if found.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The clauses that are proved, of a search to the end or of one that is stopped early, hold in all states that the
    /// circuit reaches.
    #[test]
    fn proved_lemmas_hold_in_all_reachable_states(seed in 1u64.., last in 1..4usize) {
        let mut cfa = small(seed).cfa;
        for bad in [Bad::Error, Bad::ErrorOrUnsupported] {
            let encoded = cfa.to_model(bad);
            let stop = Stop::new();
            let stopped = stop.clone();
            let end = format!("within {last} steps");
            let own = Alone::until(stop).with_receiver(Arc::new(move |event| {
                if matches!(event, Event::Note { text, .. } if text.starts_with(&end)) {
                    stopped.cancel();
                }
            }));
            let found = check_for_lemmas(&cfa, bad, Options::default(), &encoded, own.control()).1;
            let proved = pdr::inductive_clauses(&encoded.model, 0, &found, Alone::new().control());
            for state in reached(&encoded.model) {
                for clause in &proved {
                    prop_assert!(clause.iter().any(|&(latch, value)| state[latch] == value));
                }
            }
        }
    }
}

/// An `armed` loop waits as long as an input says, and then goes wrong; it is never armed.
fn waiting() -> Cfa {
    let mut terms = Terms::new();
    let words = [terms.variable(2), terms.variable(2)];
    let (armed, wrong) = (words[0], words[1]);
    let input = terms.variable(1);
    let [zero, one] = [0, 1].map(|value| terms.constant(value, 2));
    let is_bad = terms.eq(wrong, one);
    let is_good = terms.not(is_bad);
    let is_armed = terms.eq(armed, one);
    let goes_wrong = terms.and(is_armed, input);
    let next = terms.ite(goes_wrong, one, zero);
    let yes = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(armed, "armed");
    cfa.add_word(wrong, "wrong");
    let head = cfa.add_location("head", words.to_vec(), words.to_vec());
    let assign = |word, value| Assignment { word, value };
    cfa.add_edge(
        Cfa::START,
        head,
        yes,
        vec![assign(armed, zero), assign(wrong, zero)],
    );
    cfa.add_edge(head, Cfa::ERROR, is_bad, Vec::new());
    cfa.add_edge(head, head, is_good, vec![assign(wrong, next)]);
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

/// k-induction without simple paths needs that the loop is not armed, and has that from this engine.
#[test]
fn lemmas_strengthen_induction() {
    let induction = IMPORTERS[0];
    assert_eq!(
        with_lemmas(&waiting(), Bad::Error, induction, false).0,
        None
    );
    let (found, n_lemmas) = with_lemmas(&waiting(), Bad::Error, induction, true);
    assert_eq!(found, Some(true));
    assert!(n_lemmas > 0);
}
