//! The engine, compared with explicit enumeration of states, and the examples of the paper's figure 1.

use std::collections::HashMap;

use craig_certify::certify_certificate;
use craig_mc::Alone;
use craig_word::{Term, Terms};
use proptest::prelude::*;

use super::*;
use crate::answer::Run;
use crate::cfa::{Assignment, EdgeId, LocationId};
use crate::labels::Labels;
use crate::path::Path;
use crate::tests::engines::{agrees_with_enumeration, dial};
use crate::tests::{Small, judge, small};
use crate::word_labels::LabelKind;

fn options(choice: usize) -> Options {
    Options {
        dial: dial(choice),
        labels: [LabelKind::Bits, LabelKind::Words][choice / 72 % 2],
        learn: true,
        fuel: [0, 1, 2, 9][choice / 18 % 4],
    }
}

const CHOICES: usize = 144;

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

    /// Every label is justified at the end of a search, for the fuel that it claims, whatever was added after it.
    #[test]
    fn final_labels_are_justified(seed in 1u64.., choice in 0..CHOICES) {
        let small = small(seed);
        let actions = Actions::new(&small.cfa, Bad::Error);
        let (options, alone) = (options(choice), Alone::new());
let control = alone.control();
        let mut search = Search::new(&actions, &options, control);
        let is_reached = matches!(search.run(), Ok(Outcome::Reached(_)));
        prop_assert_eq!(is_reached, small.reached(&small.cfa)[0]);
        search.annotation.check(&mut search.labels);
    }

    /// Without learning, an error within the fuel is found, and nothing is proved.
    #[test]
    fn enumeration_finds_errors(seed in 1u64..) {
        let small = small(seed);
        let options = Options { learn: false, ..Options::default() };
        let alone = Alone::new();
        let control = alone.control();
        let actions = Actions::new(&small.cfa, Bad::Error);
        let [error, _] = small.reached(&small.cfa);
        let mut search = Search::new(&actions, &options, control);
        if error {
            prop_assert!(matches!(search.run(), Ok(Outcome::Reached(_))));
            prop_assert!(!judged(&small.cfa, Bad::Error, &options));
        } else if !(0..actions.n_actions() as u32).any(|a| search.annotation.retreats(a)) {
            prop_assert!(matches!(search.run(), Ok(Outcome::Enumerated)));
        }
    }
}

/// A builder of automata over some words of 8 bits.
struct Builder {
    cfa: Cfa,
    words: Vec<Term>,
}

const WIDTH: u32 = 8;

impl Builder {
    fn new(names: &[&str]) -> Self {
        let mut terms = Terms::new();
        let words: Vec<Term> = names.iter().map(|_| terms.variable(WIDTH)).collect();
        let mut cfa = Cfa::new(terms);
        for (&word, &name) in words.iter().zip(names) {
            cfa.add_word(word, name);
        }
        Self { cfa, words }
    }

    fn location(&mut self, name: &str) -> LocationId {
        self.cfa.add_location(name, self.words.clone(), Vec::new())
    }

    fn constant(&mut self, value: u128) -> Term {
        self.cfa.terms.constant(value, WIDTH)
    }

    fn always(&mut self) -> Term {
        self.cfa.terms.boolean(true)
    }

    /// An edge that changes some words.
    fn edge(&mut self, ends: [LocationId; 2], guard: Term, changed: &[(usize, Term)]) {
        let mut assignments = Vec::new();
        for &(word, value) in changed {
            let word = self.words[word];
            assignments.push(Assignment { word, value });
        }
        if ends[0] == Cfa::START {
            let zero = self.constant(0);
            for (place, &word) in self.words.iter().enumerate() {
                if !changed.iter().any(|&(other, _)| other == place) {
                    assignments.push(Assignment { word, value: zero });
                }
            }
        }
        self.cfa.add_edge(ends[0], ends[1], guard, assignments);
    }

    fn error(&mut self, from: LocationId, guard: Term) {
        self.cfa.add_edge(from, Cfa::ERROR, guard, Vec::new());
    }
}

/// `diamond` of figure 1: `p` holds; `a` is chosen; `x` is counted up or down as `a` says; the error is that `p`
/// does not hold. Several diamonds in a row.
fn diamonds(n: usize, p: u128) -> Cfa {
    let mut builder = Builder::new(&["p", "a", "x"]);
    let first = builder.location("l2");
    let (always, p) = (builder.always(), builder.constant(p));
    builder.edge([Cfa::START, first], always, &[(0, p)]);
    let mut last = first;
    for _ in 0..n {
        let [fork, next] = ["l6", "l10"].map(|name| builder.location(name));
        let choice = builder.cfa.terms.variable(1);
        let other = builder.cfa.terms.not(choice);
        let [zero, one] = [0, 1].map(|value| builder.constant(value));
        builder.edge([last, fork], choice, &[(1, one)]);
        builder.edge([last, fork], other, &[(1, zero)]);
        let (a, x) = (builder.words[1], builder.words[2]);
        let is_chosen = builder.cfa.terms.eq(a, one);
        let is_other = builder.cfa.terms.not(is_chosen);
        let (up, down) = (builder.cfa.terms.add(x, one), builder.cfa.terms.sub(x, one));
        builder.edge([fork, next], is_chosen, &[(2, up)]);
        builder.edge([fork, next], is_other, &[(2, down)]);
        last = next;
    }
    let zero = builder.constant(0);
    let fails = builder.cfa.terms.eq(builder.words[0], zero);
    builder.error(last, fails);
    builder.cfa
}

fn backtracks(cfa: &Cfa, options: &Options) -> (bool, usize) {
    let actions = Actions::new(cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut search = Search::new(&actions, options, control);
    let found = search.run();
    assert!(matches!(
        found,
        Ok(Outcome::Unreachable | Outcome::Enumerated)
    ));
    search.annotation.check(&mut search.labels);
    (
        matches!(found, Ok(Outcome::Unreachable)),
        search.counters.backtracks,
    )
}

/// Irrelevant facts do not multiply: the number of paths given up is linear in the number of diamonds with labels,
/// and exponential without.
#[test]
fn diamonds_take_few_backtracks() {
    for n in [1, 4, 8] {
        let cfa = diamonds(n, 1);
        let (is_proved, learn) = backtracks(&cfa, &Options::default());
        assert!(is_proved && learn <= 4 * n, "{n}: {learn}");
        let options = Options {
            learn: false,
            ..Options::default()
        };
        let (is_proved, enumerated) = backtracks(&cfa, &options);
        assert!(!is_proved && enumerated >= 1 << n, "{n}: {enumerated}");
        assert!(judged(&cfa, Bad::Error, &Options::default()));
        assert!(!judged(&diamonds(n, 0), Bad::Error, &Options::default()));
    }
}

/// `loop1` of figure 1: `x` and `i` are counted up together as long as `i < n`; the error is `x < y` where `x`
/// began as `y` and more. The bounded proof has what the unbounded one needs.
#[test]
fn loops_are_proved_by_induction() {
    let mut builder = Builder::new(&["x", "y", "i"]);
    let head = builder.location("l3");
    let (always, n, y) = (
        builder.always(),
        builder.cfa.terms.variable(WIDTH),
        builder.cfa.terms.variable(4),
    );
    let y = builder.cfa.terms.zext(y, WIDTH);
    builder.edge([Cfa::START, head], always, &[(0, y), (1, y)]);
    let [x, y, i] = builder.words[..] else {
        unreachable!()
    };
    let one = builder.constant(1);
    let most = builder.constant(20);
    let terms = &mut builder.cfa.terms;
    let goes_on = terms.ult(i, n);
    let ends = terms.not(goes_on);
    let is_less = terms.ult(x, y);
    let fails = terms.and(ends, is_less);
    let is_low = terms.ult(x, most);
    let goes_on = terms.and(goes_on, is_low);
    let (x, i) = (terms.add(x, one), terms.add(i, one));
    builder.error(head, fails);
    builder.edge([head, head], goes_on, &[(0, x), (2, i)]);
    let cfa = builder.cfa;
    for choice in [0, 10, 20, 37, 72, 82, 92, 109] {
        assert!(judged(&cfa, Bad::Error, &options(choice)));
    }
}

/// A counter up to a bound of 32 bits that may be any number: over bits, labels tell its values apart; over words,
/// one comparison is found and inductive. The label of each location is a term then.
#[test]
fn labels_over_words_are_comparisons() {
    let mut terms = Terms::new();
    let (x, n, input) = (terms.variable(32), terms.variable(32), terms.variable(32));
    let (zero, one) = (terms.constant(0, 32), terms.constant(1, 32));
    let goes_on = terms.ult(x, n);
    let ends = terms.not(goes_on);
    let equal = terms.eq(x, n);
    let differs = terms.not(equal);
    let is_wrong = terms.and(ends, differs);
    let next = terms.add(x, one);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(n, "n");
    let head = cfa.add_location("head", vec![x, n], vec![x, n]);
    let assign = |word, value| Assignment { word, value };
    let initial = vec![assign(x, zero), assign(n, input)];
    cfa.add_edge(Cfa::START, head, always, initial);
    cfa.add_edge(head, Cfa::ERROR, is_wrong, Vec::new());
    cfa.add_edge(head, head, goes_on, vec![assign(x, next)]);
    let options = Options {
        labels: LabelKind::Words,
        ..Options::default()
    };
    let answer = check(&cfa, Bad::Error, &options, Alone::new().control());
    let Answer::Safe(invariant) = &answer else {
        panic!("the program is safe");
    };
    let words = invariant.words().expect("labels are over words");
    let mut terms = words.terms.clone();
    let expected = terms.ule(x, n);
    assert_eq!(words.at[head.index()], vec![vec![expected]]);
    assert!(judge(&cfa, Bad::Error, answer));
}

/// A loop that reaches its error in its last iteration: bounded proofs before it are none of the whole program.
#[test]
fn errors_behind_long_loops_are_found() {
    for (bound, is_safe) in [(40, false), (39, true)] {
        let mut builder = Builder::new(&["x"]);
        let head = builder.location("head");
        let always = builder.always();
        builder.edge([Cfa::START, head], always, &[]);
        let (x, one) = (builder.words[0], builder.constant(1));
        let [bound, last] = [bound, 40].map(|value| builder.constant(value));
        let reached = builder.cfa.terms.eq(x, last);
        let (below, other) = (
            builder.cfa.terms.ult(x, bound),
            builder.cfa.terms.not(reached),
        );
        let goes_on = builder.cfa.terms.and(below, other);
        let next = builder.cfa.terms.add(x, one);
        builder.error(head, reached);
        builder.edge([head, head], goes_on, &[(0, next)]);
        for choice in [0, 18, 36, 54] {
            assert_eq!(judged(&builder.cfa, Bad::Error, &options(choice)), is_safe);
        }
    }
}

/// Wrong labels are refused: one that is not justified at its action, and one that is justified only for bounded
/// fuel does not become unbounded if it is not inductive.
#[test]
fn unjustified_labels_are_refused() {
    let cfa = diamonds(1, 1);
    let actions = Actions::new(&cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut labels = Labels::new(&actions, control.stop);
    let mut annotation = annotation::Annotation::new(&actions, control.stop);
    let to_error = actions.incoming(Cfa::ERROR)[0];
    let inputs = labels.aig.inputs().to_vec();
    for (&node, &(word, _)) in inputs.iter().zip(actions.bits()) {
        for is_negated in [false, true] {
            let label = Edge::new(node, is_negated);
            let learnt = annotation.learn(&mut labels, to_error, &[label], UNBOUNDED);
            let is_right = cfa.word(word).expect("a word").name == "p" && !is_negated;
            assert_eq!(learnt, Ok(is_right));
        }
    }
    assert_eq!(
        annotation.learn(&mut labels, to_error, &[], UNBOUNDED),
        Ok(false)
    );
    annotation.check(&mut labels);
    // A location with an action that has no label: its label is false, and blocks nothing before it.
    let source = actions.action(to_error).source;
    let before = actions.incoming(source)[0];
    let fork = actions.action(before).source;
    assert_eq!(annotation.at(&mut labels.aig, fork, 0), Edge::FALSE);
}

/// A label for bounded fuel that is true without fuel, and for no more: it is dropped, and everything that leans on
/// it.
#[test]
fn labels_for_lack_of_fuel_are_not_inductive() {
    let mut builder = Builder::new(&["x"]);
    let head = builder.location("head");
    let always = builder.always();
    builder.edge([Cfa::START, head], always, &[]);
    let (x, one) = (builder.words[0], builder.constant(1));
    let last = builder.constant(200);
    let reached = builder.cfa.terms.eq(x, last);
    let goes_on = builder.cfa.terms.not(reached);
    let next = builder.cfa.terms.add(x, one);
    builder.error(head, reached);
    builder.edge([head, head], goes_on, &[(0, next)]);
    let actions = Actions::new(&builder.cfa, Bad::Error);
    let alone = Alone::new();
    let control = alone.control();
    let mut labels = Labels::new(&actions, control.stop);
    let mut annotation = annotation::Annotation::new(&actions, control.stop);
    let ids = 0..actions.n_actions() as u32;
    let back = ids
        .clone()
        .find(|&a| annotation.retreats(a))
        .expect("a loop");
    assert_eq!(annotation.learn(&mut labels, back, &[], 0), Ok(true));
    let to_error = actions.incoming(Cfa::ERROR)[0];
    // Bit 0 of the word: 200 is even.
    let odd = Edge::new(labels.aig.inputs()[0], false);
    assert_eq!(
        annotation.learn(&mut labels, to_error, &[odd], UNBOUNDED),
        Ok(true)
    );
    assert_eq!(annotation.learn(&mut labels, back, &[], 1), Ok(false));
    annotation.strengthen(&mut labels).expect("no stop");
    assert_eq!(annotation.n_inductive, 0);
    assert_eq!(annotation.at(&mut labels.aig, head, 1), Edge::FALSE);
    assert_ne!(annotation.at(&mut labels.aig, head, 0), Edge::FALSE);
    annotation.check(&mut labels);
}

/// By goal, one for each edge to a bad location: whether an explicit enumeration of states takes the edge.
fn taken(small: &Small, cfa: &Cfa) -> HashMap<EdgeId, bool> {
    let mut taken: HashMap<EdgeId, bool> = cfa
        .edge_ids()
        .filter(|&edge| [Cfa::ERROR, Cfa::UNSUPPORTED].contains(&cfa.edge(edge).target))
        .map(|edge| (edge, false))
        .collect();
    for edge in small.edges_taken(cfa) {
        taken.entry(edge).and_modify(|taken| *taken = true);
    }
    taken
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// The search with several goals reaches those that can be reached, each once, and no other.
    #[test]
    fn all_goals_that_can_be_reached_are(seed in 1u64.., choice in 0..CHOICES) {
        let small = small(seed);
        let cfa = &small.cfa;
        let taken = taken(&small, cfa);
        let goals: HashMap<EdgeId, Goal> = taken.keys().map(|&edge| (edge, edge.index())).collect();
        let mut reached: Vec<EdgeId> = Vec::new();
        let mut on_run = |goal: Goal, run: Run, _: usize| {
            let last = *run.path.last().expect("a path");
            assert_eq!(goal, last.index());
            assert!(Path::new(cfa, run.path.clone()).is_some());
            for (visit, &edge) in run.visits.iter().zip(&run.path) {
                assert!(cfa.follow(edge, &visit.values).is_some());
            }
            reached.push(last);
            Vec::new()
        };
        let found = cover(cfa, &goals, &options(choice), Alone::new().control(), &mut on_run);
        let rest = found.map_err(|reason| TestCaseError::fail(reason.to_string()))?;
        let is_open = |goal: &Goal| reached.iter().all(|edge| edge.index() != *goal);
        let mut open: Vec<Goal> = goals.values().copied().filter(is_open).collect();
        open.sort_unstable();
        prop_assert_eq!(rest.as_ref().map_or(Vec::new(), |rest| rest.goals.clone()), open);
        if let Some(Rest { mut cfa, invariant, .. }) = rest {
            let encoded = cfa.to_model(Bad::ErrorOrUnsupported);
            let certificate = invariant.certificate(&cfa, &encoded);
            prop_assert!(certify_certificate(&encoded.model, 0, &certificate).is_ok());
        }
        reached.sort_unstable();
        let mut expected: Vec<EdgeId> = taken.into_iter().filter(|&(_, taken)| taken).map(|(edge, _)| edge).collect();
        expected.sort_unstable();
        prop_assert_eq!(reached, expected);
    }
}

/// A stopped search reports that it was stopped.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let answer = check(&diamonds(3, 1), Bad::Error, &Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(_)));
}
