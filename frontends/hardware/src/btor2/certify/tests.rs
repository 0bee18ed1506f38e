//! The certifier's own gates against values, and certificates that hold or do not.

use craig_aig::Random;
use craig_certify::Gate;
use craig_mc::Alone;
use craig_mc::engine::options::Settings;
use craig_mc::engine::registry;
use craig_mc::word_system::blast;
use craig_model::Verdict;
use craig_word::{BitVector, Sort, Value};

use super::bits::Bits;
use super::gates::{Formulas, Values, Word};
use super::{WordCertifyError, certify, certify_with, witness_of};
use crate::btor2::evaluate::{Simulator, binary, unary};
use crate::btor2::generate::random_circuit;
use crate::btor2::operator_tests::operators;
use crate::btor2::word_tests::random_run;
use crate::btor2::{Argument, Btor2, Kind, Operator, read, system_of, write};

fn model(text: &str) -> Btor2 {
    read(text.as_bytes(), "model").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The bits of a value as constants.
fn constants(value: &Value, sort: Sort) -> Bits {
    let of = |bits: &BitVector| -> Bits {
        (0..bits.width())
            .map(|bit| Gate::from(bits.bit(bit)))
            .collect()
    };
    match (value, sort) {
        (Value::Bits(bits), _) => of(bits),
        (Value::Array(array), Sort::Array { index, .. }) => {
            let words = (0..1_u128 << index).map(|at| of(array.select(&BitVector::new(at, index))));
            words.collect::<Vec<Bits>>().concat()
        }
        _ => panic!("an array of another sort"),
    }
}

/// Constant operands make constant results, so that no solver is needed.
#[test]
fn gates_have_the_values_of_random_circuits() {
    for seed in 0..300 {
        let model = model(&random_circuit(seed));
        let mut random = Random::new(seed);
        let run = random_run(&model, &mut random, 1);
        let mut simulator = Simulator::new(&model);
        let step = simulator.step(&run.steps[0]).unwrap();
        let mut formulas = Formulas::new(u64::MAX);
        let needed = vec![true; model.nodes.len()];
        let sort = |node: u32| model.nodes[node as usize].sort;
        let values = Values::new(&mut formulas, &model, &needed, &mut |kind| match *kind {
            Kind::Input(at) => {
                let at = at as usize;
                Some(Word::Bits(constants(
                    &step.inputs[at],
                    sort(model.inputs[at]),
                )))
            }
            Kind::State(at) => {
                let at = at as usize;
                Some(Word::Bits(constants(
                    &step.states[at],
                    sort(model.states[at].node),
                )))
            }
            _ => None,
        });
        let values = values.unwrap();
        for node in 0..model.nodes.len() as u32 {
            let expected = simulator.argument(Argument::of(node));
            let found = values.at(Argument::of(node));
            assert_eq!(
                found,
                constants(&expected, sort(node)),
                "seed {seed}, node {node}"
            );
        }
    }
}

#[test]
fn gates_of_operators_have_their_values() {
    for width in 1..=5_u32 {
        for operator in operators() {
            if matches!(operator, Operator::Iff | Operator::Implies) && width > 1 {
                continue;
            }
            let value = |x: u128, y: u128| {
                let [x, y] = [x, y].map(|value| BitVector::new(value, width));
                match operator.arity() {
                    1 => unary(operator, &x),
                    _ => binary(operator, &x, &y),
                }
            };
            let operands = if operator.arity() == 1 { "3" } else { "3 4" };
            let (name, result) = (operator.name(), value(0, 0).width());
            let text = format!(
                "1 sort bitvec {width}\n2 sort bitvec {result}\n3 input 1\n4 input 1\n5 {name} 2 {operands}\n"
            );
            let model = model(&text);
            for x in 0..1_u128 << width {
                for y in 0..1_u128 << width {
                    let mut formulas = Formulas::new(u64::MAX);
                    let values = Values::new(&mut formulas, &model, &[true; 3], &mut |kind| {
                        let Kind::Input(number) = *kind else {
                            return None;
                        };
                        let value = BitVector::new([x, y][number as usize], width);
                        Some(Word::Bits(constants(
                            &Value::Bits(value),
                            Sort::BitVector(width),
                        )))
                    });
                    let found = values.unwrap().at(Argument::of(2));
                    let expected = Value::Bits(value(x, y));
                    let expected = constants(&expected, Sort::BitVector(result));
                    assert_eq!(found, expected, "{name} {x} {y} at width {width}");
                }
            }
        }
    }
}

/// The verdict of an engine about the first bad.
fn decide(model: &Btor2, engine: &str) -> Verdict {
    let bits = blast(&system_of(model)).unwrap();
    let engine = registry::find(engine).unwrap();
    (engine.build)(&Settings::default())(&bits.model, 0, Alone::new().control()).verdict
}

/// A memory, and a register that follows one of its words.
const MEMORY: &str = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 3\n4 sort array 2 3\n5 zero 3\n\
    6 state 4 memory\n7 init 4 6 5\n8 state 2 watched\n9 next 2 8 8\n10 state 3 register\n11 init 3 10 5\n\
    12 input 1 enable\n13 input 2 address\n14 input 3 data\n15 write 4 6 13 14\n16 ite 4 12 15 6\n\
    17 next 4 6 16\n18 eq 1 13 8\n19 and 1 18 12\n20 ite 3 19 14 10\n21 next 3 10 20\n22 read 3 6 8\n\
    23 neq 1 22 10\n30 bad 23\n";

fn word_witness(model: &Btor2, engine: &str) -> Btor2 {
    let bits = blast(&system_of(model)).unwrap();
    let Verdict::Safe(certificate) = decide(model, engine) else {
        panic!("{engine} does not prove it");
    };
    witness_of(model, &bits, &certificate)
}

fn rewritten(witness: &Btor2) -> Btor2 {
    let mut bytes = Vec::new();
    write(witness, &mut bytes).unwrap();
    model(std::str::from_utf8(&bytes).unwrap())
}

#[test]
fn certificates_over_words_are_accepted_and_weakened_ones_are_not() {
    let memory = model(MEMORY);
    for engine in ["pdr", "kind", "imc"] {
        let witness = rewritten(&word_witness(&memory, engine));
        assert_eq!(certify(&memory, &[0], &witness), Ok(()), "{engine}");
        assert_eq!(certify_with(&memory, &[0], &witness, 0), Ok(()), "{engine}");
    }
    let witness = word_witness(&memory, "pdr");
    let condition = |witness: &Btor2| match certify(&memory, &[0], witness) {
        Err(WordCertifyError::Condition(name)) => name,
        other => panic!("{other:?}"),
    };
    // The property alone is inductive here, but not without the initial value of the register.
    let mut wrong = witness.clone();
    wrong.states[2].init = None;
    assert_eq!(condition(&wrong), "base");
    let mut wrong = witness.clone();
    wrong.states[2].next = Some(Argument::of(wrong.states[2].node));
    assert_eq!(condition(&wrong), "transition");
    let mut wrong = witness.clone();
    wrong.bads[0].value.is_negated ^= true;
    assert_eq!(condition(&wrong), "safety");
    // A constraint that the model does not have.
    let mut wrong = witness.clone();
    wrong.constraints.push(wrong.bads[0].clone());
    assert_eq!(condition(&wrong), "reset");
    let mut wrong = witness.clone();
    wrong.nodes[wrong.states[2].node as usize].symbol.clear();
    assert!(
        certify(&memory, &[0], &wrong).is_err(),
        "a state that is not shared"
    );
    let mut wrong = witness.clone();
    wrong.nodes[wrong.states[2].node as usize].symbol = "=8".to_owned();
    assert!(matches!(
        certify(&memory, &[0], &wrong),
        Err(WordCertifyError::Shape(_))
    ));
    let mut wrong = witness;
    wrong.bads.clear();
    assert!(matches!(
        certify(&memory, &[0], &wrong),
        Err(WordCertifyError::Shape(_))
    ));
}

/// The bad of the model is not excluded by a property of something else.
#[test]
fn an_unsafe_model_has_no_certificate() {
    let text = MEMORY.replace("20 ite 3 19 14 10", "20 ite 3 18 14 10");
    let wrong = model(&text);
    let witness = word_witness(&model(MEMORY), "pdr");
    assert!(matches!(decide(&wrong, "pdr"), Verdict::Unsafe(_)));
    assert!(matches!(
        certify(&wrong, &[0], &witness),
        Err(WordCertifyError::Condition(_))
    ));
    let own = wrong.clone();
    assert_eq!(
        certify(&wrong, &[0], &own),
        Err(WordCertifyError::Condition("inductive"))
    );
}

/// Whatever pdr proves about random circuits is accepted.
#[test]
fn proofs_of_random_circuits_are_accepted() {
    let (mut n_proofs, mut n_dependent) = (0, 0);
    for seed in 0..1500 {
        let model = model(&random_circuit(seed));
        let bits = blast(&system_of(&model)).unwrap();
        if model.bads.is_empty() {
            continue;
        }
        let engine = registry::find("pdr").unwrap();
        let verdict =
            (engine.build)(&Settings::default())(&bits.model, 0, Alone::new().control()).verdict;
        if let Verdict::Safe(certificate) = verdict {
            let witness = rewritten(&witness_of(&model, &bits, &certificate));
            assert_eq!(certify(&model, &[0], &witness), Ok(()), "seed {seed}");
            // The invariant reads each word, so that no other element of an array matters.
            let symbolic = certify_with(&model, &[0], &witness, 0);
            assert_eq!(symbolic, Ok(()), "seed {seed}");
            n_proofs += 1;
            n_dependent += usize::from(!bits.dependent_states.is_empty());
        }
    }
    assert!(
        n_proofs > 300 && n_dependent > 20,
        "{n_proofs} {n_dependent}"
    );
}

/// The circuit of bits has no latch for `flag`, which is 0 for ever, and the invariant does not mention it.
#[test]
fn states_that_are_constants_of_the_circuit_of_bits_are_part_of_the_invariant() {
    let text = "1 sort bitvec 1\n2 zero 1\n3 state 1 flag\n4 init 1 3 2\n5 next 1 3 3\n6 state 1 s\n\
        7 init 1 6 2\n8 input 1\n9 and 1 8 3\n10 next 1 6 9\n11 bad 6\n";
    let model = model(text);
    let bits = blast(&system_of(&model)).unwrap();
    assert_eq!(bits.constant_states, [0]);
    let witness = rewritten(&word_witness(&model, "pdr"));
    assert_eq!(certify(&model, &[0], &witness), Ok(()));
    let mut wrong = witness;
    wrong.bads.pop();
    assert_eq!(
        certify(&model, &[0], &wrong),
        Err(WordCertifyError::Condition("inductive"))
    );
}

/// `b` starts as `a`, whose value is open, and `c` starts as 1 and is free later.
#[test]
fn initial_values_that_depend_on_states_are_part_of_the_invariant() {
    let text = "1 sort bitvec 1\n2 sort bitvec 4\n3 one 1\n4 state 2 a\n5 state 2 b\n6 state 1 c\n\
        7 state 1 d\n8 init 2 5 4\n9 init 1 6 3\n10 init 1 7 3\n11 inc 2 4\n12 inc 2 5\n\
        13 next 2 4 11\n14 next 2 5 12\n15 zero 1\n16 next 1 7 15\n17 neq 1 4 5\n18 and 1 7 -6\n\
        19 or 1 17 18\n20 bad 19\n";
    let correct = model(text);
    for engine in ["pdr", "kind", "imc"] {
        let witness = rewritten(&word_witness(&correct, engine));
        assert_eq!(certify(&correct, &[0], &witness), Ok(()), "{engine}");
        // A first step that does not end: `c` had to stay 1.
        let mut wrong = witness;
        let is_first = &mut wrong.states[correct.states.len()];
        is_first.next = Some(Argument::of(is_first.node));
        assert!(
            matches!(
                certify(&correct, &[0], &wrong),
                Err(WordCertifyError::Condition(_))
            ),
            "{engine}"
        );
    }
    // `c` is free in the second step, where `d` must be 0.
    let wrong = model(&text.replace("16 next 1 7 15", "16 next 1 7 3"));
    assert!(matches!(decide(&wrong, "pdr"), Verdict::Unsafe(_)));
    let witness = word_witness(&correct, "pdr");
    assert!(certify(&wrong, &[0], &witness).is_err());
}

/// Each circuit as a witness of itself: what is proved with symbolic arrays is proved word by word.
#[test]
fn symbolic_arrays_prove_nothing_that_is_wrong() {
    let (mut n_proved, mut n_refuted, mut n_lost) = (0, 0, 0);
    for seed in 0..3000 {
        let model = model(&random_circuit(seed));
        if model.bads.is_empty() {
            continue;
        }
        let exact = certify(&model, &[0], &model);
        let symbolic = certify_with(&model, &[0], &model, 0);
        match (&exact, &symbolic) {
            (Ok(()), Ok(())) => n_proved += 1,
            (Err(WordCertifyError::Condition(_)), Err(WordCertifyError::Condition(_))) => {
                n_refuted += 1;
            }
            (Ok(()), Err(WordCertifyError::Condition(_))) => n_lost += 1,
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(n_proved > 200 && n_refuted > 200, "{n_proved} {n_refuted}");
    assert!(n_lost * 20 < n_proved, "{n_lost} of {n_proved}");
}

/// A memory that is 0 wherever it is read: `value` is what was read at `last` one step ago.
const LARGE: &str = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 zero 3\n\
    6 state 4 memory\n7 init 4 6 5\n8 input 2 address\n9 write 4 6 8 5\n10 next 4 6 9\n11 read 3 6 8\n\
    12 state 3 value\n13 init 3 12 5\n14 next 3 12 11\n15 redor 1 12\n16 bad 15\n";

/// A witness circuit of the model above: the word at each address is 0, and so is `value` if it was read
/// there.
fn universal(next: &str, init: &str, value: &str) -> Btor2 {
    let text = LARGE.replace("memory", "=6").replace("address", "=8");
    let text = text.replace("state 3 value", "state 3 =12");
    let text = text.replace("16 bad 15\n", "");
    model(&format!(
        "{text}20 zero 2\n21 state 2 ?0\n22 state 2\n{init}{next}30 next 2 22 8\n40 inc 2 21\n\
         41 output {value}\n42 read 3 6 21\n43 redor 1 42\n44 bad 43\n45 eq 1 21 22\n46 and 1 45 15\n47 bad 46\n"
    ))
}

#[test]
fn universal_states_speak_of_all_words() {
    let large = model(LARGE);
    let stays = "29 next 2 21 21\n";
    let correct = universal(stays, "", "22 at?0");
    assert_eq!(certify(&large, &[0], &correct), Ok(()));
    assert_eq!(certify(&large, &[0], &rewritten(&correct)), Ok(()));
    // The memory is not 0 everywhere.
    let wrong = model(&LARGE.replace("9 write 4 6 8 5", "9 write 4 6 8 -5"));
    assert_eq!(
        certify(&wrong, &[0], &correct),
        Err(WordCertifyError::Condition("transition"))
    );
    let mut own = correct.clone();
    own.states[0].next = wrong.states[0].next;
    assert!(certify(&wrong, &[0], &own).is_err());
    // Another address.
    let other = universal(stays, "", "20 at?0");
    assert_eq!(
        certify(&large, &[0], &other),
        Err(WordCertifyError::Condition("safety"))
    );
    let shape = |witness: &Btor2| {
        matches!(
            certify(&large, &[0], witness),
            Err(WordCertifyError::Shape(_))
        )
    };
    assert!(
        shape(&universal("29 next 2 21 22\n", "", "22 at?0")),
        "it changes"
    );
    assert!(shape(&universal("", "", "22 at?0")), "it changes");
    assert!(
        shape(&universal(stays, "28 init 2 21 20\n", "22 at?0")),
        "it is not free"
    );
    assert!(shape(&universal(stays, "", "22 other")), "it has no value");
    assert!(
        shape(&universal(stays, "", "40 at?0")),
        "its value depends on itself"
    );
    assert!(
        shape(&universal(stays, "", "-21 at?0")),
        "its value depends on itself"
    );
    let through_a_state = universal(stays, "", "22 at?0");
    let mut wrong = through_a_state;
    let state = wrong.states.len() - 1;
    wrong.states[state].next = Some(Argument::of(wrong.states[state - 1].node));
    assert!(shape(&wrong), "its value depended on itself");
    let mut wrong = correct;
    let node = wrong.states[0].node;
    wrong.nodes[node as usize].symbol = "?1".to_owned();
    assert!(
        certify(&large, &[0], &wrong).is_err(),
        "a state of the model"
    );
}
