//! Words against bits: the terms and their blasting, compared with the values of the replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_aig::Random;
use craig_mc::Alone;
use craig_mc::word_system::{Blasted, blast};
use craig_model::{Values, simulate::Simulator as BitSimulator};
use craig_word::{BitVector, Evaluator, Sort, Value};

use super::evaluate::{Simulator, replay};
use super::generate::random_circuit;
use super::operator_tests::{expected, operators};
use super::trace::{Step, Trace};
use super::{Btor2, Operator, read, system_of};

fn model(text: &str) -> Btor2 {
    read(text.as_bytes(), "model").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn blasted(model: &Btor2) -> Blasted {
    blast(&system_of(model)).unwrap()
}

/// A circuit with an output that is an operator of two inputs, as bads for each of its bits.
fn of_operator(operator: Operator, width: u32) -> Btor2 {
    let result = match operator.arity() {
        1 => super::evaluate::unary(operator, &BitVector::new(0, width)),
        _ => super::evaluate::binary(
            operator,
            &BitVector::new(0, width),
            &BitVector::new(0, width),
        ),
    };
    let operands = if operator.arity() == 1 { "4" } else { "4 5" };
    let mut text = format!(
        "1 sort bitvec {width}\n2 sort bitvec {}\n3 sort bitvec 1\n4 input 1\n5 input 1\n6 {} 2 {operands}\n\
         7 redor 3 5\n8 redor 3 4\n",
        result.width(),
        operator.name()
    );
    for bit in 0..result.width() {
        let number = 9 + 2 * bit;
        text += &format!(
            "{number} slice 3 6 {bit} {bit}\n{} bad {number}\n",
            number + 1
        );
    }
    // Both inputs are in the cone.
    let last = 9 + 2 * result.width();
    text += &format!(
        "{last} or 3 7 8\n{} or 3 {last} -{last}\n{} constraint {}\n",
        last + 1,
        last + 2,
        last + 1
    );
    model(&text)
}

/// Each operator as bits, against integers: all operands at small widths, many above.
#[test]
fn blasted_operators_agree_with_integers() {
    let mut random = Random::new(7);
    let mut n_results = 0;
    for width in (1..=8).chain([13, 20]) {
        for operator in operators() {
            if matches!(operator, Operator::Iff | Operator::Implies) && width > 1 {
                continue;
            }
            let model = of_operator(operator, width);
            let system = system_of(&model);
            let blasted = blast(&system).unwrap();
            let bits = &blasted.model;
            let n_pairs = if width <= 4 { 1 << (2 * width) } else { 300 };
            for pair in 0..n_pairs {
                let (x, y) = match width <= 4 {
                    true => (pair >> width, pair & ((1 << width) - 1)),
                    false => (
                        random.below(1 << width) as i128,
                        match pair % 4 {
                            0 => random.below(width as usize + 2) as i128,
                            1 => (1 << width) - 1 - random.below(2) as i128,
                            _ => random.below(1 << width) as i128,
                        },
                    ),
                };
                let expected = expected(operator, x, y, width);
                // Word by word in the terms.
                let inputs = [x as u128, y as u128];
                let mut evaluator = Evaluator::new(&system.terms, |term, _| {
                    let number = system.inputs.iter().position(|&input| input == term);
                    number.map_or(0, |number| inputs[number])
                });
                // Bit by bit in the circuit; inputs that the simplifier has removed are not there.
                let mut assignment = Vec::new();
                for name in &bits.names.inputs {
                    let rest = name.strip_prefix("input").unwrap();
                    let (number, bit) = match rest.split_once('[') {
                        Some((number, bit)) => (number, bit.trim_end_matches(']')),
                        None => (rest, "0"),
                    };
                    let [number, bit] = [number, bit].map(|text| text.parse::<usize>().unwrap());
                    assignment.push(inputs[number] >> bit & 1 == 1);
                }
                let mut simulator = BitSimulator::new(bits, &Vec::new(), &Vec::new()).unwrap();
                simulator.step(&assignment);
                let values = simulator.values();
                for (bit, &bad) in values.bads.iter().enumerate() {
                    let is_set = expected >> bit & 1 == 1;
                    assert_eq!(
                        bad, is_set,
                        "{operator:?} {x} {y} at width {width}, bit {bit}"
                    );
                    let term = evaluator.value(system.bads[bit]);
                    assert_eq!(
                        term == 1,
                        is_set,
                        "term of {operator:?} {x} {y} at width {width}"
                    );
                    n_results += 1;
                }
            }
        }
    }
    assert!(n_results > 200_000, "{n_results}");
}

fn random_value(random: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::BitVector(width) => {
            let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.word()).collect();
            Value::Bits(BitVector::from_limbs(&limbs, width))
        }
        Sort::Array { index, element } => {
            let mut array = craig_word::ArrayValue::new(index, BitVector::new(0, element));
            for at in 0..1_u128 << index {
                array.store(
                    BitVector::new(at, index),
                    BitVector::new(u128::from(random.word()), element),
                );
            }
            Value::Array(Arc::new(array))
        }
    }
}

/// A run with random values where the circuit is free.
pub(super) fn random_run(model: &Btor2, random: &mut Random, n_steps: usize) -> Trace {
    let steps = (0..n_steps).map(|number| {
        let sort = |node: u32| model.nodes[node as usize].sort;
        let inputs = model.inputs.iter().enumerate();
        let inputs = inputs.map(|(at, &node)| (at, random_value(random, sort(node))));
        let inputs: BTreeMap<usize, Value> = inputs.collect();
        let free = model
            .states
            .iter()
            .enumerate()
            .filter(|(_, state)| match number {
                0 => state.init.is_none(),
                _ => state.next.is_none(),
            });
        let states = free.map(|(at, state)| (at, random_value(random, sort(state.node))));
        Step {
            states: states.collect(),
            inputs,
        }
    });
    Trace {
        steps: steps.collect(),
        ..Trace::default()
    }
}

/// The bits of a run: the latches before the first step, and the inputs of each.
fn lowered(model: &Btor2, bits: &Blasted, run: &Trace) -> (Values, Vec<Values>) {
    let bit = |name: &str, step: &Step| -> Option<bool> {
        let mut parts = name.split('[').map(|part| part.trim_end_matches(']'));
        let first = parts.next()?;
        let (list, number, sort) = match first.strip_prefix("input") {
            Some(number) => {
                let number = number.parse::<usize>().ok()?;
                (
                    &step.inputs,
                    number,
                    model.nodes[model.inputs[number] as usize].sort,
                )
            }
            None => {
                let number = first.strip_prefix("state")?.parse::<usize>().ok()?;
                (
                    &step.states,
                    number,
                    model.nodes[model.states[number].node as usize].sort,
                )
            }
        };
        let numbers: Vec<u32> = parts.map(|part| part.parse().unwrap()).collect();
        Some(match (list.get(&number)?, sort) {
            (Value::Array(array), Sort::Array { index, .. }) => array
                .select(&BitVector::new(u128::from(numbers[0]), index))
                .bit(numbers[1]),
            (value, _) => value.bits().bit(numbers.first().copied().unwrap_or(0)),
        })
    };
    let names = &bits.model.names;
    let initial = names
        .latches
        .iter()
        .map(|name| bit(name, &run.steps[0]))
        .collect();
    let inputs = run.steps.iter();
    let inputs = inputs.map(|step| names.inputs.iter().map(|name| bit(name, step)).collect());
    (initial, inputs.collect())
}

/// A circuit without symbols, so that the names of its bits have the numbers of inputs and states.
fn nameless(seed: u64) -> Btor2 {
    let mut model = model(&random_circuit(seed));
    for node in &mut model.nodes {
        node.symbol.clear();
    }
    model
}

/// Random circuits give the same bads and constraints in words and in bits, and lifting is the inverse of
/// lowering where it matters.
#[test]
fn random_circuits_run_alike_in_words_and_bits() {
    let mut n_bads = 0;
    for seed in 0..400 {
        let model = nameless(seed);
        let bits = blasted(&model);
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let run = random_run(&model, &mut random, 6);
            let words = replay(&model, &run).unwrap();
            let (initial, inputs) = lowered(&model, &bits, &run);
            // A latch whose initial value is given by `init` has no value in the run.
            let mut simulator = BitSimulator::new(&bits.model, &initial, &Vec::new()).unwrap();
            for (number, step) in inputs.iter().enumerate() {
                let step: Vec<bool> = step.iter().map(|value| value.unwrap_or(false)).collect();
                simulator.step(&step);
                let values = simulator.values();
                assert_eq!(
                    values.bads, words[number].bads,
                    "seed {seed}, step {number}"
                );
                assert_eq!(values.constraints, words[number].constraints, "seed {seed}");
                n_bads += values.bads.iter().filter(|&&bad| bad).count();
            }
            let lifted = Trace {
                steps: bits.lift(&initial, &inputs),
                ..Trace::default()
            };
            let again = replay(&model, &lifted).unwrap();
            for (one, two) in words.iter().zip(&again) {
                assert_eq!(
                    (&one.bads, &one.constraints),
                    (&two.bads, &two.constraints),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(n_bads > 500, "{n_bads}");
}

/// The terms have the values of the nodes.
#[test]
fn terms_have_the_values_of_the_nodes() {
    for seed in 1000..1200 {
        let model = nameless(seed);
        let system = system_of(&model);
        let mut random = Random::new(seed);
        let run = random_run(&model, &mut random, 1);
        let mut simulator = Simulator::new(&model);
        let values = simulator.step(&run.steps[0]).unwrap();
        let mut evaluator = Evaluator::new(&system.terms, |_, _| 0);
        for (&input, value) in system.inputs.iter().zip(&values.inputs) {
            evaluator.set_value(input, value.clone());
        }
        for (state, value) in system.states.iter().zip(&values.states) {
            evaluator.set_value(state.state, value.clone());
        }
        for (state, coming) in system.states.iter().zip(simulator.coming()) {
            if let (Some(next), Some(coming)) = (state.next, coming) {
                assert_eq!(evaluator.value_of(next), *coming, "seed {seed}");
            }
            let own = values.states[system
                .states
                .iter()
                .position(|it| it.state == state.state)
                .unwrap()]
            .clone();
            if let Some(init) = state.init {
                assert_eq!(evaluator.value_of(init), own, "seed {seed}");
            }
        }
    }
}

/// The models with which other tools were wrong, decided in bits.
#[test]
fn regressions_of_other_tools() {
    use craig_mc::engine::registry;
    use craig_model::Verdict;
    let decide = |text: &str, property: usize| -> Vec<bool> {
        let bits = blasted(&model(text));
        let engines = registry::ENGINES
            .iter()
            .filter(|engine| ["bmc", "kind", "pdr"].contains(&engine.name));
        let answers = engines.map(|engine| {
            let run = (engine.build)(&craig_mc::engine::options::Settings::default());
            run(&bits.model, property, Alone::new().control()).verdict
        });
        answers
            .filter_map(|verdict| match verdict {
                Verdict::Safe(_) => Some(true),
                Verdict::Unsafe(_) => Some(false),
                Verdict::Unknown(_) => None,
            })
            .collect()
    };
    // The bad depends on an input, and the only step has no successor.
    let text = "1 sort bitvec 1\n2 const 1 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 -2\n6 constraint 3\n\
                7 input 1 i\n8 bad 7\n";
    assert_eq!(decide(text, 0), [false, false, false]);
    // No state has a successor, and the first one is bad: induction without the base case would prove it.
    let text = "1 sort bitvec 1\n2 zero 1\n3 one 1\n4 state 1 s\n5 state 1 t\n6 init 1 4 2\n7 init 1 5 3\n\
                8 next 1 4 4\n9 next 1 5 2\n10 constraint 5\n11 bad -4\n";
    assert_eq!(decide(text, 0), [false, false, false]);
    // Two bads that are the same value.
    let text = "1 sort bitvec 2\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 inc 1 3\n6 next 1 3 5\n7 sort bitvec 1\n\
                8 redand 7 3\n9 bad 8\n10 bad 8\n";
    assert_eq!(decide(text, 0), [false, false, false]);
    assert_eq!(decide(text, 1), [false, false, false]);
}

/// Memories are not built where addresses can be compared instead.
#[test]
fn written_memories_are_read_by_comparing_addresses() {
    let text = "1 sort bitvec 1\n2 sort bitvec 8\n3 sort bitvec 32\n4 sort array 2 3\n5 state 4 mem\n\
                6 input 2 at\n7 input 3 data\n8 input 1 enable\n9 write 4 5 6 7\n10 ite 4 8 9 5\n\
                11 next 4 5 10\n12 read 3 10 6\n13 read 3 5 6\n14 ite 3 8 7 13\n15 neq 1 12 14\n16 bad 15\n";
    let bits = blasted(&model(text));
    assert_eq!(bits.model.latches.len(), 256 * 32);
    // 3 gates for each bit of the next state, 2 or 3 for each of the read; a decoder.
    let n_gates = bits.model.aig.n_nodes();
    assert!(n_gates < 8192 + 7 * 8192, "{n_gates}");
}

/// A memory that is never written is no latch.
#[test]
fn memories_that_are_never_written_are_logic() {
    let text = "1 sort bitvec 3\n2 sort bitvec 4\n3 sort array 1 2\n4 consth 2 a\n5 state 3 rom\n6 init 3 5 4\n\
                7 next 3 5 5\n8 input 1\n9 read 2 5 8\n10 sort bitvec 1\n11 neq 10 9 4\n12 bad 11\n";
    let bits = blasted(&model(text));
    assert!(bits.model.latches.is_empty());
    assert_eq!(bits.model.bads, [craig_aig::Edge::FALSE]);
    // The memory is outside the cone of the property.
    let text = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3 mem\n5 input 1\n6 input 2\n\
                7 write 3 4 5 6\n8 next 3 4 7\n9 sort bitvec 1\n10 redor 9 6\n11 bad 10\n";
    assert!(blasted(&model(text)).model.latches.is_empty());
    let text = text.replace("11 bad 10", "11 read 2 4 5\n12 redor 9 11\n13 bad 12");
    let error = blast(&system_of(&model(&text))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("arrays on which the properties depend"),
        "{error}"
    );
}
