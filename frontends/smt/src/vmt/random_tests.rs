//! Random systems by enumeration: an evaluator of their own formulas against the simulator of circuits.

use std::collections::{BTreeMap, BTreeSet};

use craig_hardware::btor2::Btor2;
use craig_hardware::btor2::evaluate::Simulator;
use craig_hardware::btor2::trace::Step;
use craig_word::{BitVector, Value};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::tests::circuit_of;

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
