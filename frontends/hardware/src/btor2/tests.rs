//! Tests of reader, writer and replay.

use std::collections::BTreeMap;

use craig_certify::certify_lasso;
use craig_model::Lasso;
use craig_verify::Design;
use craig_word::{BitVector, Sort, Value};
use proptest::prelude::*;

use super::evaluate::{check_lasso, find_loop, first_bad_step, replay};
use super::generate::random_circuit;
use super::trace::{self, Step, Trace};
use super::{Btor2, Kind, WordCircuit, read, write};

fn model(text: &str) -> Btor2 {
    read(text.as_bytes(), "model").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str) -> String {
    read(text.as_bytes(), "model").unwrap_err().to_string()
}

fn written(model: &Btor2) -> String {
    let mut bytes = Vec::new();
    write(model, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

const COUNTER: &str = "; a counter
1 sort bitvec 3 ; of three bits
2 zero 1
3 state 1 count ; the state
4 init 1 3 2
  5 one 1
7 add 1 3 5
8 next 1 3 7
9 ones 1
10 sort bitvec 1
11 eq 10 3 9
12 bad 11 reached

";

#[test]
fn a_file_with_comments_symbols_and_gaps() {
    let counter = model(COUNTER);
    assert_eq!(counter.states.len(), 1);
    assert_eq!(counter.nodes[1].symbol, "count");
    assert_eq!(counter.nodes[1].sort, Sort::BitVector(3));
    assert_eq!(counter.bads[0].symbol, "reached");
    let crlf = COUNTER.replace('\n', "\r\n");
    assert_eq!(model(&crlf), counter);
    assert_eq!(model(COUNTER.trim_end()), counter, "no line end at the end");
    let trace = Trace {
        bads: vec![0],
        steps: vec![Step::default(); 9],
        ..Trace::default()
    };
    let steps = replay(&counter, &trace).unwrap();
    assert_eq!(first_bad_step(&steps, 0), Some(7));
    assert_eq!(
        written(&counter),
        "1 sort bitvec 3\n2 zero 1\n3 state 1 count\n4 one 1\n5 add 1 3 4\n6 ones 1\n7 sort bitvec 1\n\
         8 eq 7 3 6\n9 init 1 3 2\n10 next 1 3 5\n11 bad 8 reached\n"
    );
}

#[test]
fn names_of_states_may_stand_on_values_that_repeat_them() {
    let text = "1 sort bitvec 2\n2 state 1\n3 uext 1 2 0 name\n4 uext 1 -2 0 other\n5 input 1 in\n";
    assert_eq!(model(text).names(), ["name", "name", "other", "in"]);
    assert_eq!(
        written(&model(text)),
        "1 sort bitvec 2\n2 state 1 name\n3 input 1 in\n"
    );
}

/// Each line after the common beginning is wrong, for a reason that the message states.
#[test]
fn wrong_lines_are_rejected_with_a_reason() {
    let begin = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 1\n4 input 1\n5 input 2\n6 zero 1\n\
                 7 state 2\n8 state 3\n9 init 3 8 6\n10 add 2 5 7\n";
    model(begin);
    for (line, expected) in [
        ("10 zero 1", "greater than 10"),
        ("9 zero 1", "greater than 10"),
        ("011 zero 1", "an identifier"),
        ("x zero 1", "an identifier"),
        ("1099511627776 zero 1", "less than 2^40"),
        ("11", "ends where a tag"),
        ("11 frob 1", "a tag of BTOR2"),
        ("11 sort bitvec 0", "width 1 to"),
        ("11 sort bitvec 2147483647", "width 1 to"),
        ("11 sort bitvec", "ends where a width"),
        ("11 sort array 3 1", "arrays of arrays"),
        ("11 sort array 1 3", "arrays of arrays"),
        ("11 sort function 1 1", "`bitvec` or `array`"),
        ("11 zero 4", "line 4 defines none"),
        ("11 zero 12", "12 is not defined"),
        ("11 zero 3", "has to be a bit-vector"),
        ("11 const 2 011", "4 binary digits"),
        ("11 const 2 0121", "digits to base 2"),
        ("11 constd 2 16", "does not fit"),
        ("11 constd 2 -9", "does not fit"),
        ("11 constd 2 a", "digits to base 10"),
        ("11 constd 2 --1", "digits to base 10"),
        ("11 consth 2 10", "does not fit"),
        ("11 consth 2", "ends where digits"),
        ("11 not 1 5", "the sort in this line"),
        ("11 not 2 12", "12 is not defined"),
        ("11 not 2 11", "11 is not defined"),
        ("11 not 2 1", "line 1 defines none"),
        ("11 not 2 9", "line 9 defines none"),
        ("11 not 2 0", "identifier of a value"),
        ("11 not 2 -0", "identifier of a value"),
        ("11 not 2", "identifier of a value"),
        ("11 not 3 8", "has to be a bit-vector"),
        ("11 redand 1 8", "has to be a bit-vector"),
        ("11 sext 2 8 0", "has to be a bit-vector"),
        ("11 add 2 4 5", "of the same sort"),
        ("11 add 2 5", "identifier of a value"),
        ("11 and 3 8 8", "has to be a bit-vector"),
        ("11 iff 1 5 5", "width 1"),
        ("11 slice 1 5 4 4", "below the operand's width 4"),
        ("11 slice 2 5 1 2", "u >= l"),
        ("11 slice 1 5 1 0", "the sort in this line"),
        ("11 uext 2 5 1", "the sort in this line"),
        ("11 uext 2 5 4294967296", "too large"),
        ("11 uext 2 5 4294967295", "too wide"),
        ("11 concat 2 5 5", "the sort in this line"),
        ("11 eq 2 5 5", "the sort in this line"),
        ("11 eq 1 5 8", "of the same sort"),
        ("11 ite 2 4 5 4", "of the same sort"),
        ("11 ite 2 5 5 5", "width 1"),
        ("11 ite 1 4 5 5", "the sort in this line"),
        ("11 read 1 5 5", "has to be an array"),
        ("11 read 1 8 4", "an index"),
        ("11 write 3 8 5 5", "an element"),
        ("11 write 3 -8 5 4", "can't be negated"),
        ("11 bad 5", "width 1"),
        ("11 bad 8", "width 1"),
        ("11 output 8", "has to be a bit-vector"),
        ("11 constraint 5", "width 1"),
        ("11 fair 5", "width 1"),
        ("11 justice 0", "at least one"),
        ("11 justice 2 4", "identifier of a value"),
        ("11 justice 1 5", "width 1"),
        ("11 justice 9999999999 4", "identifier of a value"),
        ("11 init 2 5 7", "has to be a state"),
        ("11 next 2 10 7", "has to be a state"),
        ("11 next 2 -7 7", "has to be a state"),
        ("11 init 3 8 6", "has an `init` already"),
        ("11 init 2 7 10", "has to be defined before the state"),
        ("11 init 2 7 7", "has to be defined before the state"),
        ("11 init 2 7 5", "may not depend on inputs"),
        ("11 init 1 7 6", "the state is"),
        ("11 next 2 7 4", "has to be a bit-vector of width 4"),
        ("11 next 3 8 6", "has to be an array"),
        ("11 input 2 name rest", "the end of the line"),
        ("11 bad 4 name rest", "the end of the line"),
        ("11 sort bitvec 7 name rest", "the end of the line"),
    ] {
        let message = error(&format!("{begin}{line}\n"));
        assert!(message.starts_with("model: line 11: "), "{line}: {message}");
        assert!(message.contains(expected), "{line}: {message}");
    }
    let twice = format!("{begin}11 next 2 7 5\n12 next 2 7 5");
    assert!(error(&twice).contains("line 12: the state has a `next` already"));
}

/// Only a constant line initialises all elements of an array.
#[test]
fn arrays_are_initialised_by_arrays_or_constants() {
    let text =
        "1 sort bitvec 2\n2 sort array 1 1\n3 constd 1 -2\n4 not 1 3\n5 state 2\n6 state 2\n";
    assert!(
        model(&format!("{text}7 init 2 5 -3\n8 init 2 6 5")).states[0]
            .init
            .is_some()
    );
    assert!(error(&format!("{text}7 init 2 5 4")).contains("or a constant"));
    assert!(error(&format!("{text}7 next 2 5 3")).contains("has to be an array"));
    assert!(error(&format!("{text}7 init 2 5 6")).contains("before the state"));
}

#[test]
fn constants_have_their_values() {
    let text = "1 sort bitvec 8\n2 constd 1 -128\n3 constd 1 255\n4 consth 1 00fF\n5 const 1 00000101\n\
                6 constd 1 -0\n7 ones 1\n8 consth 1 00\n9 constd 1 007\n10 sort bitvec 130\n\
                11 consth 10 200000000000000000000000000000000\n12 constd 10 -1\n";
    let model = model(text);
    let values = model
        .nodes
        .iter()
        .map(|node| match (&node.kind, node.sort) {
            (Kind::Constant(constant), Sort::BitVector(width)) => constant.value(width),
            _ => panic!("not a constant"),
        });
    let values: Vec<BitVector> = values.collect();
    let narrow: Vec<u128> = values[..8]
        .iter()
        .map(|value| value.to_u128().unwrap())
        .collect();
    assert_eq!(narrow, [128, 255, 255, 5, 0, 255, 0, 7]);
    assert!(values[8].bit(129) && (0..129).all(|bit| !values[8].bit(bit)));
    assert!(values[9].is_ones());
}

/// A short file may state large numbers; none is allocated.
#[test]
fn large_numbers_need_no_memory() {
    let wide = 1 << 20;
    let mut text = format!("1 sort bitvec {wide}\n2 zero 1\n1099511627775 zero 1\n");
    model(&text);
    text = format!("1 sort bitvec {wide}\n2 constd 1 1{}\n", "0".repeat(20_000));
    assert!(error(&text).contains("decimal constants of more than"));
    text = format!("1 sort bitvec {wide}\n2 uext 1 3 0\n");
    assert!(error(&text).contains("3 is not defined"));
    text = format!("1 sort bitvec {wide}\n2 zero 1\n3 concat 1 2 2\n");
    assert!(error(&text).contains("too wide"));
}

/// The arguments nest as deep as the file is long.
#[test]
fn deep_circuits_are_not_recursed_over() {
    let mut text = "1 sort bitvec 1\n2 input 1\n".to_owned();
    for number in 3..100_000 {
        text += &format!("{number} not 1 {}\n", number - 1);
    }
    text += "100000 bad 99999\n";
    let deep = model(&text);
    let steps = replay(
        &deep,
        &Trace {
            steps: vec![Step::default()],
            ..Trace::default()
        },
    )
    .unwrap();
    assert_eq!(first_bad_step(&steps, 0), Some(0));
    assert_eq!(model(&written(&deep)), deep);
}

/// A constraint counts in the step of the bad, and the next state may have no successor.
#[test]
fn constraints_bind_up_to_the_bad() {
    let text = "1 sort bitvec 1\n2 const 1 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 -2\n6 constraint 3\n\
                7 input 1 i\n8 bad 7\n";
    let model = model(text);
    let with = |value| Step {
        inputs: BTreeMap::from([(0, Value::Bits(BitVector::new(value, 1)))]),
        ..Step::default()
    };
    let bad = |steps: Vec<Step>| {
        let trace = Trace {
            bads: vec![0],
            steps,
            ..Trace::default()
        };
        first_bad_step(&replay(&model, &trace).unwrap(), 0)
    };
    assert_eq!(bad(vec![with(1)]), Some(0));
    assert_eq!(
        bad(vec![with(0), with(1)]),
        None,
        "the constraint fails in step 1"
    );
}

/// A state without `next` is an input; its `init` binds the first step only.
#[test]
fn states_without_next_are_free_in_every_step() {
    let text = "1 sort bitvec 2\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 state 1\n6 sort bitvec 1\n\
                7 neq 6 3 5\n8 bad 7\n9 sort array 1 1\n10 state 9\n11 input 9 mem\n12 read 1 11 3\n\
                13 output 12\n";
    let model = model(text);
    let run =
        "sat\nb0\n#0\n1 00 x#0\n2 [01] 11\n2 [*] 10\n2 [11] 01\n@0\n0 [00] 01\n#1\n0 10\n@1\n.\n";
    let trace = trace::read(run.as_bytes(), "run", &model).unwrap();
    let steps = replay(&model, &trace).unwrap();
    assert_eq!(first_bad_step(&steps, 0), Some(1));
    let array = steps[0].states[2].array();
    let at = |index| array.select(&BitVector::new(index, 2)).to_u128();
    assert_eq!(
        [0, 1, 2, 3].map(at),
        [Some(2), Some(2), Some(2), Some(1)],
        "`*` sets all elements"
    );
    let mut bytes = Vec::new();
    trace::write(&model, &trace, &mut bytes).unwrap();
    assert_eq!(
        String::from_utf8(bytes.clone()).unwrap(),
        "sat\nb0\n#0\n1 00 state1#0\n2 [*] 10 state2#0\n2 [11] 01 state2#0\n@0\n0 [00] 01 mem@0\n#1\n0 10 state0#1\n@1\n.\n"
    );
    assert_eq!(trace::read(&bytes, "run", &model).unwrap(), trace);
    let wrong = "sat\nb0\n#0\n0 01\n@0\n.\n";
    let wrong = trace::read(wrong.as_bytes(), "run", &model).unwrap();
    assert_eq!(
        replay(&model, &wrong).unwrap_err(),
        "step 0: state 0 has another value"
    );
}

#[test]
fn malformed_runs_are_rejected() {
    let model = model(COUNTER);
    for (text, expected) in [
        ("", "line 1: the file ends where a run"),
        ("unsat\n", "line 1: expected a run"),
        ("sat\nb1\n", "line 2: there is no property b1"),
        ("sat\nx\n", "line 2: expected properties"),
        ("sat\nj0\n", "line 2: there is no property j0"),
        ("sat\nb0\n.\n", "line 3: the run has no steps"),
        ("sat\nb0\n#0\n", "line 3: the file ends"),
        ("sat\nb0\n#1\n", "line 3: expected step 0"),
        ("sat\nb0\n0 000\n", "line 3: expected \"#0\""),
        ("sat\nb0\n#0\n0 00\n", "line 4: expected 3 binary digits"),
        ("sat\nb0\n#0\n0 00x\n", "line 4: expected 3 binary digits"),
        (
            "sat\nb0\n#0\n1 000\n",
            "line 4: expected the number of a state",
        ),
        (
            "sat\nb0\n#0\n@0\n0 0\n",
            "line 5: expected the number of a input",
        ),
        ("sat\nb0\n#0\n@0\n@2\n", "line 5: expected step 1"),
    ] {
        let message = trace::read(text.as_bytes(), "run", &model)
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with(&format!("run: {expected}")),
            "{text:?}: {message}"
        );
    }
}

#[test]
fn lassos_repeat_their_states() {
    let text = "1 sort bitvec 2\n2 state 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n6 inc 1 4\n7 next 1 4 6\n\
                8 sort bitvec 1\n9 redand 8 4\n10 redor 8 4\n11 fair -10\n12 justice 1 9\n\
                13 justice 2 9 10\n14 input 8\n15 justice 2 9 14\n";
    let model = model(text);
    let trace = |n_steps| Trace {
        justice: vec![0],
        steps: vec![Step::default(); n_steps],
        ..Trace::default()
    };
    assert_eq!(check_lasso(&model, &trace(4), 0, 0), Ok(()));
    assert_eq!(check_lasso(&model, &trace(6), 1, 2), Ok(()));
    assert!(
        check_lasso(&model, &trace(6), 1, 1)
            .unwrap_err()
            .contains("state 1 differs")
    );
    assert!(
        check_lasso(&model, &trace(4), 2, 0)
            .unwrap_err()
            .contains("holds in no step")
    );
    assert!(check_lasso(&model, &trace(4), 0, 4).is_err());
}

/// The state is read by a formula that has the value of the input for each of its values: the circuit of bits does not have it, and a loop
/// there is one of words when it returns. A counter of 32 bits does not within the steps that are tried.
#[test]
fn loops_of_bits_go_on_until_the_states_of_words_return() {
    let circuit = |width: u32, next: &str| {
        let text = format!(
            "1 sort bitvec {width}\n2 sort bitvec 1\n3 one 1\n4 zero 1\n5 state 1\n6 init 1 5 4\n7 inc 1 5\n\
             8 next 1 5 {next}\n9 redor 2 5\n10 input 2\n11 ite 2 9 10 10\n12 justice 1 11\n"
        );
        WordCircuit::read(text.as_bytes(), "circuit").unwrap()
    };
    let lasso = |circuit: &WordCircuit| Lasso {
        property: 0,
        initial: vec![Some(false); circuit.model().latches.len()],
        inputs: vec![vec![Some(true); circuit.model().inputs.len()]],
        loop_start: 0,
    };
    for (width, next, n_steps, start) in [(2, "7", 4, 0), (2, "3", 2, 1), (2, "5", 1, 0)] {
        let circuit = circuit(width, next);
        let lasso = lasso(&circuit);
        assert_eq!(certify_lasso(circuit.circuit(), &lasso), Ok(()));
        assert_eq!(circuit.replay_lasso(&lasso), Ok(()));
        let run = circuit.lift_lasso(&lasso);
        assert_eq!(run.steps.len(), n_steps);
        assert_eq!(find_loop(&circuit.file, &run, 0), Ok(start));
    }
    let circuit = circuit(32, "7");
    assert!(circuit.replay_lasso(&lasso(&circuit)).is_err());
}

#[test]
fn random_circuits_survive_writing() {
    for seed in 0..200 {
        let text = random_circuit(seed);
        let first = written(&model(&text));
        let again = model(&first);
        assert_eq!(written(&again), first, "seed {seed}");
        assert_eq!(again.bads.len(), model(&text).bads.len());
        // Both run alike.
        let free = Trace {
            steps: vec![Step::default(); 5],
            ..Trace::default()
        };
        let [one, two] = [&model(&text), &again].map(|model| replay(model, &free).unwrap());
        for (one, two) in one.iter().zip(&two) {
            assert_eq!(
                (&one.states, &one.bads),
                (&two.states, &two.bads),
                "seed {seed}"
            );
        }
    }
}

proptest! {
    /// Any bytes are an error or a circuit; what is a circuit can be written and read again.
    #[test]
    fn changed_files_are_read_or_rejected(seed in 0..50_u64, at in 0..4000_usize, with in "[ -~]{0,4}") {
        let mut bytes = random_circuit(seed).into_bytes();
        let at = at.min(bytes.len());
        let end = (at + with.len() / 2).min(bytes.len());
        bytes.splice(at..end, with.bytes());
        if let Ok(model) = read(&bytes, "model") {
            let text = written(&model);
            let again = read(text.as_bytes(), "again").unwrap();
            prop_assert_eq!(written(&again), text);
        }
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, "model");
        let _ = trace::read(&bytes, "run", &model(COUNTER));
    }
}
