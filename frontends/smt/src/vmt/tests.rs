//! Random systems by enumeration: an evaluator of their own formulas against the simulator of circuits; and messages.

use std::collections::{BTreeMap, BTreeSet};

use craig_hardware::btor2::evaluate::Simulator;
use craig_hardware::btor2::trace::Step;
use craig_hardware::btor2::{Btor2, read as read_btor2, write};
use craig_word::{BitVector, Value};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::read;

/// The variables of a step and of the next one: `a` and `i` have two bits, `b` has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    a: u8,
    b: bool,
    i: u8,
    next: (u8, bool),
}

#[derive(Clone, Debug)]
enum Word {
    A,
    I,
    NextA,
    Constant(u8),
    Add(Box<Word>, Box<Word>),
    Xor(Box<Word>, Box<Word>),
}

impl Word {
    fn text(&self) -> String {
        match self {
            Self::A => "a".to_owned(),
            Self::I => "i".to_owned(),
            Self::NextA => "a.next".to_owned(),
            Self::Constant(value) => format!("#b{value:02b}"),
            Self::Add(x, y) => format!("(bvadd {} {})", x.text(), y.text()),
            Self::Xor(x, y) => format!("(bvxor {} {})", x.text(), y.text()),
        }
    }

    fn value(&self, of: &Values) -> u8 {
        let value = match self {
            Self::A => of.a,
            Self::I => of.i,
            Self::NextA => of.next.0,
            Self::Constant(value) => *value,
            Self::Add(x, y) => x.value(of).wrapping_add(y.value(of)),
            Self::Xor(x, y) => x.value(of) ^ y.value(of),
        };
        value & 3
    }
}

#[derive(Clone, Debug)]
enum Truth {
    B,
    NextB,
    Constant(bool),
    Equal(Word, Word),
    Less(Word, Word),
    Same(Box<Truth>, Box<Truth>),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
}

impl Truth {
    fn text(&self) -> String {
        let two = |op: &str, x: &Self, y: &Self| format!("({op} {} {})", x.text(), y.text());
        match self {
            Self::B => "b".to_owned(),
            Self::NextB => "b.next".to_owned(),
            Self::Constant(value) => value.to_string(),
            Self::Equal(x, y) => format!("(= {} {})", x.text(), y.text()),
            Self::Less(x, y) => format!("(bvult {} {})", x.text(), y.text()),
            Self::Same(x, y) => two("=", x, y),
            Self::Not(x) => format!("(not {})", x.text()),
            Self::And(x, y) => two("and", x, y),
            Self::Or(x, y) => two("or", x, y),
        }
    }

    fn holds(&self, of: &Values) -> bool {
        match self {
            Self::B => of.b,
            Self::NextB => of.next.1,
            Self::Constant(value) => *value,
            Self::Equal(x, y) => x.value(of) == y.value(of),
            Self::Less(x, y) => x.value(of) < y.value(of),
            Self::Same(x, y) => x.holds(of) == y.holds(of),
            Self::Not(x) => !x.holds(of),
            Self::And(x, y) => x.holds(of) && y.holds(of),
            Self::Or(x, y) => x.holds(of) || y.holds(of),
        }
    }
}

/// Which variables a formula may have besides `a` and `b`.
#[derive(Clone, Copy)]
struct Scope {
    has_input: bool,
    has_next: bool,
}

fn word(scope: Scope) -> BoxedStrategy<Word> {
    let mut leaves = vec![
        Just(Word::A).boxed(),
        (0..4u8).prop_map(Word::Constant).boxed(),
    ];
    leaves.extend(scope.has_input.then(|| Just(Word::I).boxed()));
    leaves.extend(scope.has_next.then(|| Just(Word::NextA).boxed()));
    let leaf = prop::strategy::Union::new(leaves);
    leaf.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner);
        two.prop_flat_map(|(x, y)| {
            let (x, y) = (Box::new(x), Box::new(y));
            prop_oneof![Just(Word::Add(x.clone(), y.clone())), Just(Word::Xor(x, y))]
        })
    })
    .boxed()
}

fn truth(scope: Scope) -> BoxedStrategy<Truth> {
    let words = || (word(scope), word(scope));
    let mut leaves = vec![
        Just(Truth::B).boxed(),
        any::<bool>().prop_map(Truth::Constant).boxed(),
        words().prop_map(|(x, y)| Truth::Equal(x, y)).boxed(),
        words().prop_map(|(x, y)| Truth::Less(x, y)).boxed(),
    ];
    leaves.extend(scope.has_next.then(|| Just(Truth::NextB).boxed()));
    prop::strategy::Union::new(leaves)
        .prop_recursive(3, 8, 2, |inner| {
            let boxed = inner.prop_map(Box::new);
            let two = || (boxed.clone(), boxed.clone());
            prop_oneof![
                boxed.clone().prop_map(Truth::Not),
                two().prop_map(|(x, y)| Truth::Same(x, y)),
                two().prop_map(|(x, y)| Truth::And(x, y)),
                two().prop_map(|(x, y)| Truth::Or(x, y)),
            ]
        })
        .boxed()
}

/// A conjunct of a transition: a definition of a next value, which may have the other one in it, or any formula.
fn step() -> impl Strategy<Value = Truth> {
    let (all, now) = (
        Scope {
            has_input: true,
            has_next: true,
        },
        Scope {
            has_input: true,
            has_next: false,
        },
    );
    let boxed = |truth: Truth| Box::new(truth);
    prop_oneof![
        3 => word(now).prop_map(|value| Truth::Equal(Word::NextA, value)),
        1 => word(all).prop_map(|value| Truth::Equal(value, Word::NextA)),
        3 => truth(now).prop_map(move |value| Truth::Same(boxed(Truth::NextB), boxed(value))),
        1 => truth(all).prop_map(move |value| Truth::Same(boxed(value), boxed(Truth::NextB))),
        1 => Just(Truth::NextB),
        1 => Just(Truth::Not(boxed(Truth::NextB))),
        3 => truth(all),
        2 => (truth(now), definition(now)).prop_map(move |(guard, defined)| {
            Truth::Or(boxed(Truth::Not(boxed(guard))), boxed(defined))
        }),
        3 => prop::collection::vec(alternative(now, all), 2..5).prop_map(|all| {
            let mut all = all.into_iter();
            let first = all.next().expect("there are two at least");
            all.fold(first, |any, other| Truth::Or(Box::new(any), Box::new(other)))
        }),
    ]
}

/// A definition of one of the next values.
fn definition(now: Scope) -> BoxedStrategy<Truth> {
    prop_oneof![
        word(now).prop_map(|value| Truth::Equal(Word::NextA, value)),
        truth(now).prop_map(|value| Truth::Same(Box::new(Truth::NextB), Box::new(value))),
    ]
    .boxed()
}

/// An alternative of a transition: a condition, definitions of next values, and something about them.
fn alternative(now: Scope, all: Scope) -> impl Strategy<Value = Truth> {
    let parts = (
        prop::collection::vec(definition(now), 0..3),
        prop::option::of(truth(all)),
        truth(now),
    );
    parts.prop_map(|(defined, more, guard)| {
        let parts = defined.into_iter().chain(more);
        parts.fold(guard, |whole, part| {
            Truth::And(Box::new(whole), Box::new(part))
        })
    })
}

#[derive(Clone, Debug)]
struct System {
    initial: Vec<Truth>,
    transition: Vec<Truth>,
    property: Truth,
}

impl System {
    fn text(&self, property: &str) -> String {
        let mut text = "(set-logic QF_BV)(declare-fun a () (_ BitVec 2))(declare-fun a.next () (_ BitVec 2))
            (declare-fun b () Bool)(declare-fun b.next () Bool)(declare-fun i () (_ BitVec 2))
            (define-fun .a () (_ BitVec 2) (! a :next a.next))(define-fun .b () Bool (! b :next b.next))\n"
            .to_owned();
        for (number, formula) in self.initial.iter().enumerate() {
            text += &format!(
                "(define-fun init{number} () Bool (! {} :init true))\n",
                formula.text()
            );
        }
        let all: Vec<String> = self.transition.iter().map(Truth::text).collect();
        text += &format!(
            "(define-fun trans () Bool (! (and true {}) :trans true))\n",
            all.join(" ")
        );
        text + &format!(
            "(define-fun good () Bool (! {} {property} 7))",
            self.property.text()
        )
    }

    fn all_hold(formulas: &[Truth], of: &Values) -> bool {
        formulas.iter().all(|formula| formula.holds(of))
    }

    /// The reachable steps, as edges between states, each with whether the property fails in it. A last step, which may
    /// have no successor, has no end.
    fn steps(&self) -> Graph<(u8, bool)> {
        let mut graph = Graph {
            edges: Vec::new(),
            fails: false,
        };
        let all = |state: (u8, bool)| {
            let nexts = (0..4).flat_map(|a| [false, true].map(|b| (a, b)));
            (0..4).flat_map(move |i| {
                nexts.clone().map(move |next| Values {
                    a: state.0,
                    b: state.1,
                    i,
                    next,
                })
            })
        };
        let mut open: Vec<(u8, bool)> = (0..4).flat_map(|a| [(a, false), (a, true)]).collect();
        open.retain(|&(a, b)| {
            let first = Values {
                a,
                b,
                i: 0,
                next: (0, false),
            };
            Self::all_hold(&self.initial, &first)
        });
        let mut seen: BTreeSet<(u8, bool)> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for step in all(state) {
                let fails = !self.property.holds(&step);
                graph.fails |= fails;
                if Self::all_hold(&self.transition, &step) {
                    graph.edges.push((state, vec![fails], step.next));
                    if seen.insert(step.next) {
                        open.push(step.next);
                    }
                }
            }
        }
        graph
    }
}

/// Steps between states, each with what holds in it; and whether a bad is reached.
struct Graph<S> {
    edges: Vec<(S, Vec<bool>, S)>,
    fails: bool,
}

impl<S: Ord + Clone> Graph<S> {
    /// Whether a run has a loop with each of what can hold.
    fn has_loop(&self) -> bool {
        let mut reached: BTreeMap<S, BTreeSet<S>> = BTreeMap::new();
        for (from, _, to) in &self.edges {
            reached.entry(from.clone()).or_default().insert(to.clone());
        }
        loop {
            let before = reached.clone();
            for ends in reached.values_mut() {
                for middle in ends.clone() {
                    ends.extend(before.get(&middle).into_iter().flatten().cloned());
                }
            }
            if reached == before {
                break;
            }
        }
        let is_loop = |from: &S, to: &S| reached.get(to).is_some_and(|ends| ends.contains(from));
        reached.keys().any(|state| {
            let same =
                |other: &S| other == state || (is_loop(state, other) && is_loop(other, state));
            let within = self
                .edges
                .iter()
                .filter(|(from, _, to)| same(from) && is_loop(from, to));
            let within: Vec<&Vec<bool>> = within.map(|(_, holds, _)| holds).collect();
            let count = within.first().map_or(0, |holds| holds.len());
            count > 0 && (0..count).all(|which| within.iter().any(|holds| holds[which]))
        })
    }
}

/// All values of these widths.
fn all_values(widths: &[u32]) -> Vec<BTreeMap<usize, Value>> {
    let mut all = vec![BTreeMap::new()];
    for (number, &width) in widths.iter().enumerate() {
        all = (all.into_iter())
            .flat_map(|given| {
                (0..1u128 << width).map(move |value| {
                    let mut given = given.clone();
                    given.insert(number, Value::Bits(BitVector::new(value, width)));
                    given
                })
            })
            .collect();
    }
    all
}

/// The reachable steps of a circuit; states are the values to come.
fn steps_of(circuit: &Btor2) -> Graph<String> {
    let width = |node: u32| match circuit.nodes[node as usize].sort {
        craig_word::Sort::BitVector(width) => width,
        craig_word::Sort::Array { .. } => unreachable!("there are no arrays"),
    };
    let inputs: Vec<u32> = circuit.inputs.iter().map(|&node| width(node)).collect();
    let states: Vec<u32> = circuit
        .states
        .iter()
        .map(|state| width(state.node))
        .collect();
    let first = Simulator::new(circuit);
    let mut graph = Graph {
        edges: Vec::new(),
        fails: false,
    };
    let name = |simulator: &Simulator<'_>| format!("{:?}", simulator.coming());
    let mut seen = BTreeSet::from([name(&first)]);
    let mut open = vec![(first, all_values(&states))];
    while let Some((before, given)) = open.pop() {
        for (states, inputs) in given.iter().flat_map(|states| {
            all_values(&inputs)
                .into_iter()
                .map(move |inputs| (states.clone(), inputs))
        }) {
            let mut after = before.clone();
            // Values of states that have another first value are refused.
            let Ok(values) = after.step(&Step { states, inputs }) else {
                continue;
            };
            if values.constraints.iter().any(|holds| !holds) {
                continue;
            }
            graph.fails |= values.bads.iter().any(|&bad| bad);
            let holds = values.justice.into_iter().next().unwrap_or_default();
            graph.edges.push((name(&before), holds, name(&after)));
            if seen.insert(name(&after)) {
                open.push((after, vec![BTreeMap::new()]));
            }
        }
    }
    graph
}

/// The circuit of a text, written and read again.
fn circuit_of(text: &str) -> Btor2 {
    let circuit = read(text.as_bytes(), "f").unwrap();
    let mut lines = Vec::new();
    write(&circuit, &mut lines).unwrap();
    read_btor2(&lines, "f").unwrap()
}

fn system() -> impl Strategy<Value = System> {
    let now = |has_input| Scope {
        has_input,
        has_next: false,
    };
    let constant = prop_oneof![
        (0..4u8).prop_map(|value| Truth::Equal(Word::A, Word::Constant(value))),
        Just(Truth::B),
        Just(Truth::Not(Box::new(Truth::B))),
        truth(now(false)),
    ];
    (
        prop::collection::vec(constant, 1..4),
        prop::collection::vec(step(), 1..4),
        truth(now(true)),
    )
        .prop_map(|(initial, transition, property)| System {
            initial,
            transition,
            property,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Bads are reached, and loops are there, in the circuit as in the system.
    #[test]
    fn circuits_have_the_runs_of_their_systems(system in system()) {
        let expected = system.steps();
        let safety = steps_of(&circuit_of(&system.text(":invar-property")));
        prop_assert_eq!(safety.fails, expected.fails);
        let liveness = steps_of(&circuit_of(&system.text(":live-property")));
        prop_assert_eq!(liveness.has_loop(), expected.has_loop());
    }
}

/// What the random systems have: of each answer enough.
#[test]
fn random_systems_have_all_answers() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut counts = BTreeMap::new();
    for _ in 0..300 {
        let system = system().new_tree(&mut runner).unwrap().current();
        let steps = system.steps();
        *counts.entry((steps.fails, steps.has_loop())).or_insert(0) += 1;
    }
    assert!(
        counts.len() == 3 && counts.values().all(|&count| count > 20),
        "{counts:?}"
    );
}

const STATE: &str =
    "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const i (_ BitVec 4))
(define-fun .x () (_ BitVec 4) (! x :next y))
";

/// Definitions leave neither inputs nor the state about transitions.
#[test]
fn a_function_is_a_function() {
    let text = STATE.to_owned()
        + "(assert true)(define-fun t () Bool (! (and (= (bvadd x i) y) true) :trans true))
        (define-fun s () Bool (! (= x #x3) :init true))
        (define-fun p () Bool (! (bvult x #xf) :invar-property 3))";
    let circuit = circuit_of(&text);
    assert_eq!(
        (
            circuit.inputs.len(),
            circuit.states.len(),
            circuit.constraints.len()
        ),
        (1, 1, 0)
    );
    assert!(circuit.states[0].init.is_some());
    assert_eq!(circuit.names()[circuit.states[0].node as usize], "x");
    assert_eq!(circuit.bads[0].symbol, "p");
}

/// Alternatives that define a next value each, under conditions: a choice is an input, and the next value is none.
#[test]
fn alternatives_are_chosen() {
    let text = STATE.to_owned()
        + "(define-fun s () Bool (! (= x #x0) :init true))
        (define-fun t () Bool (! (or (and (= x #x0) (= y #x5)) (and (= x #x5) (= y (bvadd x i)) (bvult y #x8))
            (and (= x #x7) (= y x) (= i #x1))) :trans true))
        (define-fun p () Bool (! (not (= x #x7)) :invar-property 0))";
    let circuit = circuit_of(&text);
    let names = circuit.names();
    let inputs: Vec<&str> = (circuit.inputs.iter())
        .map(|&node| names[node as usize].as_str())
        .collect();
    assert_eq!(inputs, ["i", "choice"]);
    let run = |choices: [(u128, u128); 2]| {
        let mut simulator = Simulator::new(&circuit);
        let steps = choices.into_iter().chain([(0, 0)]);
        let steps = steps.map(|(i, choice)| {
            let inputs = [(0, BitVector::new(i, 4)), (1, BitVector::new(choice, 2))];
            let inputs = inputs.map(|(number, value)| (number, Value::Bits(value)));
            let inputs = BTreeMap::from(inputs);
            let states = BTreeMap::new();
            simulator.step(&Step { states, inputs }).unwrap().bads
        });
        steps.flatten().any(|bad| bad)
    };
    assert!(run([(0, 0), (2, 1)]));
    // The second alternative does not hold in the first step, nor with such an input; and there are three.
    for choices in [
        [(2, 1), (2, 1)],
        [(0, 0), (9, 1)],
        [(0, 0), (2, 2)],
        [(0, 0), (2, 3)],
    ] {
        assert!(!run(choices), "{choices:?}");
    }
}

/// A bad counts where the transition relation has no successor.
#[test]
fn a_state_without_successors_is_reachable() {
    let text = STATE.to_owned()
        + "(define-fun s () Bool (! (= x #x0) :init true))
        (define-fun t () Bool (! (and (bvult x #x3) (= y (bvadd x #x1))) :trans true))
        (define-fun p () Bool (! (not (= x #x3)) :invar-property 0))
        (define-fun q () Bool (! (not (= x #x4)) :invar-property 1))";
    let circuit = circuit_of(&text);
    let mut simulator = Simulator::new(&circuit);
    let mut last = None;
    for _ in 0..6 {
        let values = simulator.step(&Step::default()).unwrap();
        if values.bads.contains(&true) {
            last = Some(values.bads);
        }
    }
    assert_eq!(last, Some(vec![true, false]));
}

/// Arrays: first values everywhere, next values, constants in formulas.
#[test]
fn arrays_are_states() {
    let text = "(declare-const m (Array (_ BitVec 2) (_ BitVec 4)))(declare-const n (Array (_ BitVec 2) (_ BitVec 4)))
        (declare-const i (_ BitVec 2))
        (define-fun .m () (Array (_ BitVec 2) (_ BitVec 4)) (! m :next n))
        (define-fun s () Bool (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x2)) :init true))
        (define-fun t () Bool (! (= n (store m i (bvadd (select m i) #x1))) :trans true))
        (define-fun p () Bool (! (bvult (select m #b01) #x4) :invar-property 0))
        (define-fun q () Bool (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x2)) :invar-property 1))";
    let circuit = circuit_of(text);
    let mut simulator = Simulator::new(&circuit);
    let input = Value::Bits(BitVector::new(1, 2));
    let step = Step {
        states: BTreeMap::new(),
        inputs: BTreeMap::from([(0, input)]),
    };
    let bads: Vec<Vec<bool>> = (0..3)
        .map(|_| simulator.step(&step).unwrap().bads)
        .collect();
    assert_eq!(
        bads,
        [vec![false, false], vec![false, true], vec![true, true]]
    );
}

#[test]
fn what_is_malformed_is_an_error_with_its_line() {
    let property = "(define-fun p () Bool (! (= x #x0) :invar-property 0))";
    for (text, error) in [
        (
            "(define-fun p () Bool (! (= y x) :invar-property 0))".to_owned(),
            "f:3: `:invar-property`: the term may not depend on next values",
        ),
        (
            format!("(define-fun s () Bool (! (= x i) :init true))\n{property}"),
            "f:3: `:init`: the term may not depend on inputs",
        ),
        (
            format!("(define-fun s () Bool (! (= x y) :init true))\n{property}"),
            "f:3: `:init`: the term may not depend on next values",
        ),
        (
            String::new(),
            "f:2: there is no property: expected an annotation :invar-property or :live-property",
        ),
        (
            format!("{property}\n{}", property.replace(" p ", " q ")),
            "f:4: there is a property 0 already",
        ),
        (
            "(define-fun p () Bool (! (= x #x0) :invar-property))".to_owned(),
            "f:3: `:invar-property`: expected a number behind it",
        ),
        (
            "(define-fun p () (_ BitVec 4) (! x :invar-property 0))".to_owned(),
            "f:3: `:invar-property`: expected a truth value, not a term of the sort (_ BitVec 4)",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! x :next i))".to_owned(),
            "f:3: `x` is a state or a next value already",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! i :next i))".to_owned(),
            "f:3: `i` is a state or a next value already",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! i :next none))".to_owned(),
            "f:3: `:next`: `none` is no declared variable",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! (bvnot i) :next x))".to_owned(),
            "f:3: `:next`: expected it at a variable",
        ),
        (
            "(declare-const b Bool)(define-fun z () Bool (! b :next i))".to_owned(),
            "f:3: `i` has the sort (_ BitVec 4), but `b` Bool",
        ),
        (
            "(define-fun s () Bool (! (= x #x0) :init false))".to_owned(),
            "f:3: `:init`: expected `true` behind it",
        ),
        (
            "(define-fun s ((z Bool)) Bool (! z :init true))".to_owned(),
            "f:3: `:init`: the term depends on parameters of its definition",
        ),
        (
            "(define-fun p () Bool (! (= x #x0) :ltl-property 0))".to_owned(),
            "f:3: `:ltl-property`: expected :next, :init, :trans, :invar-property, :live-property, :predicate, :named or :interpolation-group, and a symbol",
        ),
        (
            "(check-sat)".to_owned(),
            "f:3: `(check-sat)`: a file in VMT-LIB has only the commands set-logic, set-option, set-info, declare-fun, declare-const, define-fun, define-const, define-sort",
        ),
        (
            "(declare-const z Int)".to_owned(),
            "f:3: `Int`: expected Bool, (_ BitVec N) or (Array (_ BitVec N) (_ BitVec M))",
        ),
        (
            "(declare-sort S 0)".to_owned(),
            "f:3: `(declare-sort S 0)`: a file in VMT-LIB has only the commands set-logic, set-option, set-info, declare-fun, declare-const, define-fun, define-const, define-sort",
        ),
    ] {
        let found = read((STATE.to_owned() + &text).as_bytes(), "f").unwrap_err();
        assert_eq!(found.to_string(), error, "{text}");
    }
    let bytes = read(b"(set-logic \xff)", "f").unwrap_err();
    assert_eq!(bytes.to_string(), "f: byte 11 is not UTF-8");
    let variable = "(declare-const m (Array (_ BitVec 1) (_ BitVec 4)))
        (define-fun p () Bool (! (= m ((as const (Array (_ BitVec 1) (_ BitVec 4))) x)) :invar-property 0))";
    let found = read((STATE.to_owned() + variable).as_bytes(), "f").unwrap_err();
    assert_eq!(
        found.to_string(),
        "f: constant arrays of terms that are not constants are not supported"
    );
}
