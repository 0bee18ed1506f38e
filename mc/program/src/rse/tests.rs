//! The engine, compared with explicit enumeration of states, and a test for each rule of the paper that is
//! unsound as printed.

use craig_itp::System;
use craig_mc::Alone;
use craig_word::{Term, Terms};
use proptest::prelude::*;

use super::search::Search;
use super::*;
use crate::cfa::{Assignment, LocationId};
use crate::labels::Labels;
use crate::tests::engines::{agrees_with_enumeration, dial};
use crate::tests::{judge, small};
use crate::unwinding;
use crate::word_labels::LabelKind;

/// The configurations of the paper: R, R+E, R+S, R+S+E, R+S+W and R+S+E+W.
const CONFIGURATIONS: [(bool, bool, bool); 6] = [
    (false, false, false),
    (false, true, false),
    (true, false, false),
    (true, true, false),
    (true, false, true),
    (true, true, true),
];

fn configuration(number: usize) -> Options {
    let (safety, errors, weights) = CONFIGURATIONS[number];
    Options {
        safety,
        errors,
        weights,
        ..Options::default()
    }
}

fn options(choice: usize) -> Options {
    Options {
        unwinding: unwinding::Options {
            dial: dial(choice),
            labels: [LabelKind::Bits, LabelKind::Words][choice / 864 % 2],
            expand_queries: !(choice / 5).is_multiple_of(3),
            cover_candidates: [0, 3][choice / 18 % 2],
            attempt_conflicts: [100, 0][choice / 3456 % 2],
            lost_covers: [16, 0][choice % 2],
            slice: (choice / 36).is_multiple_of(2),
            know_labels: (choice / 72).is_multiple_of(2),
            refute_ends: (choice / 1728).is_multiple_of(2),
        },
        location_predicates: choice / 7 % 2 == 1,
        ..configuration(choice / 144 % 6)
    }
}

const CHOICES: usize = 144 * 6 * 2 * 2 * 2;

fn judged(cfa: &Cfa, bad: Bad, options: &Options) -> bool {
    judge(cfa, bad, check(cfa, bad, options, Alone::new().control()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64.., choice in 0..CHOICES) {
        let options = options(choice);
        agrees_with_enumeration(seed, |cfa, bad| check(cfa, bad, &options, Alone::new().control()))?;
    }

    /// Every safety label is justified at the end of a search, whatever was added after it, and no state of
    /// the safety label of a location leads to an error: the labels alone are an invariant, as far as the start
    /// satisfies them.
    #[test]
    fn final_labels_are_justified(seed in 1u64.., choice in 0..CHOICES) {
        let small = small(seed);
        let actions = Actions::new(&small.cfa, Bad::Error);
        let options = options(choice);
        let alone = Alone::new();
        let control = alone.control();
        let mut search = Search::new(&actions, &options, control);
        let found = search.run().map(|found| found.is_some());
        prop_assert_eq!(found, Ok(small.reached(&small.cfa)[0]));
        search.check();
    }
}

/// A refutation labels later visits of its locations, if that is chosen.
#[test]
fn predicates_of_locations_label_later_visits() {
    let reused = |seed: u64, location_predicates: bool| {
        let small = small(seed);
        let actions = Actions::new(&small.cfa, Bad::Error);
        let options = Options {
            location_predicates,
            ..configuration(0)
        };
        let alone = Alone::new();
        let mut search = Search::new(&actions, &options, alone.control());
        search.run().expect("nothing stops it");
        search.n_reused()
    };
    assert!((1..100).any(|seed| reused(seed, true) > 0));
    assert!((1..100).all(|seed| reused(seed, false) == 0));
}

/// A vertex whose label contradicts itself: the formula of what is learnt from it is false.
#[test]
fn labels_without_states_are_closed() {
    let small = small(14_509_483_933_994_886_204);
    let [error, _] = small.reached(&small.cfa);
    assert_eq!(judged(&small.cfa, Bad::Error, &options(756)), !error);
}

/// A builder of automata over two words of some bits.
struct Builder {
    cfa: Cfa,
    words: [Term; 2],
    width: u32,
}

impl Builder {
    fn new(width: u32) -> Self {
        let mut terms = Terms::new();
        let words = [terms.variable(width), terms.variable(width)];
        let mut cfa = Cfa::new(terms);
        cfa.add_word(words[0], "x");
        cfa.add_word(words[1], "y");
        Self { cfa, words, width }
    }

    fn location(&mut self, name: &str) -> LocationId {
        self.cfa.add_location(name, self.words.to_vec(), Vec::new())
    }

    fn constant(&mut self, value: u128) -> Term {
        self.cfa.terms.constant(value, self.width)
    }

    /// That a word has a value.
    fn is(&mut self, word: usize, value: u128) -> Term {
        let value = self.constant(value);
        self.cfa.terms.eq(self.words[word], value)
    }

    /// An edge that sets both words.
    fn edge(&mut self, ends: [LocationId; 2], guard: Term, values: [Term; 2]) {
        let assignments = (self.words.iter().zip(values))
            .map(|(&word, value)| Assignment { word, value })
            .collect();
        self.cfa.add_edge(ends[0], ends[1], guard, assignments);
    }

    fn error(&mut self, from: LocationId, guard: Term) {
        self.cfa.add_edge(from, Cfa::ERROR, guard, Vec::new());
    }
}

/// Two ways lead to a fork: with `x = 0`, and with `x = 2` and `y = last`. The fork leads to an error if `x` is
/// 1, and if `x` is 2 to a location from which `y = 1` is an error. The first path that is refuted is the first
/// way, to the error of the fork.
fn fork(last: u128) -> (Cfa, LocationId) {
    let mut builder = Builder::new(4);
    let [fork, behind] = ["fork", "behind"].map(|name| builder.location(name));
    let choice = builder.cfa.terms.variable(1);
    let other = builder.cfa.terms.not(choice);
    let [zero, two, last] = [0, 2, last].map(|value| builder.constant(value));
    builder.edge([Cfa::START, fork], choice, [zero, zero]);
    builder.edge([Cfa::START, fork], other, [two, last]);
    let words = builder.words;
    let is_one = builder.is(0, 1);
    builder.error(fork, is_one);
    let is_two = builder.is(0, 2);
    builder.edge([fork, behind], is_two, words);
    let is_one = builder.is(1, 1);
    builder.error(behind, is_one);
    (builder.cfa, fork)
}

/// The paper: a safety interpolant is full at the last reachable location of a refuted path, from one blocked
/// edge. The path with `x = 2` implies that of the fork, `x != 1`, and would be cut off; but it leads to the
/// error behind the other edge.
#[test]
fn one_blocked_edge_does_not_make_a_location_safe() {
    for number in 0..CONFIGURATIONS.len() {
        assert!(!judged(&fork(1).0, Bad::Error, &configuration(number)));
        assert!(judged(&fork(3).0, Bad::Error, &configuration(number)));
    }
    // The labels themselves: one of two actions has one.
    let (cfa, place) = fork(1);
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut labels = Labels::new(&actions, control.stop);
    let mut safety = safety::SafetyLabels::new(&actions, control.stop);
    let to_error = actions.outgoing(place)[0];
    assert_eq!(actions.action(to_error).target, Cfa::ERROR);
    let found = safety.justify(&mut labels, LabelId::TRUE, to_error, Edge::FALSE);
    assert_eq!(found, Ok(None), "a state with `x = 1` leads to the error");
    let inputs = labels.aig.inputs().to_vec();
    let is_even = labels.strengthened(LabelId::TRUE, &[Edge::new(inputs[0], true)]);
    let found = safety.justify(&mut labels, is_even, to_error, Edge::FALSE);
    let conjuncts = found.expect("no stop").expect("an even `x` is not 1");
    let mut full = Vec::new();
    assert!(safety.learn(&mut labels.aig, vec![(to_error, conjuncts)], &mut full));
    assert!(!safety.is_full(place) && full.is_empty());
    assert_eq!(safety.formula(&mut labels.aig, place), Edge::FALSE);
    assert_eq!(safety.label(&mut labels, place), LabelId::FALSE);
}

/// A loop over two locations, which counts `x` up from 0 to a bound. That it reaches 3 is an error of the
/// second location.
fn two_heads(bound: u128) -> Cfa {
    let mut builder = Builder::new(4);
    let [first, second] = ["first", "second"].map(|name| builder.location(name));
    let always = builder.cfa.terms.boolean(true);
    let [zero, one, three, bound] = [0, 1, 3, bound].map(|value| builder.constant(value));
    let [x, y] = builder.words;
    builder.edge([Cfa::START, first], always, [zero, zero]);
    builder.edge([first, second], always, [x, y]);
    let is_three = builder.cfa.terms.eq(x, three);
    builder.error(second, is_three);
    let is_below = builder.cfa.terms.ult(x, bound);
    let is_other = builder.cfa.terms.not(is_three);
    let goes_on = builder.cfa.terms.and(is_below, is_other);
    let next = builder.cfa.terms.add(x, one);
    builder.edge([second, first], goes_on, [next, y]);
    builder.cfa
}

/// The paper: safety interpolants are only conjoined to. The first refuted path gives `x != 3` for both
/// locations, and the one of the first location, which comes from the second one before the loop edge was
/// looked at, would cut the loop off.
#[test]
fn labels_in_loops_do_not_become_stale() {
    for number in 0..CONFIGURATIONS.len() {
        for bound in 0..5 {
            let is_safe = judged(&two_heads(bound), Bad::Error, &configuration(number));
            assert_eq!(is_safe, bound < 3, "configuration {number}, bound {bound}");
        }
    }
    // A loop as a whole is closed, and its labels are justified.
    let cfa = two_heads(2);
    let actions = Actions::new(&cfa, Bad::Error);
    let (options, alone) = (configuration(2), Alone::new());
    let control = alone.control();
    let mut search = Search::new(&actions, &options, control);
    assert!(matches!(search.run(), Ok(None)));
    search.check();
    assert!(actions.locations().all(|location| {
        !actions.reaches(location) || location == Cfa::ERROR || search.safety().is_full(location)
    }));
}

/// Four ways lead to a location, with `x` 0, 1, 2 and `last`; one location later, `x = 3` is an error.
fn ways(last: u128) -> Cfa {
    let mut builder = Builder::new(2);
    let [meeting, later] = ["meeting", "later"].map(|name| builder.location(name));
    let choice = builder.cfa.terms.variable(2);
    let zero = builder.constant(0);
    for (way, value) in [0, 1, 2, last].into_iter().enumerate() {
        let way = builder.constant(way as u128);
        let guard = builder.cfa.terms.eq(choice, way);
        let value = builder.constant(value);
        builder.edge([Cfa::START, meeting], guard, [value, zero]);
    }
    let (always, words) = (builder.cfa.terms.boolean(true), builder.words);
    builder.edge([meeting, later], always, words);
    let reached = builder.is(0, 3);
    builder.error(later, reached);
    builder.cfa
}

/// The paper: a path that implies an error interpolant is reported. The suffix from the meeting needs both bits
/// of `x`, and an interpolant that excludes `x = 0` may ask for one bit only: then `x = 1` or `x = 2`
/// implies it, and leads to no error.
#[test]
fn error_labels_alone_are_no_errors() {
    for system in System::ALL {
        let mut options = configuration(1);
        options.unwinding.cover_candidates = 0;
        options.unwinding.dial.system = system;
        assert!(judged(&ways(1), Bad::Error, &options));
        assert!(!judged(&ways(3), Bad::Error, &options));
        let cfa = ways(1);
        let actions = Actions::new(&cfa, Bad::Error);
        let alone = Alone::new();
        let control = alone.control();
        let mut search = Search::new(&actions, &options, control);
        assert!(matches!(search.run(), Ok(None)));
        assert!(search.n_hits() > 0, "{system:?}");
    }
}

/// A chain of diamonds, each of which adds 1 or 2 to `x`, on whose end `x` is compared with a value.
fn diamonds(n: usize, value: u128) -> Cfa {
    let mut builder = Builder::new(8);
    let zero = builder.constant(0);
    let always = builder.cfa.terms.boolean(true);
    let mut last = builder.location("first");
    builder.edge([Cfa::START, last], always, [zero, zero]);
    for number in 0..n {
        let next = builder.location(&format!("diamond {number}"));
        let choice = builder.cfa.terms.variable(1);
        let other = builder.cfa.terms.not(choice);
        for (guard, step) in [(choice, 1), (other, 2)] {
            let step = builder.constant(step);
            let [x, y] = builder.words;
            let sum = builder.cfa.terms.add(x, step);
            builder.edge([last, next], guard, [sum, y]);
        }
        last = next;
    }
    let reached = builder.is(0, value);
    builder.error(last, reached);
    builder.cfa
}

/// Safety labels cut off what coverings do not see: without them, and without forced covering, each path
/// through the diamonds has vertices of its own.
#[test]
fn safety_labels_cut_off_paths() {
    let cfa = diamonds(6, 50);
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut sizes = Vec::new();
    for number in [0, 2] {
        let mut options = configuration(number);
        options.unwinding.cover_candidates = 0;
        let mut search = Search::new(&actions, &options, control);
        assert!(matches!(search.run(), Ok(None)));
        search.check();
        sizes.push(search.unwinding().tree.len());
    }
    assert!(sizes[1] < sizes[0], "{sizes:?}");
    for number in 0..CONFIGURATIONS.len() {
        assert!(judged(&cfa, Bad::Error, &configuration(number)));
        assert!(!judged(&diamonds(6, 9), Bad::Error, &configuration(number)));
    }
}

/// Deep trees do not overflow the stack.
#[test]
fn deep_trees_need_no_deep_stack() {
    let deep = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(|| {
            let mut builder = Builder::new(10);
            let head = builder.location("head");
            let always = builder.cfa.terms.boolean(true);
            let [zero, one] = [0, 1].map(|value| builder.constant(value));
            let [x, y] = builder.words;
            builder.edge([Cfa::START, head], always, [zero, zero]);
            let reached = builder.is(0, 200);
            builder.error(head, reached);
            let goes_on = builder.cfa.terms.not(reached);
            let next = builder.cfa.terms.add(x, one);
            builder.edge([head, head], goes_on, [next, y]);
            judged(&builder.cfa, Bad::Error, &configuration(5))
        })
        .expect("a thread can be started");
    assert!(matches!(deep.join(), Ok(false)));
}

/// A stopped search reports that it was stopped.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let answer = check(&two_heads(2), Bad::Error, &Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(_)));
}
