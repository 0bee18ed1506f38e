//! Random automata, compared with an explicit enumeration of their states.

use std::collections::{HashMap, HashSet, VecDeque};

use craig_aig::{Aig, Edge as AigEdge, Random};
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::engine::pdr;
use craig_model::{Stop, Trace, Verdict};
use craig_solver::encode::Encoder;
use craig_solver::{Answer as SolverAnswer, Solver};
use craig_word::{Blaster, Evaluator, Term, Terms};
use proptest::prelude::*;

use super::actions::Actions;
use super::*;
use crate::words::signals;

pub(crate) mod engines;

const WIDTH: u32 = 2;

/// Two words, one input, and some locations; all words are carried where needed.
pub(crate) struct Small {
    pub(crate) cfa: Cfa,
    words: [Term; 2],
    input: Term,
}

fn value(random: &mut Random, terms: &mut Terms, from: &[Term]) -> Term {
    let x = from[random.below(from.len())];
    let y = from[random.below(from.len())];
    match random.below(7) {
        0 => x,
        1 => terms.constant(random.below(4) as u128, WIDTH),
        2 => terms.sub(x, y),
        3 => terms.and(x, y),
        4 => terms.mul(x, y),
        _ => {
            let one = terms.constant(1, WIDTH);
            terms.add(x, one)
        }
    }
}

pub(crate) fn small(seed: u64) -> Small {
    let random = &mut Random::new(seed);
    let mut terms = Terms::new();
    let words = [terms.variable(WIDTH), terms.variable(WIDTH)];
    let input = terms.variable(WIDTH);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(words[0], "x");
    cfa.add_word(words[1], "y");
    let n_inner = 1 + random.below(3);
    for number in 0..n_inner {
        let carried: Vec<Term> = words
            .iter()
            .copied()
            .filter(|_| random.below(4) > 0)
            .collect();
        cfa.add_location(format!("l{number}"), carried.clone(), carried);
    }
    // The words that each location carries, from the reads of its edges.
    let sources: Vec<LocationId> = cfa.sources().collect();
    for &source in &sources {
        let carried = match source {
            Cfa::START => Vec::new(),
            _ => cfa.location(source).words.clone(),
        };
        let mut readable = carried;
        readable.push(input);
        let mut guards = vec![cfa.terms.boolean(true)];
        for _ in 0..1 + random.below(3) {
            let a = value(random, &mut cfa.terms, &readable);
            let b = value(random, &mut cfa.terms, &readable);
            let atom = cfa.terms.ult(a, b);
            let other = cfa.terms.not(atom);
            let last = guards.pop().expect("one is left");
            guards.push(cfa.terms.and(last, atom));
            guards.push(cfa.terms.and(last, other));
        }
        let mut targets: Vec<LocationId> = guards
            .iter()
            .map(|_| match random.below(8) {
                0 if source != Cfa::START => Cfa::ERROR,
                1 if source != Cfa::START => Cfa::UNSUPPORTED,
                _ => sources[1 + random.below(n_inner)],
            })
            .collect();
        targets.sort_by_key(|target| match *target {
            Cfa::ERROR => 0,
            Cfa::UNSUPPORTED => 1,
            _ => 2,
        });
        // Sometimes the guards do not cover all cases.
        let n_edges = guards.len() - usize::from(random.below(3) == 0);
        for (&target, &guard) in targets.iter().zip(&guards[..n_edges]) {
            let mut assignments = Vec::new();
            if target != Cfa::ERROR && target != Cfa::UNSUPPORTED {
                for word in cfa.location(target).words.clone() {
                    if random.below(3) > 0 {
                        let value = value(random, &mut cfa.terms, &readable);
                        assignments.push(Assignment { word, value });
                    }
                }
            }
            cfa.add_edge(source, target, guard, assignments);
        }
    }
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    Small { cfa, words, input }
}

/// Whether an engine's answer is that what is bad is out of reach. Its evidence is judged: a certificate by the checker of circuits, a run step by step.
pub(super) fn judge(cfa: &Cfa, bad: Bad, answer: Answer) -> bool {
    let mut cfa = cfa.clone();
    match answer {
        Answer::Safe(invariant) => {
            let encoded = cfa.to_model(bad);
            let certificate = invariant.certificate(&cfa, &encoded);
            assert_eq!(
                certify_certificate(&encoded.model, 0, &certificate),
                Ok(()),
                "{cfa}"
            );
            true
        }
        Answer::Unsafe(run) => {
            assert!(Path::new(&cfa, run.path.clone()).is_some());
            assert_eq!(run.visits[0].location, Some(Cfa::START));
            for (visit, &edge) in run.visits.iter().zip(&run.path) {
                assert_eq!(visit.location, Some(cfa.edge(edge).source));
                assert!(cfa.follow(edge, &visit.values).is_some());
            }
            let end = run.path.last().map(|&edge| cfa.edge(edge).target);
            let may = bad == Bad::ErrorOrUnsupported && end == Some(Cfa::UNSUPPORTED);
            assert!(end == Some(Cfa::ERROR) || may);
            let encoded = cfa.to_model(bad);
            let trace = encoded.trace(&run);
            assert!(certify_trace(&encoded.model, 0, &trace).is_ok(), "{cfa}");
            false
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

type State = (LocationId, [u128; 2]);

impl Small {
    fn values(&self, state: &State, input: u128) -> HashMap<Term, u128> {
        HashMap::from([
            (self.words[0], state.1[0]),
            (self.words[1], state.1[1]),
            (self.input, input),
        ])
    }

    /// The states after one step, each with its edge. A word that is not carried keeps its value here.
    fn successors(&self, cfa: &Cfa, state: &State) -> Vec<(EdgeId, State)> {
        let mut found = Vec::new();
        for input in 0..1 << WIDTH {
            let values = self.values(state, input);
            for &edge in cfa.outgoing(state.0) {
                if let Some(after) = cfa.follow(edge, &values) {
                    let of = |word: Term| after.get(&word).copied().unwrap_or(values[&word]);
                    let after = [of(self.words[0]), of(self.words[1])];
                    found.push((edge, (cfa.edge(edge).target, after)));
                }
            }
        }
        found
    }

    /// Whether each of the error and the unsupported location is reachable.
    pub(crate) fn reached(&self, cfa: &Cfa) -> [bool; 2] {
        let taken = self.edges_taken(cfa);
        [Cfa::ERROR, Cfa::UNSUPPORTED]
            .map(|end| taken.iter().any(|&edge| cfa.edge(edge).target == end))
    }

    /// The edges that runs take.
    pub(super) fn edges_taken(&self, cfa: &Cfa) -> HashSet<EdgeId> {
        let mut taken = HashSet::new();
        let mut seen: HashSet<State> = HashSet::from([(Cfa::START, [0, 0])]);
        let mut queue: VecDeque<State> = seen.iter().copied().collect();
        while let Some(state) = queue.pop_front() {
            for (edge, next) in self.successors(cfa, &state) {
                taken.insert(edge);
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        taken
    }
}

fn verdict(encoded: &CfaModel) -> Verdict {
    pdr::check(
        &encoded.model,
        0,
        &pdr::Options::default(),
        Alone::new().control(),
    )
    .verdict
}

/// A trace is a path that the automaton can take, from zeros to an edge to a bad location.
fn follows(cfa: &Cfa, encoded: &CfaModel, trace: &Trace, bad: Bad) {
    let visits = encoded.visits(cfa, trace);
    let mut path = Vec::new();
    for (step, visit) in visits.iter().enumerate() {
        let location = visit.location.expect("the run goes on");
        let taken: Vec<(EdgeId, HashMap<Term, u128>)> = (cfa.outgoing(location).iter())
            .filter_map(|&edge| Some((edge, cfa.follow(edge, &visit.values)?)))
            .collect();
        let [(edge, after)] = &taken[..] else {
            panic!("one edge is taken, not {}", taken.len());
        };
        path.push(*edge);
        match visits.get(step + 1) {
            Some(next) => {
                assert_eq!(next.location, Some(cfa.edge(*edge).target));
                for (&word, &value) in after {
                    if encoded.latches(word).is_some() {
                        assert_eq!(next.values.get(&word).copied().unwrap_or(0), value);
                    }
                }
            }
            None => {
                let target = cfa.edge(*edge).target;
                let may = bad == Bad::ErrorOrUnsupported && target == Cfa::UNSUPPORTED;
                assert!(target == Cfa::ERROR || may);
            }
        }
    }
    let path = Path::new(cfa, path).expect("neighbours fit");
    assert!(is_feasible(cfa, &path), "the path of a trace is feasible");
}

fn is_feasible(cfa: &Cfa, path: &Path) -> bool {
    let formula = PathFormula::new(cfa, path);
    let mut solver = Solver::new();
    let mut encoder = Encoder::new();
    let lits: Vec<_> = (formula.parts.iter())
        .map(|&part| encoder.encode(&formula.aig, part, &mut solver))
        .collect();
    solver.solve(&lits) == SolverAnswer::Satisfiable
}

/// The strongest labels: the reachable states of each location.
fn reachable_label(
    small: &Small,
    encoded: &CfaModel,
    states: &HashSet<State>,
    aig: &mut Aig,
    location: LocationId,
) -> AigEdge {
    let mut label = AigEdge::FALSE;
    for state in states.iter().filter(|state| state.0 == location) {
        let mut here = AigEdge::TRUE;
        for (word, value) in small.words.iter().zip(state.1) {
            // Only carried words are restricted.
            if small.cfa.location(location).words.contains(word)
                && let Some(bits) = encoded.state(*word)
            {
                for (bit, edge) in bits.iter().enumerate() {
                    here = aig.and(here, edge.negate_if(value >> bit & 1 == 0));
                }
            }
        }
        label = aig.or(label, here);
    }
    label
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn circuits_reach_what_automata_reach(seed in 1u64..) {
        let mut small = small(seed);
        prop_assert_eq!(small.cfa.overlap(&Stop::new()), Ok(None));
        let [error, unsupported] = small.reached(&small.cfa);
        let mut sliced = small.cfa.sliced();
        prop_assert_eq!(small.reached(&sliced), [error, unsupported]);
        for (bad, expected) in [(Bad::Error, error), (Bad::ErrorOrUnsupported, error || unsupported)] {
            for cfa in [&mut small.cfa, &mut sliced] {
                let encoded = cfa.to_model(bad);
                match verdict(&encoded) {
                    Verdict::Unsafe(trace) => {
                        prop_assert!(expected, "unsafe:\n{cfa}");
                        follows(cfa, &encoded, &trace, bad);
                    }
                    Verdict::Safe(certificate) => {
                        prop_assert!(!expected, "safe:\n{cfa}");
                        prop_assert!(certify_certificate(&encoded.model, 0, &certificate).is_ok());
                    }
                    Verdict::Unknown(reason) => prop_assert!(false, "{reason}"),
                }
            }
        }
    }

    #[test]
    fn circuits_with_signals_reach_what_automata_reach(seed in 1u64..) {
        let mut small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        for (bad, expected) in [(Bad::Error, error), (Bad::ErrorOrUnsupported, error || unsupported)] {
            let encoded = small.cfa.to_model(bad);
            let Some((model, formulas)) = signals(&encoded.model, &encoded.vocabulary) else {
                continue;
            };
            let (options, alone) = (pdr::Options::default(), Alone::new());
let control = alone.control();
            let outcome = pdr::check_with_signals(&model, 0, &formulas, &options, control);
            match outcome.verdict {
                Verdict::Unsafe(trace) => {
                    prop_assert!(expected, "unsafe:\n{}", small.cfa);
                    follows(&small.cfa, &encoded, &trace, bad);
                }
                Verdict::Safe(certificate) => {
                    prop_assert!(!expected, "safe:\n{}", small.cfa);
                    prop_assert!(certify_certificate(&encoded.model, 0, &certificate).is_ok());
                }
                Verdict::Unknown(reason) => prop_assert!(false, "{reason}"),
            }
        }
    }

    #[test]
    fn path_formulas_say_what_steps_do(seed in 1u64..) {
        let small = small(seed);
        // All paths of up to three edges from the start, and the states at their ends.
        let mut paths: Vec<(Vec<EdgeId>, HashSet<State>)> =
            vec![(Vec::new(), HashSet::from([(Cfa::START, [0, 0])]))];
        for _ in 0..3 {
            let mut longer = Vec::new();
            for (path, states) in paths {
                let end = path.last().map_or(Cfa::START, |&edge| small.cfa.edge(edge).target);
                for &edge in small.cfa.outgoing(end) {
                    let mut after = HashSet::new();
                    for state in &states {
                        for (taken, next) in small.successors(&small.cfa, state) {
                            if taken == edge {
                                after.insert(next);
                            }
                        }
                    }
                    let mut path = path.clone();
                    path.push(edge);
                    let whole = Path::new(&small.cfa, path.clone()).expect("neighbours fit");
                    prop_assert_eq!(is_feasible(&small.cfa, &whole), !after.is_empty());
                    longer.push((path, after));
                }
            }
            paths = longer;
        }
    }

    #[test]
    fn pre_images_are_what_leads_there(seed in 1u64.., constant in 0u128..4) {
        let mut small = small(seed);
        for edge in small.cfa.edge_ids() {
            let target = small.cfa.edge(edge).target;
            let Some(&word) = small.cfa.location(target).words.first() else { continue };
            let bound = small.cfa.terms.constant(constant, WIDTH);
            let condition = small.cfa.terms.ult(word, bound);
            let pre_image = small.cfa.pre_image(edge, condition);
            let weakest = small.cfa.weakest_precondition(edge, condition);
            for code in 0..1u128 << (3 * WIDTH) {
                let at = |position: u32| code >> (position * WIDTH) & 3;
                let values = small.values(&(target, [at(0), at(1)]), at(2));
                let after = small.cfa.follow(edge, &values);
                let mut evaluator = Evaluator::new(&small.cfa.terms, |term, _| values[&term]);
                let holds = after.as_ref().map(|after| after[&word] < constant);
                prop_assert_eq!(evaluator.value(pre_image) == 1, holds == Some(true));
                prop_assert_eq!(evaluator.value(weakest) == 1, holds != Some(false));
            }
        }
    }

    #[test]
    fn reachable_states_are_labels_of_a_certificate(seed in 1u64..) {
        let mut small = small(seed);
        let bad = Bad::ErrorOrUnsupported;
        let encoded = small.cfa.to_model(bad);
        let mut states: HashSet<State> = HashSet::from([(Cfa::START, [0, 0])]);
        let mut queue: Vec<State> = states.iter().copied().collect();
        while let Some(state) = queue.pop() {
            for (_, next) in small.successors(&small.cfa, &state) {
                if states.insert(next) {
                    queue.push(next);
                }
            }
        }
        let is_safe = !states.iter().any(|s| s.0 == Cfa::ERROR || s.0 == Cfa::UNSUPPORTED);
        let certificate = encoded.certificate(&small.cfa, |aig, location| {
            reachable_label(&small, &encoded, &states, aig, location)
        });
        prop_assert_eq!(certify_certificate(&encoded.model, 0, &certificate).is_ok(), is_safe);
    }
}

/// `x` counts up to an input's value; the error is that it exceeds it.
fn counter() -> (Cfa, [Term; 2]) {
    let mut terms = Terms::new();
    let (x, n, input) = (terms.variable(8), terms.variable(8), terms.variable(8));
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(n, "n");
    let head = cfa.add_location("head", vec![x, n], vec![x, n]);
    let terms = &mut cfa.terms;
    let (zero, one) = (terms.constant(0, 8), terms.constant(1, 8));
    let always = terms.boolean(true);
    let (more, beyond, next) = (terms.ult(x, n), terms.ult(n, x), terms.add(x, one));
    let assign = |word, value| Assignment { word, value };
    cfa.add_edge(
        Cfa::START,
        head,
        always,
        vec![assign(x, zero), assign(n, input)],
    );
    cfa.add_edge(head, Cfa::ERROR, beyond, Vec::new());
    cfa.add_edge(head, head, more, vec![assign(x, next)]);
    (cfa, [x, n])
}

#[test]
fn an_automaton_is_written_as_text() {
    let (cfa, _) = counter();
    assert_eq!(cfa.check(), Ok(()));
    let expected = "\
4 locations, 3 edges, 2 words
word x: 8 bits
word n: 8 bits
location 0 (start) {}
  to 3 (head) when 1
    x := 0
    n := v2
location 1 (error) {}
location 2 (unsupported) {}
location 3 (head) {x, n}
  to 1 (error) when (n < x)
  to 3 (head) when (x < n)
    x := (x + 1)
";
    assert_eq!(cfa.to_string(), expected);
}

#[test]
fn a_label_that_is_no_invariant_is_no_certificate() {
    let (mut cfa, [x, n]) = counter();
    let (at_most, below) = (cfa.terms.ule(x, n), cfa.terms.ult(x, n));
    let encoded = cfa.to_model(Bad::ErrorOrUnsupported);
    for (label, is_valid) in [(at_most, true), (below, false)] {
        let certificate = encoded.certificate(&cfa, |aig, location| {
            if location == Cfa::START {
                return AigEdge::TRUE;
            }
            let mut blaster = Blaster::new();
            for word in [x, n] {
                blaster.set(word, &encoded.state(word).expect("a latch"));
            }
            let mut none = |_: &mut Aig, _: Term| unreachable!("labels read words");
            blaster.blast(&cfa.terms, aig, label, &mut none)[0]
        });
        let judged = certify_certificate(&encoded.model, 0, &certificate);
        assert_eq!(judged.is_ok(), is_valid);
    }
}

/// Both branches on `x` do the same, so that the circuit has no latch for it; the label of the location reads it.
#[test]
fn labels_may_read_words_that_the_circuit_omits() {
    let mut terms = Terms::new();
    let (x, y, input) = (terms.variable(2), terms.variable(2), terms.variable(2));
    let (two, three) = (terms.constant(2, 2), terms.constant(3, 2));
    let is_two = terms.eq(input, two);
    let below = terms.ult(x, two);
    let not_below = terms.not(below);
    let is_wrong = terms.eq(y, three);
    let mut cfa = Cfa::new(terms);
    cfa.add_word(x, "x");
    cfa.add_word(y, "y");
    let fork = cfa.add_location("fork", vec![x, y], Vec::new());
    let join = cfa.add_location("join", vec![y], Vec::new());
    let set = Assignment {
        word: x,
        value: input,
    };
    cfa.add_edge(Cfa::START, fork, is_two, vec![set]);
    cfa.add_edge(fork, join, below, Vec::new());
    cfa.add_edge(fork, join, not_below, Vec::new());
    cfa.add_edge(join, Cfa::ERROR, is_wrong, Vec::new());
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    let bad = Bad::Error;
    let actions = Actions::new(&cfa, bad);
    let mut aig = Aig::new();
    let bits: HashMap<(Term, u32), AigEdge> = (actions.bits().iter())
        .map(|&bit| (bit, aig.add_input()))
        .collect();
    let encoded = cfa.to_model(bad);
    assert!(encoded.state(x).is_none());
    for (y_is_zero, is_valid) in [(true, true), (false, false)] {
        let invariant = Invariant::new(&actions, &mut aig, |aig, location| {
            let mut parts = Vec::new();
            if y_is_zero || location == join {
                parts.extend([!bits[&(y, 0)], !bits[&(y, 1)]]);
            }
            if location == fork {
                parts.extend([!bits[&(x, 0)], bits[&(x, 1)]]);
            }
            aig.and_all(parts)
        });
        let certificate = invariant.certificate(&cfa, &encoded);
        let judged = certify_certificate(&encoded.model, 0, &certificate);
        assert_eq!(judged.is_ok(), is_valid);
    }
}

#[test]
fn broken_invariants_are_found() {
    // The head reads `n`, which it does not carry.
    let (cfa, [x, n]) = counter();
    let mut broken = cfa.clone();
    broken.location_mut(LocationId::nth(3)).words = vec![x];
    assert!(broken.check().is_err());
    // An edge into the start.
    let mut broken = cfa.clone();
    let always = broken.terms.boolean(true);
    broken.add_edge(LocationId::nth(3), Cfa::START, always, Vec::new());
    assert!(broken.check().is_err());
    // An edge from the error.
    let mut broken = cfa.clone();
    broken.add_edge(Cfa::ERROR, LocationId::nth(3), always, Vec::new());
    assert!(broken.check().is_err());
    // A word without a value; carrying it makes the automaton valid again.
    let mut broken = cfa.clone();
    let other = broken.add_location("other", vec![x, n], Vec::new());
    broken.add_edge(Cfa::START, other, always, Vec::new());
    assert!(broken.check().is_err());
    broken.close_words();
    assert_eq!(broken.check(), Ok(()));
    assert_eq!(broken.location(Cfa::START).words, [x, n]);
    // Two guards that hold at once.
    let mut broken = cfa;
    assert_eq!(broken.overlap(&Stop::new()), Ok(None));
    let edge = broken.add_edge(LocationId::nth(3), LocationId::nth(3), always, Vec::new());
    let found = broken.overlap(&Stop::new()).expect("no stop");
    assert_eq!(
        found.expect("an overlap")[1],
        edge.expect("a guard that may hold")
    );
}
