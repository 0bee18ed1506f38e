//! The engine, compared with explicit enumeration of states, and a test for each known pitfall of the method.

use craig_mc::Alone;
use craig_word::{Term, Terms};
use proptest::prelude::*;

use super::search::Search;
use super::*;
use crate::cfa::{Assignment, LocationId};
use crate::labels::LabelId;
use crate::tests::engines::{agrees_with_enumeration, dial};
use crate::tests::{judge, small};
use crate::unwinding::VertexId;
use crate::word_labels::LabelKind;

fn judged(cfa: &Cfa, bad: Bad, options: &Options) -> bool {
    judge(cfa, bad, check(cfa, bad, options, Alone::new().control()))
}

fn options(choice: usize) -> Options {
    Options {
        dial: dial(choice),
        labels: [LabelKind::Bits, LabelKind::Words, LabelKind::Restricted(0)][choice / 216 % 3],
        expand_queries: !(choice / 5).is_multiple_of(3),
        cover_candidates: [0, 1, 3][choice / 18 % 3],
        attempt_conflicts: [100, 0][choice / 1296 % 2],
        lost_covers: [16, 0][choice % 2],
        slice: (choice / 54).is_multiple_of(2),
        know_labels: (choice / 108).is_multiple_of(2),
        refute_ends: (choice / 648).is_multiple_of(2),
    }
}

/// All of them.
const CHOICES: usize = 2592;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_enumeration(seed in 1u64.., choice in 0usize..CHOICES) {
        let options = options(choice);
        agrees_with_enumeration(seed, |cfa, bad| check(cfa, bad, &options, Alone::new().control()))?;
    }

    #[test]
    fn final_unwindings_are_well_labelled(seed in 1u64.., choice in 0usize..CHOICES) {
        let small = small(seed);
        let actions = Actions::new(&small.cfa, Bad::Error);
        let options = options(choice);
        let alone = Alone::new();
        let control = alone.control();
        let mut search = Search::new(&actions, &options, control);
        let found = search.run(false).map(|found| found.is_some());
        if !search.unwinding.refuter.left_language() {
            prop_assert_eq!(found, Ok(small.reached(&small.cfa)[0]));
        }
        let (mut labels, tree, _) = search.into_parts();
        tree.check();
        for v in 0..tree.len() as VertexId {
            let vertex = tree.vertex(v);
            if let Some(w) = vertex.covered_by {
                let covering = tree.vertex(w).label;
                let holds = labels.entails(vertex.location, vertex.label, covering);
                prop_assert_eq!(holds, Ok(true));
            }
        }
    }
}

/// A path that the restricted language does not refute makes the search begin again with a larger one; paths that it refutes have
/// no bits in their labels.
#[test]
fn restricted_languages_grow_where_they_do_not_suffice() {
    let options = Options {
        labels: LabelKind::Restricted(0),
        refute_ends: false,
        ..Options::default()
    };
    let (mut grown, mut kept) = (0, 0);
    for seed in 1..150 {
        let small = small(seed);
        let alone = Alone::new();
        let control = alone.control();
        let answer = check(&small.cfa, Bad::Error, &options, control);
        let is_safe = judge(&small.cfa, Bad::Error, answer);
        assert_eq!(is_safe, !small.reached(&small.cfa)[0]);
        let statistics = control.listener.statistics();
        let count = |name: &str| statistics.get(name).copied().unwrap_or(0);
        match count("larger_languages") {
            0 => {
                assert_eq!(count("cuts_with_bits"), 0, "{seed}");
                kept += u32::from(count("cuts_with_words") > 0);
            }
            _ => grown += 1,
        }
    }
    assert!(grown > 0 && kept > 0, "{grown} {kept}");
}

/// A counter of `width` bits that is set to 0 and then incremented in a loop while it is below the bound; the
/// error is that it reaches the limit.
fn counter(width: u32, bound: u128, limit: u128) -> Cfa {
    let mut terms = Terms::new();
    let x = terms.variable(width);
    let (zero, one) = (terms.constant(0, width), terms.constant(1, width));
    let (bound, limit) = (terms.constant(bound, width), terms.constant(limit, width));
    let reached = terms.ule(limit, x);
    let below = terms.not(reached);
    let goes_on = terms.ult(x, bound);
    let goes_on = terms.and(below, goes_on);
    let next = terms.add(x, one);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    let head = cfa.add_location("head", vec![x], vec![x]);
    let assign = |value| vec![Assignment { word: x, value }];
    cfa.add_edge(Cfa::START, head, always, assign(zero));
    cfa.add_edge(head, Cfa::ERROR, reached, Vec::new());
    cfa.add_edge(head, head, goes_on, assign(next));
    cfa
}

/// Four vertices of one location below the root, each the child of the one before it, and one more below the
/// root: v1 > v2 > v3 > v4, and v5.
fn chain() -> Unwinding {
    let inner = LocationId::nth(3);
    let mut tree = Unwinding::new(4, Cfa::START);
    for parent in 0..4 {
        tree.add_child(parent, 0, inner);
        tree.set_expanded(parent);
    }
    let fifth = tree.add_child(0, 0, inner);
    assert_eq!(fifth, 5);
    while tree.next_open_leaf().is_some() {}
    tree
}

/// Trap 1: descendants of a covered vertex are covered, and may not cover.
#[test]
fn what_lies_below_a_covered_vertex_covers_nothing() {
    let mut tree = chain();
    tree.cover(2, 1);
    assert!(tree.is_covered(4) && tree.vertex(4).covered_by.is_none());
    for w in [2, 3, 4] {
        assert!(!tree.may_cover(5, w));
    }
    assert!(tree.may_cover(5, 1));
    // An ancestor is not covered by its descendants, and locations differ.
    assert!(!tree.may_cover(1, 4) && !tree.may_cover(1, 0));
    tree.check();
}

/// Trap 2: covering a vertex removes the arcs into its subtree, strengthening one the arcs into it; uncovered
/// vertices become candidates again.
#[test]
fn arcs_into_covered_subtrees_and_strengthened_vertices_go() {
    let mut tree = chain();
    tree.cover(5, 3);
    assert_eq!(tree.next_open_leaf(), None);
    tree.cover(2, 1);
    assert_eq!(tree.vertex(5).covered_by, None);
    assert_eq!(tree.next_open_leaf(), Some(5));
    tree.cover(5, 1);
    tree.check();
    tree.strengthen(1, LabelId::FALSE);
    assert!(!tree.is_covered(5));
    assert_eq!(tree.next_open_leaf(), Some(5));
    tree.check();
}

/// Trap 3: pruned vertices cover nothing.
#[test]
fn pruning_removes_arcs_into_the_subtree() {
    let mut tree = chain();
    tree.cover(5, 4);
    tree.strengthen(3, LabelId::FALSE);
    assert!(tree.vertex(4).is_pruned && !tree.vertex(3).is_pruned);
    assert_eq!(tree.next_open_leaf(), Some(5));
    assert_eq!(tree.at(LocationId::nth(3)), [1, 2, 5]);
    tree.check();
    // Their outgoing arcs are removed as well.
    tree.cover(2, 1);
    tree.strengthen(2, LabelId::FALSE);
    tree.check();
}

/// Trap 4: neither a vertex with a false label nor one without actions is an open leaf.
#[test]
fn false_vertices_and_ends_are_closed() {
    let mut tree = chain();
    tree.strengthen(4, LabelId::FALSE);
    assert!(!tree.is_open_leaf(4));
    // The only action of the head leads to the error, and is blocked.
    let cfa = counter(4, 0, 1);
    assert!(judged(&cfa, Bad::Error, &Options::default()));
    assert!(!judged(&counter(4, 0, 0), Bad::Error, &Options::default()));
}

/// Trap 5: a loop without iterations has no vertex that covers its head.
#[test]
fn loops_that_never_go_round_end() {
    let cfa = counter(8, 0, 5);
    let actions = Actions::new(&cfa, Bad::Error);
    let (options, alone) = (Options::default(), Alone::new());
    let control = alone.control();
    let mut search = Search::new(&actions, &options, control);
    assert!(matches!(search.run(false), Ok(None)));
    let (_, tree, _) = search.into_parts();
    assert_eq!(tree.n_covered(), 0);
    assert!(judged(&cfa, Bad::Error, &options));
}

/// Trap 6: the order by age guarantees termination: every finite automaton is decided, also without forced
/// covering. A counter to a bound needs a chain of labels.
#[test]
fn finite_automata_are_decided() {
    for cover_candidates in [0, 1, 3] {
        let options = Options {
            cover_candidates,
            ..Options::default()
        };
        assert!(judged(&counter(4, 9, 10), Bad::Error, &options));
        assert!(!judged(&counter(4, 10, 10), Bad::Error, &options));
        assert!(judged(&counter(16, 100, 60_000), Bad::Error, &options));
    }
}

/// Two words: `x` is set, copied to `y`, and compared with it after a detour.
fn copied() -> (Cfa, [Term; 2]) {
    let mut terms = Terms::new();
    let (x, y, input) = (terms.variable(4), terms.variable(4), terms.variable(4));
    let equal = terms.eq(x, y);
    let differs = terms.not(equal);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(y, "y");
    let locations: Vec<LocationId> = ["one", "two", "three"]
        .map(|name| cfa.add_location(name, vec![x, y], Vec::new()))
        .into();
    let assign = |word, value| vec![Assignment { word, value }];
    cfa.add_edge(Cfa::START, locations[0], always, assign(x, input));
    cfa.add_edge(locations[0], locations[1], always, assign(y, x));
    cfa.add_edge(locations[1], locations[2], always, Vec::new());
    cfa.add_edge(locations[2], Cfa::ERROR, differs, Vec::new());
    cfa.close_words();
    (cfa, [x, y])
}

/// Trap 7: interpolants form one inductive sequence, and the formula of an action is a premise of its own
/// part only: the labels after a copy state that both words are equal.
#[test]
fn sequences_are_inductive() {
    let (cfa, _) = copied();
    for choice in 0..CHOICES {
        assert!(judged(&cfa, Bad::Error, &options(choice)));
    }
}

/// Trap 8: with large blocks, an action is checked under the current label of its source.
#[test]
fn actions_are_checked_under_current_labels() {
    let cfa = counter(8, 3, 9);
    let actions = Actions::new(&cfa, Bad::Error);
    let (options, alone) = (Options::default(), Alone::new());
    let control = alone.control();
    let mut search = Search::new(&actions, &options, control);
    assert!(matches!(search.run(false), Ok(None)));
    let (mut labels, tree, _) = search.into_parts();
    for v in 0..tree.len() as VertexId {
        let vertex = tree.vertex(v);
        if vertex.is_pruned || !vertex.is_expanded || tree.is_covered(v) {
            continue;
        }
        for &action in actions.outgoing(vertex.location) {
            let allowed = labels.allows(&actions, vertex.label, action);
            let child = vertex
                .children
                .iter()
                .find(|&&child| tree.vertex(child).action == action);
            let label = child.map_or(LabelId::FALSE, |&child| tree.vertex(child).label);
            // A child with a false label has an action that its parent's label now blocks.
            assert!(label != LabelId::FALSE || allowed == Ok(false));
        }
    }
}

/// Trap 9: forced covering strengthens the vertices below the common ancestor, and then the cover holds: the
/// assertion in the search is active in tests.
#[test]
fn forced_covers_hold() {
    for seed in 1..200 {
        let small = small(seed);
        let options = Options {
            cover_candidates: 8,
            ..Options::default()
        };
        let error = small.reached(&small.cfa)[0];
        assert_eq!(judged(&small.cfa, Bad::Error, &options), !error);
    }
}

/// Attempts that are given up lose no verdict, and force no cover where a query has conflicts.
#[test]
fn attempts_have_a_limit() {
    let mut forced = Vec::new();
    for attempt_conflicts in [0, 100] {
        let options = Options {
            attempt_conflicts,
            ..Options::default()
        };
        let mut n_forced = 0;
        for seed in 1..200 {
            let small = small(seed);
            let alone = Alone::new();
            let control = alone.control();
            let actions = Actions::new(&small.cfa, Bad::Error);
            let mut search = Search::new(&actions, &options, control);
            let found = search.run(false).map(|found| found.is_some());
            assert_eq!(found, Ok(small.reached(&small.cfa)[0]));
            n_forced += search.n_forced();
        }
        forced.push(n_forced);
    }
    assert!(forced[0] < forced[1], "{forced:?}");
}

/// Trap 10: labels come from refutations only, so that slicing paths loses no verdict here.
#[test]
fn slicing_keeps_verdicts() {
    for slice in [true, false] {
        let options = Options {
            slice,
            ..Options::default()
        };
        assert!(judged(&copied().0, Bad::Error, &options));
        assert!(judged(&counter(4, 9, 10), Bad::Error, &options));
    }
}

/// Trap 11: deep unwindings do not overflow the stack.
#[test]
fn deep_unwindings_need_no_deep_stack() {
    let deep = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(|| judged(&counter(10, 300, 300), Bad::Error, &Options::default()))
        .expect("a thread can be started");
    assert!(matches!(deep.join(), Ok(false)));
}

/// A loop that is not left after its first round, as `x` is not 3 then, which propagation shows, and behind which `y - w` is `u`, which
/// takes a search.
fn left_for_two_reasons() -> Cfa {
    let mut terms = Terms::new();
    let [x, y, w, u] = [(); 4].map(|()| terms.variable(8));
    let [one, three] = [1, 3].map(|value| terms.constant(value, 8));
    let more = terms.add(x, one);
    let sum = terms.add(w, u);
    let difference = terms.sub(y, w);
    let (is_three, is_u) = (terms.eq(x, three), terms.eq(difference, u));
    let is_other = terms.not(is_u);
    let always = terms.boolean(true);
    let mut cfa = Cfa::new(terms);
    for (word, name) in [(x, "x"), (y, "y"), (w, "w"), (u, "u")] {
        cfa.add_word(word, name);
    }
    let words = || vec![x, y, w, u];
    let [head, behind] = ["head", "behind"].map(|name| cfa.add_location(name, words(), Vec::new()));
    let assign = |word, value| vec![Assignment { word, value }];
    cfa.add_edge(Cfa::START, head, always, assign(x, one));
    cfa.add_edge(head, behind, is_three, assign(y, sum));
    cfa.add_edge(head, head, always, assign(x, more));
    cfa.add_edge(behind, Cfa::ERROR, is_other, Vec::new());
    cfa.close_words();
    cfa
}

/// Ends of a path are refuted first: what is false on the last two actions alone is no reason for a label of
/// the loop.
#[test]
fn ends_of_paths_are_refuted_first() {
    let cfa = left_for_two_reasons();
    for refute_ends in [true, false] {
        let actions = Actions::new(&cfa, Bad::Error);
        let options = Options {
            refute_ends,
            ..Options::default()
        };
        let alone = Alone::new();
        let control = alone.control();
        let mut search = Search::new(&actions, &options, control);
        assert!(matches!(search.run(false), Ok(None)));
        let (_, tree, _) = search.into_parts();
        let labels = (0..tree.len() as VertexId).map(|v| tree.vertex(v));
        let mut at_head = labels.filter(|vertex| vertex.location == LocationId::nth(3));
        let is_free = at_head.all(|vertex| vertex.label == LabelId::TRUE);
        assert_eq!(is_free, refute_ends);
        assert!(judged(&cfa, Bad::Error, &options));
    }
}

/// A stopped search reports that it was stopped.
#[test]
fn a_stopped_search_has_no_answer() {
    let alone = Alone::new();
    let control = alone.control();
    control.stop.cancel();
    let answer = check(&counter(4, 9, 10), Bad::Error, &Options::default(), control);
    assert!(matches!(answer, Answer::Unknown(_)));
}
